import { describe, expect, it } from 'vitest';
import { hooksOf } from '../../src/app/hook-options.ts';
import { parseOptions } from '../../src/app/job-file.ts';

const hooks = (raw: object) => hooksOf(parseOptions({ ...raw }, (name) => `job.json: "${name}"`));

describe('the hooks of the options', () => {
  it('are none where there is no command', () => {
    expect(hooks({ 'hook-jobs': 3 })).toBeNull();
  });

  it('are those that are named, as one text or as a list of words', () => {
    expect(hooks({ 'on-row': './a b' })).toMatchObject({ row: expect.anything(), end: null, jobs: 2 });
    expect(hooks({ 'on-end': ['a b', 'c'], 'hook-jobs': 3 })).toMatchObject({ row: null, jobs: 3 });
    expect(hooks({ 'on-end': "it's", 'hook-shell': true })).toMatchObject({ end: expect.anything() });
  });

  it.each([
    [{ 'on-row': '"a' }, '--on-row: a quote has no end'],
    [{ 'on-end': '""' }, '--on-end is empty'],
    [{ 'on-end': [''] }, '--on-end is empty'],
    [{ 'on-row': ['a'], 'hook-shell': true }, '--hook-shell needs --on-row as one text'],
    [{ 'on-row': ' ' }, 'use a command such as ./upload.sh'],
    [{ 'on-row': [] }, 'use a command such as ./upload.sh'],
    [{ 'hook-jobs': 0 }, 'a whole number of at least 1'],
  ])('%j is refused: %s', (raw, message) => {
    expect(() => hooks(raw)).toThrow(message);
  });
});

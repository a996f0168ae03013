import { describe, expect, it } from 'vitest';
import { hooksOf } from '../../../src/app/hooks/hook-options.ts';
import { parseOptions } from '../../../src/app/options/job-file.ts';

const hooks = (raw: object) => hooksOf(parseOptions({ ...raw }, (name) => `job.json: "${name}"`));

describe('the hooks of the options', () => {
  it('are none where there is no command', () => {
    expect(hooks({})).toBeNull();
  });

  it('are those that are named, as one text or as a list of words', () => {
    expect(hooks({ 'on-row': '/bin/sh b' })).toMatchObject({ row: expect.anything(), end: null });
    expect(hooks({ 'on-end': ['sh', 'c d'] })).toMatchObject({ row: null, end: expect.anything() });
  });

  it.each([
    [{ 'on-row': '"a' }, '--on-row: a quote has no end'],
    [{ 'on-end': '""' }, '--on-end is empty'],
    [{ 'on-end': [''] }, '--on-end is empty'],
    [{ 'on-row': ' ' }, 'use a command such as ./upload.sh'],
    [{ 'on-row': [] }, 'use a command such as ./upload.sh'],
    [{ 'on-end': 'no-such-program now' }, '--on-end: there is no program "no-such-program" that can be run'],
    [{ 'on-row': './package.json' }, '--on-row: there is no program "./package.json" that can be run'],
    [{ 'on-row': ['/'] }, '--on-row: there is no program "/" that can be run'],
  ])('%j is refused: %s', (raw, message) => {
    expect(() => hooks(raw)).toThrow(message);
  });
});

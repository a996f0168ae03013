import { expect, test } from 'vitest';
import { type Container, findingCodes, readInspected, secondsOfVideo } from '../../src/core/inspection.ts';
import { findingText, reasonNames, suspectText } from '../../src/core/text/finding-text.ts';

const container: Container = {
  ...{ seconds: 4.2, hasPicture: true, hasSound: false, width: 640, height: 360 },
  ...{ isCut: false, gap: null },
};

test('the duration is that of the container, where it was read', () => {
  expect(secondsOfVideo({ container })).toBe(4.2);
  expect(secondsOfVideo({ container: 'unreadable' })).toBeNull();
  expect(secondsOfVideo({ container: null })).toBeNull();
});

test('what was saved of a video is read back, and what is damaged counts as not known', () => {
  const facts = { container, playback: null };
  expect(readInspected(JSON.stringify(facts), '[{"code":"black"}]')).toEqual({
    ...facts,
    findings: [{ code: 'black' }],
  });
  expect(readInspected('{"container', '[]')).toEqual({ container: null, playback: null, findings: [] });
});

test('each finding is a phrase, and names another row than its own', () => {
  const rows = ['q1', 'q2'];
  const said = [
    ['the same file as q2', { code: 'same-file', rows }],
    ['the same title as q2', { code: 'same-title', rows }],
    ['0.1 times the usual size', { code: 'size', times: 0.1 }],
    ['12 times the usual duration', { code: 'duration', times: 12 }],
    ['1 frame missing', { code: 'frames-missing', count: 1 }],
    ['3 frames missing', { code: 'frames-missing', count: 3 }],
    ['nothing for 2.5 s at 1:05', { code: 'gap', at: 65.9, seconds: 2.5 }],
    ['320×180 instead of the usual 640×360', { code: 'resolution', is: '320×180', usual: '640×360' }],
    ['black for the first 6 s', { code: 'black-start', seconds: 6 }],
    ['the file is cut off', { code: 'cut-off' }],
  ] as const;
  for (const [words, finding] of said) expect(findingText(finding, 'q1')).toBe(words);
  expect(findingText({ code: 'same-file', rows: ['q7'] }, 'q7')).toBe('the same file as q7');
});

test('a row has its reasons in one cell, or nothing', () => {
  expect(suspectText([], 'q1')).toBeNull();
  expect(suspectText([{ code: 'black' }, { code: 'silent' }], 'q1')).toBe(
    'black throughout; silent throughout',
  );
});

test('every code has a name and a place in the order', () => {
  expect([...findingCodes].sort()).toEqual(Object.keys(reasonNames).sort());
});

import { expect, test } from 'vitest';
import { readInspected, secondsOfVideo } from '../../../src/money/inspection/inspection.ts';
import { soundContainer as container } from '../../support/sound-container.ts';

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

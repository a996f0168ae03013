import { expect, test } from 'vitest';
import { type Container, readInspected, secondsOfVideo } from '../../src/core/inspection.ts';

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

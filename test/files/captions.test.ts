import { expect, test } from 'vitest';
import { captionsPath } from '../../src/files/captions.ts';

test('captions have the name of their video', () => {
  expect(captionsPath('q1/video.mp4')).toBe('q1/video.vtt');
  expect(captionsPath('a.b/attempt-1/video')).toBe('a.b/attempt-1/video.vtt');
});

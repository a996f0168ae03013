import { expect, test } from 'vitest';
import { isPagePart, pagePath, picturePath } from '../../../../src/features/export/page/page-parts.ts';

test('the page and its pictures are parts of it, and videos and captions are not', () => {
  const sha256 = '0123456789abcdef'.repeat(4);
  expect(picturePath(sha256, 'png')).toBe('pictures/0123456789abcdef01234567.png');
  expect([pagePath, picturePath(sha256, 'jpg')].every(isPagePart)).toBe(true);
  expect(['pictures/a.mp4', 'a.vtt', 'index.webm', 'a/index.html'].some(isPagePart)).toBe(false);
});

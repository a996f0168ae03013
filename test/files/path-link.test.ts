import { expect, it } from 'vitest';
import { linkTo } from '../../src/files/path-link.ts';

it.each([
  ['q-1/video.mp4', 'q-1/video.mp4'],
  ['第1课/a b#1.mp4', '%E7%AC%AC1%E8%AF%BE/a%20b%231.mp4'],
  ['\ud800.mp4', '%EF%BF%BD.mp4'],
  ['https://school.example/a b.mp4', 'https://school.example/a b.mp4'],
])('links to %j by %s', (path, link) => {
  expect(linkTo(path)).toBe(link);
});

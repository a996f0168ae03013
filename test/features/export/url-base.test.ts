import { expect, it } from 'vitest';
import { addressesBelow } from '../../../src/features/export/url-base.ts';

it.each([
  ['https://x.example', 'a.mp4', 'https://x.example/a.mp4'],
  ['HTTP://x.example:8080/c/', 'sums/a b.mp4', 'http://x.example:8080/c/sums/a%20b.mp4'],
  [
    'https://x.example/Kurs ü//',
    '1/ü#?%&+.mp4',
    'https://x.example/Kurs%20%C3%BC/1/%C3%BC%23%3F%25%26%2B.mp4',
  ],
  ['https://x.example/c', '\u{1f600}=1.mp4', 'https://x.example/c/%F0%9F%98%80%3D1.mp4'],
])('below %s the address of %s is %s', (base, path, address) => {
  expect(addressesBelow(base)?.(path)).toBe(address);
});

it.each([
  'ftp://x.example/',
  'x.example/course',
  '',
  'https://',
  'https:///course',
  'https://x.example/?a=1',
  'https://x.example/#a',
  'https://x.example/?',
  'https://me:secret@x.example/',
  'https://x.example:port/',
])('%j is no base of addresses', (base) => {
  expect(addressesBelow(base)).toBeNull();
});

import { expect, test } from 'vitest';
import { linkExpiry } from '../../src/files/link-expiry.ts';

const end = Date.UTC(2026, 2, 1, 9);
const seconds = end / 1_000;

test.each([
  ['S3, version 4', '?X-Amz-Algorithm=a&X-Amz-Date=20260301T080000Z&X-Amz-Expires=3600&X-Amz-Signature=ab'],
  ['S3, version 2', `?AWSAccessKeyId=a&Expires=${seconds}&Signature=a%2Fb`],
  ['Google, version 4', '?X-Goog-Date=20260301T080000Z&X-Goog-Expires=3600&X-Goog-Signature=ab'],
  ['Google, version 2', `?GoogleAccessId=a&Expires=${seconds}&Signature=ab`],
  ['OSS, version 1', `?OSSAccessKeyId=a&Expires=${seconds}&Signature=ab`],
  ['OSS, version 4', '?x-oss-date=20260301T080000Z&x-oss-expires=3600&x-oss-signature=ab'],
  ['TOS', '?X-Tos-Date=20260301T080000Z&X-Tos-Expires=3600&X-Tos-Signature=ab'],
  ['COS', `?q-sign-algorithm=sha1&q-ak=a&q-sign-time=${seconds - 3_600}%3B${seconds}&q-signature=ab`],
  ['Azure', '?sv=2022-11-02&se=2026-03-01T09%3A00%3A00Z&sr=b&sig=ab'],
  ['Qiniu', `?e=${seconds}&token=a:b`],
  ['its own words', `?signature=s3cret&expires=${seconds}#t=1`],
  ['its own words, in milliseconds', `?expires=${end}&signature=s3cret`],
])('the end of a link is read from the signature of %s', (_, query) => {
  expect(linkExpiry(`https://files.example/a/video.mp4${query}`)).toBe(end);
});

test.each([
  ['has no query', 'https://files.example/video.mp4'],
  ['names a duration alone', 'https://files.example/v?expires=3600'],
  ['names no number', 'https://files.example/v?Expires=never&se=soon&e=%zz'],
  ['is signed on a date that is none', 'https://files.example/v?X-Amz-Date=today&X-Amz-Expires=60'],
  ['mixes two vendors', 'https://files.example/v?X-Amz-Date=20260301T080000Z&X-Goog-Expires=60'],
  ['names an end in its path', 'https://files.example/expires=1767225600/v'],
  ['is signed over half a span', `https://files.example/v?q-sign-time=${seconds}`],
  ['is none', ''],
])('a link that %s has no end that is known', (_, link) => {
  expect(linkExpiry(link)).toBeNull();
});

test('a part of a query without a value names no end', () => {
  expect(linkExpiry('https://x.example/video?download')).toBeNull();
  expect(linkExpiry(`https://x.example/video?download&signature=ab&Expires=${seconds}`)).toBe(end);
});

test('a name that comes twice counts where it comes first', () => {
  expect(linkExpiry(`https://x.example/video?Expires=${seconds}&expires=1&signature=ab`)).toBe(end);
});

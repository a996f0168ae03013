import { expect, it } from 'vitest';
import { fileVersion, ifRangeOf } from '../../src/files/file-version.ts';

const date = 'Sat, 01 Jan 2022 00:00:00 GMT';
const nothing = { etag: null, lastModified: null, totalBytes: null };

it('is a strong ETag, whatever else is told', () => {
  expect(fileVersion({ etag: '"v1"', lastModified: date, totalBytes: 5 })).toBe('"v1"');
  expect(fileVersion({ ...nothing, etag: '"v1"' })).toBe('"v1"');
});

it('is everything that a host tells where there is no strong ETag', () => {
  const versions = [
    { etag: 'W/"v1"', lastModified: date, totalBytes: 5 },
    { etag: 'W/"v2"', lastModified: date, totalBytes: 5 },
    { etag: 'W/"v1"', lastModified: null, totalBytes: 5 },
    { etag: 'W/"v1"', lastModified: date, totalBytes: 6 },
    { etag: null, lastModified: date, totalBytes: 5 },
    { etag: 'v1', lastModified: null, totalBytes: 5 },
    { etag: '"a"b"', lastModified: null, totalBytes: 5 },
  ].map(fileVersion);
  expect(versions).not.toContain(null);
  expect(new Set(versions).size).toBe(versions.length);
});

it.each([
  { ...nothing, totalBytes: 5 },
  { ...nothing, etag: 'W/"v1"' },
  { ...nothing, lastModified: date },
  { ...nothing, etag: 'v1' },
  { ...nothing, etag: ' ', totalBytes: 5 },
])('is not known from %j', (told) => {
  expect(fileVersion(told)).toBeNull();
});

it('is named to the host only where it is a strong ETag', () => {
  expect(ifRangeOf('"v1"')).toBe('"v1"');
  for (const etag of ['W/"v1"', 'v1', '"a"b"'])
    expect(ifRangeOf(fileVersion({ etag, lastModified: date, totalBytes: 5 }) ?? '')).toBeNull();
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRedact } from '../../src/core/redact.ts';

const key = 'sk-live/4+2="q"\\ü=';

test('a secret is taken out wherever it stands, as often as it stands', () => {
  const redact = createRedact([key]);
  expect(redact(`${key} and again ${key}!`)).toBe('[secret] and again [secret]!');
});

test('a secret is found JSON-escaped, with escaped slashes, and percent-encoded in either case of hex', () => {
  const redact = createRedact([key]);
  const json = JSON.stringify({ message: `bad key ${key}` });
  const encoded = encodeURIComponent(key);
  for (const text of [
    json,
    json.replaceAll('/', '\\/'),
    encoded,
    encoded.replaceAll('%2F', '%2f').replaceAll('%3D', '%3d'),
  ]) {
    expect(redact(text)).toContain('[secret]');
    expect(redact(text)).not.toMatch(/sk-live/);
  }
});

test('the longer of two secrets is taken out whole', () => {
  expect(createRedact(['abcd', 'abcdefgh'])('x abcdefgh y')).toBe('x [secret] y');
});

test('a short secret is taken out only where it stands alone', () => {
  const redact = createRedact(['ab']);
  expect(redact('ab: table, "ab", cab, ab')).toBe('[secret]: table, "[secret]", cab, [secret]');
  expect(createRedact(['test'])('the latest test at /tmp/pytest/1')).toBe(
    'the latest [secret] at /tmp/pytest/1',
  );
});

test('empty and blank secrets change nothing', () => {
  expect(createRedact(['', '  '])('a b  c')).toBe('a b  c');
});

test('a secret may hold the characters of a pattern', () => {
  expect(createRedact(['a.*(b)|[c]$^{2}\\d'])('>a.*(b)|[c]$^{2}\\d<')).toBe('>[secret]<');
});

test('the query of an address is cut, also JSON-escaped; the rest of the text stays', () => {
  const redact = createRedact([]);
  expect(redact('see https://a.example/v.mp4?sig=1&e=2 and "HTTP://b.example/x?y#z", why?')).toBe(
    'see https://a.example/v.mp4?… and "HTTP://b.example/x?…", why?',
  );
  expect(redact(String.raw`{"u":"https:\/\/a.example\/v?sig=1"}`)).toBe(
    String.raw`{"u":"https:\/\/a.example\/v?…"}`,
  );
});

test('the credentials of an address are taken out', () => {
  expect(createRedact([])('through http://user:pass@proxy.example:3128/')).toBe(
    'through http://[secret]@proxy.example:3128/',
  );
});

test('no secret survives in any text, and a second pass changes nothing', () => {
  const secret = fc
    .string({ minLength: 8, unit: 'grapheme' })
    .filter((text) => text.trim() !== '' && !'[secret]?…'.includes(text));
  fc.assert(
    fc.property(secret, fc.array(fc.string({ unit: 'grapheme' })), (value, parts) => {
      const redact = createRedact([value]);
      const once = redact(parts.join(value));
      expect(once).not.toContain(value);
      expect(redact(once)).toBe(once);
    }),
  );
});

test('a megabyte of addresses without an end is done in one pass', () => {
  const text = 'http://'.repeat(150_000);
  expect(createRedact([key])(text)).toBe(text);
});

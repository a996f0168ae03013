import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFinder, createRedact } from '../../src/text/redact.ts';

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

test.each([
  ['https://a.example/k-123/2026/v.mp4?X-Amz-Signature=1&e=2', 'https://a.example/…/v.mp4?…'],
  [String.raw`https:\/\/a.example\/k-123\/v?sig=1`, String.raw`https:\/\/a.example\/…\/v?…`],
  ['https%3A%2F%2Fa.example%2Fk-123%2Fv%3Fsig%3D1', 'https%3A%2F%2Fa.example%2F…%2Fv?…'],
  ['https://me:pass@a.example/k-123/v?Expires=1', 'https://[secret]@a.example/…/v?…'],
  ['https://a.example/docs/page?lang=en', 'https://a.example/docs/page?…'],
  ['https://a.example/v.mp4?sig=1', 'https://a.example/v.mp4?…'],
])('a signed address is shown by its host and the last segment of its path: %j', (text, shown) => {
  const redact = createRedact([]);
  expect(redact(text)).toBe(shown);
  expect(redact(shown)).toBe(shown);
});

test('the credentials of an address are taken out', () => {
  expect(createRedact([])('through http://user:pass@proxy.example:3128/')).toBe(
    'through http://[secret]@proxy.example:3128/',
  );
});

test.each([
  ['in entities', '&#115;&#x6b;&#45;live/4+2&#61;&quot;q&quot;\\&#252;='],
  ['in capitals of percent', 'sk-live%2F4%2B2%3D%22q%22%5C%C3%BC%3D'],
  ['encoded twice', encodeURIComponent(encodeURIComponent(key))],
  ['in JSON that stands in JSON', JSON.stringify(JSON.stringify(key)).slice(3, -3)],
  ['over lines', 'sk-live/\n4+2="q"\\ü='],
])('a secret is taken out whole: %s', (_, spelled) => {
  expect(createRedact([key])(`a ${spelled} z`)).toBe('a [secret] z');
});

test.each(['sk-live-0123456789', 'sk-live-~~~~????>>>>'])(
  'a secret in base64 is taken out, whatever stands before it there and whichever alphabet it is in: %s',
  (secret) => {
    for (const before of ['', 'a', 'ab', 'Bearer ']) {
      const bytes = Buffer.from(`${before}${secret} and more`);
      const base64 = bytes.toString('base64');
      for (const letters of [base64, bytes.toString('base64url'), encodeURIComponent(base64)])
        expect(createRedact([secret])(letters)).toContain('[secret]');
    }
  },
);

test.each([
  ['GET /files/a.mp4?sig=1a2b3c&e=2 HTTP/1.1', 'GET /files/a.mp4?… HTTP/1.1'],
  ['next=https%3A%2F%2Fa.example%2Fv%3Fsig%3D1 failed', 'next=https%3A%2F%2Fa.example%2Fv?… failed'],
  ['X-Amz-Signature=abc123def&x=1', 'X-Amz-Signature=[secret]&x=1'],
  ['ftp://me:a@b@host/x', 'ftp://[secret]@host/x'],
  ['/callback/12-0123456789abcdef0123456789abcdef', '/callback/12-[secret]'],
])('what may be secret in %j is taken out', (text, shown) => {
  expect(createRedact([])(text)).toBe(shown);
});

test.each([
  'and/or? a/b?x=1',
  'What is 3/4?',
  'f(/x?)',
  'token = 5; signature: none',
  'https://x.example/doc#limits',
  'a@b.example',
  'Token=0 left, quota: token=1000/1000',
  'A metric with signature=(1,3) and signature=valid',
  '令 token=3 求',
  '3 km /h?v=5',
])('ordinary text stays as it is: %j', (text) => {
  expect(createRedact(['sk-live-0123456789'])(text)).toBe(text);
});

test('a line of JSON stays one, and keeps what stands behind an address', () => {
  const redact = createRedact(['sk-live-0123456789']);
  for (const text of [
    '"https://a.example/v?sig=1" is gone',
    'https://a.example/v?a\\b',
    'see /a/b?c=d\nsk-live-0123456789"',
  ]) {
    expect(JSON.parse(redact(JSON.stringify({ text, after: 1 })))).toMatchObject({ after: 1 });
  }
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

test('a text holds a secret where redaction would replace it', () => {
  const holds = createFinder(['ab', 'sk-live-0123456789', '']);
  expect(['ab', 'x=ab;', 'sk%2Dlive-0123456789', 'abc', 'https://me:pw@host/?a=b'].map(holds)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
  expect(createFinder([''])('anything')).toBe(false);
});

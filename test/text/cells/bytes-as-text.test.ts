import { expect, it } from 'vitest';
import { escapedBytes, hasEscapedBytes } from '../../../src/text/cells/bytes-as-text.ts';

it('bytes that are no text have a letter each, and are told from texts', () => {
  const bytes = Uint8Array.of(0x31, 0x2b, 0xb5, 0xff);
  expect(escapedBytes(bytes)).toBe('1+\udcb5\udcff');
  expect(hasEscapedBytes(escapedBytes(bytes))).toBe(true);
  for (const text of ['', '求 x', '\u{1f3ac}', 'half \ud83d', 'half \udfff', '\ufffd'])
    expect(hasEscapedBytes(text), text).toBe(false);
});

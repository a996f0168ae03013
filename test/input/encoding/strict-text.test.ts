import { expect, test } from 'vitest';
import { decodeStrictly } from '../../../src/input/encoding/strict-text.ts';

test('bytes are text in the encodings in which they are valid', () => {
  const bytes = Uint8Array.of(0xc4, 0xe3);
  expect(decodeStrictly('gb18030', bytes)).toBe('你');
  expect(decodeStrictly('utf-8', bytes)).toBeNull();
});

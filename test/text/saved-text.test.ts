import { expect, test } from 'vitest';
import { decodeSavedText } from '../../src/text/saved-text.ts';

const text = 'id,note\r\n1,太快\r\n';
const low = Buffer.from(text, 'utf16le');
const high = Buffer.from(low).swap16();
/** The text in GB18030. */
const chinese = Buffer.concat([
  Buffer.from('id,note\r\n1,'),
  Buffer.from([0xcc, 0xab, 0xbf, 0xec]),
  Buffer.from('\r\n'),
]);

test.each([
  ['UTF-8', Buffer.from(text)],
  ['UTF-8 with its mark', Buffer.from(`\ufeff${text}`)],
  ['UTF-16LE', low],
  ['UTF-16LE with its mark', Buffer.concat([Buffer.from([0xff, 0xfe]), low])],
  ['UTF-16BE', high],
  ['UTF-16BE with its mark', Buffer.concat([Buffer.from([0xfe, 0xff]), high])],
  ['GB18030', chinese],
  ['GB18030 with its mark', Buffer.concat([Buffer.from([0x84, 0x31, 0x95, 0x33]), chinese])],
])('a text is read in %s', (_, bytes) => {
  expect(decodeSavedText(bytes)).toBe(text);
});

test.each([[[]], [[0]], [[0xff]], [[0xff, 0xfe]]])('bytes %j are no reason to fail', (bytes) => {
  expect(decodeSavedText(Uint8Array.from(bytes)).length).toBeLessThan(2);
});

/** Any text at all: ordinary letters, control characters, half pairs, and letters beyond them. */

import fc from 'fast-check';

const letter = fc
  .oneof(fc.nat(0x7f), fc.nat(0xffff), fc.nat(0x10ffff))
  .map((code) => String.fromCodePoint(code));

export const anyText: fc.Arbitrary<string> = fc.string({ unit: letter });

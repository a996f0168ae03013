import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseByteSize, renderByteSize } from '../../src/text/byte-size.ts';

test.each([
  ['20MB', 20_000_000],
  ['20 mb', 20_000_000],
  ['1.5M', 1_500_000],
  ['500kB', 500_000],
  ['16MiB', 16 * 1024 * 1024],
  ['1g', 1_000_000_000],
  ['2GiB', 2 * 1024 ** 3],
  ['1KiB', 1_024],
  ['12345', 12_345],
  ['7B', 7],
  ['0', 0],
])('"%s" is %d bytes', (text, bytes) => {
  expect(parseByteSize(text)).toBe(bytes);
});

test.each(['', 'MB', '-1', '1e6', '1,5MB', '1TB', '1 M B', '0x10', 'NaN', '20MBit'])(
  '"%s" is no size',
  (text) => {
    expect(parseByteSize(text)).toBeNull();
  },
);

test('a size is shown as no less than it is, and in few letters', () => {
  expect([0, 999, 1_000, 20_000_000, 20_000_001, 267_000_000].map(renderByteSize)).toEqual([
    '0 bytes',
    '999 bytes',
    '1 kB',
    '20 MB',
    '20.1 MB',
    '267 MB',
  ]);
  fc.assert(
    fc.property(fc.nat(2 ** 31), (bytes) => {
      const shown = renderByteSize(bytes);
      expect(shown.length).toBeLessThan(12);
      expect(parseByteSize(shown.replace(' bytes', ''))).toBeGreaterThanOrEqual(bytes);
    }),
  );
});

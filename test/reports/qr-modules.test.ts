import { expect, test } from 'vitest';
import { drawQr, packQr } from '../../src/reports/qr-modules.ts';

test('modules travel in hex, a row after the other, and are drawn in runs inside a white frame', () => {
  const packed = packQr([
    [true, false, false, false, true],
    [false, false, false, false, false],
    [false, true, true, false, false],
    [false, false, false, true, true],
    [true, true, true, true, true],
  ]);
  expect(packed).toBe('88 00 60 18 f8');
  expect(drawQr(packed)).toEqual({
    size: 13,
    path: 'M4 4h1v1h-1zM8 4h1v1h-1zM5 6h2v1h-2zM7 7h2v1h-2zM4 8h5v1h-5z',
  });
});

import decodeQR from 'qr/decode.js';
import { expect, it } from 'vitest';
import { qrCode } from '../../src/reports/qr-code.ts';
import { drawQr } from '../../src/reports/qr-modules.ts';

/** What a camera sees of the drawn path: black on white, some pixels for each module. */
function photograph(packed: string, scale: number): Parameters<typeof decodeQR>[0] {
  const { size, path } = drawQr(packed);
  const side = size * scale;
  const data = new Uint8Array(side * side * 4).fill(255);
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g))
    for (let row = Number(y) * scale; row < (Number(y) + 1) * scale; row += 1) {
      const start = (row * side + Number(x) * scale) * 4;
      for (let at = start; at < start + Number(length) * scale * 4; at += 1) if (at % 4 < 3) data[at] = 0;
    }
  return { width: side, height: side, data };
}

it.each([
  'https://x.example/#a',
  'https://videos.example/course/index.html#z3ce3i3j5n',
  `https://xn--fiqs8s.example/${encodeURIComponent('数学/第一章 分数')}/index.html#q%20%E4%B8%80`,
])('a reader of QR codes reads %s', (address) => {
  expect(decodeQR(photograph(qrCode(address), 4))).toBe(address);
});

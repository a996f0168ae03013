/** A whole PNG of one colour: programs that save pictures again keep its bytes, and tell it from others. */

import { crc32, deflateSync } from 'node:zlib';

/** 8 by 8 pixels; red, green and blue from 0 to 255. */
export function smallPng(...colour: readonly [number, number, number]): Buffer {
  const header = Buffer.from([0, 0, 0, 8, 0, 0, 0, 8, 8, 2, 0, 0, 0]);
  const line = Buffer.from([0, ...Array.from({ length: 8 }, () => colour).flat()]);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: 8 }, () => line)));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), content]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(content.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}

/** Whether the fonts of this machine have Chinese characters: a font without them draws the same box for each. */

import { createCanvas } from '@napi-rs/canvas';
import { families } from './clip-drawing.ts';

const side = 32;

export function drawsChinese(): boolean {
  return !drawn('中').equals(drawn('文'));
}

function drawn(character: string): Buffer {
  const pen = createCanvas(side, side).getContext('2d');
  pen.textBaseline = 'top';
  pen.font = `${side - 4}px ${families.chinese}`;
  pen.fillText(character, 0, 0);
  return Buffer.from(pen.getImageData(0, 0, side, side).data);
}

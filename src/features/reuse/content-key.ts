/** What a row sends that decides about its video, as texts to compare: all but the callback address. */

import { createHash } from 'node:crypto';
import type { ImageSource, Quality, Question } from '../../money/item.ts';
import { effectiveQuality } from '../../money/summary.ts';
import { asSpreadsheetsKeep } from '../../text/spreadsheet-text.ts';

/** A digest of the bytes of a local file; null where it cannot be read. */
export type PictureDigest = (path: string) => Promise<string | null>;

/** The texts, in the form that a row is known by, and the quality. Rows of which these differ are never the same. */
export function textKey(
  { question, questionImages, answer, answerImages }: Question,
  quality: Quality | null,
): string {
  const texts = [question, answer].map(asSpreadsheetsKeep);
  const parts = [...texts, effectiveQuality(quality), questionImages.length, answerImages.length];
  return digestOf(JSON.stringify(parts));
}

/** The pictures by the bytes that are sent, and addresses as they are; null where a file cannot be read. */
export async function pictureKey(
  { questionImages, answerImages }: Question,
  fileDigest: PictureDigest,
): Promise<string | null> {
  const keys: string[] = [];
  for (const image of [...questionImages, ...answerImages]) {
    const key = await keyOf(image, fileDigest);
    if (key === null) return null;
    keys.push(key);
  }
  return keys.join(' ');
}

async function keyOf(image: ImageSource, fileDigest: PictureDigest): Promise<string | null> {
  if (image.kind === 'file') return fileDigest(image.path);
  if (image.kind === 'kept') return image.sha256;
  if (image.kind === 'inline') return digestOf(bytesOf(image.data));
  return `at ${digestOf(image.url)}`;
}

/** Of a data URI that is not base64: its text. */
function bytesOf(data: string): string | Uint8Array {
  const [head = ''] = /^data:[^,]*,/i.exec(data) ?? [];
  return head === '' || /;base64,$/i.test(head) ? Buffer.from(data.slice(head.length), 'base64') : data;
}

/** sha256, hex. */
export function digestOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

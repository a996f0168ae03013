/** Serves one picture of a question, for the page that shows its row. */

import { imageExtension } from '../../files/file-kind.ts';
import type { ImageSource } from '../../money/item.ts';
import { readSent } from '../../money/sent-question.ts';
import { asStanding } from '../../money/standing-attempt.ts';
import type { ImageFiles } from '../../ports.ts';
import type { ImagePlace } from '../../reports/page-row.ts';
import type { RunWatch } from '../../stores/port/reading.ts';

/** The bytes of a picture and what they are. */
export interface ShownImage {
  readonly bytes: Uint8Array;
  /** Content type. */
  readonly type: string;
}

/**
 * The picture at that place; null where there is none, where it is an address, and where a local file is not an image.
 */
export async function showImage(
  watch: Pick<RunWatch, 'reportRowsOf'>,
  files: ImageFiles,
  { key, field, index }: ImagePlace,
): Promise<ShownImage | null> {
  const [row] = await watch.reportRowsOf([key]);
  if (row === undefined) return null;
  const image = readSent(asStanding(row)).question[field][index];
  if (image === undefined) return null;
  if (image.kind === 'url') return null;
  if (image.kind === 'inline') return decode(image);
  const bytes = image.kind === 'kept' ? files.readKept(image.sha256) : files.read(image.path);
  return known(await bytes.catch(() => new Uint8Array()));
}

function decode({ data }: Extract<ImageSource, { kind: 'inline' }>): ShownImage | null {
  const [start = '', type, base64] = /^data:(image\/[a-z0-9.+-]+)[^,]*?(;base64)?,/i.exec(data) ?? [];
  const text = data.slice(start.length);
  if (type !== undefined && base64 === undefined) return { bytes: percentDecoded(text), type };
  const bytes = Buffer.from(text, 'base64');
  return known(bytes) ?? (type === undefined ? null : { bytes, type });
}

/** Bytes in a recognized image format. */
function known(bytes: Uint8Array): ShownImage | null {
  const extension = imageExtension(bytes);
  return extension === null ? null : { bytes, type: `image/${extension === 'jpg' ? 'jpeg' : extension}` };
}

function percentDecoded(text: string): Uint8Array {
  const bytes = text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1');
}

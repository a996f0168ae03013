/** The bytes of a picture of a question, for what shows it. */

import { imageExtension } from '../../files/file-kind.ts';
import type { ImageSource } from '../../money/item.ts';
import type { ImageFiles } from '../../ports.ts';

/** The bytes of a picture and what they are. */
export interface PictureBytes {
  readonly bytes: Uint8Array;
  /** Content type. */
  readonly type: string;
}

/** Null where it is an address, where it is not there, and where a file is not an image. */
export async function readPicture(image: ImageSource, files: ImageFiles): Promise<PictureBytes | null> {
  if (image.kind === 'url') return null;
  if (image.kind === 'inline') return decode(image);
  const bytes = image.kind === 'kept' ? files.readKept(image.sha256) : files.read(image.path);
  return known(await bytes.catch(() => new Uint8Array()));
}

function decode({ data }: Extract<ImageSource, { kind: 'inline' }>): PictureBytes | null {
  const [start = '', type, base64] = /^data:(image\/[a-z0-9.+-]+)[^,]*?(;base64)?,/i.exec(data) ?? [];
  const text = data.slice(start.length);
  if (type !== undefined && base64 === undefined) return { bytes: percentDecoded(text), type };
  const bytes = Buffer.from(text, 'base64');
  return known(bytes) ?? (type === undefined ? null : { bytes, type });
}

/** Bytes in a recognized image format. */
function known(bytes: Uint8Array): PictureBytes | null {
  const extension = imageExtension(bytes);
  return extension === null ? null : { bytes, type: `image/${extension === 'jpg' ? 'jpeg' : extension}` };
}

function percentDecoded(text: string): Uint8Array {
  const bytes = text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1');
}

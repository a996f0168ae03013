/** The pictures of a workbook: looked at one at a time, known by their bytes. */

import { createHash } from 'node:crypto';
import { pictureFlaw } from '../../files/picture-flaw.ts';
import { ArrivingWalk } from '../../files/walk.ts';
import { inBoth, type Message, message } from '../../messages/message.ts';
import { WorkbookError } from './workbook-error.ts';
import type { Package, Part } from './zip.ts';

/** A picture as it was seen. */
interface SeenPicture {
  /** Lower-case hex. */
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** The pictures that rows of the workbook have. */
export interface Media {
  /** The picture in this part, or why it cannot be sent. Reads its bytes once. */
  look(name: string): Promise<SeenPicture | { readonly failure: Message }>;
  /** The size of a picture that was looked at; null for another one. */
  sizeOf(sha256: string): number | null;
  /** The bytes of the pictures looked at, one at a time, but for those that the caller has already. */
  pictures(
    isKnown?: (seen: SeenPicture) => Promise<boolean>,
  ): AsyncIterable<{ readonly sha256: string; readonly bytes: Uint8Array }>;
}

/** No service takes more; larger ones are not even read. */
const mediaMaxBytes = 512 * 1024 * 1024;
const headBytes = 64;

export function createMedia(source: Package): Media {
  const looks = new Map<string, Promise<SeenPicture | { readonly failure: Message }>>();
  const parts = new Map<string, Part>();
  const look = async (name: string): Promise<SeenPicture | { readonly failure: Message }> => {
    const part = source.part(name);
    if (part === null) return { failure: message('cell.no-picture') };
    const hash = createHash('sha256');
    const picture = new ArrivingWalk(pictureFlaw(part.sizeBytes));
    let head: Uint8Array = new Uint8Array();
    try {
      for await (const bytes of source.stream(part, mediaMaxBytes)) {
        if (head.length < headBytes) head = Buffer.concat([head, bytes.subarray(0, headBytes)]);
        picture.note(bytes);
        hash.update(bytes);
      }
    } catch (error) {
      if (error instanceof WorkbookError)
        return { failure: message('cell.unreadable', { what: inBoth(error.said) }) };
      throw error;
    }
    const flaw = picture.end();
    if (flaw === 'picture.no-image') return { failure: otherFormat(head) };
    if (flaw !== null)
      return { failure: message(flaw === 'picture.cut-off' ? 'cell.cut-off' : 'cell.lfs-pointer') };
    const sha256 = hash.digest('hex');
    parts.set(sha256, part);
    return { sha256, sizeBytes: part.sizeBytes };
  };
  return {
    look(name) {
      const known = looks.get(name) ?? look(name);
      looks.set(name, known);
      return known;
    },
    sizeOf: (sha256) => parts.get(sha256)?.sizeBytes ?? null,
    async *pictures(isKnown) {
      for (const [sha256, part] of parts) {
        if (await isKnown?.({ sha256, sizeBytes: part.sizeBytes })) continue;
        yield { sha256, bytes: await source.read(part, mediaMaxBytes) };
      }
    },
  };
}

/** Formats of drawings that Office shows and services do not. */
function otherFormat(head: Uint8Array): Message {
  const bytes = Buffer.from(head);
  const isEmf =
    bytes.length >= 44 && bytes.readUInt32LE(0) === 1 && bytes.toString('latin1', 40, 44) === ' EMF';
  const isWmf =
    bytes.length >= 4 && (bytes.readUInt32LE(0) === 0x9ac6cdd7 || bytes.readUInt32LE(0) === 0x00090001);
  return message(isEmf ? 'cell.emf' : isWmf ? 'cell.wmf' : 'cell.format');
}

/** Reads the small text files that people write: job files, `.env`, keys. */

import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { message } from '../../messages/message.ts';
import { ReasonError } from '../../messages/reasons/reason-error.ts';
import { renderByteSize } from '../../text/byte-size.ts';
import { decodeSavedText } from '../../text/saved-text.ts';

/** More text than its kind of file has. */
export class TooLongError extends ReasonError {
  /** For people. */
  readonly most: string;

  constructor(mostBytes: number) {
    const most = renderByteSize(mostBytes);
    super(message('lines.too-long', { most }));
    this.most = most;
  }
}

/** What was read from pipes: they give it once, and some texts are asked for more often. */
const piped = new Map<string, string>();

/** More than anybody writes by hand (bytes); what has no end, such as `/dev/zero`, would be read for ever. */
const generousBytes = 16_000_000;

/** Read at once (bytes). */
const pieceBytes = 64 * 1024;

/**
 * The text, in whatever encoding an editor saved it; a pipe is read to its end. Throws where it cannot be read, with
 * `TooLongError` where it is longer than `mostBytes`.
 */
export function readTextFile(path: string, mostBytes = generousBytes): string {
  const known = piped.get(path);
  if (known !== undefined) return known;
  const isPipe = !isKept(path);
  const text = decodeSavedText(readAtMost(path, mostBytes));
  if (isPipe) piped.set(path, text);
  return text;
}

function readAtMost(path: string, mostBytes: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const pieces: Buffer[] = [];
    for (let bytes = 0; ; ) {
      const piece = Buffer.allocUnsafe(pieceBytes);
      const read = readSync(file, piece);
      if (read === 0) return Buffer.concat(pieces);
      bytes += read;
      if (bytes > mostBytes) throw new TooLongError(mostBytes);
      pieces.push(piece.subarray(0, read));
    }
  } finally {
    closeSync(file);
  }
}

/** False where a later process cannot read the same again, as from a pipe. */
export function isKept(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? true;
}

/** Reads the small text files that people write: job files, `.env`, keys. */

import { readFileSync } from 'node:fs';
import { decodeSavedText } from '../../text/saved-text.ts';

/** The text, in whatever encoding an editor saved it; a pipe is read to its end. Throws where it cannot be read. */
export function readTextFile(path: string): string {
  return decodeSavedText(readFileSync(path));
}

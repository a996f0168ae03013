/** Reads the small text files that people write: job files, `.env`, keys. */

import { readFileSync, statSync } from 'node:fs';
import { decodeSavedText } from '../../text/saved-text.ts';

/** What was read from pipes: they give it once, and some texts are asked for more often. */
const piped = new Map<string, string>();

/** The text, in whatever encoding an editor saved it; a pipe is read to its end. Throws where it cannot be read. */
export function readTextFile(path: string): string {
  const known = piped.get(path);
  if (known !== undefined) return known;
  const isPipe = !isKept(path);
  const text = decodeSavedText(readFileSync(path));
  if (isPipe) piped.set(path, text);
  return text;
}

/** False where a later process cannot read the same again, as from a pipe. */
export function isKept(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? true;
}

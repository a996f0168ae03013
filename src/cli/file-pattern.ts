/** `*.xlsx` on Windows, whose shells leave it to the program. */

import { readdirSync } from 'node:fs';
import { platform } from 'node:os';
import { posix, win32 } from 'node:path';

/** The files that a word with `*` or `?` in its last name stands for, in order of names; the word itself where there are none. */
export function filesOf(word: string, system: string = platform()): readonly [string, ...string[]] {
  const path = system === 'win32' ? win32 : posix;
  const name = path.basename(word);
  if (system !== 'win32' || !/[*?]/.test(name)) return [word];
  const letters = name
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  const pattern = new RegExp(`^${letters}$`, 'i');
  const above = word.slice(0, word.length - name.length);
  // Office keeps a file `~$NAME` next to each that is open.
  const found = namesIn(above || '.').filter((each) => pattern.test(each) && !/^(\.|~\$)/.test(each));
  const [first, ...others] = found.toSorted().map((each) => above + each);
  return first === undefined ? [word] : [first, ...others];
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

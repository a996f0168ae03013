/** How to name a run on a command line: by its output folder, or by its name in a store that machines share. */

import { shellPath, shellWord } from './shell-word.ts';
import { withoutPassword } from './store-address.ts';

/** Shell words, to be pasted after a command. */
export interface RunWords {
  /** For a command that continues the run or looks at it: `resume ./videos`, `resume --run algebra`. */
  readonly run: string;
  /** For a command that reads a file into it: `run FILE --out ./videos`. */
  readonly file: string;
  /** True where any number of processes work on the run at once. */
  readonly isShared: boolean;
}

/** The words for the run in this output folder, as the user named it. */
export function folderWords(out: string): RunWords {
  return { run: shellPath(out), file: `--out ${shellPath(out)}`, isShared: false };
}

/** The words for a run in a store. `store` is its address where the user gave it on the command line, else null. */
export function sharedWords(run: string, store: string | null): RunWords {
  const place = store === null ? '' : `--store ${shellWord(withoutPassword(store))} `;
  const words = `${place}--run ${shellWord(run)}`;
  return { run: words, file: words, isShared: true };
}

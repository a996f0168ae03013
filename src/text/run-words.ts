/**
 * How to name the program on a command line, as its user starts it, and a run: by its output folder, or by its name in a store that
 * machines share.
 */

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

/** The command that makes the calls of `--on-row` that failed or were never made. */
export function collectCalls({ run }: Pick<RunWords, 'run'>): string {
  return `batch collect ${run} --on-row CMD`;
}

/** What reads the file of the run again; `input` is in shell words, and absent or null where nobody knows it. */
export function readingWords(input: string | null | undefined, { file }: Pick<RunWords, 'file'>): string {
  return `run ${input ?? 'FILE'} ${file}`;
}

/** The words for the run in this output folder, as the user named it; `isSaid` where they have to say that it is in no store. */
export function folderWords(out: string, isSaid = false): RunWords {
  const place = isSaid ? ' --store none' : '';
  return { run: `${shellPath(out)}${place}`, file: `--out ${shellPath(out)}${place}`, isShared: false };
}

/** The words for a run in a store. `store` is its address where the user gave it on the command line, else null. */
export function sharedWords(run: string, store: string | null): RunWords {
  const place = store === null ? '' : `--store ${shellWord(withoutPassword(store))} `;
  const words = `${place}--run ${shellWord(run)}`;
  return { run: words, file: words, isShared: true };
}

/** A process has one. */
let name = 'batch';

/** From now on commands begin with this name: `npx batch`, `batch-video`. */
export function typeAs(typed: string): void {
  name = typed;
}

/** The program as the user types it. */
export function programName(): string {
  return name;
}

/** A whole command, `batch status`, as the user types it. */
export function typedCommand(command: string): string {
  return command.replace(/^batch (?=[a-z-])/, () => `${name} `);
}

/**
 * The commands in a line as the user types them: in backticks, in a column, or after a label (`Next: `). A line is wrapped after
 * that, because they grow.
 */
export function asTyped(line: string): string {
  return line.replace(
    /(`| {3}|(?:^ *|\. )[A-Z][\w ]*: |：)batch (?=[a-z-]|COMMAND)/g,
    (_, before) => `${before}${name} `,
  );
}

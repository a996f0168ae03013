/** `batch move`: takes a run from its folder into a store that machines share, or back. */

import { resolve } from 'node:path';
import type { RawOptions } from '../../app/options/options.ts';
import { readInvocation } from '../../app/options/settings.ts';
import type { Handle } from '../../cli/command.ts';
import { printNotice, printResult } from '../../cli/console.ts';
import { givenOptions, moveGroups } from '../../cli/flags.ts';
import { UsageError } from '../../errors.ts';
import { renderNumber } from '../../messages/numbers.ts';
import { type Moved, moveToFolder, moveToStore } from './move-run.ts';

/** Moves the run of `dir` into the store, or without `dir` the run of the store to `--out`. */
export async function move(dir: string | null, flags: RawOptions): Promise<void> {
  const invocation = readInvocation(flags, {});
  if (invocation.shared === null)
    throw new UsageError('name the store and the run: `batch move DIR --store URL --run NAME`');
  if (dir === null && (!invocation.isOutGiven || /^s3:/i.test(invocation.out)))
    throw new UsageError(
      'name the folder: `batch move DIR ...` moves it into the store, `--out DIR` out of it',
    );
  printMoved(
    dir === null
      ? await moveToFolder(invocation, invocation.out)
      : await moveToStore(invocation, resolve(dir)),
  );
}

function printMoved({ rows, files, flawed, pictures, silent, place }: Moved): void {
  printResult(
    rows === null
      ? 'The run has moved already'
      : `Moved ${renderNumber(rows)} rows and ${renderNumber(files)} files`,
  );
  if (flawed > 0)
    printNotice(
      `warning: ${renderNumber(flawed)} files are damaged or missing; \`batch verify ${place} --fix\` downloads them again`,
    );
  if (pictures > 0)
    printNotice(
      `warning: ${renderNumber(pictures)} local pictures are missing or not as they were when the file was read`,
    );
  if (silent.length > 0) {
    const places = silent.map(({ host, scratch }) => `${scratch} on ${host}`).join(', ');
    printNotice(
      `warning: ${renderNumber(silent.length)} workers died elsewhere, and what they kept did not move (${places}): look up uncertain rows in your account`,
    );
  }
  printResult(`Next: batch resume ${place}`);
}

export const handle: Handle = async (argv) => {
  await move(argv.dir === undefined ? null : String(argv.dir), givenOptions(argv, moveGroups));
  process.exitCode = 0;
};

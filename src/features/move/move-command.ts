/** `batch move`: takes a run from its folder into a store that machines share. */

import { goneError } from '../../app/options/gone.ts';
import type { Invocation } from '../../app/options/invocation.ts';
import type { RawOptions } from '../../app/options/options.ts';
import { readInvocation } from '../../app/options/settings.ts';
import type { Handle } from '../../cli/command.ts';
import { printNotice, printResult } from '../../cli/console.ts';
import { givenOptions, moveGroups } from '../../cli/flags.ts';
import { longWork } from '../../cli/long-work.ts';
import { UsageError } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import { renderNumber } from '../../messages/numbers.ts';
import { type Moved, moveToStore } from './move-run.ts';

/** Moves the run of `dir` into the store. */
export async function move(dir: string, flags: RawOptions): Promise<void> {
  const invocation = readInvocation(flags, {});
  if (invocation.shared === null)
    throw new UsageError('name the store and the run: `batch move DIR --store URL --run NAME`');
  printMoved(await moveAloud(invocation, dir));
}

async function moveAloud(invocation: Invocation, dir: string): Promise<Moved> {
  using work = longWork(message('work.move'), invocation);
  return await moveToStore(invocation, dir, work.done);
}

function printMoved({ rows, files, flawed, pictures, place }: Moved): void {
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
  printResult(`Next: batch resume ${place}`);
}

export const handle: Handle = async (argv) => {
  if (argv.dir === undefined) throw goneError('batch move without DIR');
  await move(String(argv.dir), givenOptions(argv, moveGroups));
  process.exitCode = 0;
};

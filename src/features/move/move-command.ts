/** `batch move`: moves a run from its folder into a store that machines share. */

import { goneError } from '../../app/options/gone.ts';
import { type Invocation, sharedOf } from '../../app/options/invocation.ts';
import type { RawOptions } from '../../app/options/options.ts';
import { readInvocation } from '../../app/options/settings.ts';
import type { Handle } from '../../cli/command.ts';
import { printNotice, printResult } from '../../cli/console.ts';
import { givenOptions } from '../../cli/flags/flag.ts';
import { moveGroups } from '../../cli/flags/step-flags.ts';
import { longWork } from '../../cli/long-work.ts';
import { type Message, message } from '../../messages/message.ts';
import { type Phrases, phrasesOf } from '../../terminal/phrases/phrases.ts';
import { type Moved, moveToStore } from './move-run.ts';

/** Moves the run of `dir` into the store. */
export async function move(dir: string, flags: RawOptions): Promise<void> {
  const invocation = readInvocation(flags, {});
  sharedOf(invocation, message('move.name-both'));
  printMoved(await moveAloud(invocation, dir), phrasesOf(invocation.language));
}

async function moveAloud(invocation: Invocation, dir: string): Promise<Moved> {
  using work = longWork(message('work.move'), invocation);
  return await moveToStore(invocation, dir, work.done);
}

function printMoved(
  { rows, files, flawed, pictures, place }: Moved,
  { render, progress, ending }: Phrases,
): void {
  printResult(render(rows === null ? message('move.before') : message('move.done', { count: rows, files })));
  const warn = (said: Message): void => printNotice(progress.warning + render(said));
  if (flawed > 0) warn(message('move.flawed', { count: flawed, command: `batch verify ${place} --fix` }));
  if (pictures > 0) warn(message('move.pictures', { count: pictures }));
  printResult(`${ending.firstStep}batch resume ${place}`);
}

export const handle: Handle = async (argv) => {
  if (argv.dir === undefined) throw goneError('batch move without DIR');
  await move(String(argv.dir), givenOptions(argv, moveGroups));
  process.exitCode = 0;
};

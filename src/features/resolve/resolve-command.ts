/** `batch resolve`: settles rows with what the user found out about their tasks, one or a table of them. */

import { acceptStore } from '../../app/fleet/older-store.ts';
import { openExistingRun } from '../../app/open-run.ts';
import { type Invocation, sharedOf } from '../../app/options/invocation.ts';
import type { RawOptions } from '../../app/options/options.ts';
import { readInvocation } from '../../app/options/settings.ts';
import { standardInput } from '../../app/options/standard-input.ts';
import type { AgreeToService } from '../../app/service/ask-service.ts';
import { type Handle, wordsOf } from '../../cli/command.ts';
import { agreesToService, isNoneConfirmed } from '../../cli/confirm.ts';
import { printNotice, printResult, printTable } from '../../cli/console.ts';
import { givenOptions } from '../../cli/flags/flag.ts';
import { resolveGroups } from '../../cli/flags/step-flags.ts';
import { UsageError } from '../../errors.ts';
import { inBoth, message, type Said } from '../../messages/message.ts';
import { isSameTask } from '../../money/task-id.ts';
import { settleWords } from '../../terminal/failure-lines.ts';
import { phrasesOf } from '../../terminal/phrases/phrases.ts';
import { shellPath } from '../../text/shell-word.ts';
import { printSending } from '../run/print-next.ts';
import { writeListFile } from './list-file.ts';
import { resolveRow, type SureOfNone } from './resolve-row.ts';
import { resolveRows } from './resolve-rows.ts';
import { uncertainRows } from './uncertain-rows.ts';
import { renderUncertain, uncertainHeader } from './uncertain-table.ts';

function agreeing({ language }: Pick<Invocation, 'language'>): AgreeToService {
  return (run, options) => agreesToService({ ...run, options }, phrasesOf(language));
}

/** `commandOf` the run, in shell words, is what says so without a question. */
function sureOfNone(
  { language, options, words: { run } }: Invocation,
  commandOf: (run: string) => string,
): SureOfNone {
  const say = phrasesOf(language);
  return (doubted) =>
    isNoneConfirmed(
      doubted.map(({ why, ids, ageMs }) => message(`resolve.${why}`, { ids, age: say.span(ageMs) })),
      `batch ${commandOf(run)}`,
      options,
      say,
    );
}

/** Adopts the task, or with null returns the row to pending. */
export async function resolve(
  dir: string,
  id: string,
  taskId: string | null,
  flags: RawOptions = {},
): Promise<void> {
  const invocation = readInvocation(flags, { out: dir });
  const { render, ending } = phrasesOf(invocation.language);
  const unchecked = (why: Said): void =>
    printNotice(render(message('resolve.unchecked', { task: taskId ?? '', so: inBoth(why) })));
  const { earlierTaskId, isInFile } = await resolveRow({
    invocation,
    id,
    taskId,
    unchecked,
    agree: agreeing(invocation),
    sure: sureOfNone(invocation, (run) => settleWords(run, id, '--not-created --yes')),
  });
  const isSame = earlierTaskId === null || (taskId !== null && isSameTask(earlierTaskId, taskId));
  const now =
    taskId === null
      ? message(isInFile ? 'resolve.pending' : 'resolve.pending-gone', { id })
      : message('resolve.open', { id, task: taskId });
  printResult(render(now) + (isSame ? '' : render(message('resolve.no-longer', { task: earlierTaskId }))));
  if (taskId === null) await printSending(invocation);
  else printResult(`${ending.firstStep}batch collect ${invocation.words.run}`);
}

/** Submitting continues with a store that is an older copy of itself. */
async function acceptOlderStore(flags: RawOptions): Promise<void> {
  const invocation = readInvocation(flags, {});
  sharedOf(invocation, message('refused.accept-store'));
  await using opened = await openExistingRun(invocation, true);
  const count = await acceptStore(opened.store);
  const { render } = phrasesOf(invocation.language);
  printResult(
    render(count === 0 ? message('resolve.store-same') : message('resolve.store-accepted', { count })),
  );
}

/** Settles the rows of a table. */
async function resolveTable(dir: string, file: string, flags: RawOptions): Promise<0 | 5> {
  const invocation = readInvocation(flags, { out: dir });
  const words = (run: string): string =>
    `resolve ${run} --from ${file === standardInput ? '-' : shellPath(file)}`;
  const { adopted, returned, gone, left, unasked, note } = await resolveRows(
    invocation,
    file,
    agreeing(invocation),
    sureOfNone(invocation, (run) => `${words(run)} --yes`),
  );
  const { render, ending } = phrasesOf(invocation.language);
  if (note !== null) printNotice(render(note));
  const noLonger = gone === 0 ? '' : render(message('resolve.gone', { count: gone }));
  if (adopted > 0) printResult(render(message('resolve.adopted', { count: adopted })));
  if (returned > 0) printResult(`${render(message('resolve.returned', { count: returned }))}${noLonger}`);
  if (left > 0) printResult(render(message('resolve.left', { count: left })));
  if (unasked !== null) {
    const command = `batch ${words(invocation.words.run)}`;
    printResult(
      render(message('resolve.unanswered', { ids: unasked.ids, so: inBoth(unasked.why), command })),
    );
  }
  if (returned > gone) await printSending(invocation);
  else if (adopted + returned > 0) printResult(`${ending.firstStep}batch collect ${invocation.words.run}`);
  return unasked === null ? 0 : 5;
}

const listBatch = 500;

/** Prints the uncertain rows, or writes them to a file, as the table that `--from` reads once it is filled in. */
async function listUncertain(dir: string, path: string | null, flags: RawOptions): Promise<void> {
  const invocation = readInvocation(flags, { out: dir });
  let text = uncertainHeader();
  let count = 0;
  let run = '';
  for await (const row of uncertainRows(invocation)) {
    text += renderUncertain(row, '');
    run = row.run;
    count += 1;
    if (path !== null || count % listBatch !== 0) continue;
    printTable(text);
    text = '';
  }
  if (path === null) printTable(text);
  else if (count > 0) await writeListFile(path, text, run);
  const { render } = phrasesOf(invocation.language);
  const command = `batch resolve ${invocation.words.run} --from ${path === null ? 'FILE' : shellPath(path)}`;
  printNotice(
    render(count === 0 ? message('resolve.none') : message('resolve.fill-in', { count, path, command })),
  );
}

/** The folder of a command about many rows. */
function folderOf(words: readonly string[], flag: string): string {
  const [dir = './videos'] = words;
  if (words.length > 1) throw new UsageError(message('refused.resolve-words', { option: flag }));
  return dir;
}

export const handle: Handle = async (argv) => {
  const flags = givenOptions(argv, resolveGroups);
  const words = wordsOf(argv);
  const { from, to } = argv;
  const isTable = from !== undefined || argv.list === true;
  const isOne = argv['task-id'] !== undefined || argv['not-created'] === true;
  if (isTable && (isOne || argv['accept-store'] === true || (from !== undefined && argv.list === true)))
    throw new UsageError(message('refused.from-and-list'));
  if (to !== undefined && (argv.list !== true || typeof to !== 'string' || to.trim() === ''))
    throw new UsageError(message('refused.list-to'));
  process.exitCode = 0;
  if (argv['accept-store'] === true) await acceptOlderStore(flags);
  else if (argv.list === true) await listUncertain(folderOf(words, '--list'), to ?? null, flags);
  else if (from === undefined) await resolveOne(words, argv, flags);
  else {
    if (typeof from !== 'string' || from.trim() === '') throw new UsageError(message('refused.from'));
    process.exitCode = await resolveTable(
      folderOf(words, '--from FILE'),
      from === '-' ? standardInput : from,
      flags,
    );
  }
};

async function resolveOne(
  words: readonly string[],
  argv: Parameters<Handle>[0],
  flags: RawOptions,
): Promise<void> {
  if (words.length === 0) throw new UsageError(message('refused.resolve-which'));
  const [first = '', second] = words;
  if (words.length > 2) throw new UsageError(message('refused.resolve-row-words'));
  const taskId = argv['task-id'];
  if ((taskId === undefined) === (argv['not-created'] !== true)) {
    throw new UsageError(message('refused.resolve-how'));
  }
  if (taskId !== undefined && (typeof taskId !== 'string' || taskId.trim() === '')) {
    throw new UsageError(message('refused.task-id'));
  }
  const [dir, id] = second === undefined ? ['./videos', first] : [first, second];
  await resolve(dir, id, taskId === undefined ? null : String(taskId).trim(), flags);
}

/** `batch retry`: a new, paid attempt for rows that ended badly, then goes on as `resume`. */

import type { SqliteCheckpoint } from '../adapters/sqlite/sqlite-checkpoint.ts';
import { addQualities, countQualities, noRows, type QualityCounts } from '../core/estimate.ts';
import { isWantedFailure, plainFailure } from '../core/failure-groups.ts';
import type { Item, Status } from '../core/item.ts';
import { defaultPolicy } from '../core/policy.ts';
import { shellPath } from '../core/shell-word.ts';
import { transition } from '../core/transition.ts';
import { UsageError } from '../errors.ts';
import type { RawOptions } from '../job-file.ts';
import type { Checkpoint } from '../ports.ts';
import { renderRows } from '../terminal/numbers.ts';
import { carryOut } from './carry-out.ts';
import { chooseNamed, nothingLeft, renderLeftOut, renderPassedOver } from './choose-named.ts';
import type { Handle } from './command.ts';
import { askPlace, isConfirmed, saySubmission } from './confirm.ts';
import { printNotice } from './console.ts';
import { givenOptions, goOnGroups } from './flags.ts';
import { openExistingFolder, optionsOfRun } from './folder.ts';
import { estimateOf } from './proposal.ts';
import { readGiven } from './settings.ts';
import { saveTerms } from './start-run.ts';
import { mayPayHere } from './whereabouts.ts';

/** Rows that are ordered in one transaction. */
const pageRows = 500;

/** Which rows are to get a new attempt. */
export interface Choice {
  readonly statuses: readonly Status[];
  /** A part of the failure, or the whole of it in double quotes; null for any. */
  readonly failure: string | null;
  /** Rows that have left the file, too. */
  readonly withGone: boolean;
}

/** Orders the attempts and goes on. Returns the exit code. */
export async function retry(dir: string, choice: Choice, flags: RawOptions): Promise<number> {
  const given = readGiven(flags, { out: dir });
  const { named } = given;
  checkChoice(choice, named !== null);
  using folder = openExistingFolder(given.out);
  const { checkpoint } = folder;
  const isMeant = (item: Item): boolean =>
    (choice.statuses.length === 0 || choice.statuses.includes(item.status)) &&
    isOfFailure(item, choice.failure);
  const byName = named === null ? null : await chooseNamed(checkpoint, named, isMeant, scopeOf(choice));
  // Who names rows pays for these: what waits besides is for `resume`.
  const only = byName === null ? null : [...byName.chosen.map(({ id }) => id), ...byName.underWay];
  const options = { ...optionsOfRun(given, folder), ...(only === null ? {} : { only }) };
  if (!(await mayPayHere(checkpoint, given, options, askPlace(options)))) return 2;
  const again = (): AsyncIterable<Item> =>
    sendable(checkpoint, byName?.chosen ?? rowsOfChoice(checkpoint, choice));
  const attempts = await countItems(again());
  const edits = await countEdits(checkpoint, byName?.chosen ?? rowsOfChoice(checkpoint, choice));
  const count = countQualities(attempts);
  const isGoingOn = byName !== null && byName.underWay.length > 0;
  if (count === 0 && choice.failure !== null && !isGoingOn)
    throw nothingMatches(choice.statuses, choice.failure);
  if (count === 0 && byName !== null && !isGoingOn) throw nothingLeft(byName);
  const waiting = checkpoint.pendingQualities(only);
  const ledger = await checkpoint.ledger();
  const text = estimateOf({
    counts: addQualities(attempts, waiting),
    ledger,
    checkpoint,
    options,
    command: `batch resume ${shellPath(given.outShown)}`,
  });
  const leftOut = byName === null ? null : renderLeftOut(byName);
  if (leftOut !== null) printNotice(`warning: ${leftOut}`);
  if (!options.quiet) {
    for (const line of byName === null ? [] : renderPassedOver(byName)) printNotice(line);
    printNotice(`${renderRows(count)} to get a new attempt`);
    for (const line of renderEdits(edits)) printNotice(line);
    const besides = renderBesides(only === null, countQualities(waiting), ledger.counts.pending);
    if (besides !== null) printNotice(besides);
    saySubmission(text);
  }
  if (!(await isConfirmed(text, options))) return 2;
  await saveTerms(checkpoint, given, true);
  await orderAttempts(checkpoint, again());
  return await carryOut({ submits: true, given, options, checkpoint });
}

/** What becomes of rows that wait already; null where none does. */
function renderBesides(isAll: boolean, submitted: number, pending: number): string | null {
  if (isAll)
    return submitted === 0
      ? null
      : `${renderRows(submitted)} that wait are submitted, too; --limit N bounds it`;
  const left = pending - submitted;
  return left <= 0 ? null : `${renderRows(left)} that wait are not submitted now; \`batch resume\` does`;
}

/** Throws where it is not said which rows, or where a text is none. */
function checkChoice({ statuses, failure }: Choice, isByName: boolean): void {
  if (failure?.trim() === '')
    throw new UsageError('--failure is empty; write a part of the text that report.csv shows');
  if (statuses.length > 0 || isByName) return;
  throw new UsageError(
    failure === null
      ? 'say which rows: --failed, --rejected, --lost, or --only ID,ID'
      : '--failure needs to know which rows: add --failed, --rejected or --lost',
  );
}

/** What has left the file is not wanted any more, unless it is asked for. */
function scopeOf({ withGone }: Choice): 'all' | 'inFile' {
  return withGone ? 'all' : 'inFile';
}

async function* rowsOfChoice(checkpoint: Checkpoint, choice: Choice): AsyncGenerator<Item> {
  for await (const item of checkpoint.items(choice.statuses, scopeOf(choice))) {
    if (isOfFailure(item, choice.failure)) yield item;
  }
}

function isOfFailure({ id, taskId, failure }: Item, wanted: string | null): boolean {
  return wanted === null || isWantedFailure(failure ?? '', [taskId ?? '', id], wanted);
}

function nothingMatches(statuses: readonly Status[], failure: string): UsageError {
  const which = statuses.length === 0 ? 'chosen' : statuses.join(' or ');
  return new UsageError(
    `--failure: no ${which} row of the file has the failure ${JSON.stringify(plainFailure(failure))}; \`batch status\` lists the failures`,
  );
}

async function countItems(items: AsyncIterable<Item> | Iterable<Item>): Promise<QualityCounts> {
  const counts = { ...noRows };
  for await (const { quality } of items) counts[quality ?? 'none'] += 1;
  return counts;
}

/** Rows whose text is another one in the file now. */
interface Edits {
  /** They are sent with it. */
  changed: number;
  /** It cannot be sent: they are left alone, for nobody wants their old text again. */
  unsendable: number;
}

async function countEdits(
  checkpoint: SqliteCheckpoint,
  items: AsyncIterable<Item> | Iterable<Item>,
): Promise<Edits> {
  const edits = { changed: 0, unsendable: 0 };
  for await (const { key } of items) {
    const edit = checkpoint.editOf(key);
    if (edit !== null) edits[edit.failure === null ? 'changed' : 'unsendable'] += 1;
  }
  return edits;
}

/** The rows that can be sent as they stand in the file now, with the quality they have there. */
async function* sendable(
  checkpoint: SqliteCheckpoint,
  items: AsyncIterable<Item> | Iterable<Item>,
): AsyncGenerator<Item> {
  for await (const item of items) {
    const edit = checkpoint.editOf(item.key);
    if (edit === null) yield item;
    else if (edit.failure === null) yield { ...item, quality: edit.quality };
  }
}

function renderEdits({ changed, unsendable }: Edits): readonly string[] {
  return [
    ...(changed > 0
      ? [`${renderRows(changed)} of them changed in the file since: sent with the text that stands there now`]
      : []),
    ...(unsendable > 0
      ? [
          `warning: ${renderRows(unsendable)} left alone that cannot be sent as the file has them now; mend them and run it again`,
        ]
      : []),
  ];
}

async function orderAttempts(
  checkpoint: SqliteCheckpoint,
  items: AsyncIterable<Item> | Iterable<Item>,
): Promise<void> {
  let page: Item[] = [];
  const order = async (): Promise<void> => {
    const at = Date.now();
    await checkpoint.sound;
    checkpoint.takeBack(page.map(({ key }) => key));
    await checkpoint.commit(
      page.map((before) => ({
        before,
        after: transition(before, { type: 'retry-ordered', at }, defaultPolicy).item,
      })),
    );
    page = [];
  };
  for await (const item of items) {
    page.push(item);
    if (page.length >= pageRows) await order();
  }
  await order();
}

export const handle: Handle = async (argv) => {
  const statuses = (['failed', 'rejected', 'lost'] as const).filter((status) => argv[status] === true);
  const { failure = null, gone } = argv;
  if (failure !== null && typeof failure !== 'string')
    throw new UsageError('--failure was given more than once; write one text');
  const flags = givenOptions(argv, goOnGroups);
  process.exitCode = await retry(String(argv.dir), { statuses, failure, withGone: gone === true }, flags);
};

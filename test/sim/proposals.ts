/** The paying commands that the program proposes in a simulated world: read as a user reads them, and carried out as they are typed. */

import { parseArgs } from 'node:util';
import { lookedAt, readEnd } from '../../src/app/offers/offers.ts';
import type { Invocation } from '../../src/app/options/invocation.ts';
import { parseOptions } from '../../src/app/options/job-file.ts';
import { readSavedOptions } from '../../src/app/output-folder.ts';
import { beginRetry, countRound } from '../../src/app/rounds/round.ts';
import { planRetry, type RetryChoice } from '../../src/features/retry/plan-retry.ts';
import type { Quality } from '../../src/money/item.ts';
import { type PaidRows, paidRowsOf } from '../../src/money/paid-rows.ts';
import {
  type EndingReason,
  effectiveQuality,
  type Ledger,
  reservedPoints,
  roundPoints,
} from '../../src/money/summary.ts';
import type { Store } from '../../src/stores/port/store.ts';
import type { SqliteCheckpoint } from '../../src/stores/sqlite/sqlite-checkpoint.ts';
import { storeOver } from '../../src/stores/sqlite/sqlite-store.ts';
import { failureLines } from '../../src/terminal/failure-lines.ts';
import { nextSteps } from '../../src/terminal/next-steps.ts';
import { english } from '../../src/terminal/phrases/phrases.ts';
import { folderWords } from '../../src/text/run-words.ts';
import { noChoice } from '../support/retry-choice.ts';
import type { Dice } from './dice.ts';
import { promise } from './oracle.ts';
import type { SimProcess, World } from './sim-process.ts';

/** A command that pays, with what its line says. */
export interface Proposal {
  readonly command: string;
  readonly rows: number;
  /** Null where the line names none. */
  readonly points: number | null;
  /** Keys of the items that it is about. */
  readonly keys: ReadonlySet<number>;
  /** The line says that a cap may keep some of them back. */
  readonly isCapped: boolean;
  /** From when on it sends (epoch ms); null where the line says nothing of it. */
  readonly after: number | null;
  /** The cap that it names; undefined where that of the run holds. */
  readonly maxPoints: number | null | undefined;
}

const words = folderWords('./videos');

/** The store of the world, as a process sees it that only looks. */
function storeOf({ db }: World, { checkpoint }: Pick<SimProcess, 'checkpoint'>): Store {
  return storeOver(db, { checkpoint, folder: null, close: () => {} });
}

/** What an ending of this reason proposes to pay for. */
async function readProposals(
  world: World,
  process: Pick<SimProcess, 'checkpoint'>,
  reason: EndingReason,
): Promise<readonly Proposal[]> {
  const store = storeOf(world, process);
  const now = world.clock.now() + world.skewMs;
  const end = await readEnd(store, await process.checkpoint.ledger(), { ...lookedAt, reason }, now);
  const steps = nextSteps({ ...end, isInUse: false, words }, english).flatMap(({ command, why }) => {
    const [, rows] = /^([\d,]+) rows? /.exec(why) ?? [];
    if (rows === undefined) return [];
    const [, points] = /, about ([\d,.]+) points?/.exec(why) ?? [];
    const [, time] = /, after (?:\S+ )*(\d\d:\d\d), as the service asked/.exec(why) ?? [];
    return {
      command,
      rows: numberOf(rows),
      points: points === undefined ? null : numberOf(points),
      isCapped: /, as far as the cap of [\d,.]+ points? goes/.test(why),
      after: time === undefined ? null : world.clock.now() + untilTime(time, now),
    };
  });
  const typed = new Set(steps.map(({ command }) => command));
  const lines = failureLines(await store.totals.failureGroups(), words, end.offers).flatMap(
    ({ command, inFile }) =>
      command === null || typed.has(command)
        ? []
        : [{ command, rows: inFile, points: null, isCapped: true, after: null }],
  );
  return [...steps, ...lines].flatMap((proposal) => {
    const command = readCommand(proposal.command);
    const keys = keysOf(world, command);
    if (keys === null) return [];
    // Where nothing waits, the rows of its line are those that it fetches.
    const rows = keys.size === 0 ? 0 : proposal.rows;
    return { ...proposal, rows, keys, maxPoints: capOf(command) };
  });
}

function numberOf(text: string): number {
  return Number(text.replaceAll(',', ''));
}

/** For how long (ms) a clock that shows `now` has to go on until it shows this time of the day. */
function untilTime(time: string, now: number): number {
  const [hours, minutes] = time.split(':').map(Number);
  const at = new Date(now).setHours(hours ?? 0, minutes ?? 0, 0, 0);
  return (at < now ? at + 24 * 3_600_000 : at) - now;
}

/** A command line as the program takes it. */
interface Command {
  readonly verb: string;
  readonly flags: Readonly<Record<string, string | boolean | undefined>>;
}

function readCommand(line: string): Command {
  // Quoted as for a shell; no failure of this service holds a quote.
  const [, verb = '', ...args] = (line.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? []).map((word) =>
    word.replace(/'([^']*)'/g, '$1'),
  );
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args,
    allowPositionals: true,
    strict: verb === 'resume' || verb === 'retry',
    options: {
      failed: { type: 'boolean' },
      rejected: { type: 'boolean' },
      lost: { type: 'boolean' },
      until: text,
      unsent: text,
      failure: text,
      'max-points': text,
      limit: text,
      sample: text,
    },
  });
  return { verb, flags: values };
}

function statusOf({ flags }: Command): 'failed' | 'rejected' | 'lost' | null {
  return (['failed', 'rejected', 'lost'] as const).find((status) => flags[status] === true) ?? null;
}

/** The items that the words of a paying command name; null for one that pays for nothing. */
function keysOf({ db }: World, command: Command): ReadonlySet<number> | null {
  const { verb, flags } = command;
  if (verb !== 'resume' && verb !== 'retry') return null;
  const status = statusOf(command);
  const where =
    status !== null
      ? `status = '${status}'`
      : flags.unsent === undefined
        ? "(status = 'pending' OR (status = 'rejected' AND turn = 'again'))"
        : `status = 'pending' AND key IN (SELECT item FROM orders WHERE round = ${Number(flags.unsent)})`;
  const found = db.prepare<[], { key: number }>(`SELECT key FROM items WHERE gone = 0 AND ${where}`).all();
  return new Set(found.map(({ key }) => key));
}

function capOf({ flags: { 'max-points': cap } }: Command): number | null | undefined {
  return cap === undefined ? undefined : cap === 'none' ? null : Number(cap);
}

/** What the program does for a command before its run: orders new attempts. Returns the rows that the run submits. */
export async function beginProposal(
  world: World,
  process: SimProcess,
  proposal: Proposal,
): Promise<PaidRows> {
  const store = storeOf(world, process);
  const command = readCommand(proposal.command);
  const { verb, flags } = command;
  if (verb === 'resume') {
    await countRound(store);
    return paidRowsOf({});
  }
  const options = parseOptions(await readSavedOptions(store), String);
  const status = statusOf(command);
  const choice: RetryChoice = {
    ...noChoice,
    statuses: status === null ? [] : [status],
    until: asNumber(flags.until),
    unsent: asNumber(flags.unsent),
    failure: typeof flags.failure === 'string' ? flags.failure : null,
  };
  const plan = await planRetry({ store, options }, null, choice);
  const begun = await beginRetry(store, unshared, options, { ...plan, rows: plan.rows() });
  return paidRowsOf({ retry: begun.options.retry });
}

/** Nothing of it is read where one process has the run. */
const unshared = {} as Invocation;

function asNumber(value: string | boolean | undefined): number | null {
  return typeof value === 'string' ? Number(value) : null;
}

/** The cap is saved with the run, as every command saves its options. */
export async function saveCap(
  { settings }: Pick<Store, 'settings'>,
  maxPoints: number | null,
): Promise<void> {
  await settings.save('options', JSON.stringify({ 'max-points': maxPoints ?? 'none' }));
}

/** A proposal that somebody types, and what is held against its line each time. */
export interface Wish {
  readonly proposal: Proposal;
  /** `ending`: of the process that it was typed for. */
  check(times: number, ending: EndingReason): void;
}

/** Tasks and videos of other rows end submitting so: what was said of the rows that wait is the most then. */
const endedByOthers: ReadonlySet<EndingReason> = new Set<EndingReason>(['lost-breaker', 'delivery-breaker']);

/** A cap stays with the run: the one of a line is what is taken and what its own rows need, whatever the lines above it need. */
function promiseOwnCap({ command, points, maxPoints }: Proposal, ledger: Ledger): void {
  if (maxPoints == null || points === null) return;
  const needed = Math.ceil(roundPoints(ledger.spent + (reservedPoints(ledger) ?? 0) + points));
  promise(maxPoints === needed, `${command} needs a cap of ${needed}`);
}

/** Somebody who types what the program proposes, more often than once. */
export class Follower {
  readonly #world: World;
  readonly #dice: Dice;
  /** Rows that end badly, or are barred for ever, may keep others back in fair weather, too. */
  readonly #isHalting: boolean;

  constructor(world: World, dice: Dice, isHalting: boolean) {
    this.#world = world;
    this.#dice = dice;
    this.#isHalting = isHalting;
  }

  /** A command that the ending proposes; null for none. */
  async choose(share: number, checkpoint: SqliteCheckpoint, reason: EndingReason): Promise<Wish | null> {
    if (!this.#dice.chance(share)) return null;
    const [first, ...others] = await readProposals(this.#world, { checkpoint }, reason);
    if (first === undefined) return null;
    const proposal = this.#dice.pick([first, ...others]);
    const { command, rows, points, keys, after } = proposal;
    const from = after === null ? '' : `, after ${new Date(after).toISOString()}`;
    this.#world.note(`the user reads: ${command}   ${rows} rows, ${points} points${from}`);
    // A line about one failure names some of the rows.
    const isAbout = command.includes('--failure') ? rows <= keys.size : rows === keys.size;
    promise(isAbout, `${command} is about ${keys.size} rows, its line says ${rows}`);
    const ledger = await checkpoint.ledger();
    promiseOwnCap(proposal, ledger);
    return { proposal, check: this.#checkOf(proposal, ledger.largestPoints) };
  }

  #checkOf(
    { command, rows, points, isCapped, keys, after }: Proposal,
    prices: Ledger['largestPoints'],
  ): Wish['check'] {
    const { service, weather, db } = this.#world;
    const known = new Set(service.tasks.keys());
    const attempts = new Map(this.#rows().map(({ key, attempt }) => [key, attempt]));
    const isSeen = ({ quality }: { quality: Quality | null }): boolean =>
      prices.get(effectiveQuality(quality)) === service.priceIn(quality);
    // Where a price has changed since, the figure is a guess, and the cap that goes with it holds.
    const isPriced = this.#rows().every((row) => !keys.has(row.key) || isSeen(row));
    let isExact = !isCapped && !this.#isHalting && (isPriced || points === null);
    // What is ordered too early waits for a command of its own.
    if (after !== null && statusOf(readCommand(command)) !== null) isExact = false;
    return (times, ending) => {
      if (endedByOthers.has(ending)) isExact = false;
      const isEarly = times === 1 && after !== null;
      const typed = `${command}, typed ${times} times`;
      const made = [...service.tasks.values()].filter(({ taskId }) => !known.has(taskId));
      const paid = db
        .prepare<[], { item: number; attempt: number }>(
          'SELECT item, attempt FROM attempts WHERE task_id IS NOT NULL',
        )
        .all()
        .filter(({ item, attempt }) => attempt > (attempts.get(item) ?? 0));
      const twice = paid.find(({ item }, at) => paid.findIndex((each) => each.item === item) !== at);
      promise(twice === undefined, `item ${twice?.item} is paid for twice by ${typed}`);
      promise(
        weather.isClear && isExact && !isEarly ? made.length === rows : made.length <= rows,
        `${made.length} rows were paid for by ${typed}; its line says ${rows}`,
      );
      if (!weather.isClear || !isExact || isEarly || points === null) return;
      const charged = made.reduce((sum, task) => sum + service.priceOf(task), 0);
      promise(charged === points, `${charged} points were charged for ${typed}; its line says ${points}`);
    };
  }

  /** The rows of the run, with the quality that a new attempt has. */
  #rows(): readonly { readonly key: number; readonly attempt: number; readonly quality: Quality | null }[] {
    return this.#world.db
      .prepare<[], { key: number; attempt: number; quality: Quality | null }>(
        `SELECT key, attempt, CASE WHEN edits.item IS NULL THEN items.quality ELSE edits.quality END AS quality
         FROM items LEFT JOIN edits ON edits.item = items.key`,
      )
      .all();
  }
}

/** The user of a simulated world: what is ordered, and what a process does about it. */

import { countRound } from '../../src/app/rounds/round.ts';
import { forgetCorrections, readCorrectedRows } from '../../src/features/import/corrected-rows.ts';
import { checkFiles, mendedBy } from '../../src/features/inspect/check-files.ts';
import type { ItemEvent } from '../../src/money/event.ts';
import type { Item, Status } from '../../src/money/item.ts';
import { type PaidRows, paidRowsOf } from '../../src/money/paid-rows.ts';
import { defaultPolicy, type Policy } from '../../src/money/policy.ts';
import { doubtOf } from '../../src/money/row-identity.ts';
import { readSentTexts } from '../../src/money/sent-question.ts';
import { transition } from '../../src/money/transition.ts';
import type { RunEnding } from '../../src/runner/ending.ts';
import type { ReportRow } from '../../src/stores/port/reading.ts';
import { SqliteIngest } from '../../src/stores/sqlite/import/ingest.ts';
import type { SqliteCheckpoint } from '../../src/stores/sqlite/sqlite-checkpoint.ts';
import { incomingRows, source, type WrittenRow } from '../support/incoming-rows.ts';
import type { Dice } from './dice.ts';
import { feedFailures } from './feeder.ts';
import { rowOf } from './oracle.ts';
import { beginProposal, type Proposal } from './proposals.ts';
import type { Reviewer } from './reviewer.ts';
import type { SimProcess, World } from './sim-process.ts';
import type { UserFile } from './user-file.ts';

/** A command line. */
export type Errand = 'run' | 'resume' | 'collect' | 'retry' | 'resolve' | 'verify';

const ended: readonly Status[] = ['completed', 'failed', 'undelivered', 'lost'];

/** True for a row whose task was made and has ended: only an order of the user pays for it again. */
export function hasEnded(status: Status): boolean {
  return ended.includes(status);
}

export class User {
  /** What was ordered to be paid again, by row, and by text: a new attempt takes the place of what was sent before it. */
  readonly orders = new Map<string, number>();
  readonly textOrders = new Map<string, number>();
  /** The texts of the file that was taken up last, and how often each stood at most in any. */
  taken: ReadonlySet<string> = new Set();
  readonly most = new Map<string, number>();
  /** How often each text stands in the file that was taken up last. */
  #counts: ReadonlyMap<string, number> = new Map();
  /** Null in the worlds where nobody corrects texts. */
  readonly reviewer: Reviewer | null;
  readonly world: World;
  readonly file: UserFile;
  readonly dice: Dice;
  /** Retries so far, the round of the one that goes, and the rows that it names: it pays for no other. Null while none goes. */
  retries = 0;
  round: number | null = null;
  named: ReadonlySet<number> | null = null;
  /** True while the user orders new attempts; nobody else may. */
  isOrdering = false;
  #typos = 0;
  /** The program listens for callbacks. */
  readonly isListening: boolean;
  /** The table of failed rows is fed back before the file; null where it is not. */
  readonly feeder: Dice | null;

  constructor(
    world: World,
    {
      file,
      dice,
      isListening,
      feeder,
      reviewer,
    }: Pick<User, 'file' | 'dice' | 'isListening' | 'feeder' | 'reviewer'>,
  ) {
    this.world = world;
    this.file = file;
    this.dice = dice;
    this.isListening = isListening;
    this.feeder = feeder;
    this.reviewer = reviewer;
  }

  /** How often each text stands in the file that was taken up last. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  /** What is asked for an item. */
  textOf(key: number): string {
    const found = this.world.db
      .prepare<[number], { input: string }>('SELECT input FROM questions WHERE item = ?')
      .get(key);
    return String(JSON.parse(found?.input ?? '{}').question);
  }

  /** A task id that no service knows. */
  mistyped(): string {
    this.#typos += 1;
    return `typo-${this.#typos}`;
  }

  /**
   * The row of the file that a line of the report is about. A row that was sent keeps its text, and what the file says now
   * waits: of a row in doubt for its end, of any other whose text is gone from the file for an order to pay again.
   */
  namedBy(row: ReportRow): string {
    const isWaiting = row.item.status === 'uncertain' || !this.taken.has(String(row.input.question));
    return rowOf(isWaiting ? (row.edit ?? row) : row);
  }

  /** The row behind an item: the first word of its question. */
  rowOf(key: number): string {
    return this.textOf(key).split(' ')[0] ?? '';
  }

  /** The file as it stands is taken up. */
  takes(rows: readonly WrittenRow[]): void {
    const texts = Map.groupBy(rows, ({ question = '' }) => question);
    this.taken = new Set(texts.keys());
    for (const [text, twins] of texts) {
      // Somebody wrote it into the place of a twin of the row that is sent with it: both are wanted.
      const isTwice = this.reviewer?.isSentInstead(text, rows) === true;
      this.most.set(text, Math.max(this.most.get(text) ?? 0, twins.length + (isTwice ? 1 : 0)));
    }
    this.#counts = new Map([...texts].map(([text, twins]) => [text, twins.length]));
    this.reviewer?.takes(this.#counts);
  }

  order(key: number): void {
    const row = this.rowOf(key);
    this.orders.set(row, (this.orders.get(row) ?? 0) + 1);
    // Known by its attempt: the id that the service answered may lead to no task.
    const sent = this.world.db
      .prepare<[number], { attempt: number }>(
        'SELECT attempt FROM attempts WHERE item = ? AND task_id IS NOT NULL',
      )
      .all(key)
      .flatMap(({ attempt }) => this.world.sent.get(`${key} ${attempt}`) ?? []);
    for (const text of new Set([...sent, this.textOf(key)]))
      this.textOrders.set(text, (this.textOrders.get(text) ?? 0) + 1);
    this.world.note(`the user orders ${row} again`);
  }
}

/** Why this text is not to be paid for now; null where it is. */
export function whyUnwanted({ taken, reviewer }: User, text: string): string | null {
  const instead = reviewer?.insteadOf(text) ?? null;
  if (instead !== null) return `"${text}" is sent, which was corrected: ${instead}`;
  if (taken.has(text) || reviewer?.texts.has(text) === true) return null;
  return `"${text}" is sent, which the file that was taken up does not say`;
}

/** What a process does from its start to its end. */
export async function runErrand(
  errand: Errand | Proposal,
  process: SimProcess,
  policy: Policy,
  user: User,
): Promise<RunEnding> {
  user.isOrdering = false;
  if (errand === 'run') await ingest(process, user);
  user.named = null;
  user.round = null;
  const runsOn = (paid: PaidRows, submits: boolean): Promise<RunEnding> => {
    const notifyUrl = ({ key }: Item): string | null =>
      user.isListening ? `http://127.0.0.1:9000/callback/${key}` : null;
    return process.run(policy, { submits, ...paid, notifyUrl, listens: user.isListening });
  };
  if (typeof errand === 'object') {
    user.named = errand.keys;
    user.isOrdering = true;
    const paid = await beginProposal(user.world, process, errand);
    user.isOrdering = false;
    return runsOn(paid, true);
  }
  if (['run', 'resume', 'collect'].includes(errand)) await countRound(user.world);
  if (errand === 'retry') await retry(process, user);
  if (errand === 'verify') await verify(process);
  if (errand === 'resolve') {
    await resolve(process, user);
    return { reason: 'collected', failure: null };
  }
  // An order may come to nothing: the cap is reached, the key refused.
  const isOrderLeft = errand === 'retry' && user.dice.chance(0.3);
  const submits = errand !== 'collect' && errand !== 'verify' && !isOrderLeft;
  return runsOn(paidRowsOf({ retry: user.round }), submits);
}

async function ingest(process: SimProcess, user: User): Promise<void> {
  const { db, disk, weather, note } = user.world;
  db.exec('DROP TABLE IF EXISTS temp.incoming');
  // In the end every text of a file whose ids only count the rows has a video of its own.
  const rerunChanged = weather.isClear ? user.file.countsRows : user.dice.chance(0.1);
  if (!weather.isClear) user.reviewer?.writeInto(user.file);
  const reviews = user.reviewer?.reviewsOf(process) ?? null;
  const { feeder } = user;
  if (feeder !== null) await feedFailures(user.world, process, { reviews, at: process.now(), dice: feeder });
  await using ingest = await stage(user, process.checkpoint, rerunChanged);
  await process.step('take the file up');
  disk.write('batch.sqlite');
  const at = process.now();
  const before = keysIn(user, ended);
  if (user.reviewer !== null)
    await forgetCorrections({ checkpoint: process.checkpoint, reviews: user.reviewer.reviewsOf(process) });
  await ingest.apply({ source, at, add: false, isMended: false, rerunChanged });
  user.takes(user.file.rows);
  for (const key of keysIn(user, ['pending'])) if (before.has(key)) user.order(key);
  note(`${process.name} took the file up`);
  await process.step('the file is taken up');
}

/** The file, held against the checkpoint. Where its ids leave a doubt, the user says that they are none. */
async function stage(user: User, checkpoint: SqliteCheckpoint, rerunChanged: boolean): Promise<SqliteIngest> {
  const { rows } = user.file;
  const trust = { isSaid: false, isGuessed: false, rerunChanged, add: false, isMended: false };
  for (const file of [rows, rows.map(({ id: _, ...row }) => row)]) {
    const ingest = new SqliteIngest(user.world.db, checkpoint);
    const reviews = user.reviewer?.reviewsOf({ checkpoint });
    const corrected = reviews === undefined ? null : await readCorrectedRows({ checkpoint, reviews });
    const incoming = incomingRows(...file);
    await ingest.add((await corrected?.recognize(incoming, source)) ?? incoming);
    const problems = await ingest.match({ add: false, isMended: false });
    if (problems.length > 0) throw new Error(`the file has problems: ${JSON.stringify(problems)}`);
    if (doubtOf(await ingest.idFacts(), trust) === null) return ingest;
    user.world.note('the ids of the file leave a doubt: the user says that they are none');
    await ingest[Symbol.asyncDispose]();
  }
  throw new Error('a file without ids leaves a doubt about them');
}

function keysIn({ world }: User, statuses: readonly Status[]): Set<number> {
  const query = 'SELECT key FROM items WHERE status IN (SELECT value FROM json_each(?))';
  const rows = world.db.prepare<[string], { key: number }>(query).all(JSON.stringify(statuses));
  return new Set(rows.map(({ key }) => key));
}

async function become(process: SimProcess, before: Item, ...events: readonly ItemEvent[]): Promise<void> {
  const after = events.reduce((item, event) => transition(item, event, defaultPolicy).item, before);
  await process.checkpoint.commit([{ before, after }]);
}

/** A new attempt for what ended badly, sometimes in other words than the first. */
async function retry(process: SimProcess, user: User): Promise<void> {
  if (user.dice.chance(0.4)) {
    // Texts that moved and changed in one step would be others for anybody.
    await ingest(process, user);
    user.file.mend();
    await ingest(process, user);
  }
  const status = user.dice.pick<Status>(['failed', 'lost', 'rejected', 'undelivered', 'completed']);
  await user.reviewer?.correct(process, status, user);
  user.isOrdering = true;
  user.retries += 1;
  const round = await countRound(user.world);
  const named = new Set<number>();
  const most = user.retries % 3 === 0 ? 1 : Number.POSITIVE_INFINITY;
  for await (const before of process.checkpoint.items([status], 'inFile')) {
    if (named.size >= most) break;
    const after = transition(before, { type: 'retry-ordered', at: process.now() }, defaultPolicy).item;
    await process.checkpoint.order(round, [{ before, after }], []);
    named.add(before.key);
  }
  user.named = named;
  user.round = round;
  user.isOrdering = false;
}

/** `verify --fix`: what is damaged or gone is wanted again, and what is back is known again. */
async function verify(process: SimProcess): Promise<void> {
  const { checkpoint } = process;
  const { findings } = await checkFiles(checkpoint.filedItems(), process.tree, () => {}, {
    preferred: new Map(),
  });
  for (const finding of findings) await checkpoint.commit([mendedBy(finding, process.now())]);
}

/** The user looks each uncertain row up in the account of the service, and says truly what is there. */
async function resolve(process: SimProcess, user: User): Promise<void> {
  const { checkpoint } = process;
  const { service, note, weather, clock } = user.world;
  for await (const item of checkpoint.items(['uncertain', 'submitting', 'open', 'lost'])) {
    const isMistyped = item.taskId?.startsWith('typo-') === true;
    if ((item.status === 'open' || item.status === 'lost') && !isMistyped) continue;
    const row = user.rowOf(item.key);
    const at = process.now();
    let found: string | null = null;
    const { question } = readSentTexts({ item, ...(await checkpoint.input(item.key)) });
    for (const { taskId } of service.tasksOf(question))
      if ((await checkpoint.itemOfTask(taskId)) === null) found ??= taskId;
    note(`the user finds ${found ?? 'no task'} for ${row}`);
    const crashed: readonly ItemEvent[] = item.status === 'submitting' ? [{ type: 'run-started', at }] : [];
    // Another row may have got the task by a call meanwhile: then there is none to be named.
    if (found === null && item.status === 'open') continue;
    const named = found !== null && weather.strikes('typo') ? user.mistyped() : found;
    const settled: ItemEvent =
      named === null ? { type: 'not-created', at } : { type: 'task-adopted', at, taskId: named };
    await become(process, item, ...crashed, settled);
    const now = await checkpoint.itemWithKey(item.key);
    if (named !== null && now !== null && user.dice.chance(0.3)) {
      await clock.wait(1_000);
      await become(process, now, { type: 'task-adopted', at: process.now(), taskId: named });
    }
    if (now?.taskId !== named) user.world.break(`the task of ${row} is not the one that the user named last`);
  }
}

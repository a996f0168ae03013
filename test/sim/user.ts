/** The user of a simulated world: what is ordered, and what a process does about it. */

import { Ingest } from '../../src/adapters/sqlite/ingest.ts';
import type { Item, ItemEvent, Status } from '../../src/core/item.ts';
import { defaultPolicy, type Policy } from '../../src/core/policy.ts';
import { transition } from '../../src/core/transition.ts';
import type { RunEnding } from '../../src/runner/runner.ts';
import { incomingRows, source } from '../support/incoming-rows.ts';
import type { Dice } from './dice.ts';
import type { SimProcess, World } from './sim-process.ts';
import type { UserFile } from './user-file.ts';

/** A command line. */
export type Errand = 'run' | 'resume' | 'collect' | 'retry' | 'resolve';

const ended: readonly Status[] = ['completed', 'failed', 'undelivered', 'lost'];

/** True for a row whose task was made and has ended: only an order of the user pays for it again. */
export function hasEnded(status: Status): boolean {
  return ended.includes(status);
}

export class User {
  /** What was ordered to be paid again, by row. */
  readonly orders = new Map<string, number>();
  readonly world: World;
  readonly file: UserFile;
  readonly dice: Dice;
  /** True while the user orders new attempts; nobody else may. */
  isOrdering = false;
  /** The program listens for callbacks. */
  readonly isListening: boolean;

  constructor(world: World, file: UserFile, dice: Dice, isListening: boolean) {
    this.world = world;
    this.file = file;
    this.dice = dice;
    this.isListening = isListening;
  }

  /** The row behind an item: the first word of its question. */
  rowOf(key: number): string {
    const found = this.world.db
      .prepare<[number], { input: string }>('SELECT input FROM questions WHERE item = ?')
      .get(key);
    return String(JSON.parse(found?.input ?? '{}').question).split(' ')[0] ?? '';
  }

  order(key: number): void {
    const row = this.rowOf(key);
    this.orders.set(row, (this.orders.get(row) ?? 0) + 1);
    this.world.note(`the user orders ${row} again`);
  }
}

/** What a process does from its start to its end. */
export async function carryOut(
  errand: Errand,
  process: SimProcess,
  policy: Policy,
  user: User,
): Promise<RunEnding> {
  user.isOrdering = false;
  if (errand === 'run') await takeUp(process, user);
  if (errand === 'retry') await retry(process, user);
  if (errand === 'resolve') {
    await resolve(process, user);
    return { reason: 'collected', failure: null };
  }
  const submits = errand !== 'collect';
  const notifyUrl = ({ key }: Item): string | null =>
    user.isListening ? `http://127.0.0.1:9000/callback/${key}` : null;
  return process.run(policy, { submits, only: null, notifyUrl, listens: user.isListening });
}

async function takeUp(process: SimProcess, user: User): Promise<void> {
  const { db, disk, weather, note } = user.world;
  db.exec('DROP TABLE IF EXISTS temp.incoming');
  using ingest = new Ingest(db);
  ingest.add(incomingRows(...user.file.rows));
  const problems = ingest.match({ add: false, isMended: false });
  if (problems.length > 0) throw new Error(`the file has problems: ${JSON.stringify(problems)}`);
  const rerunChanged = !weather.isClear && user.dice.chance(0.1);
  await process.step('take the file up');
  disk.write('batch.sqlite');
  const at = process.now();
  const before = keysIn(user, ended);
  ingest.apply(process.checkpoint, { source, at, add: false, isMended: false, rerunChanged });
  for (const key of keysIn(user, ['pending'])) if (before.has(key)) user.order(key);
  note(`${process.name} took the file up`);
  await process.step('the file is taken up');
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

/** A new attempt for what ended badly. */
async function retry(process: SimProcess, user: User): Promise<void> {
  const status = user.dice.pick<Status>(['failed', 'lost', 'rejected', 'undelivered']);
  user.isOrdering = true;
  for await (const item of process.checkpoint.items([status], 'inFile'))
    await become(process, item, { type: 'retry-ordered', at: process.now() });
  user.isOrdering = false;
}

/** The user looks each uncertain row up in the account of the service, and says truly what is there. */
async function resolve(process: SimProcess, user: User): Promise<void> {
  const { checkpoint } = process;
  const { service, note } = user.world;
  for await (const item of checkpoint.items(['uncertain', 'submitting'])) {
    const row = user.rowOf(item.key);
    const at = process.now();
    let found: string | null = null;
    for (const { taskId } of service.tasksOf(row))
      if ((await checkpoint.itemOfTask(taskId)) === null) found ??= taskId;
    note(`the user finds ${found ?? 'no task'} for ${row}`);
    const crashed: readonly ItemEvent[] = item.status === 'submitting' ? [{ type: 'run-started', at }] : [];
    const settled: ItemEvent =
      found === null ? { type: 'not-created', at } : { type: 'task-adopted', at, taskId: found };
    await become(process, item, ...crashed, settled);
  }
}

/** A run in an open store, with what tests do to it: files are imported, rows live on. Knows the port and no adapter. */

import type { Problem } from '../../src/errors.ts';
import type { ItemEvent } from '../../src/money/event.ts';
import { type Item, type Status, statuses } from '../../src/money/item.ts';
import type { Plan } from '../../src/money/plan.ts';
import type { IncomingRow } from '../../src/money/question.ts';
import type { Checkpoint } from '../../src/stores/port/checkpoint.ts';
import type { Ingest, IngestOptions, PlanOptions } from '../../src/stores/port/import.ts';
import type { Store } from '../../src/stores/port/store.ts';
import { source } from './incoming-rows.ts';
import { itemNamed, liveOn } from './saved-lives.ts';

/** When files are imported here (epoch ms). */
const importedAt = Date.UTC(2026, 2, 1, 8);

/** What a file was found to mean, before it was imported. */
interface Judgement {
  readonly plan: Plan;
  readonly problems: readonly Problem[];
}

export interface StoreRun<S extends Store = Store> {
  readonly store: S;
  readonly checkpoint: S['checkpoint'];
  /** Compares the rows with those of the run and imports them, unless they have problems. */
  ingest(rows: readonly IncomingRow[], how?: Partial<IngestOptions>): Promise<Judgement>;
  /** What importing these rows would do. */
  plan(rows: readonly IncomingRow[], how?: Partial<PlanOptions>): Promise<Plan>;
  item(id: string): Promise<Item>;
  /** Lets a row live through these events, one commit each. */
  live(id: string, ...story: readonly ItemEvent[]): Promise<Item>;
  /** All items as they are saved, those of gone rows included, in the order they were first seen. */
  all(): Promise<Item[]>;
  idsIn(...statuses: readonly Status[]): Promise<string[]>;
}

export function runOver<S extends Store>(store: S): StoreRun<S> {
  const checkpoint: Checkpoint = store.checkpoint;
  return {
    store,
    checkpoint: store.checkpoint,
    ingest: (rows, how) => importRows(store, rows, how),
    plan: async (rows, how = {}) => {
      await using ingest = await store.openIngest();
      return (await judge(ingest, rows, how)).plan;
    },
    item: (id) => itemNamed(checkpoint, id),
    live: (id, ...story) => liveOn(checkpoint, id, ...story),
    all: async () => {
      const items = await Array.fromAsync(checkpoint.items(statuses));
      return items.sort((a, b) => a.key - b.key);
    },
    idsIn: async (...wanted) => (await Array.fromAsync(checkpoint.items(wanted))).map(({ id }) => id),
  };
}

async function importRows(
  store: Pick<Store, 'openIngest'>,
  rows: readonly IncomingRow[],
  how: Partial<IngestOptions> = {},
): Promise<Judgement> {
  await using ingest = await store.openIngest();
  const judgement = await judge(ingest, rows, how);
  if (judgement.problems.length === 0) await ingest.apply({ ...plainImport, ...how });
  return judgement;
}

/** How files are imported here unless a test says otherwise. */
export const plainImport: IngestOptions = {
  source,
  at: importedAt,
  add: false,
  isMended: false,
  rerunChanged: false,
};

async function judge(
  ingest: Ingest,
  rows: readonly IncomingRow[],
  how: Partial<PlanOptions & IngestOptions>,
): Promise<Judgement> {
  const { add = false, isMended = false, rerunChanged = false, only = null, ended = [] } = how;
  const { column = 'question' } = how;
  await ingest.add(rows);
  const problems = await ingest.match({ add, isMended });
  // A plan with `isMended` is judged as one of an added file: its rows that left are another matter.
  const plan = await ingest.plan({ add, isMended: false, rerunChanged, only, column, ended });
  return { plan, problems };
}

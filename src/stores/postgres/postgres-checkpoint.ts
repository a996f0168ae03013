/** The checkpoint on PostgreSQL. */

import { randomUUID } from 'node:crypto';
import type { AttemptNow } from '../../money/answers/late-answers.ts';
import { countQualities } from '../../money/forecast/estimate.ts';
import type { Item, Status } from '../../money/item.ts';
import type { PaidRows } from '../../money/paid-rows.ts';
import type { Source } from '../../money/question.ts';
import type { Ledger } from '../../money/summary.ts';
import type { UncertainPlace } from '../../money/tick.ts';
import type { AttemptTask } from '../../ports.ts';
import { readAskedPause } from '../asked-pause.ts';
import { sliceOf } from '../core-words.ts';
import type { NamedValues, StoreDatabase } from '../dialect.ts';
import { asSaved, digest } from '../digest.ts';
import * as sql from '../item-rows.ts';
import { beforeFirst, eachOf, inPages } from '../pages.ts';
import type {
  AttemptEnd,
  Change,
  Checkpoint,
  CommitEnd,
  CommitExtras,
  OrderExtras,
  RowEdit,
  SentInput,
  UnpricedAttempt,
} from '../port/checkpoint.ts';
import type { ReportRow } from '../port/reading.ts';
import { type Sharing, sliceCount } from '../port/sharing.ts';
import { correctionsOf } from '../reviews.ts';
import { isPaid } from '../run-totals.ts';
import { type ItemRow, itemColumns, tablesSince } from '../tables.ts';
import { type TurnRows, turns } from '../turns.ts';
import { commitCall, json, refusalOf, withAskedPause } from './commit-call.ts';
import type { Connections } from './connection/connections.ts';
import { withDecisions, withDecisionsIfSaved } from './decisions.ts';
import { dialect, postgresDatabase } from './dialect.ts';
import { readOf, withArtifacts } from './item-rows.ts';
import { parseSaved, ReportRows } from './report-rows.ts';
import { ledgerOf, readRun } from './run-row.ts';
import { countedQualities, countsSince } from './run-totals.ts';
import { together } from './together.ts';

type Scope = 'all' | 'inFile';

export class PostgresCheckpoint implements Checkpoint {
  readonly #connections: Connections;
  readonly #database: StoreDatabase;
  readonly #worker: string;
  readonly #runId: string;
  readonly #sound: () => Promise<void>;
  readonly #schema: number;
  readonly #reports: ReportRows;
  readonly #savedInput;
  readonly #ofTask;

  /**
   * `sound` rejects when the run is damaged; everything that saves, submits or reports awaits it. `schema` is the version of
   * the run's schema: one of an earlier version is only looked at.
   */
  constructor(
    connections: Connections,
    { worker, runId, schema }: Pick<Sharing, 'worker' | 'runId'> & { readonly schema: number },
    sound: () => Promise<void>,
  ) {
    this.#connections = connections;
    this.#database = postgresDatabase(connections);
    this.#worker = worker;
    this.#runId = runId;
    this.#sound = sound;
    this.#schema = schema;
    this.#reports = new ReportRows(connections, sql.kindsKeptBy(schema));
    this.#savedInput = together((keys: readonly number[]) => this.#savedInputs(keys));
    this.#ofTask = together((taskIds: readonly string[]) => this.#ofTasks(taskIds));
  }

  async commit(changes: readonly Change[], extras?: CommitExtras): Promise<CommitEnd> {
    await this.#sound();
    if (changes.length === 0 && (extras?.facts ?? []).length === 0) return { isAnswered: true };
    const names = { id: randomUUID(), worker: this.#worker, run: this.#runId, schema: this.#schema };
    const call = withDecisionsIfSaved(commitCall(names, changes, extras), extras?.decisions ?? []);
    const { text, values } = withAskedPause(call, changes);
    try {
      const found = await this.#connections.row<{ saved: boolean }>(text, values);
      return { isAnswered: found?.saved === true };
    } catch (error) {
      throw refusalOf(error, changes);
    }
  }

  async ledger(): Promise<Ledger> {
    return ledgerOf(await readRun(this.#connections));
  }

  async *items(
    statuses: readonly Status[],
    scope: Scope = 'all',
    until: number = Number.MAX_SAFE_INTEGER,
  ): AsyncIterable<Item> {
    const mostGone = scope === 'all' ? 1 : 0;
    for (const status of statuses) yield* this.#paged(sql.itemPage, { status, mostGone, until });
  }

  itemsWithoutPoints(): AsyncIterable<Item> {
    return this.#paged(sql.pageWithoutPoints);
  }

  filedItems(): AsyncIterable<Item> {
    return this.#paged(sql.filedPage);
  }

  async *#paged(page: string, parameters: NamedValues = {}): AsyncIterable<Item> {
    const readPage = ({ row, key }: typeof beforeFirst): Promise<Item[]> =>
      this.#named(page, { ...parameters, row, key });
    for await (const items of inPages(beforeFirst, sql.pageRows, readPage)) yield* items;
  }

  async #named(statement: string, parameters: NamedValues): Promise<Item[]> {
    return withArtifacts(this.#connections, await this.#database.rows<ItemRow>(statement, parameters));
  }

  async #items(text: string, values: readonly unknown[]): Promise<Item[]> {
    return withArtifacts(this.#connections, await this.#connections.rows<ItemRow>(text, values));
  }

  async pendingItems(query: Parameters<Checkpoint['pendingItems']>[0]): Promise<Item[]> {
    await this.#sound();
    const first = await this.#pendingItems(query, turns.first);
    const { limit } = query;
    if (first.length === limit) return first;
    return [...first, ...(await this.#pendingItems({ ...query, limit: limit - first.length }, turns.later))];
  }

  refusedAlike(limit = Number.MAX_SAFE_INTEGER): Promise<readonly Item[]> {
    return this.#named(sql.refusedAlike, { limit });
  }

  async #pendingItems(
    { limit, only, retry = null, slices }: Parameters<Checkpoint['pendingItems']>[0],
    turn: TurnRows,
  ): Promise<Item[]> {
    const wanted = slices ?? allSlices;
    const read = (): Promise<Item[]> => {
      if (only !== null) return this.#items(firstOfNamed(turn), [limit, wanted, only]);
      if (retry === null) return this.#items(firstOfSlices(turn), [limit, wanted]);
      return this.#items(firstOfOrdered(turn), [limit, wanted, retry]);
    };
    return (await read()).sort(turn.compare);
  }

  async hasPending(paid: PaidRows): Promise<boolean> {
    const counted = this.#schema >= countsSince ? await countedQualities(this.#connections, paid) : null;
    if (counted !== null) return countQualities(counted) > 0;
    const text = `SELECT 1 AS n FROM items WHERE ${isPending} AND ${isPaid(dialect, paid)} LIMIT 1`;
    return (await this.#database.rows(text, { ...paid })).length > 0;
  }

  async orderedCount(round: number): Promise<number> {
    const text = `SELECT count(*) AS n FROM orders JOIN items ON items.key = orders.item WHERE orders.round = $1 AND ${isPending}`;
    return (await this.#connections.row<{ n: number }>(text, [round]))?.n ?? 0;
  }

  async order(
    round: number,
    changes: readonly Change[],
    waiting: readonly number[],
    { decisions = [], finals = new Map() }: OrderExtras = {},
  ): Promise<void> {
    await this.#sound();
    const keys = [...changes.map(({ after }) => after.key), ...waiting];
    if (keys.length === 0) return;
    const commit = commitCall({ id: randomUUID(), worker: this.#worker }, changes);
    const ordering = {
      text: `${commit.text}, order_rows($7, $8), order_finals($9)`,
      values: [...commit.values, round, keys, json([...finals].map(([item, final]) => ({ item, ...final })))],
    };
    const { text, values } = withDecisions(ordering, decisions);
    try {
      await this.#connections.rows(text, values);
    } catch (error) {
      throw refusalOf(error, changes);
    }
  }

  async pausedUntil(): Promise<number> {
    return (await this.#connections.row<{ at: number }>(readAskedPause))?.at ?? 0;
  }

  async input(key: number): Promise<SentInput> {
    const row = asSaved(await this.#savedInput(key), this.#connections.name);
    return {
      input: parseSaved(this.#connections.name, row.input),
      source: await this.#reports.source(row.source),
      correction: row.correction,
      quality: row.quality,
    };
  }

  async #savedInputs(keys: readonly number[]) {
    const text = sql.savedInput('= ANY ($1)', this.#schema >= tablesSince.finals);
    const [rows, corrections] = await Promise.all([
      this.#connections.rows<sql.SavedInput & Record<string, unknown>>(text, [keys]),
      readOf(this.#connections, 'corrections', keys),
    ]);
    const corrected = correctionsOf(corrections);
    return new Map(rows.map((row) => [row.key, { ...row, correction: corrected.get(row.key) ?? null }]));
  }

  async isContent(key: number, contents: readonly string[]): Promise<boolean> {
    const [row] = await this.#database.rows<{ content: Buffer }>(sql.savedContent, { key });
    return row !== undefined && contents.some((content) => digest(content).equals(row.content));
  }

  async itemWithKey(key: number): Promise<Item | null> {
    return (await this.#named(sql.itemWithKey, { key }))[0] ?? null;
  }

  itemsWithKeys(keys: readonly number[]): Promise<Item[]> {
    return this.#items(`SELECT ${itemColumns} FROM items WHERE key = ANY ($1)`, [keys]);
  }

  async itemsWithIds(ids: readonly string[], scope: Scope = 'all'): Promise<Item[]> {
    const text = `SELECT ${itemColumns} FROM items WHERE id = ANY ($1) AND gone <= $2 ORDER BY row, key`;
    return this.#items(text, [ids, scope === 'all' ? 1 : 0]);
  }

  async itemOfTask(taskId: string): Promise<Item | null> {
    return (await this.#ofTask(taskId)) ?? null;
  }

  async #ofTasks(taskIds: readonly string[]): Promise<ReadonlyMap<string, Item>> {
    // With ORDER BY and LIMIT, the planner walks through the primary key.
    const text = `SELECT place, item FROM unnest($1::text[]) WITH ORDINALITY AS sought (task, place) CROSS JOIN LATERAL (
        SELECT (array_agg(item ORDER BY item, attempt))[1] AS item FROM attempts WHERE task_key(task_id) = task_key(task)
      ) AS owner WHERE item IS NOT NULL`;
    const owners = await this.#connections.rows<{ place: number; item: number }>(text, [taskIds]);
    const items = owners.length === 0 ? [] : await this.itemsWithKeys(owners.map(({ item }) => item));
    const byKey = new Map(items.map((item) => [item.key, item]));
    // By place: the server may keep another spelling of a text than the one asked for.
    const keys = new Map(owners.map(({ place, item }) => [taskIds[place - 1], item]));
    return new Map(
      taskIds.flatMap((taskId) => {
        const owner = byKey.get(keys.get(taskId) ?? -1);
        return owner === undefined ? [] : [[taskId, owner] as const];
      }),
    );
  }

  sources(): Promise<readonly Source[]> {
    return this.#reports.sources();
  }

  reportRows(): AsyncIterable<ReportRow> {
    return eachOf(this.reportPages());
  }

  async *reportPages(): AsyncIterable<readonly ReportRow[]> {
    await this.#sound();
    yield* this.#reports.all();
  }

  /** The rows with these keys that are in the reports. */
  reportRowsOf(keys: readonly number[]): Promise<ReportRow[]> {
    return this.#reports.withKeys(keys);
  }

  uncertainPlaces(): Promise<UncertainPlace[]> {
    return this.#database.rows<UncertainPlace>(sql.uncertainPlaces);
  }

  async editOf(key: number): Promise<RowEdit | null> {
    return (await this.#database.rows<RowEdit>(sql.editOfItem, { key }))[0] ?? null;
  }

  async takeBack(keys: readonly number[]): Promise<void> {
    await this.#sound();
    await this.#connections.rows('SELECT take_back($1)', [keys]);
  }

  async attemptWithToken(token: string): Promise<AttemptNow | null> {
    type Found = Omit<AttemptNow, 'item'> & { item: number };
    const [found] = await this.#database.rows<Found>(sql.attemptWithToken, { token });
    if (found === undefined) return null;
    const { taskId, isNamed } = found;
    const item = await this.itemWithKey(found.item);
    return { taskId, isNamed, item: item?.token === token ? item : null };
  }

  async giveTask({ token, taskId }: AttemptTask, before: string | null): Promise<boolean> {
    await this.#sound();
    const text = 'SELECT give_task($1, $2, $3) AS saved';
    const found = await this.#connections.row<{ saved: boolean }>(text, [token, taskId, before]);
    return found?.saved === true;
  }

  async unpricedAttempts(limit: number): Promise<readonly UnpricedAttempt[]> {
    return this.#database.rows<UnpricedAttempt>(sql.unpricedAttempts, { limit });
  }

  async savePoints({ token, taskId }: AttemptTask, { status, points, at }: AttemptEnd): Promise<void> {
    await this.#sound();
    await this.#connections.rows('SELECT save_points($1, $2, $3, $4, $5)', [
      token,
      taskId,
      status,
      points,
      at,
    ]);
  }
}

const allSlices = Array.from({ length: sliceCount }, (_, slice) => slice);

const isPending = "status = 'pending' AND gone = 0";

/**
 * The first of each slice by the index, then the first of all: rows of other processes' slices are never passed over.
 * Rows that are being changed at this moment are left out.
 */
const firstOfSlices = ({ where, order }: TurnRows): string => `
  WITH first AS MATERIALIZED (
    SELECT f.key FROM unnest($2::int[]) AS s (slice) CROSS JOIN LATERAL (
      SELECT key, row, submitted_at FROM items WHERE ${sliceOf('key')} = s.slice AND ${isPending} AND ${where} ORDER BY ${order} LIMIT $1
    ) f ORDER BY ${order} LIMIT $1
  )
  SELECT ${itemColumns} FROM items WHERE key IN (SELECT key FROM first) AND ${isPending} FOR UPDATE SKIP LOCKED`;

/** Orders of rows that were sent are gone: the first ones are still to be sent. */
const firstOfOrdered = ({ where, orderOfOrders }: TurnRows): string => `
  WITH first AS MATERIALIZED (
    SELECT items.key FROM orders JOIN items ON items.key = orders.item
    WHERE orders.round = $3 AND ${sliceOf('orders.item')} = ANY ($2::int[]) AND ${isPending} AND ${where}
    ORDER BY ${orderOfOrders} LIMIT $1
  )
  SELECT ${itemColumns} FROM items WHERE key IN (SELECT key FROM first) AND ${isPending} FOR UPDATE SKIP LOCKED`;

/** By id, because few ids are named and a million rows may be pending. */
const firstOfNamed = ({ where, order }: TurnRows): string => `
  WITH first AS MATERIALIZED (
    SELECT key FROM items WHERE id = ANY ($3) AND ${sliceOf('key')} = ANY ($2) AND ${isPending} AND ${where} ORDER BY ${order} LIMIT $1
  )
  SELECT ${itemColumns} FROM items WHERE key IN (SELECT key FROM first) AND ${isPending} FOR UPDATE SKIP LOCKED`;

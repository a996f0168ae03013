/** What the processes of a run need of each other. */

import { randomUUID } from 'node:crypto';
import type { Item } from '../../money/item.ts';
import { fixed } from '../../money/policy.ts';
import { sqlList } from '../../money/statuses.ts';
import { sliceOf } from '../core-words.ts';
import { pageRows } from '../item-rows.ts';
import { inPages } from '../pages.ts';
import type { CreationFact } from '../port/checkpoint.ts';
import type { RoundStart, SavedFact, Sharing, StoreRefusal, TermsMark } from '../port/sharing.ts';
import { type ItemRow, itemColumns } from '../tables.ts';
import { json } from './commit-call.ts';
import type { Asker, Connections } from './connection/connections.ts';
import { runRemoved } from './connection/server-errors.ts';
import { withDecisions } from './decisions.ts';
import { withArtifacts } from './item-rows.ts';
import { ledgerOf, type RunRow, readRun } from './run-row.ts';
import { notDurable } from './schema.ts';
import { noteWorker, readWorkers } from './workers.ts';

/** More facts change nothing for a breaker. */
const mostFacts = 1_000;

const unfinished = `
  SELECT ${itemColumns}, change FROM items
  WHERE status IN ${sqlList('followed')}
    AND (change, key) > ($1, $2) AND ${sliceOf('key')} = ANY ($3) ORDER BY change, key LIMIT ${pageRows}`;

/** A claim without a time belongs to no process: its reply is not awaited. */
const unanswered = `
  SELECT ${itemColumns} FROM items WHERE status = 'submitting' AND coalesce(answer_by, 0) < $1 AND ${sliceOf('key')} = ANY ($2)
  ORDER BY row, key`;

/** A dump that is restored gets another number, and so does a database made from a template; a standby keeps both. */
const identity = `concat_ws('/', system_identifier, oid, datname)`;

const here = `pg_control_system(), pg_database WHERE datname = current_database()`;

/** Of a database whose number is gone, the one that has its name on its server took the place. */
const isHere = `
  concat_ws('/', system_identifier, oid) = concat_ws('/', split_part($1, '/', 1), split_part($1, '/', 2))
  OR ($1 = concat_ws('/', system_identifier, split_part($1, '/', 2), datname)
    AND NOT EXISTS (SELECT 1 FROM pg_database o WHERE o.oid::text = split_part($1, '/', 2)))`;

export function postgresSharing(
  connections: Connections,
  { worker, runId, schema }: Pick<Sharing, 'worker' | 'runId'> & { readonly schema: number },
): Sharing {
  return {
    worker,
    runId,
    ...runOf(connections, runId, schema),
    ...itemsOf(connections),
    ...serverOf(connections, worker),
    async pictureDigests(paths) {
      const found = await connections.rows<{ path: string; digest: string }>(
        `SELECT p.path, p.digest FROM unnest($1::text[]) AS sought (path)
         JOIN pictures p ON text_key(p.path) = text_key(sought.path) AND p.path = sought.path`,
        [paths],
      );
      return new Map(found.map(({ path, digest }) => [path, digest]));
    },
    noteWorker: (note) => noteWorker(connections, worker, note),
    workers: () => readWorkers(connections),
  };
}

/** The run as all processes left it: its counters, its round and its facts. */
function runOf(
  connections: Connections,
  runId: string,
  schema: number,
): Pick<Sharing, 'look' | 'facts' | 'beginRound' | 'mark'> {
  const refusalOf = ({ schema: now, off }: RunRow): StoreRefusal | null => {
    if (now !== schema) return { reason: 'updated', failure: null };
    return off === null ? null : { reason: 'not-durable', failure: notDurable(connections.name, off).text };
  };
  return {
    async look() {
      const row = await readRun(connections);
      if (row.id !== runId) throw runRemoved(connections.name);
      const { change, round, submittedRows, badRows, lastFact, roundFact, creations } = row;
      const { server, isConfirmed, crew } = row;
      const counters = { change, round, submittedRows, badRows, lastFact, roundFact, creations };
      return {
        ledger: ledgerOf(row),
        ...counters,
        server,
        isConfirmed,
        refusal: refusalOf(row),
        crew,
      };
    },
    async facts(after): Promise<readonly SavedFact[]> {
      const found = await connections.rows<{ number: number; worker: string; fact: CreationFact }>(
        `SELECT number, worker, fact FROM facts WHERE number > $1 ORDER BY number DESC LIMIT ${mostFacts}`,
        [after],
      );
      return found.reverse();
    },
    beginRound: (start) => beginRound(connections, start),
    async mark() {
      const found = await connections.row<{ mark: TermsMark }>('SELECT terms_mark() AS mark');
      if (found === undefined) throw new Error('the run has no row');
      return found.mark;
    },
  };
}

/** The items of other processes, which may have died. */
function itemsOf(
  connections: Connections,
): Pick<Sharing, 'unfinished' | 'unanswered' | 'answerBy' | 'tasksOf'> {
  return {
    async *unfinished(slices, change): AsyncIterable<Item> {
      const first = { change, key: Number.MAX_SAFE_INTEGER };
      const read = (last: typeof first) =>
        connections.rows<ItemRow & { change: number }>(unfinished, [last.change, last.key, slices]);
      for await (const rows of inPages(first, pageRows, read))
        yield* await withArtifacts(
          connections,
          rows.map(({ change: _, ...row }) => row),
        );
    },
    async unanswered(slices, at) {
      return withArtifacts(connections, await connections.rows<ItemRow>(unanswered, [at, slices]));
    },
    async answerBy(key) {
      const found = await connections.row<{ at: number }>(
        `SELECT coalesce(answer_by, 0) AS at FROM items WHERE key = $1 AND status = 'submitting'`,
        [key],
      );
      return found?.at ?? null;
    },
    async tasksOf(tokens) {
      const found = await connections.rows<{ token: string; taskId: string | null }>(
        'SELECT token, task_id AS "taskId" FROM attempts WHERE token = ANY ($1)',
        [tokens],
      );
      return new Map(found.map(({ token, taskId }) => [token, taskId]));
    },
  };
}

/** The server: which one it is, its clock, and whether it knows what the processes know. */
function serverOf(
  connections: Connections,
  worker: string,
): Pick<Sharing, 'database' | 'now' | 'confirm' | 'doubt'> {
  return {
    async database(then) {
      const may = `SELECT has_function_privilege('pg_control_system()', 'execute') AS "isAllowed"`;
      if ((await connections.row<{ isAllowed: boolean }>(may))?.isAllowed !== true) return null;
      const text = `SELECT ${identity} AS name, ${isHere} AS "isSame" FROM ${here}`;
      return (await connections.row<{ name: string; isSame: boolean }>(text, [then ?? ''])) ?? null;
    },
    async now() {
      return (await connections.row<{ now: number }>('SELECT now_ms() AS now'))?.now ?? 0;
    },
    async confirm(server, crew) {
      const { workerSilenceMs, serverSettleMs, serverPatienceMs } = fixed;
      await connections.rows('SELECT confirm_server($1, $2, $3, $4, $5, $6)', [
        ...[worker, server, crew],
        ...[workerSilenceMs, serverSettleMs, serverPatienceMs],
      ]);
    },
    async doubt() {
      await connections.rows('SELECT doubt_server()');
    },
  };
}

/** Begins a round, in the transaction of the caller if there is one. */
export async function beginRound(
  asker: Asker,
  { options, terms, decisions }: RoundStart,
): Promise<TermsMark> {
  const beginning = {
    text: 'SELECT begin_round($1, $2, $3) AS mark',
    values: [randomUUID(), json(options), terms],
  };
  const { text, values } = withDecisions(beginning, decisions);
  const [found] = await asker.rows<{ mark: TermsMark }>(text, values);
  if (found === undefined) throw new Error('no round was begun');
  return found.mark;
}

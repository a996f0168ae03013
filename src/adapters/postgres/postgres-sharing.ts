/** What the processes of a run need of each other. */

import { randomUUID } from 'node:crypto';
import type { Item } from '../../core/item.ts';
import type { CreationFact, SavedFact, Sharing } from '../../store.ts';
import type { Connections } from './connections.ts';
import { type ItemRow, itemColumns, withArtifacts } from './item-rows.ts';
import { ledgerOf, readRun } from './run-row.ts';
import { noteWorker, readWorkers } from './workers.ts';

const pageRows = 500;

/** More facts decide no breaker. */
const mostFacts = 1_000;

const unfinished = `
  SELECT ${itemColumns}, change FROM items
  WHERE status IN ('submitting', 'open', 'downloading', 'undelivered', 'lost')
    AND (change, key) > ($1, $2) AND key % 64 = ANY ($3) ORDER BY change, key LIMIT ${pageRows}`;

/** A claim of a process that gave no time is nobody's: its answer is not waited for. */
const unanswered = `
  SELECT ${itemColumns} FROM items WHERE status = 'submitting' AND coalesce(answer_by, 0) < $1 AND key % 64 = ANY ($2)
  ORDER BY row, key`;

/** A dump that is restored gets another number, and so does a database made from a template; a standby keeps both. */
const identity = `
  SELECT system_identifier || '/' || oid AS name FROM pg_control_system(), pg_database
  WHERE datname = current_database()`;

export function postgresSharing(connections: Connections, worker: string): Sharing {
  return {
    worker,
    async database() {
      const may = `SELECT has_function_privilege('pg_control_system()', 'execute') AS "isAllowed"`;
      if ((await connections.row<{ isAllowed: boolean }>(may))?.isAllowed !== true) return null;
      return (await connections.row<{ name: string }>(identity))?.name ?? null;
    },
    async look() {
      const row = await readRun(connections);
      const { change, round, submittedRows, badRows, lastFact, roundFact, creations } = row;
      return { ledger: ledgerOf(row), change, round, submittedRows, badRows, lastFact, roundFact, creations };
    },
    async facts(after): Promise<readonly SavedFact[]> {
      const found = await connections.rows<{ number: number; worker: string; fact: CreationFact }>(
        `SELECT number, worker, fact FROM facts WHERE number > $1 ORDER BY number DESC LIMIT ${mostFacts}`,
        [after],
      );
      return found.reverse();
    },
    async *unfinished(slices, change): AsyncIterable<Item> {
      let last = { change, key: Number.MAX_SAFE_INTEGER };
      while (true) {
        const rows = await connections.rows<ItemRow & { change: number }>(unfinished, [
          last.change,
          last.key,
          slices,
        ]);
        yield* await withArtifacts(
          connections,
          rows.map(({ change: _, ...row }) => row),
        );
        const end = rows.at(-1);
        if (end === undefined || rows.length < pageRows) return;
        last = end;
      }
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
    async pictureDigests(paths) {
      const found = await connections.rows<{ path: string; digest: string }>(
        'SELECT path, digest FROM pictures WHERE path = ANY ($1)',
        [paths],
      );
      return new Map(found.map(({ path, digest }) => [path, digest]));
    },
    async beginRound() {
      await connections.rows('SELECT begin_round($1)', [randomUUID()]);
    },
    async now() {
      return (await connections.row<{ now: number }>('SELECT now_ms() AS now'))?.now ?? 0;
    },
    noteWorker: (note) => noteWorker(connections, worker, note),
    workers: () => readWorkers(connections),
  };
}

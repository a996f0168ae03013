/** The whole run as records: where it is, and how it goes from one store to another. */

import { UsageError } from '../../errors.ts';
import { type Message, message } from '../../messages/message.ts';
import { fixed } from '../../money/policy.ts';
import { dumpRun } from '../archive.ts';
import type { Archive, MoveMark } from '../port/archive.ts';
import { loadInto, readerOf } from './archive-tables.ts';
import type { Connections } from './connection/connections.ts';
import { CopySession } from './connection/copy-session.ts';

const whyNot: Readonly<Record<string, Message>> = {
  changed: message('store.moved-by-another'),
  workers: message('store.workers'),
  submitting: message('store.submitting'),
};

/** `worker` is the name of this process; `sound` rejects when the run is damaged. */
export function postgresArchive(
  connections: Connections,
  worker: string,
  sound: () => Promise<void>,
): Archive {
  return {
    async mark() {
      const row = await connections.row<{ value: string }>(`SELECT value FROM settings WHERE name = 'moved'`);
      return row === undefined ? null : (JSON.parse(row.value) as MoveMark);
    },
    async setMark(before, after) {
      await sound();
      const row = await connections.row<{ why: string | null }>('SELECT set_mark($1, $2, $3, $4) AS why', [
        worker,
        markText(before),
        markText(after),
        fixed.workerSilenceMs,
      ]);
      const why = row?.why ?? null;
      if (why !== null) throw new UsageError(whyNot[why] ?? why);
    },
    async *dump() {
      await sound();
      await using session = await CopySession.open(connections);
      // The caller may not pause for long between two records: the server gives up idle transactions.
      await session.script('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      try {
        yield* dumpRun(readerOf(session));
      } finally {
        await session.script('ROLLBACK').catch(() => {});
      }
    },
    async load(records, mark) {
      await sound();
      await using session = await CopySession.open(connections);
      await loadInto(session, records, { mark, text: markText(mark) ?? '', place: connections.name });
    },
  };
}

/** As saved, so that two marks are compared as texts. */
function markText(mark: MoveMark | null): string | null {
  if (mark === null) return null;
  const { state, move, place } = mark;
  return JSON.stringify({ state, move, place });
}

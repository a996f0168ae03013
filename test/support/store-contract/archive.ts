/** A run as records: what is dumped from one store is the same run in another one. */

import { describe, expect, it } from 'vitest';
import { saveLateTasks } from '../../../src/runner/late-answers/late-tasks.ts';
import type { ArchiveRecord, MoveMark } from '../../../src/stores/port/archive.ts';
import type { Store } from '../../../src/stores/port/store.ts';
import { eventOf, events } from '../../money/lives.ts';
import { incomingRows, namedRows } from '../incoming-rows.ts';
import { accepted, completed } from '../saved-lives.ts';
import type { StoreRun } from '../store-run.ts';
import { correctionOf, markOf } from './reviews.ts';
import type { Runs } from './runs.ts';

const arriving: MoveMark = { state: 'arriving', move: 'move-1', place: 'elsewhere' };

const decided = {
  at: 1_772_352_000_000,
  userName: 'Ánna',
  machine: 'desk',
  command: "batch retry 'B\\tC'",
  detail: '{"a":"\\u0000"}',
} as const;

/** A run with something of everything that a store saves. */
export async function liveThrough(run: StoreRun): Promise<void> {
  const file = incomingRows(
    ...namedRows(7),
    { question: 'B\tC\\n\n', image: '1.png', quality: 'h' },
    { question: 'twin' },
    { question: 'twin' },
  );
  await using ingest = await run.store.openIngest();
  await ingest.add(file);
  await ingest.match({ add: false, isMended: false });
  await ingest.pictures.note('/questions/1.png', 10, 1_772_352_000_123.5, 'aa'.repeat(32));
  await ingest.apply({
    source: { file: 'q.csv', format: 'csv', columns: ['id'], fields: {}, folder: '/questions' },
    at: 1_772_352_000_000,
    add: false,
    isMended: false,
    rerunChanged: false,
  });
  await ingest[Symbol.asyncDispose]();
  await run.store.settings.save('options', '{"quality":"h"}');
  await run.live('q1', ...completed('task-1'));
  await run.live('q2', ...completed('task-2'), eventOf('retry-ordered'));
  await run.live('q3', ...accepted('task-3'));
  await run.live('q4', eventOf('claimed', { token: 't-4' }), eventOf('creation-uncertain'));
  await run.live('q5', ...accepted('task-5'), events['task-failed']);
  await run.live('q6', eventOf('claimed', { token: 't-6' }));
  await saveLateTasks(run.checkpoint, [{ token: 'token of task-2', taskId: 'task-2' }], 1_772_352_000_000);
  await run.store.settings.save('rounds', '3');
  const finals = new Map([[(await run.item('row-9')).key, { quality: 'h', draft: 0 } as const]]);
  await run.checkpoint.order(3, [], [(await run.item('q2')).key], { finals });
  const key = (await run.item('q1')).key;
  await run.store.reviews.saveMarks([
    markOf(key, { reviewer: 'Anna' }),
    markOf(key, { mark: 'good', question: 'B\tC\\n', answer: '' }),
  ]);
  await run.store.reviews.prefer(new Map([[key, 1]]));
  await run.store.decisions.note([
    { ...decided, kind: 'yes', item: null },
    { ...decided, kind: 'retry', item: key },
  ]);
  await run.store.reviews.correct(new Map([[key, correctionOf({ answer: null, question: 'B\tC\\n\n' })]]));
  const inspection = { container: 'unreadable', playback: null } as const;
  await run.store.inspections.save([{ sha256: 'aa', inspection }]);
  await run.store.inspections.saveFindings([{ sha256: 'aa', findings: [{ code: 'unreadable' }] }]);
  // Texts of attempts that the row has no more: a correction that was sent is replaced, a row that waits is edited.
  const sent = (await run.item('q3')).key;
  for (const question of ['3 + 3', '3 * 3'])
    await run.store.reviews.correct(new Map([[sent, correctionOf({ question, since: 1 })]]));
  // The last named row leaves the file, and the first one has another text.
  await run.ingest(
    file
      .filter(({ id }) => id !== 'q7')
      .map((row) => (row.id === 'q1' || row.id === 'q2' ? { ...row, content: 'new' } : row)),
  );
}

/** What everybody sees of a run. */
export async function seen({ store, checkpoint, all }: StoreRun) {
  const byPlace = <T extends { readonly kind: string; readonly ordinal: number }>(files: readonly T[]): T[] =>
    files.toSorted((a, b) => a.ordinal - b.ordinal || (a.kind < b.kind ? -1 : 1));
  return {
    items: (await all()).map((item) => ({ ...item, artifacts: byPlace(item.artifacts) })),
    report: (await Array.fromAsync(checkpoint.reportRows())).map(({ item, ...row }) => ({
      ...row,
      item: { ...item, artifacts: byPlace(item.artifacts), input: '', source: null, gone: null },
    })),
    ledger: await checkpoint.ledger(),
    prices: await store.totals.prices(),
    failures: await store.totals.failureGroups(),
    gone: await store.totals.goneCounts(),
    unsent: await store.totals.unsent(),
    edits: await Promise.all((await all()).map(({ key }) => checkpoint.editOf(key))),
    places: await checkpoint.uncertainPlaces(),
    marks: await store.reviews.marks(),
    options: await store.settings.get('options'),
  };
}

export function recordsOf({ archive }: Pick<Store, 'archive'>): Promise<ArchiveRecord[]> {
  return Array.fromAsync(archive.dump());
}

async function* streamOf(records: readonly ArchiveRecord[]): AsyncGenerator<ArchiveRecord> {
  yield* records;
}

/** Moves the run by its records alone. */
export async function carry(from: StoreRun, to: Store): Promise<void> {
  await to.archive.load(from.store.archive.dump(), arriving);
  expect(await to.archive.mark()).toEqual(arriving);
  await to.archive.setMark(arriving, null);
}

/** Moving a run. */
export function describeArchive(runs: Runs): void {
  describe('an archive', () => {
    it('is the same run in another store of this kind, and the same archive again', async () => {
      await using from = await runs.open();
      await using to = await runs.open();
      await liveThrough(from);
      await carry(from, to.store);
      expect(await recordsOf(to.store)).toEqual(await recordsOf(from.store));
      expect(await seen(to)).toEqual(await seen(from));
      await to.store.checkSound();
    });

    it('is gone on with where it came to: rows live on, and the file is known', async () => {
      await using from = await runs.open();
      await using to = await runs.open();
      await liveThrough(from);
      await carry(from, to.store);
      expect((await to.live('q3', events['task-failed'])).status).toBe('failed');
      const file = incomingRows(...namedRows(8));
      const plan = { newRows: 1, changedSent: 0 };
      expect(await to.plan(file, { add: true })).toMatchObject(plan);
      expect((await to.ingest(file, { add: true })).plan).toMatchObject(plan);
      expect((await to.item('q8')).key).toBe(11);
    });

    it('is loaded whole or not at all', async () => {
      await using from = await runs.open(...namedRows(3));
      await using to = await runs.open();
      const records = await recordsOf(from.store);
      await expect(to.store.archive.load(streamOf(records.slice(0, -1)), arriving)).rejects.toThrow('end');
      expect([await to.store.isEmpty(), await to.store.archive.mark()]).toEqual([true, null]);
      await to.store.archive.load(streamOf(records), arriving);
      expect(await to.idsIn('pending')).toEqual(['q1', 'q2', 'q3']);
    });

    it('replaces what came of the same run before, and no other run', async () => {
      await using from = await runs.open(...namedRows(3));
      await using to = await runs.open(...namedRows(1));
      const records = await recordsOf(from.store);
      const load = (mark: MoveMark): Promise<void> => to.store.archive.load(streamOf(records), mark);
      await expect(load(arriving)).rejects.toThrow('holds another run');
      await to.store.archive.setMark(null, { ...arriving, move: 'move-2' });
      await expect(load(arriving)).rejects.toThrow('holds another run');
      expect(await to.idsIn('pending')).toEqual(['q1']);
      await load({ ...arriving, move: 'move-2' });
      await to.store.archive.setMark({ ...arriving, move: 'move-2' }, arriving);
      await load(arriving);
      expect(await to.idsIn('pending')).toEqual(['q1', 'q2', 'q3']);
    });

    it('changes its mark only from the one that the caller knows', async () => {
      await using run = await runs.open();
      const { archive } = run.store;
      await archive.setMark(null, arriving);
      await expect(archive.setMark(null, { ...arriving, state: 'moved' })).rejects.toThrow('another process');
      await archive.setMark(arriving, { ...arriving, state: 'moved' });
      expect(await archive.mark()).toEqual({ ...arriving, state: 'moved' });
    });

    if (!runs.isShared) return;
    it('refuses every change of a row while the run is on its way', async () => {
      await using run = await runs.open(...namedRows(2));
      await run.store.archive.setMark(null, arriving);
      await expect(run.live('q1', events.claimed)).rejects.toThrow('this run moves');
      await expect(run.ingest(incomingRows(...namedRows(3)))).rejects.toThrow('this run moves');
      expect(await run.idsIn('pending')).toEqual(['q1', 'q2']);
      await run.store.archive.setMark(arriving, null);
      expect((await run.live('q1', events.claimed)).status).toBe('submitting');
    });
  });
}

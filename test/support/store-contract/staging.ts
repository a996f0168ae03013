import { describe, expect, it } from 'vitest';
import type { Ingest } from '../../../src/stores/port/import.ts';
import { events } from '../../money/lives.ts';
import { incomingRows, namedRows, type WrittenRow } from '../incoming-rows.ts';
import { completed } from '../saved-lives.ts';
import { plainImport, type StoreRun } from '../store-run.ts';
import type { Runs } from './runs.ts';

const join = { add: false, isMended: false } as const;

/** A file with these rows, on its way into the run. */
async function staged({ store }: StoreRun, ...rows: readonly WrittenRow[]): Promise<Ingest> {
  const ingest = await store.openIngest();
  await ingest.add(incomingRows(...rows));
  return ingest;
}

/** How a file comes into a run: staged, matched, imported. */
export function describeStaging(runs: Runs): void {
  describe('a file that is staged', () => {
    it('is in the run once it is applied, and nothing of it before', async () => {
      await using run = await runs.open();
      await using outside = await run.look();
      await using ingest = await staged(run, ...namedRows(2));
      const isNothingThere = async () =>
        [await run.all(), await outside.all(), await run.store.isEmpty()] as const;
      expect(await isNothingThere()).toEqual([[], [], true]);
      expect(await ingest.match(join)).toEqual([]);
      expect(await ingest.plan({ ...join, rerunChanged: false, only: null })).toMatchObject({ newRows: 2 });
      expect(await isNothingThere()).toEqual([[], [], true]);
      await ingest.apply(plainImport);
      expect(await outside.idsIn('pending')).toEqual(['q1', 'q2']);
      expect(await run.store.isEmpty()).toBe(false);
    });

    it('changes no known row before it is applied', async () => {
      await using run = await runs.open(...namedRows(3));
      await run.live('q2', ...completed('task-2'));
      const before = [await run.all(), await Array.fromAsync(run.checkpoint.reportRows())];
      await using ingest = await staged(
        run,
        { id: 'q1', question: 'Another' },
        { id: 'q2', question: 'Another' },
      );
      await ingest.match(join);
      await ingest.plan({ ...join, rerunChanged: true, only: null });
      expect([await run.all(), await Array.fromAsync(run.checkpoint.reportRows())]).toEqual(before);
    });

    it.each(['staged', 'matched'])('is forgotten when it was only %s', async (stage) => {
      await using run = await runs.open(...namedRows(1));
      const before = await run.all();
      const ingest = await staged(run, ...namedRows(3));
      if (stage === 'matched') await ingest.match(join);
      await ingest.pictures.note('/a.png', 3, 1.5, 'digest');
      await ingest[Symbol.asyncDispose]();
      expect(await run.all()).toEqual(before);
      // The next file is not mixed with it.
      await using next = await staged(run, { id: 'other', question: 'Other' });
      await next.match(join);
      expect(await next.plan({ ...join, add: true, rerunChanged: false, only: null })).toMatchObject({
        rows: 1,
        newRows: 1,
      });
      expect(await next.pictures.find('/a.png', 3, 1.5)).toBeNull();
    });

    it('may come in any number of parts', async () => {
      await using run = await runs.open();
      await using ingest = await run.store.openIngest();
      const rows = incomingRows({ question: 'A' }, { question: 'A' }, { question: 'B' }, { question: 'A' });
      for (const row of rows) await ingest.add([row]);
      await ingest.add([]);
      await ingest.match(join);
      expect(await ingest.plan({ ...join, rerunChanged: false, only: null })).toMatchObject({
        rows: 4,
        twins: 2,
      });
      await ingest.apply(plainImport);
      expect((await run.all()).map(({ row }) => row)).toEqual([1, 2, 3, 4]);
    });

    it('names its rows that cannot be sent, in the order of the file', async () => {
      await using run = await runs.open(...namedRows(2));
      await run.live('q2', ...completed('task-2'));
      const rows = incomingRows(...namedRows(4)).map((row) =>
        row.id === 'q3' ? row : { ...row, failure: `why ${row.id}` },
      );
      await using ingest = await run.store.openIngest();
      // Not in the order in which they came.
      await ingest.add(rows.toReversed());
      await ingest.match(join);
      expect(await Array.fromAsync(ingest.unsendable())).toEqual([
        { line: 2, failure: 'why q1' },
        { line: 3, failure: 'why q2' },
        { line: 5, failure: 'why q4' },
      ]);
    });

    it('says which of some names is the folder of one of its rows, without regard to case', async () => {
      await using run = await runs.open();
      await using ingest = await staged(run, { id: 'sum', question: 'A' }, { question: 'B' });
      await ingest.match(join);
      expect(await ingest.takenFolder(['other', 'SUM', 'row-2'])).toBe('SUM');
      expect(await ingest.takenFolder(['Row-2', 'sum'])).toBe('Row-2');
      expect(await ingest.takenFolder(['row-1', 'other'])).toBeNull();
      expect(await ingest.takenFolder([])).toBeNull();
    });
  });

  describe('what the ids of a file say', () => {
    it('is nothing where no row keeps a result for another text', async () => {
      await using run = await runs.open(...namedRows(2));
      await run.live('q1', ...completed('task-1'));
      await using ingest = await staged(run, ...namedRows(3));
      await ingest.match(join);
      expect(await ingest.idFacts()).toMatchObject({ keeping: 0 });
      expect(await ingest.keepingRows()).toEqual([]);
    });

    it('counts rows that were renumbered, came and went, beside one that keeps its result', async () => {
      await using run = await runs.open(
        { id: '1', question: 'A' },
        { id: '2', question: 'B' },
        { id: '3', question: 'C' },
      );
      for (const id of ['1', '2', '3']) await run.live(id, ...completed(`task-${id}`));
      const edited = [
        { id: '1', question: 'Edited' },
        { id: '2', question: 'C' },
        { id: '9', question: 'New' },
      ];
      await using ingest = await staged(run, ...edited);
      await ingest.match(join);
      expect(await ingest.idFacts()).toEqual({
        renumbered: 1,
        keeping: 1,
        newRows: 1,
        gone: 1,
        hasRival: false,
        isAnyTextKnown: true,
      });
      expect(await ingest.keepingRows()).toEqual([{ id: '1', line: 2 }]);
    });

    it('is doubtful where a row that was sent has another text, and those rows are named', async () => {
      await using run = await runs.open(...namedRows(3));
      await run.live('q1', ...completed('task-1'));
      await run.live('q2', events.claimed);
      const edited = namedRows(3).map((row) => ({ ...row, question: `${row.question}, edited` }));
      await using ingest = await staged(run, ...edited);
      await ingest.match(join);
      expect(await ingest.idFacts()).toEqual({
        renumbered: 0,
        keeping: 2,
        newRows: 0,
        gone: 0,
        hasRival: false,
        isAnyTextKnown: false,
      });
      expect(await ingest.keepingRows()).toEqual([
        { id: 'q1', line: 2 },
        { id: 'q2', line: 3 },
      ]);
    });
  });

  describe('digests of pictures', () => {
    const pictured = { id: 'p', question: 'P', image: 'a.png' };
    const find = async ({ store }: StoreRun, ...picture: readonly [string, number, number]) => {
      await using ingest = await store.openIngest();
      return await ingest.pictures.find(...picture);
    };
    const importWith = async (
      run: StoreRun,
      ...noted: readonly (readonly [string, number, number, string])[]
    ) => {
      await using ingest = await staged(run, pictured);
      for (const picture of noted) await ingest.pictures.note(...picture);
      await ingest.match(join);
      await ingest.apply(plainImport);
    };

    it('are known once the rows are imported that they were noted with, for this size and time alone', async () => {
      await using run = await runs.open();
      await importWith(run, ['/a.png', 3, 1_000.25, 'first']);
      expect(await find(run, '/a.png', 3, 1_000.25)).toBe('first');
      expect(await find(run, '/a.png', 4, 1_000.25)).toBeNull();
      expect(await find(run, '/a.png', 3, 1_000.5)).toBeNull();
      expect(await find(run, '/b.png', 3, 1_000.25)).toBeNull();
    });

    it('are those of the picture as it was read last', async () => {
      await using run = await runs.open();
      await importWith(run, ['/a.png', 3, 1_000, 'first']);
      // The row says the same as before: only the time of its picture is another one.
      await importWith(run, ['/a.png', 3, 2_000, 'before'], ['/a.png', 3, 2_000, 'second']);
      expect(await find(run, '/a.png', 3, 2_000)).toBe('second');
      expect(await find(run, '/a.png', 3, 1_000)).toBeNull();
    });
  });
}

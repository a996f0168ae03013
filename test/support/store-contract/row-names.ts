import { describe, expect, it } from 'vitest';
import { incomingRows, type WrittenRow } from '../incoming-rows.ts';
import type { StoreRun } from '../store-run.ts';
import type { Runs } from './runs.ts';

/** Ids in the order in which the rows were first seen. */
async function namesIn(run: StoreRun): Promise<string[]> {
  return (await run.all()).map((item) => item.id);
}

/** How rows and their folders are called. */
export function describeRowNames(runs: Runs): void {
  describe('a made-up id', () => {
    it('gives way to a row of the same file that has it by its own right', async () => {
      await using run = await runs.open();
      await run.ingest(incomingRows({ question: 'A' }, { id: 'row-1', question: 'B' }));
      expect(await namesIn(run)).toEqual(['row-1-2', 'row-1']);
    });

    it('gives way to one of an earlier file', async () => {
      await using run = await runs.open();
      await run.ingest(incomingRows({ id: 'row-2', question: 'A' }));
      await run.ingest(incomingRows({ id: 'row-2', question: 'A' }, { question: 'B' }));
      expect(await namesIn(run)).toEqual(['row-2', 'row-2-2']);
    });

    it('is kept for ever: a later row with that id of its own is refused with both lines', async () => {
      await using run = await runs.open();
      await run.ingest(incomingRows({ question: 'A' }, { question: 'B' }));
      const rows = incomingRows({ question: 'A' }, { question: 'B' }, { id: 'row-1', question: 'C' });
      const message =
        'the id "row-1" was given to the row on line 2, which has none of its own; use another id';
      expect((await run.ingest(rows)).problems).toMatchObject([{ line: 4, message }]);
      expect(await namesIn(run)).toEqual(['row-1', 'row-2']);
    });

    it('is kept by a row that left the file, too', async () => {
      await using run = await runs.open();
      await run.ingest(incomingRows({ question: 'A' }, { question: 'B' }));
      await run.ingest(incomingRows({ question: 'B' }));
      expect(
        (await run.ingest(incomingRows({ question: 'B' }, { id: 'row-1', question: 'C' }))).problems,
      ).toMatchObject([
        {
          line: 3,
          message:
            'the id "row-1" was given to a row that has left the file, which has none of its own; use another id',
        },
      ]);
    });

    it('may be written into the file for the row that has it', async () => {
      await using run = await runs.open();
      await run.ingest(incomingRows({ question: 'A' }, { question: 'B' }));
      const { problems, plan } = await run.ingest(
        incomingRows({ id: 'row-2', question: 'B' }, { id: 'row-1', question: 'A' }),
      );
      expect({ problems, newRows: plan.newRows }).toEqual({ problems: [], newRows: 0 });
      expect(await namesIn(run)).toEqual(['row-1', 'row-2']);
    });

    it('is not given again once its row has an id of its own', async () => {
      await using run = await runs.open();
      await run.ingest(incomingRows({ question: 'A' }, { question: 'B' }));
      await run.ingest(incomingRows({ id: 'x', question: 'A' }, { id: 'y', question: 'B' }));
      await run.ingest(incomingRows({ id: 'x', question: 'A' }, { question: 'C' }));
      expect(await namesIn(run)).toEqual(['x', 'y', 'row-2-2']);
    });

    it('is kept by the row that had it first, wherever that row stands now', async () => {
      await using run = await runs.open();
      await run.ingest(incomingRows({ question: 'A' }));
      await run.ingest(incomingRows({ question: 'B' }, { question: 'A' }));
      await run.ingest(incomingRows({ question: 'C' }, { question: 'B' }, { question: 'A' }));
      expect(await namesIn(run)).toEqual(['row-1', 'row-1-2', 'row-1-3']);
    });

    it('does not run into one that stands in the way', async () => {
      await using run = await runs.open();
      const rows = [{ question: 'A' }, { id: 'row-1', question: 'B' }, { id: 'row-1-2', question: 'C' }];
      await run.ingest(incomingRows(...rows));
      expect(await namesIn(run)).toEqual(['row-1-3', 'row-1', 'row-1-2']);
    });
  });

  describe('the folders of two rows', () => {
    const isApart = (folders: readonly string[]): boolean =>
      new Set(folders.map((folder) => folder.toLowerCase())).size === folders.length;

    it.for([
      ['differ in more than case', ['same', 'SAME', 'Same']],
      ['differ where ids become the same name', ['a/b', 'a:b', 'a_b']],
      ['differ where a made-up name is taken', ['row-2', '', 'ROW-2']],
    ] as const)('%s', async ([, ids]) => {
      await using run = await runs.open();
      await run.ingest(incomingRows(...ids.map((id) => ({ id, question: `Question of ${id}` }))));
      const folders = (await run.all()).map((item) => item.folder);
      expect(folders).toHaveLength(ids.length);
      expect(isApart(folders), folders.join(', ')).toBe(true);
    });

    it('are all that changes where two of a first file become the same', async () => {
      const rows = [
        { id: 'a b', question: 'A', quality: 'h' },
        { question: 'B' },
        { question: 'B' },
        { id: 'c' },
      ];
      const picture = { id: 'p', question: 'P', image: '1.png' };
      const saved = async (...more: readonly WrittenRow[]) => {
        await using run = await runs.openScratch();
        const all = incomingRows(...rows, picture, ...more);
        await run.ingest(all);
        expect(await run.plan(all)).toMatchObject({ newRows: 0, changedUnsent: 0, renumbered: 0, gone: 0 });
        const items = (await run.all()).slice(0, rows.length + 1);
        return await Promise.all(items.map(async (item) => [item, await run.checkpoint.input(item.key)]));
      };
      const others = ['same', 'SAME'].map((id) => ({ id, question: `Question of ${id}` }));
      expect(await saved(...others)).toEqual(await saved());
    });

    it('differ when the second comes with a later file, and the first keeps its own', async () => {
      await using run = await runs.open();
      await run.ingest(incomingRows({ id: 'same', question: 'A' }));
      await run.ingest(incomingRows({ id: 'SAME', question: 'B' }, { id: 'same', question: 'A' }));
      const [first, second] = await run.all();
      expect(first).toMatchObject({ id: 'same', folder: 'same' });
      expect(second).toMatchObject({ id: 'SAME', folder: expect.stringMatching(/^SAME-[0-9a-f]{8}$/) });
    });
  });
}

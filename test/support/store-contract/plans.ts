import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ItemEvent } from '../../../src/money/event.ts';
import { countQualities } from '../../../src/money/forecast/estimate.ts';
import { type Status, statuses } from '../../../src/money/item.ts';
import type { IncomingRow } from '../../../src/money/question.ts';
import { createLedger } from '../../../src/money/summary.ts';
import { events } from '../../money/lives.ts';
import { incomingRows, type WrittenRow } from '../incoming-rows.ts';
import { accepted, completed } from '../saved-lives.ts';
import type { StoreRun } from '../store-run.ts';
import type { Runs } from './runs.ts';

/** How a row comes to each status. */
const lives: Readonly<Record<Status, (id: string) => readonly ItemEvent[]>> = {
  pending: () => [],
  invalid: () => [{ ...events['question-changed'], failure: 'no image' }],
  submitting: () => [events.claimed],
  open: accepted,
  downloading: (id) => [...accepted(id), events['task-completed']],
  completed,
  failed: (id) => [...accepted(id), events['task-failed']],
  rejected: () => [events.claimed, events['creation-refused']],
  uncertain: () => [events.claimed, events['creation-uncertain']],
  undelivered: (id) => [...accepted(id), { ...events['task-completed'], videoUrl: null }],
  lost: (id) => [...accepted(id), events['task-overdue']],
};

const usual = (id: string): WrittenRow => ({ id, question: `Question ${id}` });

/** What may have happened to a row's line when the file is read again. */
const edits = {
  same: usual,
  changed: (id: string) => ({ id, question: 'Another', quality: 'h' }),
  broken: (id: string) => ({ id, question: '' }),
  gone: () => null,
} satisfies Record<string, (id: string) => WrittenRow | null>;

type Known = readonly [Status, keyof typeof edits];

const anyKnown = fc.array(
  fc.tuple(
    fc.constantFrom(...statuses),
    fc.constantFrom<keyof typeof edits>(...(Object.keys(edits) as (keyof typeof edits)[])),
  ),
  { maxLength: 8 },
);
const anyNew = fc.array(
  fc.constantFrom<WrittenRow>({ question: 'New' }, { question: 'New', quality: 'l' }, { question: '' }),
  { maxLength: 4 },
);

/** Rows that are in the file, by status. */
async function inFile({ checkpoint }: StoreRun): Promise<Record<Status, number>> {
  const { counts } = createLedger();
  for await (const { status } of checkpoint.items(statuses, 'inFile')) counts[status] += 1;
  return counts;
}

/** What is said of a file before it is imported. */
export function describePlans(runs: Runs): void {
  async function openKnown(known: readonly Known[]) {
    const run = await runs.openScratch();
    await run.ingest(incomingRows(...known.map((_, at) => usual(`k${at}`))));
    for (const [at, [status]] of known.entries()) await run.live(`k${at}`, ...lives[status](`k${at}`));
    return run;
  }

  describe('a plan', () => {
    it('says beforehand what taking the file up then does', async () => {
      await fc.assert(
        fc.asyncProperty(
          anyKnown,
          anyNew,
          fc.boolean(),
          fc.boolean(),
          async (known, fresh, add, rerunChanged) => {
            await using run = await openKnown(known);
            const lines = known.map(([, edit], at) => edits[edit](`k${at}`)).filter((line) => line !== null);
            fc.pre(lines.length + fresh.length > 0);
            const { plan } = await run.ingest(incomingRows(...lines, ...fresh), { add, rerunChanged });
            const now = await inFile(run);
            const { newRows, waiting, changed, rerun } = plan.shares;
            expect(plan.toSubmit).toBe(now.pending);
            expect(newRows + waiting + changed + rerun).toBe(plan.toSubmit);
            expect(plan.now).toEqual(await run.store.totals.pendingQualities({ only: null }));
            // Rows that `--add` leaves beside those of the file are none of the plan's business.
            if (add) return;
            expect(plan.unsendable).toBe(now.invalid);
            expect(plan.kept).toEqual({ ...now, pending: 0, invalid: 0 });
          },
        ),
        { numRuns: runs.tries(60) },
      );
    });

    it('leaves titles of sections out, with those that an earlier reading took for rows, but for what was sent', async () => {
      const titles = ['Part A', 'Part B', 'Part A', 'Part C'];
      const rows = incomingRows(...titles.flatMap((question, at) => [{ question }, usual(`k${at}`)]));
      const asRows = rows.map((row) => ({ ...row, failure: row.id === null ? 'looks odd' : null }));
      const asTitles = asRows.map((row) => ({ ...row, isHeading: row.id === null }));
      await using fresh = await runs.openScratch();
      expect((await fresh.ingest(asTitles)).plan).toMatchObject({
        rows: 4,
        newRows: 4,
        invalid: 0,
        toSubmit: 4,
      });
      expect((await fresh.all()).map(({ id, row }) => [id, row])).toEqual([
        ['k0', 2],
        ['k1', 4],
        ['k2', 6],
        ['k3', 8],
      ]);
      await using run = await runs.openScratch();
      expect((await run.ingest(asRows)).plan).toMatchObject({ rows: 8, invalid: 4, twins: 0 });
      await run.ingest(asRows.map((row) => (row.row === 7 ? { ...row, failure: null } : row)));
      await run.live('row-7', ...completed('task-7'));
      const { plan } = await run.ingest(asTitles);
      expect(plan).toMatchObject({ rows: 5, newRows: 0, invalid: 1, unsendable: 0, gone: 0, toSubmit: 4 });
      expect(plan.kept).toMatchObject({ completed: 1 });
      expect((await run.checkpoint.ledger()).counts).toMatchObject({ pending: 4, completed: 1, invalid: 0 });
    });

    it('with --only counts the rows of those ids, made-up ones too', async () => {
      await using run = await runs.open();
      const rows = incomingRows(
        { id: 'a', question: 'A', quality: 'h' },
        { question: 'B' },
        { question: 'C' },
      );
      const first = await run.plan(rows, { only: ['a', 'row-3', 'nobody'] });
      expect(first).toMatchObject({ toSubmit: 3, now: { h: 1, m: 0, l: 0, none: 1 } });
      await run.ingest(rows);
      const more = incomingRows({ question: 'D' });
      expect(countQualities((await run.plan(more, { add: true, only: ['row-4', 'row-2'] })).now)).toBe(2);
      expect(countQualities((await run.plan(more, { add: true })).now)).toBe(4);
    });

    it('tells new rows with the question of a sent row that is gone: another program may only have saved the file', async () => {
      await using run = await runs.open();
      const first = [
        { question: 'A\r\n1', image: 'https://one.example/a.png' },
        { question: 'B' },
        { question: 'B', quality: 'l' },
        { question: 'C' },
        { question: 'D' },
      ];
      await run.ingest(incomingRows(...first));
      for (const id of ['row-1', 'row-2', 'row-3', 'row-5']) await run.live(id, ...lives.completed(id));
      const saved = [
        { question: ' A\n1', image: 'https://one.example/b.png' },
        { question: 'B', quality: 'h' },
        { question: 'B', quality: 'h' },
        { question: 'B', quality: 'm' },
        { question: 'C', quality: 'h' },
        { question: 'D' },
      ];
      const rows = incomingRows(...saved);
      expect(await run.plan(rows)).toMatchObject({ newRows: 5, gone: 4, askedBefore: 3 });
      expect(await run.plan(rows, { column: null })).toMatchObject({ askedBefore: 0 });
      expect(await run.plan(rows, { add: true })).toMatchObject({ gone: 0, askedBefore: 0 });
      await run.ingest(rows);
      expect(await run.plan(rows)).toMatchObject({ newRows: 0, askedBefore: 0 });
    });

    it('measures the texts of the rows that it would submit: new ones, waiting ones, those that stay beside', async () => {
      await using run = await runs.open();
      const first = incomingRows({ id: 'a', question: '12345' }, { id: 'b', question: '1234567' });
      await run.ingest(first);
      await run.live('a', ...lives.completed('a'));
      const lengths = async (rows: readonly IncomingRow[], add: boolean, only: string[] | null = null) => {
        await using ingest = await run.store.openIngest();
        await ingest.add(rows);
        await ingest.match({ add, isMended: false });
        return await ingest.lengths({ add, only, column: 'question', oneOf: 1 });
      };
      const more = incomingRows({ id: 'b', question: '1234567' }, { id: 'c', question: '123', quality: 'l' });
      const sorted = [...(await lengths(more, false))].sort((x, y) => y.characters - x.characters);
      expect(sorted).toEqual([
        { quality: null, rows: 1, characters: 7 },
        { quality: 'l', rows: 1, characters: 3 },
      ]);
      expect(await lengths(more, false, ['c'])).toEqual([{ quality: 'l', rows: 1, characters: 3 }]);
      const added = incomingRows({ id: 'd', question: '12' });
      expect(await lengths(added, true)).toEqual([{ quality: null, rows: 2, characters: 9 }]);
      expect(await lengths(added, false)).toEqual([{ quality: null, rows: 1, characters: 2 }]);
    });
  });
}

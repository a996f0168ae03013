import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunWatch } from '../../../src/stores/port/reading.ts';
import { events } from '../../money/lives.ts';
import { incomingRows, type WrittenRow } from '../incoming-rows.ts';
import { completed } from '../saved-lives.ts';
import type { StoreRun } from '../store-run.ts';
import { type Known, takeUpByTheRule } from './identity-model.ts';
import type { Runs } from './runs.ts';
import { savedRows } from './saved-rows.ts';

type KnownItem = Omit<Known, 'occurrence'>;

async function knownOf(run: StoreRun, watch: RunWatch): Promise<KnownItem[]> {
  return (await savedRows(run, watch)).map(({ status, id, ...saved }) => ({
    ...saved,
    // No row of these files is called so by its own right.
    id: /^(row|was)-/.test(id) ? null : id,
    isPaid: status === 'completed',
  }));
}

const inOrder = (items: readonly KnownItem[]): KnownItem[] =>
  items
    .map(({ key, id, text, edit, isPaid, row, gone }) => ({ key, id, text, edit, isPaid, row, gone }))
    .sort((a, b) => a.key - b.key);

/** All that waits is sent, and made. */
async function payAll(run: StoreRun, paid: Map<string, number>): Promise<void> {
  for await (const { id, key, attempt } of run.checkpoint.items(['pending'], 'inFile')) {
    const text = String((await run.checkpoint.input(key)).input.question);
    paid.set(text, (paid.get(text) ?? 0) + 1);
    await run.live(id, ...completed(`task ${attempt} of ${key}`));
  }
}

const anyText = fc.constantFrom('A', 'B', 'C', 'D');
const anyLine: fc.Arbitrary<WrittenRow> = fc.oneof(
  { weight: 1, arbitrary: anyText.map((question) => ({ question })) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e'), anyText)
      .map(([id, question]) => ({ id, question })),
  },
);

const isIn = (lines: readonly WrittenRow[], id: string | undefined): boolean =>
  id !== undefined && lines.some((line) => line.id === id);

/** A file in which no id stands twice. */
const anyFile = fc
  .array(anyLine, { maxLength: 6 })
  .map((lines) => lines.filter((line, at) => !isIn(lines.slice(0, at), line.id)));

const anyFiles = fc.array(
  fc.record({
    file: anyFile,
    add: fc.boolean(),
    rerunChanged: fc.boolean(),
    /** Everything is sent before the next file comes. */
    isPaid: fc.boolean(),
  }),
  { minLength: 2, maxLength: 5 },
);

/** In the end two rows have lost their ids to others, and both have the text A and the first place among the rows with it. */
const twoWithoutIds = [
  { file: [{ id: 'a', question: 'A' }], add: false, isPaid: true },
  {
    file: [
      { id: 'b', question: 'D' },
      { id: 'a', question: 'D' },
      { id: 'c', question: 'A' },
    ],
    add: true,
    isPaid: false,
  },
  { file: [{ id: 'c', question: 'D' }], add: false, isPaid: false },
  { file: [{ question: 'D' }, { id: 'a', question: 'B' }], add: true, isPaid: false },
  { file: [{ question: 'A' }], add: false, isPaid: false },
].map((step) => ({ ...step, rerunChanged: false }));

/** Which known row each row of a file is. */
export function describeIdentityRule(runs: Runs): void {
  describe('which row is which', () => {
    it('whichever rows stand unchanged in their places, a file is taken up as by the rule', async () => {
      await fc.assert(
        fc.asyncProperty(anyFiles, async (files) => {
          await using run = await runs.openScratch();
          const watch = await run.store.openWatch();
          let known: Known[] = [];
          for (const { isPaid, ...given } of files) {
            const before = known;
            known = takeUpByTheRule(before, given);
            const { plan, problems } = await run.ingest(incomingRows(...given.file), given);
            expect(problems).toEqual([]);
            expect(inOrder(await knownOf(run, watch))).toEqual(inOrder(known));
            expect(plan).toMatchObject({ rows: given.file.length, newRows: known.length - before.length });
            if (!isPaid) continue;
            await payAll(run, new Map());
            known = known.map((item) => (item.gone ? item : { ...item, isPaid: true }));
          }
        }),
        { numRuns: runs.tries(150), examples: [[twoWithoutIds]] },
      );
    });

    it('of several rows with a text the one with a video is taken, else one that was sent', async () => {
      await using run = await runs.open(...['a', 'b', 'c'].map((id) => ({ id, question: 'A' })));
      const only = async (id: string): Promise<number> => {
        await run.ingest(incomingRows({ id, question: 'A' }));
        return (await run.item(id)).key;
      };
      await run.live('b', events.claimed);
      await run.live('c', ...completed('task'));
      expect(await only('d')).toBe(3);
      await run.ingest(incomingRows({ id: 'a', question: 'A' }, { id: 'b', question: 'A' }));
      expect(await only('e')).toBe(2);
    });

    it('an id that stands twice is told with both lines, whichever of the two is unchanged', async () => {
      await using run = await runs.open();
      await run.ingest(incomingRows({ id: 'a', question: 'A' }, { id: 'b', question: 'B' }));
      const first = incomingRows({ id: 'a', question: 'A' }, { id: 'a', question: 'B' });
      const second = incomingRows({ id: 'b', question: 'A' }, { id: 'b', question: 'B' });
      expect((await run.ingest(first)).problems).toMatchObject([
        { line: 3, message: 'the id "a" is already used on line 2' },
      ]);
      expect((await run.ingest(second)).problems).toMatchObject([
        { line: 3, message: 'the id "b" is already used on line 2' },
      ]);
    });

    it('rows that came back by --add and stand in one place with their twin are no trouble', async () => {
      await using run = await runs.open();
      const written = (...questions: string[]) =>
        incomingRows(...questions.map((question) => ({ question })));
      await run.ingest(written('Z', 'X', 'X'));
      await run.ingest(written('Z', 'W', 'X'));
      await run.ingest(written('X', 'X'), { add: true });
      const { plan } = await run.ingest(written('Z', 'W', 'X'));
      expect(plan).toMatchObject({ rows: 3, newRows: 0 });
    });
  });
}

import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type CheckpointFolder,
  openCheckpointFolder,
  openScratchCheckpoint,
} from '../../support/checkpoint-folder.ts';
import { incomingRows, type WrittenRow } from '../../support/incoming-rows.ts';
import { completed, liveOn } from '../../support/saved-lives.ts';
import { type Known, takeUpByTheRule } from './identity-model.ts';

type KnownItem = Omit<Known, 'occurrence'>;

async function knownOf({ checkpoint, db, all }: CheckpointFolder): Promise<KnownItem[]> {
  const facts = db.prepare<[number], { gone: number; isOwn: number; edit: string | null }>(
    `SELECT gone, identity <> content AS isOwn, (SELECT input FROM edits WHERE item = key) AS edit
     FROM items WHERE key = ?`,
  );
  const known = (await all()).map(async ({ key, id, row, status }): Promise<KnownItem> => {
    const { input } = await checkpoint.input(key);
    const { gone, isOwn, edit } = facts.get(key) ?? { gone: 0, isOwn: 0, edit: null };
    return {
      key,
      id: isOwn === 1 ? id : null,
      text: String(input.question),
      edit: edit === null ? null : String(JSON.parse(edit).question),
      isPaid: status === 'completed',
      row,
      gone: gone === 1,
    };
  });
  return Promise.all(known);
}

const inOrder = (items: readonly KnownItem[]): KnownItem[] =>
  items
    .map(({ key, id, text, edit, isPaid, row, gone }) => ({ key, id, text, edit, isPaid, row, gone }))
    .sort((a, b) => a.key - b.key);

/** All that waits is sent, and made. */
async function payAll(folder: CheckpointFolder, paid: Map<string, number>): Promise<void> {
  for await (const { id, key, attempt } of folder.checkpoint.items(['pending'], 'inFile')) {
    const text = String((await folder.checkpoint.input(key)).input.question);
    paid.set(text, (paid.get(text) ?? 0) + 1);
    await liveOn(folder.checkpoint, id, ...completed(`task ${attempt} of ${key}`));
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

test('whichever rows stand unchanged in their places, a file is taken up as by the rule', async () => {
  await fc.assert(
    fc.asyncProperty(anyFiles, async (files) => {
      await using folder = openScratchCheckpoint();
      let known: Known[] = [];
      for (const { isPaid, ...given } of files) {
        const before = known;
        known = takeUpByTheRule(before, given);
        const { plan, problems } = await folder.ingest(incomingRows(...given.file), given);
        expect(problems).toEqual([]);
        expect(inOrder(await knownOf(folder))).toEqual(inOrder(known));
        expect(plan).toMatchObject({ rows: given.file.length, newRows: known.length - before.length });
        if (!isPaid) continue;
        await payAll(folder, new Map());
        known = known.map((item) => (item.gone ? item : { ...item, isPaid: true }));
      }
    }),
    { numRuns: 150, examples: [[twoWithoutIds]] },
  );
});

test('an id that stands twice is told with both lines, whichever of the two is unchanged', async () => {
  await using folder = await openCheckpointFolder();
  await folder.ingest(incomingRows({ id: 'a', question: 'A' }, { id: 'b', question: 'B' }));
  const first = incomingRows({ id: 'a', question: 'A' }, { id: 'a', question: 'B' });
  const second = incomingRows({ id: 'b', question: 'A' }, { id: 'b', question: 'B' });
  expect((await folder.ingest(first)).problems).toEqual([
    { line: 3, message: 'the id "a" is already used on line 2' },
  ]);
  expect((await folder.ingest(second)).problems).toEqual([
    { line: 3, message: 'the id "b" is already used on line 2' },
  ]);
});

test('rows that came back by --add and stand in one place with their twin are no trouble', async () => {
  await using folder = await openCheckpointFolder();
  const written = (...questions: string[]) => incomingRows(...questions.map((question) => ({ question })));
  await folder.ingest(written('Z', 'X', 'X'));
  await folder.ingest(written('Z', 'W', 'X'));
  await folder.ingest(written('X', 'X'), { add: true });
  const { plan } = await folder.ingest(written('Z', 'W', 'X'));
  expect(plan).toMatchObject({ rows: 3, newRows: 0 });
});

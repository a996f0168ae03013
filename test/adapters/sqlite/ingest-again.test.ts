import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CheckpointFolder, openCheckpointFolder } from '../../support/checkpoint-folder.ts';
import { incomingRows, type WrittenRow } from '../../support/incoming-rows.ts';

/** What there is to know of an item for telling which row of the next file it is. */
interface Known {
  readonly name: string;
  readonly occurrence: number;
  readonly question: string;
  readonly row: number;
  readonly gone: number;
}

/** A file, and whether it joins what is there. */
interface Given {
  readonly file: readonly WrittenRow[];
  readonly add: boolean;
}

/** The rule, without a thought of speed: rows of one name are told apart by their order in the file. */
function takeUpByTheRule(known: readonly Known[], { file, add }: Given): Known[] {
  const seen = new Map<string, number>();
  const found = file.map(({ id, question = '' }, at) => {
    const name = id ?? `text ${question}`;
    const occurrence = (seen.get(name) ?? 0) + 1;
    seen.set(name, occurrence);
    return { name, occurrence, question, row: at + 1, gone: 0 };
  });
  const isSame = (a: Known, b: Known): boolean => a.name === b.name && a.occurrence === b.occurrence;
  const left = known.filter((item) => !found.some((row) => isSame(row, item)));
  if (!add) return [...found, ...left.map((item) => ({ ...item, gone: file.length === 0 ? item.gone : 1 }))];
  // Known rows keep their places, and new ones stand behind them all.
  const lastRow = Math.max(0, ...known.map(({ row }) => row));
  const placed = found.map((row) => {
    const item = known.find((each) => isSame(each, row));
    return { ...row, row: item?.row ?? lastRow + row.row };
  });
  return [...placed, ...left];
}

async function knownOf({ checkpoint, db, all }: CheckpointFolder): Promise<Known[]> {
  const places = db.prepare<[number], { occurrence: number; gone: number }>(
    'SELECT occurrence, gone FROM items WHERE key = ?',
  );
  const known = (await all()).map(async ({ key, row }) => {
    const { input } = await checkpoint.input(key);
    const question = String(input.question);
    const { occurrence = 0, gone = 0 } = places.get(key) ?? {};
    return { name: String(input.id ?? `text ${question}`), occurrence, question, row, gone };
  });
  return Promise.all(known);
}

const byName = (items: readonly Known[]): string[] => items.map((item) => JSON.stringify(item)).sort();

const anyLine: fc.Arbitrary<WrittenRow> = fc.oneof(
  fc.constantFrom('A', 'B').map((question) => ({ question })),
  fc
    .tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.constantFrom('A', 'B'))
    .map(([id, question]) => ({ id, question })),
);

const isIn = (lines: readonly WrittenRow[], id: string | undefined): boolean =>
  id !== undefined && lines.some((line) => line.id === id);

/** A file in which no id stands twice. */
const anyFile = fc
  .array(anyLine, { maxLength: 6 })
  .map((lines) => lines.filter((line, at) => !isIn(lines.slice(0, at), line.id)));

const anyFiles = fc.array(fc.record({ file: anyFile, add: fc.boolean() }), { minLength: 2, maxLength: 5 });

test('whichever rows stand unchanged in their places, a file is taken up as by the rule', async () => {
  await fc.assert(
    fc.asyncProperty(anyFiles, async (files) => {
      await using folder = await openCheckpointFolder();
      let known: Known[] = [];
      for (const { file, add } of files) {
        const before = known;
        known = takeUpByTheRule(before, { file, add });
        const { plan, problems } = folder.takeUp(incomingRows(...file), { add });
        expect(problems).toEqual([]);
        expect(byName(await knownOf(folder))).toEqual(byName(known));
        expect(plan).toMatchObject({ rows: file.length, newRows: known.length - before.length });
      }
    }),
    { numRuns: 150 },
  );
});

test('an id that stands twice is told with both lines, whichever of the two is unchanged', async () => {
  await using folder = await openCheckpointFolder();
  folder.takeUp(incomingRows({ id: 'a', question: 'A' }, { id: 'b', question: 'B' }));
  const first = incomingRows({ id: 'a', question: 'A' }, { id: 'a', question: 'B' });
  const second = incomingRows({ id: 'b', question: 'A' }, { id: 'b', question: 'B' });
  expect(folder.takeUp(first).problems).toEqual([
    { line: 3, message: 'the id "a" stands on line 2 already' },
  ]);
  expect(folder.takeUp(second).problems).toEqual([
    { line: 3, message: 'the id "b" stands on line 2 already' },
  ]);
});

test('rows that came back by --add and stand in one place with their twin are no trouble', async () => {
  await using folder = await openCheckpointFolder();
  const written = (...questions: string[]) => incomingRows(...questions.map((question) => ({ question })));
  folder.takeUp(written('Z', 'X', 'X'));
  folder.takeUp(written('Z', 'W', 'X'));
  folder.takeUp(written('X', 'X'), { add: true });
  const { plan } = folder.takeUp(written('Z', 'W', 'X'));
  expect(plan).toMatchObject({ rows: 3, newRows: 0 });
});

import { expect, it } from 'vitest';
import { readCorrectedRows } from '../../../src/features/import/corrected-rows.ts';
import { planCorrection } from '../../../src/money/review.ts';
import { events } from '../../money/lives.ts';
import { openCheckpointFolder } from '../../support/checkpoint-folder.ts';
import { incomingRows, source, type WrittenRow } from '../../support/incoming-rows.ts';
import { completed, liveOn } from '../../support/saved-lives.ts';

/** A completed row `a`, corrected before the attempt `since`. */
async function openCorrected(since: number) {
  const folder = await openCheckpointFolder();
  await folder.ingest(incomingRows({ id: 'a', question: 'What?' }, { id: 'b', question: 'Why?' }));
  await liveOn(folder.checkpoint, 'a', ...completed('task-1'));
  const { key } = await folder.item('a');
  const wanted = { question: 'What is 7?', answer: null };
  const correction = planCorrection({ question: 'What?', answer: '' }, wanted, since);
  await folder.store.reviews.correct(new Map([[key, correction]]));
  const planOf = async (...rows: readonly WrittenRow[]) => {
    const corrected = await readCorrectedRows(folder.store);
    const plan = await folder.plan([...(await corrected.recognize(incomingRows(...rows), source))]);
    return { newRows: plan.newRows, changed: plan.changedSentIds };
  };
  return { folder, planOf, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

it('a row that was sent with the text which its file has now is not changed, and any other one is', async () => {
  await using place = await openCorrected(1);
  const other = { id: 'b', question: 'Why?' };
  expect(await place.planOf({ id: 'a', question: ' What is 7?\r\n', note: 'seen' }, other)).toEqual({
    newRows: 0,
    changed: [],
  });
  expect((await place.planOf({ id: 'a', question: 'What is 8?' }, other)).changed).toEqual(['a']);
  expect((await place.planOf({ id: 'a', question: 'What is 7?', quality: 'h' }, other)).changed).toEqual([
    'a',
  ]);
  expect(
    (await place.planOf({ id: 'a', question: 'What?' }, { id: 'c', question: 'What is 7?' })).newRows,
  ).toBe(1);
});

it('a row that was sent with a corrected text is that row under another id, and without one', async () => {
  await using place = await openCorrected(1);
  const other = { id: 'b', question: 'Why?' };
  const same = { newRows: 0, changed: [] };
  expect(await place.planOf({ id: 'z', question: 'What is 7?' }, other)).toEqual(same);
  expect(await place.planOf({ question: ' What is 7?' }, other)).toEqual(same);
  expect(await place.planOf({ question: 'What is 7?' }, { question: 'Why?' })).toEqual(same);
  // Another question altogether, for all that is sent with the text.
  expect((await place.planOf({ id: 'z', question: 'What is 7?', quality: 'h' }, other)).newRows).toBe(1);
  expect(
    (await place.planOf({ id: 'z', question: 'What is 7?' }, { id: 'a', question: 'What?' })).newRows,
  ).toBe(1);
});

it('a row without an id is the row of the text that was corrected for it', async () => {
  await using folder = await openCheckpointFolder();
  await folder.ingest(incomingRows({ question: 'What?' }, { question: 'Why?' }));
  await liveOn(folder.checkpoint, 'row-1', ...completed('task-1'));
  const { key } = await folder.item('row-1');
  const wanted = { question: 'What is 7?', answer: null };
  await folder.store.reviews.correct(
    new Map([[key, planCorrection({ question: 'What?', answer: '' }, wanted, 1)]]),
  );
  const rows = incomingRows({ question: 'What is 7?' }, { question: 'Why?' });
  for (const _ of ['once', 'and again']) {
    const corrected = await readCorrectedRows(folder.store);
    await folder.ingest([...(await corrected.recognize(rows, source))]);
    expect((await folder.all()).map(({ id, status }) => [id, status])).toEqual([
      ['row-1', 'completed'],
      ['row-2', 'pending'],
    ]);
    expect((await folder.checkpoint.input(key)).correction).toMatchObject({ question: 'What is 7?' });
  }
});

it('a correction that no attempt has sent does not count', async () => {
  await using place = await openCorrected(2);
  expect((await place.planOf({ id: 'a', question: 'What is 7?' })).changed).toEqual(['a']);
});

it('the first row is shown as it will be sent, while it waits with a correction', async () => {
  await using place = await openCorrected(2);
  const [row] = incomingRows({ id: 'a', question: 'What?' });
  if (row === undefined) throw new Error('no row');
  const shown = async () => (await readCorrectedRows(place.folder.store)).asSent(row, source).input.question;
  expect(await shown()).toBe('What?');
  await liveOn(place.folder.checkpoint, 'a', events['retry-ordered']);
  expect(await shown()).toBe('What is 7?');
});

/** Rows without ids, all made; the first ones are then corrected and made again. */
async function openTwins(questions: readonly string[], ...corrected: readonly (readonly string[])[]) {
  const folder = await openCheckpointFolder();
  await folder.ingest(incomingRows(...questions.map((question) => ({ question }))));
  for (const [at] of questions.entries())
    await liveOn(folder.checkpoint, `row-${at + 1}`, ...completed(`task-${at}`));
  for (const [at, texts] of corrected.entries())
    for (const [turn, text] of texts.entries()) {
      const { key, attempt } = await folder.item(`row-${at + 1}`);
      const own = { question: questions[at] ?? '', answer: '' };
      const correction = planCorrection(own, { question: text, answer: null }, attempt + 1);
      await folder.store.reviews.correct(new Map([[key, correction]]));
      await liveOn(
        folder.checkpoint,
        `row-${at + 1}`,
        events['retry-ordered'],
        ...completed(`new-${at}-${turn}`),
      );
    }
  const read = async (rows: readonly WrittenRow[]) => [
    ...(await (await readCorrectedRows(folder.store)).recognize(incomingRows(...rows), source)),
  ];
  return {
    folder,
    /** The file is taken up twice; returns what it pays for. */
    async take(...texts: readonly string[]) {
      const rows = texts.map((question) => ({ question }));
      const { plan } = await folder.ingest(await read(rows));
      expect((await folder.plan(await read(rows))).newRows).toBe(0);
      return { newRows: plan.newRows, gone: plan.gone };
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

it.for([
  ['the file as it was', ['A', 'A', 'B']],
  ['its first row in the corrected text', ['A1', 'A', 'B']],
  ['its second row in the corrected text', ['A', 'A1', 'B']],
  ['its rows in another order', ['B', 'A', 'A1']],
] as const)('of two rows with one text one was corrected, and nothing is new: %s', async ([, file]) => {
  await using twins = await openTwins(['A', 'A', 'B'], ['A1']);
  expect(await twins.take(...file)).toEqual({ newRows: 0, gone: 0 });
  expect(await twins.take('A', 'A', 'B')).toEqual({ newRows: 0, gone: 0 });
  expect(await twins.take('A1', 'A', 'B')).toEqual({ newRows: 0, gone: 0 });
  expect(await twins.take('A', 'A', 'A1', 'B')).toEqual({ newRows: 1, gone: 0 });
});

it('of three rows with one text two were corrected, each otherwise, and none is new in any order', async () => {
  for (const file of [
    ['A2', 'A1', 'A'],
    ['A', 'A1', 'A2'],
    ['A1', 'A', 'A'],
    ['A', 'A', 'A2'],
  ]) {
    await using twins = await openTwins(['A', 'A', 'A'], ['A1'], ['A2']);
    expect(await twins.take(...file)).toEqual({ newRows: 0, gone: 0 });
  }
});

it('a text that was corrected twice is the same row in each of its texts, with an id and without', async () => {
  await using twins = await openTwins(['A', 'B'], ['A1', 'A2']);
  for (const text of ['A1', 'A', 'A2', 'A1'])
    expect(await twins.take(text, 'B')).toEqual({ newRows: 0, gone: 0 });
  // The reviewer found the first text right in the end.
  await using back = await openTwins(['A', 'B'], ['A1', 'A']);
  expect(await back.take('A1', 'B')).toEqual({ newRows: 0, gone: 0 });

  await using place = await openCorrected(1);
  const { key } = await place.folder.item('a');
  const again = planCorrection(
    { question: 'What?', answer: '' },
    { question: 'What is 8?', answer: null },
    2,
  );
  await place.folder.store.reviews.correct(new Map([[key, again]]));
  await liveOn(place.folder.checkpoint, 'a', events['retry-ordered'], ...completed('task-2'));
  const other = { id: 'b', question: 'Why?' };
  for (const question of ['What?', 'What is 7?', 'What is 8?'])
    expect(await place.planOf({ id: 'a', question }, other)).toEqual({ newRows: 0, changed: [] });
  expect((await place.planOf({ id: 'a', question: 'What is 9?' }, other)).changed).toEqual(['a']);
  await place.folder.store.reviews.correct(new Map([[key, null]]));
  // The user's own words now, not those of a reviewer.
  expect((await place.planOf({ id: 'a', question: 'What is 7?' }, other)).changed).toEqual(['a']);
});

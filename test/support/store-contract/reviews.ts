import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/errors.ts';
import type { Correction, SavedMark } from '../../../src/money/review.ts';
import type { Reviews } from '../../../src/stores/port/reviews.ts';
import { events } from '../../money/lives.ts';
import { incomingRows, namedRows, source, type WrittenRow } from '../incoming-rows.ts';
import { completed } from '../saved-lives.ts';
import type { OpenRun, Runs } from './runs.ts';

export const markOf = (key: number, part: Partial<SavedMark> = {}): SavedMark => ({
  key,
  reviewer: '',
  mark: 'bad',
  note: 'a 7, not a 1',
  attempt: 1,
  question: null,
  answer: null,
  at: 1_772_352_000_000,
  ...part,
});

export const correctionOf = (part: Partial<Correction> = {}): Correction => ({
  question: '7 + 1',
  answer: null,
  ofQuestion: '1 + 1',
  ofAnswer: '',
  since: 2,
  ...part,
});

/** What people decide about rows. */
export function describeReviews(runs: Runs): void {
  const openDone = async (): Promise<OpenRun & { readonly keys: readonly number[] }> => {
    const run = await runs.open(...namedRows(3));
    for (const id of ['q1', 'q2']) await run.live(id, ...completed(`task of ${id}`));
    return { ...run, keys: (await run.all()).map(({ key }) => key) };
  };
  const saves = (
    { saveMarks, prefer, correct }: Reviews,
    key: number,
  ): Record<string, () => Promise<void>> => ({
    'a mark': () => saveMarks([markOf(key)]),
    'a preference': () => prefer(new Map([[key, 1]])),
    'a correction': () => correct(new Map([[key, correctionOf()]])),
  });

  describe('a review', () => {
    it('keeps every field of a mark: one for each reviewer and row, the latest', async () => {
      await using run = await openDone();
      const [one = 0, two = 0] = run.keys;
      const { reviews } = run.store;
      const whole = markOf(two, {
        reviewer: 'Anna 安娜',
        mark: 'good',
        question: 'Q\n"x"',
        answer: '',
        at: 5,
      });
      await reviews.saveMarks([whole, markOf(one, { reviewer: 'Ben' }), markOf(one, { note: 'first' })]);
      await reviews.saveMarks([markOf(one, { note: 'second', attempt: 2 })]);
      expect(await reviews.marks()).toEqual([
        { ...markOf(one, { note: 'second', attempt: 2 }), id: 'q1' },
        { ...markOf(one, { reviewer: 'Ben' }), id: 'q1' },
        { ...whole, id: 'q2' },
      ]);
      await reviews.saveMarks([markOf(one, { mark: '', note: '' }), markOf(two, { mark: '' })]);
      expect((await reviews.marks()).map(({ key, reviewer }) => [key, reviewer])).toEqual([
        [one, 'Ben'],
        [two, ''],
        [two, 'Anna 安娜'],
      ]);
    });

    it('is in the reports with its marks, by reviewer, also of a row that was never sent', async () => {
      await using run = await openDone();
      const [one = 0, , waiting = 0] = run.keys;
      const whole = markOf(one, { reviewer: 'Ben', mark: 'good', question: 'Q', answer: 'A', at: 5 });
      const early = markOf(waiting, { mark: '', attempt: 0 });
      await run.store.reviews.saveMarks([whole, markOf(one), early]);
      const expected = [[markOf(one), whole], [], [early]].map((marks) =>
        marks.map(({ key, ...mark }) => ({ item: key, ...mark })),
      );
      const rows = await Array.fromAsync(run.checkpoint.reportRows());
      expect(rows.map(({ marks }) => marks)).toEqual(expected);
    });

    it('keeps one preferred attempt for each row, until there is none', async () => {
      await using run = await openDone();
      const [one = 0, two = 0] = run.keys;
      const { reviews } = run.store;
      await reviews.prefer(
        new Map([
          [one, 1],
          [two, 3],
        ]),
      );
      await reviews.prefer(
        new Map([
          [one, 2],
          [two, null],
        ]),
      );
      expect(await reviews.preferences()).toEqual(new Map([[one, 2]]));
      const reported = await Array.fromAsync(run.checkpoint.reportRows());
      expect(reported.map(({ preferred }) => preferred)).toEqual([2, null, null]);
    });

    it('keeps the correction of a row with its text, whatever becomes of the row', async () => {
      await using run = await openDone();
      const [one = 0, two = 0, waiting = 0] = run.keys;
      const { reviews } = run.store;
      const correction = correctionOf({ answer: '8', ofAnswer: '2' });
      await reviews.correct(
        new Map([
          [one, correctionOf()],
          [two, correctionOf()],
        ]),
      );
      await reviews.correct(
        new Map([
          [one, correction],
          [two, null],
        ]),
      );
      expect(await reviews.corrections([one, two])).toEqual(new Map([[one, correction]]));
      expect(await reviews.corrections(null)).toEqual(new Map([[one, correction]]));
      expect((await run.checkpoint.input(one)).correction).toEqual(correction);
      expect((await run.checkpoint.input(two)).correction).toBeNull();
      await reviews.correct(new Map([[waiting, correctionOf()]]));
      // The row is the one of the file all the same.
      expect(await run.plan(incomingRows(...namedRows(3)))).toMatchObject({ newRows: 0, changedSent: 0 });
      const reported = await Array.fromAsync(run.checkpoint.reportRows());
      expect(reported.map((row) => row.correction)).toEqual([correction, null, correctionOf()]);
      expect(await run.checkpoint.input(one)).toMatchObject({ source });
    });

    it('is known by the corrected text under another id or without one, as long as no other row of the file is that row', async () => {
      await using run = await openDone();
      const [one = 0] = run.keys;
      const [, second = {}, third = {}] = namedRows(3);
      const sentAs = (row: WrittenRow, ...others: readonly WrittenRow[]) => {
        const own = { ...row, question: 'Question 1', note: 'kept' };
        return incomingRows(row, ...others).map((each, at) =>
          at === 0 ? { ...each, corrected: [{ key: one, input: own }] } : each,
        );
      };
      const beside = sentAs({ id: 'x', question: 'Corrected' }, ...namedRows(3));
      expect(await run.plan(beside)).toMatchObject({ newRows: 1, gone: 0, changedSent: 0 });
      const bare = sentAs({ question: 'Corrected' }, second, third);
      expect(await run.plan(bare)).toMatchObject({ newRows: 0, gone: 0, changedSent: 0 });
      // Another row has its id now.
      const moved = sentAs({ id: 'x', question: 'Corrected' }, { id: 'q1', question: 'New' }, second, third);
      expect(await run.plan(moved)).toMatchObject({ newRows: 1, gone: 0, renumbered: 1, changedSent: 0 });
      const twice = sentAs({ id: 'x', question: 'Corrected' }, second, third, {
        id: 'y',
        question: 'Corrected',
      });
      const both = twice.map((each) => ({
        ...each,
        ...(each.id === 'y' && { corrected: twice[0]?.corrected ?? [] }),
      }));
      expect(await run.plan(both)).toMatchObject({ newRows: 1, renumbered: 1 });
      await run.ingest(sentAs({ id: 'x', question: 'Corrected' }, second, third));
      const item = await run.checkpoint.itemWithKey(one);
      expect(item).toMatchObject({ id: 'x', status: 'completed' });
      expect((await run.checkpoint.input(one)).input).toMatchObject({ question: 'Question 1', note: 'kept' });
      await run.ingest(bare);
      expect((await run.all()).map(({ key, id }) => [key, id])).toEqual([
        [one, 'x'],
        ...run.keys.slice(1).map((key, at) => [key, `q${at + 2}`]),
      ]);
    });

    it('leaves a twin without an id to the row of the file that can be no other', async () => {
      await using run = await runs.open();
      const file = (...questions: readonly string[]) =>
        incomingRows(...questions.map((question) => ({ question }))).map((row) =>
          row.input.question === 'Corrected'
            ? { ...row, corrected: [{ key: one, input: { question: 'A' } }] }
            : row,
        );
      let one = 0;
      await run.ingest(file('A', 'A', 'B'));
      for (const id of ['row-1', 'row-2', 'row-3']) await run.live(id, ...completed(`task of ${id}`));
      one = (await run.item('row-1')).key;
      for (const rows of [
        ['Corrected', 'A', 'B'],
        ['A', 'Corrected', 'B'],
        ['A', 'A', 'B'],
        ['B', 'A', 'Corrected'],
      ]) {
        expect(await run.plan(file(...rows))).toMatchObject({ newRows: 0, gone: 0 });
        await run.ingest(file(...rows));
        expect((await run.all()).map(({ id }) => id).sort()).toEqual(['row-1', 'row-2', 'row-3']);
      }
      expect((await run.checkpoint.input(one)).input).toEqual({ question: 'A' });
      expect(await run.plan(file('A', 'Corrected', 'A', 'B'))).toMatchObject({ newRows: 1, gone: 0 });
    });

    it('is known with all corrections that attempts have sent', async () => {
      await using run = await runs.open(...namedRows(2));
      const [one, two] = [(await run.item('q1')).key, (await run.item('q2')).key];
      const { reviews } = run.store;
      const sent = [correctionOf({ since: 1 }), correctionOf({ question: 'Again', since: 2 })];
      for (const correction of sent) {
        await reviews.correct(
          new Map([
            [one, correction],
            [two, correctionOf()],
          ]),
        );
        await run.live('q1', ...completed(`task ${correction.since}`), events['retry-ordered']);
      }
      expect(await reviews.earlierCorrections()).toEqual(
        new Map([[one, [expect.objectContaining({ ...sent[0], attempt: 1 })]]]),
      );
      await reviews.correct(
        new Map([
          [one, null],
          [two, null],
        ]),
      );
      expect((await reviews.earlierCorrections()).get(one)).toHaveLength(2);
      expect((await reviews.earlierCorrections()).get(two)).toBeUndefined();
    });

    it('changes no item, and is seen by those who follow the run', async () => {
      await using run = await openDone();
      await using outside = await run.look();
      const watch = await outside.store.openWatch();
      const before = await run.all();
      const [one = 0] = run.keys;
      let versions = [await watch.version(), await watch.reviewVersion()];
      for (const [what, save] of Object.entries(saves(run.store.reviews, one))) {
        await save();
        const now = [await watch.version(), await watch.reviewVersion()];
        expect(now[0], what).not.toBe(versions[0]);
        expect(now[1], what).not.toBe(versions[1]);
        versions = now;
      }
      expect(await run.all()).toEqual(before);
      expect(await watch.reviews.marks()).toEqual([{ ...markOf(one), id: 'q1' }]);
      expect(await watch.reviews.standing()).toEqual(new Map([[one, 1]]));
    });

    it('is saved beside the process that works on the run, which goes on', async () => {
      await using run = await openDone();
      await using beside = await run.place.openSettings();
      const [one = 0] = run.keys;
      for (const save of Object.values(saves(beside.reviews, one))) await save();
      await run.live('q3', ...completed('task of q3'));
      expect(await run.store.reviews.marks()).toEqual([{ ...markOf(one), id: 'q1' }]);
      expect(await run.store.reviews.preferences()).toEqual(new Map([[one, 1]]));
      expect((await run.checkpoint.input(one)).correction).toEqual(correctionOf());
    });

    it('is refused where the run moves: what is saved now would stay behind', async () => {
      await using run = await openDone();
      const { archive, reviews } = run.store;
      await archive.setMark(null, { state: 'moved', move: 'm', place: '--run other' });
      for (const [what, save] of Object.entries(saves(reviews, run.keys[0] ?? 0)))
        await expect(save(), what).rejects.toThrow(UsageError);
      expect([await reviews.marks(), await reviews.preferences()]).toEqual([[], new Map()]);
    });
  });
}

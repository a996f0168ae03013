import { describe, expect, it } from 'vitest';
import type { ItemEvent } from '../../../src/money/event.ts';
import type { Status } from '../../../src/money/item.ts';
import { events } from '../../money/lives.ts';
import { incomingRows, namedRows } from '../incoming-rows.ts';
import { accepted, completed } from '../saved-lives.ts';
import type { StoreRun } from '../store-run.ts';
import type { Runs } from './runs.ts';

/** How a row comes to each status it may have when its text is changed. */
const lives: Readonly<Record<Exclude<Status, 'pending' | 'invalid'>, readonly ItemEvent[]>> = {
  submitting: [events.claimed],
  open: accepted('task-1'),
  downloading: [...accepted('task-1'), events['task-completed']],
  completed: completed('task-1'),
  failed: [...accepted('task-1'), events['task-failed']],
  rejected: [events.claimed, events['creation-refused']],
  uncertain: [events.claimed, events['creation-uncertain']],
  undelivered: [
    ...accepted('task-1'),
    events['task-completed'],
    { ...events['video-not-had'], newLink: false },
  ],
  lost: [...accepted('task-1'), events['task-overdue']],
};

const rerunnable = ['completed', 'failed', 'undelivered', 'lost'] as const;
const keeping = ['submitting', 'open', 'downloading', 'uncertain'] as const;

const edited = incomingRows({ id: 'q1', question: 'Another question', quality: 'l' });

/** The question that would be sent for the row now. */
async function questionOf({ checkpoint, item }: StoreRun): Promise<unknown> {
  const { key } = await item('q1');
  return (await checkpoint.input(key)).input.question;
}

/** What becomes of rows whose text is another one in the file now, or that are in it no more. */
export function describeEditedRows(runs: Runs): void {
  /** A run whose only row has lived like this. */
  async function openWith(...story: readonly ItemEvent[]) {
    const run = await runs.open(...namedRows(1));
    await run.live('q1', ...story);
    return run;
  }

  describe('a row whose text was changed', () => {
    it.for([
      ['pending', []],
      ['rejected', lives.rejected],
    ] as const)('takes the new text and waits when it was %s', async ([, story]) => {
      await using run = await openWith(...story);
      const { plan } = await run.ingest(edited);
      expect(plan).toMatchObject({ changedUnsent: 1, changedSent: 0, toSubmit: 1 });
      expect(await run.item('q1')).toMatchObject({
        status: 'pending',
        failure: null,
        quality: 'l',
      });
      expect(await questionOf(run)).toBe('Another question');
      expect((await run.ingest(edited)).plan).toMatchObject({ changedUnsent: 0, toSubmit: 1 });
    });

    it('stays rejected while its text is the refused one', async () => {
      await using run = await openWith(...lives.rejected);
      expect((await run.ingest(incomingRows(...namedRows(1)))).plan).toMatchObject({
        changedUnsent: 0,
        toSubmit: 0,
      });
      expect((await run.item('q1')).status).toBe('rejected');
    });

    it('becomes invalid when it cannot be sent any more', async () => {
      await using run = await openWith();
      const { plan } = await run.ingest(incomingRows({ id: 'q1', question: '' }));
      expect(plan).toMatchObject({ changedUnsent: 1, invalid: 1, toSubmit: 0 });
      expect(await run.item('q1')).toMatchObject({
        status: 'invalid',
        failure: 'it has neither a question nor a question image',
      });
    });

    it.each([...rerunnable, ...keeping])('keeps its result and is named when it is %s', async (status) => {
      await using run = await openWith(...lives[status]);
      const before = await run.item('q1');
      expect(before.status).toBe(status);
      const { plan } = await run.ingest(edited);
      const isRerunnable = rerunnable.some((each) => each === status);
      expect(plan).toMatchObject({
        changedUnsent: 0,
        changedSent: 1,
        changedSentIds: ['q1'],
        rerunnable: isRerunnable ? 1 : 0,
        toSubmit: 0,
      });
      expect(await run.item('q1')).toEqual(before);
      expect(await questionOf(run)).toBe('Question 1');
      expect((await run.ingest(edited)).plan.changedSentIds).toEqual(['q1']);
    });

    it.each([...rerunnable, 'uncertain'] as const)(
      'is sent with its new text by whatever makes it wait again when it is %s',
      async (status) => {
        await using run = await openWith(...lives[status]);
        await run.ingest(edited);
        expect(await questionOf(run)).toBe('Question 1');
        await run.live('q1', events[status === 'uncertain' ? 'not-created' : 'retry-ordered']);
        expect(await questionOf(run)).toBe('Another question');
        expect(await run.item('q1')).toMatchObject({ status: 'pending', quality: 'l' });
        expect((await run.ingest(edited)).plan).toMatchObject({
          changedUnsent: 0,
          changedSent: 0,
          toSubmit: 1,
        });
      },
    );

    it('keeps its last text beside the one that was sent, also where it is moved and changed again', async () => {
      await using run = await runs.open(...namedRows(2));
      const { key } = await run.live('q1', ...completed('task-1'));
      const change = (question: string) => incomingRows({ id: 'q2', question: 'B' }, { id: 'q1', question });
      await run.ingest(incomingRows({ id: 'q1', question: 'A' }, { id: 'q2', question: 'B' }));
      await run.ingest(change('A again'));
      await run.ingest(change('A'));
      expect(await questionOf(run)).toBe('Question 1');
      await run.ingest(change('A'), { rerunChanged: true });
      expect([await questionOf(run), await run.checkpoint.editOf(key)]).toEqual(['A', null]);
    });

    it('is the one that it was when the change is taken back', async () => {
      await using run = await openWith(...lives.failed);
      await run.ingest(edited);
      expect((await run.ingest(incomingRows(...namedRows(1)))).plan).toMatchObject({ changedSent: 0 });
      await run.live('q1', events['retry-ordered']);
      expect(await questionOf(run)).toBe('Question 1');
    });

    it.each(rerunnable)('is paid again on demand when it is %s', async (status) => {
      await using run = await openWith(...lives[status]);
      const { spent } = await run.checkpoint.ledger();
      const { plan } = await run.ingest(edited, { rerunChanged: true });
      expect(plan).toMatchObject({ changedSent: 1, rerunnable: 1, toSubmit: 1 });
      const made = status === 'completed' ? [{ kind: 'video', state: 'saved' }] : [];
      expect(await run.item('q1')).toMatchObject({
        status: 'pending',
        taskId: null,
        token: null,
        attempt: 1,
        artifacts: made,
      });
      expect(await questionOf(run)).toBe('Another question');
      expect((await run.checkpoint.ledger()).spent).toBe(spent);
      expect((await run.ingest(edited, { rerunChanged: true })).plan).toMatchObject({
        rerunnable: 0,
        toSubmit: 1,
      });
    });

    it.each(keeping)('is not paid again on demand while it is %s', async (status) => {
      await using run = await openWith(...lives[status]);
      const before = await run.item('q1');
      expect((await run.ingest(edited, { rerunChanged: true })).plan).toMatchObject({
        rerunnable: 0,
        toSubmit: 0,
      });
      expect(await run.item('q1')).toEqual(before);
    });

    it('is another row when it has no id', async () => {
      await using run = await runs.open();
      await run.ingest(incomingRows({ question: 'A' }, { question: 'B' }));
      await run.live('row-1', ...completed('task-1'));
      const { plan } = await run.ingest(incomingRows({ question: 'A, but longer' }, { question: 'B' }));
      expect(plan).toMatchObject({ newRows: 1, gone: 1, changedSent: 0, changedUnsent: 0, toSubmit: 2 });
    });

    it('is named in the plan only with the first of many', async () => {
      await using run = await runs.open();
      const rows = namedRows(30);
      await run.ingest(incomingRows(...rows));
      for (const { id = '' } of rows) await run.live(id, ...completed(`task of ${id}`));
      const changed = rows.map((row) => ({ ...row, question: `${row.question}, but longer` }));
      const { plan } = await run.ingest(incomingRows(...changed));
      expect(plan).toMatchObject({ changedSent: 30, rerunnable: 30 });
      expect(plan.changedSentIds).toEqual(rows.slice(0, 20).map((row) => row.id));
    });
  });

  describe('a row that could not be sent', () => {
    const [whole] = incomingRows({ id: 'q1', question: 'What is on the picture?' });
    if (whole === undefined) throw new Error('there is a row');
    const withoutImage = { ...whole, failure: 'questionImages: "cat.png" is missing or not a file' };

    it('waits to be sent once its text is mended', async () => {
      await using run = await runs.open();
      await run.ingest(incomingRows({ id: 'q1', question: '' }));
      const { plan } = await run.ingest(edited);
      expect(plan).toMatchObject({ changedUnsent: 1, invalid: 0, toSubmit: 1 });
      expect(await run.item('q1')).toMatchObject({ status: 'pending', failure: null });
    });

    it('waits to be sent once the image it names is there, though its text is the same', async () => {
      await using run = await runs.open();
      await run.ingest([withoutImage]);
      expect((await run.item('q1')).status).toBe('invalid');
      const { plan } = await run.ingest([whole]);
      expect(plan).toMatchObject({ invalid: 0, toSubmit: 1 });
      expect(await run.item('q1')).toMatchObject({ status: 'pending', failure: null });
    });

    it('has the reason it has now', async () => {
      await using run = await runs.open();
      await run.ingest([withoutImage]);
      await run.ingest([{ ...whole, failure: 'questionImages: "cat.png" is not an image' }]);
      expect(await run.item('q1')).toMatchObject({
        status: 'invalid',
        failure: 'questionImages: "cat.png" is not an image',
      });
    });

    it('was sendable until the image it names went away', async () => {
      await using run = await runs.open();
      await run.ingest([whole]);
      expect((await run.ingest([withoutImage])).plan).toMatchObject({ invalid: 1, toSubmit: 0 });
      expect((await run.item('q1')).status).toBe('invalid');
    });

    it('keeps a result that is paid already when its image goes away', async () => {
      await using run = await runs.open();
      await run.ingest([whole]);
      const before = await run.live('q1', ...completed('task-1'));
      expect((await run.ingest([withoutImage], { rerunChanged: true })).plan).toMatchObject({
        changedSent: 0,
      });
      expect(await run.item('q1')).toEqual(before);
    });
  });

  describe('a row that left the file', () => {
    it('is not work left to do when it was to get a new attempt, and its points still count', async () => {
      await using run = await runs.open();
      await run.ingest(incomingRows(...namedRows(2)));
      await run.live('q1', ...completed('task-1'), events['retry-ordered']);
      await run.ingest(incomingRows({ id: 'q2', question: 'Question 2' }));
      const { counts, spent } = await run.checkpoint.ledger();
      expect(counts).toMatchObject({ pending: 1, completed: 0 });
      expect(spent).toBe(10);
      const reported = await Array.fromAsync(run.checkpoint.reportRows());
      expect(reported.map(({ item, gone }) => [item.id, gone])).toEqual([
        ['q2', false],
        ['q1', true],
      ]);
    });
  });

  const failures = { add: true, isMended: true } as const;

  describe('a line with a key', () => {
    const file = (...questions: readonly string[]) =>
      incomingRows(...questions.map((question) => ({ question })));
    const keyed = (item: number, question: string) => file(question).map((row) => ({ ...row, keyed: item }));

    it('is the row of its key, and stays so among its twins', async () => {
      await using run = await runs.open();
      const whole = file('One', 'One', 'Two');
      await run.ingest(whole);
      const [, second] = await run.all();
      for (const id of ['row-1', 'row-2']) await run.live(id, ...lives.rejected);
      expect((await run.ingest(keyed(second?.key ?? 0, 'One'), failures)).plan).toMatchObject({ newRows: 0 });
      expect(await run.plan(whole)).toMatchObject({ newRows: 0, gone: 0 });
    });

    it('with a new text is its row, changed', async () => {
      await using run = await runs.open();
      await run.ingest(file('One', 'One', 'Two'));
      const [, second] = await run.all();
      for (const id of ['row-1', 'row-2']) await run.live(id, ...lives.rejected);
      const { plan } = await run.ingest(keyed(second?.key ?? 0, 'Eins'), failures);
      expect(plan).toMatchObject({ newRows: 0, changedUnsent: 1, gone: 0 });
      expect(await run.plan(file('One', 'Eins', 'Two'))).toMatchObject({ newRows: 0, gone: 0 });
    });

    it('with the text of another row is a problem', async () => {
      await using run = await runs.open();
      await run.ingest(file('One', 'Two'));
      const [first] = await run.all();
      const { problems } = await run.ingest(keyed(first?.key ?? 0, 'Two'), failures);
      expect(problems.map(({ message }) => message)).toEqual([
        expect.stringContaining('is that of row row-2'),
      ]);
    });
  });

  describe('a row that the fed back failures do not hold', () => {
    const reportedIds = async ({ checkpoint }: StoreRun): Promise<string[]> =>
      (await Array.fromAsync(checkpoint.reportRows())).map(
        ({ item, gone }) => `${item.id}${gone ? ' gone' : ''}`,
      );

    async function openRefused() {
      const run = await runs.open();
      await run.ingest(
        incomingRows({ id: 'q1', question: 'One' }, { question: 'Two' }, { question: 'Three' }),
      );
      for (const id of ['q1', 'row-2', 'row-3']) await run.live(id, ...lives.rejected);
      return run;
    }

    it('stays in the reports: the file may be empty, an old one, or a part', async () => {
      await using run = await openRefused();
      await run.ingest([], failures);
      expect(await reportedIds(run)).toEqual(['q1', 'row-2', 'row-3']);
      await run.ingest(incomingRows({ question: 'Two' }), failures);
      expect(await reportedIds(run)).toEqual(['q1', 'row-2', 'row-3']);
    });

    it('is a row of its own beside a twin that ended well, and the twin where it did so too since', async () => {
      await using run = await runs.open();
      const file = (...questions: readonly string[]) =>
        incomingRows(...questions.map((question) => ({ question })));
      await run.ingest(file('One', 'One', 'One', 'Two'));
      await run.live('row-1', ...completed('task-1'));
      for (const id of ['row-2', 'row-3', 'row-4']) await run.live(id, ...lives.rejected);
      const { plan } = await run.ingest(file('One', 'One', 'Zwei'), failures);
      expect(plan).toMatchObject({ newRows: 1 });
      expect(await reportedIds(run)).toEqual(['row-1', 'row-2', 'row-3', 'row-7']);
      await run.live('row-2', events['retry-ordered'], ...completed('task-2'));
      expect(await run.plan(file('One', 'One', 'Zwei'), failures)).toMatchObject({ newRows: 0, gone: 0 });
    });

    it('has left where a new text without an id may be its own, corrected', async () => {
      await using run = await openRefused();
      await run.ingest(incomingRows({ question: 'Zwei' }, { question: 'Three' }), failures);
      expect(await run.idsIn('rejected')).toEqual(['q1', 'row-2', 'row-3']);
      expect(await reportedIds(run)).toEqual(['q1', 'row-3', 'row-4']);
    });
  });
}

import { describe, expect, it } from 'vitest';
import type { Options } from '../../../src/app/options/options.ts';
import { readInvocation } from '../../../src/app/options/settings.ts';
import { openFolder } from '../../../src/app/output-folder.ts';
import { imagesOf } from '../../../src/app/pictures/run-images.ts';
import { beginRetry } from '../../../src/app/rounds/round.ts';
import type { RunSetup } from '../../../src/app/session.ts';
import { forgetCorrections } from '../../../src/features/import/corrected-rows.ts';
import { saveCorrections } from '../../../src/features/retry/plan-corrections.ts';
import { planRetry, type RetryChoice } from '../../../src/features/retry/plan-retry.ts';
import { retryRows, withdrawPreferences } from '../../../src/features/retry/retry-rows.ts';
import type { Item } from '../../../src/money/item.ts';
import type { NamedRow } from '../../../src/money/review/named-row.ts';
import { events } from '../../money/lives.ts';
import { type CheckpointFolder, openCheckpointFolder } from '../../support/checkpoint-folder.ts';
import { decider } from '../../support/decider.ts';
import { incomingRows } from '../../support/incoming-rows.ts';
import { noChoice } from '../../support/retry-choice.ts';
import { accepted, completed, liveOn } from '../../support/saved-lives.ts';

const failed: RetryChoice = { ...noChoice, statuses: ['failed'] };
const questions = ['failed', 'late', 'done', 'waiting'].map((id) => ({ id, question: `What is ${id}?` }));

/** A folder with two failed rows, one that has its video, and one that waits. */
async function openBadRun(): Promise<CheckpointFolder> {
  const folder = await openCheckpointFolder();
  const { checkpoint } = folder;
  await folder.ingest(incomingRows(...questions));
  await liveOn(checkpoint, 'failed', ...accepted('task-1'), { ...events['task-failed'], failure: 'No.' });
  await liveOn(checkpoint, 'late', ...accepted('task-2'), { ...events['task-failed'], failure: 'Too late.' });
  await liveOn(checkpoint, 'done', ...completed('task-3'));
  return folder;
}

async function planOf(
  { store }: CheckpointFolder,
  choice: RetryChoice,
  ids: readonly string[] | null = null,
) {
  const named = ids?.map((id) => ({ id, isTyped: true, attempt: null })) ?? null;
  const plan = await planRetry({ store, options: {} }, named, choice);
  return { ...plan, rows: await listOf(plan.rows()) };
}

async function listOf(items: AsyncIterable<Item>): Promise<readonly string[]> {
  return (await Array.fromAsync(items)).map(({ id, quality }) =>
    quality === null ? id : `${id}: ${quality}`,
  );
}

describe('a retry', () => {
  it('of a status takes its rows, and leaves those that wait for their first attempt', async () => {
    await using folder = await openBadRun();
    expect(await planOf(folder, failed)).toMatchObject({
      rows: ['failed', 'late'],
      attempts: { none: 2 },
      paid: { none: 2 },
      waiting: [],
      named: null,
      completed: [],
      edits: { changed: 0, unsendable: 0 },
    });
  });

  it('of a failure takes the rows that have it', async () => {
    await using folder = await openBadRun();
    expect((await planOf(folder, { ...failed, failure: 'late' })).rows).toEqual(['late']);
  });

  it('of the marks that are saved with the run takes the rows that they call bad', async () => {
    await using folder = await openBadRun();
    const done = (await folder.all()).find(({ id }) => id === 'done');
    const mark = {
      reviewer: 'Anna',
      mark: 'bad',
      note: '',
      attempt: 1,
      question: null,
      answer: null,
      at: 0,
    } as const;
    await folder.store.reviews.saveMarks([{ ...mark, key: done?.key ?? 0 }]);
    const plan = await planOf(folder, { ...noChoice, marked: true });
    expect([plan.rows, plan.completed.map(({ id }) => id)]).toEqual([['done'], ['done']]);
  });

  it('of named rows takes these alone, and says which of them have their video', async () => {
    await using folder = await openBadRun();
    const { rows, waiting, completed, paid } = await planOf(folder, noChoice, ['done', 'late']);
    expect([...rows].sort()).toEqual(['done', 'late']);
    expect(waiting).toEqual([]);
    expect(paid.none).toBe(2);
    expect(completed.map(({ id }) => id)).toEqual(['done']);
  });

  it('takes rows as they are in the file now, and leaves alone what cannot be sent', async () => {
    await using folder = await openBadRun();
    const [first, second, ...others] = questions;
    const edited = [{ ...first, question: 'And now?', quality: 'h' }, { ...second, question: '' }, ...others];
    await folder.ingest(incomingRows(...edited));
    expect(await planOf(folder, failed)).toMatchObject({
      rows: ['failed: h'],
      attempts: { h: 1, none: 0 },
      edits: { changed: 1, unsendable: 1 },
    });
  });
});

describe('a retry with --limit', () => {
  const limited = (
    { store }: CheckpointFolder,
    limit: number,
    choice: RetryChoice,
    ids?: readonly string[],
  ) =>
    planRetry(
      { store, options: { limit } },
      ids?.map((id) => ({ id, isTyped: true, attempt: null })) ?? null,
      choice,
    );

  it('counts the rows that it names, and leaves the others as they are', async () => {
    await using folder = await openBadRun();
    const plan = await limited(folder, 1, failed);
    expect(await listOf(plan.rows())).toEqual(['failed']);
    expect(plan).toMatchObject({ attempts: { none: 1 }, paid: { none: 1 }, beyondLimit: 1 });
    expect(await listOf((await limited(folder, 0, failed)).rows())).toEqual([]);
  });

  it('continues first with what an earlier one left waiting', async () => {
    await using folder = await openBadRun();
    await liveOn(folder.checkpoint, 'late', events['retry-ordered']);
    const plan = await limited(folder, 1, noChoice, ['failed', 'late']);
    expect(plan.waiting.map(({ id }) => id)).toEqual(['late']);
    expect(await listOf(plan.rows())).toEqual([]);
    expect(plan).toMatchObject({ paid: { none: 1 }, beyondLimit: 1 });
  });
});

describe('a retry that is typed twice', () => {
  it('takes no row that has ended since the round that it names', async () => {
    await using folder = await openBadRun();
    await folder.store.settings.save('rounds', '5');
    await liveOn(
      folder.checkpoint,
      'late',
      events['retry-ordered'],
      ...accepted('task-9'),
      events['task-failed'],
    );
    expect((await planOf(folder, { ...failed, until: 4 })).rows).toEqual(['failed']);
    expect((await planOf(folder, { ...failed, until: 5 })).rows).toEqual(['failed', 'late']);
  });

  it('takes no row with another attempt than the one that it names', async () => {
    await using folder = await openBadRun();
    const once = { ...noChoice, attempt: 1 };
    expect((await planOf(folder, once, ['done'])).rows).toEqual(['done']);
    await liveOn(folder.checkpoint, 'done', events['retry-ordered'], ...completed('task-9'));
    const { rows, named } = await planOf(folder, once, ['done']);
    expect(rows).toEqual([]);
    expect(named?.triedSince).toEqual(['done']);
  });

  it('sends what it ordered and did not send, and no other row', async () => {
    await using folder = await openBadRun();
    const { store } = folder;
    const invocation = readInvocation({}, { dotEnv: false });
    const plan = await planRetry({ store, options: {} }, null, failed);
    const first = await beginRetry(store, invocation, {}, { ...plan, rows: plan.rows() });
    expect(first).toEqual({ options: { retry: 1 }, mark: null });
    await liveOn(folder.checkpoint, 'late', ...accepted('task-9'), events['task-failed']);
    const left = await planRetry({ store, options: {} }, null, { ...noChoice, unsent: 1 });
    expect(left).toMatchObject({ attempts: { none: 0 }, paid: { none: 1 }, goesOn: 1 });
    const session = await beginRetry(store, invocation, { only: ['x'] }, { ...left, rows: left.rows() });
    expect(session.options).toEqual({ retry: 1 });
    expect(await store.totals.unsent()).toMatchObject([{ round: 1, rows: { none: 1 } }]);
  });
});

describe('a retry with corrected texts', () => {
  const question = 'What is done?';
  const named = (part: Partial<NamedRow> = {}): NamedRow => ({
    id: 'done',
    isTyped: false,
    attempt: null,
    corrected: { question: 'What is 7?', answer: null },
    ...part,
  });
  const plan = ({ store }: CheckpointFolder, ...rows: readonly NamedRow[]) =>
    planRetry({ store, options: {} }, rows, noChoice);
  const planned = async (folder: CheckpointFolder, ...rows: readonly NamedRow[]) => {
    const { rows: changed, kept, dropped } = (await plan(folder, ...rows)).corrections;
    return { rows: changed, kept, dropped };
  };
  const save = async (folder: CheckpointFolder, ...rows: readonly NamedRow[]) =>
    saveCorrections(folder.store.reviews, (await plan(folder, ...rows)).corrections, decider);
  const none = { rows: [], kept: 0, dropped: [] };
  const changed = { id: 'done', question: { from: question, to: 'What is 7?' } };

  it('shows the old and the new text, and saves the new one with the row', async () => {
    await using folder = await openBadRun();
    expect(await planned(folder, named())).toEqual({ ...none, rows: [changed] });
    await save(folder, named());
    const { key } = await folder.item('done');
    expect((await folder.checkpoint.input(key)).correction).toEqual({
      question: 'What is 7?',
      answer: null,
      ofQuestion: question,
      ofAnswer: '',
      since: 2,
    });
  });

  it('keeps it for later attempts, until the text of the file is given or another one', async () => {
    await using folder = await openBadRun();
    await save(folder, named());
    const { corrected: _, ...same } = named();
    expect(await planned(folder, same)).toEqual({ ...none, kept: 1 });
    expect(await planned(folder, named())).toEqual({ ...none, kept: 1 });
    const back = named({ corrected: { question, answer: null } });
    expect(await planned(folder, back)).toMatchObject({
      rows: [{ id: 'done', question: { from: 'What is 7?', to: question } }],
    });
    await save(folder, back);
    expect(await planned(folder, same)).toEqual(none);
    expect(await planned(folder, back)).toEqual(none);
  });

  it('adds an answer to a question that was corrected before', async () => {
    await using folder = await openBadRun();
    await save(folder, named());
    const more = named({ corrected: { question: null, answer: '7' } });
    expect((await planned(folder, more)).rows).toEqual([{ id: 'done', answer: { from: '', to: '7' } }]);
    await save(folder, more);
    const { key } = await folder.item('done');
    expect((await folder.checkpoint.input(key)).correction).toMatchObject({
      question: 'What is 7?',
      answer: '7',
    });
  });

  it('drops it where the file has another text since', async () => {
    await using folder = await openBadRun();
    await save(folder, named());
    await folder.ingest(
      incomingRows(...questions.map((row) => (row.id === 'done' ? { ...row, question: 'And now?' } : row))),
    );
    const { corrected: _, ...same } = named();
    expect(await planned(folder, same)).toEqual({ ...none, dropped: ['done'] });
    await save(folder, same);
    const { key } = await folder.item('done');
    expect((await folder.checkpoint.input(key)).correction).toBeNull();
  });

  it('pays for neither text where the file has another one since the mark', async () => {
    await using folder = await openBadRun();
    await folder.ingest(
      incomingRows(...questions.map((row) => (row.id === 'done' ? { ...row, question: 'And now?' } : row))),
    );
    const { named: choice, paid, corrections } = await plan(folder, named());
    expect(choice).toMatchObject({
      chosen: [],
      leftOut: [{ text: expect.stringMatching(/^done \(corrected here/) }],
    });
    expect([paid.none, corrections.changes.size]).toEqual([0, 0]);
    await expect(plan(folder, named({ isTyped: true }))).rejects.toThrow('changed in the file since');
  });

  it('reaches a row that an interrupted retry left waiting, and not one sent after the mark', async () => {
    await using folder = await openBadRun();
    await save(folder, named());
    await liveOn(folder.checkpoint, 'done', events['retry-ordered']);
    const again = (text: string, attempt: number) =>
      named({ attempt, corrected: { question: text, answer: null } });
    const rows = [{ id: 'done', question: { from: 'What is 7?', to: 'What is 8?' } }];
    expect(await planned(folder, again('What is 8?', 1))).toEqual({ ...none, rows });
    expect(await planned(folder, again('What is 8?', 0))).toEqual(none);
  });

  it('reaches a row that was never sent: nothing is paid for now, and the corrected text is sent when it is', async () => {
    await using folder = await openBadRun();
    const row = named({ id: 'waiting', attempt: 0 });
    const { named: choice, attempts, paid, corrections } = await plan(folder, row);
    expect(choice).toMatchObject({ unsent: ['waiting'], leftOut: [], underWay: [] });
    expect([attempts.none, paid.none]).toEqual([0, 0]);
    expect(corrections.rows).toEqual([
      { id: 'waiting', question: { from: 'What is waiting?', to: 'What is 7?' } },
    ]);
    await save(folder, row);
    const { key } = await folder.item('waiting');
    expect((await folder.checkpoint.input(key)).correction).toMatchObject({
      question: 'What is 7?',
      since: 1,
    });
    // A row without one is no reason to continue.
    const { corrected: _, ...plain } = row;
    expect((await plan(folder, plain)).named?.leftOut).toMatchObject([{ text: 'waiting (pending)' }]);
  });

  it('takes a mark of the preferred attempt as one of the row, once', async () => {
    await using folder = await openBadRun();
    await liveOn(folder.checkpoint, 'done', events['retry-ordered'], ...completed('task-8'));
    const { key } = await folder.item('done');
    const row = named({ attempt: 1 });
    expect((await plan(folder, row)).named).toMatchObject({ chosen: [], triedSince: ['done'] });
    await folder.store.reviews.prefer(new Map([[key, 1]]));
    const first = await plan(folder, row);
    expect(first.named).toMatchObject({ chosen: [{ id: 'done' }], judged: [{ id: 'done' }], triedSince: [] });
    await withdrawPreferences(folder.store.reviews, first.named);
    await liveOn(folder.checkpoint, 'done', events['retry-ordered'], ...completed('task-9'));
    expect((await plan(folder, row)).named).toMatchObject({ chosen: [], triedSince: ['done'] });
  });

  it('says so where a corrected text is not taken: of a row under way, and of one that the choice leaves out', async () => {
    await using folder = await openBadRun();
    await liveOn(folder.checkpoint, 'waiting', ...accepted('task-9'));
    const rows = [named({ id: 'waiting' }), named({ id: 'done' })];
    const { named: choice } = await planRetry({ store: folder.store, options: {} }, rows, failed);
    expect(choice).toMatchObject({ uncorrected: ['waiting'], leftOut: [{ text: 'done (completed)' }] });
  });

  it('forgets it once the row has had another text', async () => {
    await using folder = await openBadRun();
    await save(folder, named());
    await forgetCorrections(folder.store);
    expect((await folder.store.reviews.corrections(null)).size).toBe(1);
    const edited = questions.map((row) => (row.id === 'done' ? { ...row, question: 'And now?' } : row));
    await folder.ingest(incomingRows(...edited));
    await forgetCorrections(folder.store);
    expect((await folder.store.reviews.corrections(null)).size).toBe(1);
    await liveOn(folder.checkpoint, 'done', events['retry-ordered']);
    await forgetCorrections(folder.store);
    expect((await folder.store.reviews.corrections(null)).size).toBe(0);
  });

  it('leaves a row that has its video as it is where its picture is gone, and says why', async () => {
    await using folder = await openBadRun();
    await folder.ingest(incomingRows(...questions, { id: 'pictured', question: 'What?', image: 'gone.png' }));
    await liveOn(folder.checkpoint, 'pictured', ...completed('task-7'));
    const images = imagesOf(folder.path);
    const planned = (isTyped: boolean) =>
      planRetry(
        { store: folder.store, options: {} },
        [{ id: 'pictured', isTyped, attempt: null }],
        noChoice,
        { images },
      );
    await expect(planned(true)).rejects.toThrow(
      /^row pictured cannot be sent: .*gone\.png.*; it stays as it is$/,
    );
    const { named: choice, attempts } = await planned(false);
    expect(choice).toMatchObject({
      chosen: [],
      leftOut: [{ text: expect.stringMatching(/^pictured \(.*gone\.png/) }],
    });
    expect(attempts).toMatchObject({ none: 0 });
  });

  it('leaves out a row whose marked attempt was never made', async () => {
    await using folder = await openBadRun();
    const { named: choice, attempts } = await plan(folder, named({ attempt: 3 }));
    expect(choice?.leftOut).toMatchObject([{ text: 'done (attempt 3 is marked, the last one is 1)' }]);
    expect(attempts).toMatchObject({ none: 0 });
  });

  it('leaves out rows about which reviewers contradict each other, and says so', async () => {
    await using folder = await openBadRun();
    const { named: choice, attempts } = await plan(folder, named({ dispute: 'anna: bad, ben: good' }));
    expect(choice?.disputed).toEqual(['done (anna: bad, ben: good)']);
    expect(attempts).toMatchObject({ none: 0 });
  });
});

describe('the rows of a retry', () => {
  const start = async (path: string, isAgreed: boolean) => {
    const invocation = readInvocation(
      { 'base-url': 'http://service.example' },
      { out: path, apiKey: 'key', dotEnv: false },
    );
    const askPlace = (_: Options) => async () => true;
    const session = async ({ store, submits }: RunSetup): Promise<readonly [boolean, number]> => [
      submits,
      (await store.checkpoint.ledger()).counts.pending,
    ];
    return retryRows({ invocation, choice: failed, agree: async () => isAgreed, askPlace, session });
  };
  const countsIn = async (path: string) => {
    await using store = await openFolder(path);
    return (await store.checkpoint.ledger()).counts;
  };

  it('are ordered once it is agreed, before the run continues', async () => {
    await using folder = await openBadRun();
    folder.db.close();
    expect(await start(folder.path, true)).toEqual([true, 3]);
    expect(await countsIn(folder.path)).toMatchObject({ pending: 3, failed: 0, completed: 1 });
  });

  it('stay as they are when it is not agreed', async () => {
    await using folder = await openBadRun();
    folder.db.close();
    expect(await start(folder.path, false)).toBeNull();
    expect(await countsIn(folder.path)).toMatchObject({ pending: 1, failed: 2, completed: 1 });
  });
});

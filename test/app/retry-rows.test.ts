import { describe, expect, it } from 'vitest';
import { forgetCorrections } from '../../src/app/corrected-rows.ts';
import type { NamedRow } from '../../src/app/only-file.ts';
import type { Options } from '../../src/app/options.ts';
import { openFolder } from '../../src/app/output-folder.ts';
import { saveCorrections } from '../../src/app/plan-corrections.ts';
import { planRetry, type RetryChoice, retryRows } from '../../src/app/retry-rows.ts';
import type { RunSetup } from '../../src/app/run-session.ts';
import { readInvocation } from '../../src/app/settings.ts';
import type { Item } from '../../src/core/item.ts';
import { events } from '../core/lives.ts';
import { type CheckpointFolder, openCheckpointFolder } from '../support/checkpoint-folder.ts';
import { incomingRows } from '../support/incoming-rows.ts';
import { accepted, completed, liveOn } from '../support/saved-lives.ts';

const failed: RetryChoice = { statuses: ['failed'], failure: null, withGone: false };
const any: RetryChoice = { statuses: [], failure: null, withGone: false };
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
  it('of a status takes its rows, and those that wait go with them', async () => {
    await using folder = await openBadRun();
    expect(await planOf(folder, failed)).toMatchObject({
      ...{ rows: ['failed', 'late'], attempts: { none: 2 }, waiting: { none: 1 }, named: null },
      ...{ completed: [], edits: { changed: 0, unsendable: 0 } },
    });
  });

  it('of a failure takes the rows that have it', async () => {
    await using folder = await openBadRun();
    expect((await planOf(folder, { ...failed, failure: 'late' })).rows).toEqual(['late']);
  });

  it('of named rows takes these alone, and says which of them have their video', async () => {
    await using folder = await openBadRun();
    const { rows, waiting, completed, options } = await planOf(folder, any, ['done', 'late']);
    expect([...rows].sort()).toEqual(['done', 'late']);
    expect(waiting.none).toBe(0);
    expect(completed.map(({ id }) => id)).toEqual(['done']);
    expect([...(options.only ?? [])].sort()).toEqual(['done', 'late']);
  });

  it('takes rows as they are in the file now, and leaves alone what cannot be sent', async () => {
    await using folder = await openBadRun();
    const [first, second, ...others] = questions;
    const edited = [{ ...first, question: 'And now?', quality: 'h' }, { ...second, question: '' }, ...others];
    await folder.ingest(incomingRows(...edited));
    expect(await planOf(folder, failed)).toMatchObject({
      ...{ rows: ['failed: h'], attempts: { h: 1, none: 0 }, edits: { changed: 1, unsendable: 1 } },
    });
  });
});

describe('a retry with corrected texts', () => {
  const question = 'What is done?';
  const named = (part: Partial<NamedRow> = {}): NamedRow => ({
    ...{ id: 'done', isTyped: false, attempt: null, corrected: { question: 'What is 7?', answer: null } },
    ...part,
  });
  const plan = ({ store }: CheckpointFolder, ...rows: readonly NamedRow[]) =>
    planRetry({ store, options: {} }, rows, any);
  const planned = async (folder: CheckpointFolder, ...rows: readonly NamedRow[]) => {
    const { rows: changed, kept, dropped } = (await plan(folder, ...rows)).corrections;
    return { rows: changed, kept, dropped };
  };
  const save = async (folder: CheckpointFolder, ...rows: readonly NamedRow[]) =>
    saveCorrections(folder.store.reviews, (await plan(folder, ...rows)).corrections);
  const none = { rows: [], kept: 0, dropped: [] };
  const changed = { id: 'done', question: { from: question, to: 'What is 7?' } };

  it('shows the old and the new text, and saves the new one with the row', async () => {
    await using folder = await openBadRun();
    expect(await planned(folder, named())).toEqual({ ...none, rows: [changed] });
    await save(folder, named());
    const { key } = await folder.item('done');
    expect((await folder.checkpoint.input(key)).correction).toEqual({
      ...{ question: 'What is 7?', answer: null, ofQuestion: question, ofAnswer: '', since: 2 },
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
      ...{ question: 'What is 7?', answer: '7' },
    });
  });

  it('drops it where the file has another text since', async () => {
    await using folder = await openBadRun();
    await save(folder, named());
    await folder.ingest(
      incomingRows(...questions.map((row) => (row.id === 'done' ? { ...row, question: 'And now?' } : row))),
    );
    expect(await planned(folder, named())).toEqual({ ...none, dropped: ['done'] });
    await save(folder, named());
    const { key } = await folder.item('done');
    expect((await folder.checkpoint.input(key)).correction).toBeNull();
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

  it('leaves out a row whose marked attempt was never made', async () => {
    await using folder = await openBadRun();
    const { named: choice, attempts } = await plan(folder, named({ attempt: 3 }));
    expect(choice?.leftOut).toEqual(['done (attempt 3 is marked, the last one is 1)']);
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

  it('are ordered once it is agreed, before the run goes on', async () => {
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

/** What a run makes of rows that another process changes under it: a second worker, or a user with a command. */

import { expect, it } from 'vitest';
import { StaleItemError } from '../../src/errors.ts';
import type { FileAnswer } from '../../src/ports.ts';
import { ending, eventOf, events } from '../money/lives.ts';
import { namedRows } from '../support/incoming-rows.ts';
import { accepted, completed, liveOn } from '../support/saved-lives.ts';
import { done, failed, makingMs, mp4, notFound } from '../support/scripted-tasks.ts';
import { openTrial, type Trial } from '../support/virtual-run.ts';

const tickMs = 30_000;

/** The first row waits for a new attempt; the task of its earlier one, `superseded`, is lost. */
async function leaveAttempt({ tasks, checkpoint }: Trial): Promise<void> {
  const task = { question: 'Question 1', madeMs: 0, ageMs: 0, queriedMs: [] };
  tasks.tasks.set('superseded', { taskId: 'superseded', ...task });
  await liveOn(checkpoint, 'q1', ...accepted('superseded'), events['task-overdue'], events['retry-ordered']);
}

it('an event is decided again on the row as another process left it', async () => {
  await using trial = await openTrial(namedRows(1));
  const ending = trial.run();
  await trial.clock.reach(1_000);
  await liveOn(trial.checkpoint, 'q1', events['task-overdue']);
  expect(await ending).toMatchObject({ reason: 'done' });
  expect(await trial.item('q1')).toMatchObject({ status: 'completed', points: 10, attempt: 1 });
});

it('an event that is of no use any more is dropped, and the run continues with the others', async () => {
  await using trial = await openTrial(namedRows(2));
  const ending = trial.run();
  await trial.clock.reach(1_000);
  await liveOn(trial.checkpoint, 'q1', eventOf('task-failed', { failure: 'no' }), events['retry-ordered']);
  expect(await ending).toMatchObject({ reason: 'done' });
  expect(await trial.item('q2')).toMatchObject({ status: 'completed' });
  expect(trial.tasks.sentMs('Question 1')).toHaveLength(2);
});

it('a row that another process claims first is not sent by this one', async () => {
  await using trial = await openTrial(namedRows(2));
  const runner = trial.createRunner({ concurrency: 1 });
  // Between the choice of a row and its claim.
  trial.checkpoint.beforeCommit = async (changes) => {
    if (!changes.some(({ after }) => after.id === 'q1' && after.status === 'submitting')) return;
    trial.checkpoint.beforeCommit = async () => {};
    await liveOn(trial.checkpoint, 'q1', ...completed('task of another process'));
  };
  expect(await runner.run()).toMatchObject({ reason: 'done' });
  expect(trial.tasks.sentMs('Question 1')).toEqual([]);
  expect(await trial.item('q1')).toMatchObject({
    status: 'completed',
    taskId: 'task of another process',
  });
  expect(await trial.item('q2')).toMatchObject({ status: 'completed' });
});

it('a row that gets another text while its request is prepared is sent with that text alone', async () => {
  await using trial = await openTrial(namedRows(1));
  // Between the choice of a row and its claim.
  trial.checkpoint.beforeCommit = async (changes) => {
    if (!changes.some(({ after }) => after.status === 'submitting')) return;
    trial.checkpoint.beforeCommit = async () => {};
    await trial.ingest({ id: 'q1', question: 'Question 1 in other words' });
  };
  expect(await trial.run()).toMatchObject({ reason: 'done' });
  expect(trial.tasks.creations.map(({ question }) => question)).toEqual(['Question 1 in other words']);
  expect(await trial.item('q1')).toMatchObject({ status: 'completed', attempt: 1 });
});

it('the answer to a creation settles a row that was called uncertain meanwhile', async () => {
  await using trial = await openTrial(namedRows(1), { createMs: () => 2_000 });
  const ending = trial.run();
  await trial.clock.reach(1_000);
  await liveOn(trial.checkpoint, 'q1', eventOf('creation-uncertain', { failure: 'taken over' }));
  expect(await ending).toMatchObject({ reason: 'done' });
  expect(await trial.item('q1')).toMatchObject({ status: 'completed', attempt: 1, points: 10 });
  expect(trial.tasks.sentMs('Question 1')).toHaveLength(1);
});

it('the answer to an attempt that its row has left goes to that attempt, with what it cost', async () => {
  await using trial = await openTrial(namedRows(1), { createMs: () => 2_000 });
  const ending = trial.run();
  await trial.clock.reach(1_000);
  const { token } = await trial.item('q1');
  await liveOn(
    trial.checkpoint,
    'q1',
    eventOf('creation-uncertain', { failure: 'taken over' }),
    events['not-created'],
    ...completed('task of another process'),
  );
  expect(await ending).toMatchObject({ reason: 'done' });
  const task = [...trial.tasks.tasks.keys()][0] ?? '';
  expect(await trial.item('q1')).toMatchObject({ status: 'completed', taskId: 'task of another process' });
  const [row] = await Array.fromAsync(trial.checkpoint.reportRows());
  expect(row?.attempts[0]).toMatchObject({ attempt: 1, taskId: task, status: 'open', points: null });
  // Whatever it may cost stays reserved until it is known.
  expect((await trial.checkpoint.ledger()).reserving.size).toBe(1);
  await trial.clock.reach(makingMs + 10 * tickMs);
  expect(await trial.run({ submits: false })).toMatchObject({ reason: 'collected' });
  const [again] = await Array.fromAsync(trial.checkpoint.reportRows());
  expect(again?.attempts[0]).toMatchObject({ attempt: 1, taskId: task, status: 'completed', points: 10 });
  expect(await trial.checkpoint.ledger()).toMatchObject({ spent: 20, reserving: new Map() });
  expect(token).not.toBeNull();
});

it('an attempt that its row has left, and whose task names no points, is counted as such at once', async () => {
  const unpriced = { ...ending, points: null };
  await using trial = await openTrial(namedRows(1), {
    status: (task) => ({
      ...done(task),
      type: 'task-completed',
      ending: unpriced,
      videoUrl: null,
      frames: [],
    }),
  });
  await leaveAttempt(trial);
  const runner = trial.createRunner({ submits: false });
  expect(await runner.run()).toMatchObject({ reason: 'collected' });
  const { reserving, longestTaskMs } = await trial.checkpoint.ledger();
  expect(runner.ledger).toMatchObject({ unpriced: 1, reserving, longestTaskMs });
});

it('a count that fails ends the run only when the creation on its way is answered, and its task is saved', async () => {
  await using trial = await openTrial(namedRows(1), {
    createMs: () => 60_000,
    status: (each) => (each.taskId === 'superseded' ? done(each) : undefined),
  });
  await leaveAttempt(trial);
  const ledger = trial.checkpoint.ledger.bind(trial.checkpoint);
  let counts = 0;
  trial.checkpoint.ledger = async () => {
    counts += 1;
    if (counts > 1) throw new Error('disk I/O error');
    return ledger();
  };
  await expect(trial.run()).rejects.toThrow('disk I/O error');
  expect(await trial.item('q1')).toMatchObject({ status: 'open', attempt: 2 });
});

it('points of an earlier attempt that come while a commit is on its way count once, and so does the commit', async () => {
  await using trial = await openTrial(namedRows(1), {
    status: (each) => (each.taskId === 'superseded' ? done(each) : undefined),
  });
  await leaveAttempt(trial);
  const { save } = trial.checkpoint;
  trial.checkpoint.save = async (changes, extras) => {
    const end = await save(changes, extras);
    await trial.clock.wait(2_000);
    return end;
  };
  const runner = trial.createRunner();
  expect(await runner.run()).toMatchObject({ reason: 'done' });
  const { counts, spent } = await trial.checkpoint.ledger();
  expect(runner.ledger).toMatchObject({ counts, spent });
  expect(counts).toMatchObject({ completed: 1, submitting: 0, pending: 0 });
});

it('a task that another row has by then is not given to a second one', async () => {
  await using trial = await openTrial(namedRows(2), { createMs: () => 2_000 });
  const runner = trial.createRunner({ concurrency: 1, limit: 1 });
  // Between the look for the task's row and the commit.
  trial.checkpoint.beforeCommit = async (changes) => {
    const taken = changes.find(({ after }) => after.id === 'q1' && after.taskId !== null)?.after.taskId;
    if (taken == null) return;
    trial.checkpoint.beforeCommit = async () => {};
    await liveOn(trial.checkpoint, 'q2', ...accepted(taken));
  };
  await runner.run();
  expect(await trial.item('q1')).toMatchObject({ status: 'uncertain', taskId: null });
});

it('a store that refuses every change ends the run', async () => {
  await using trial = await openTrial(namedRows(1));
  trial.checkpoint.failure = new StaleItemError([await trial.item('q1')]);
  await expect(trial.run()).rejects.toThrow('row q1 was changed by another batch process');
});

/** Another process ends the row's task and pays for the next attempt, whose task is `task-2`. */
async function payAgain(trial: Trial): Promise<void> {
  await liveOn(trial.checkpoint, 'q1', eventOf('task-failed', { failure: 'no' }), events['retry-ordered']);
  trial.tasks.make('Question 1');
  await liveOn(trial.checkpoint, 'q1', ...accepted('task-2'));
}

it.for([
  ['failed', failed(3)],
  ['completed', { ...done({ taskId: 'task-1' }), ending: { ...ending, points: 3 } }],
  ['not known', notFound],
] as const)('a task that is %s says nothing of the next one of its row', async ([, fact]) => {
  await using trial = await openTrial(namedRows(1), {
    status: ({ taskId, ageMs }) => (taskId === 'task-1' && ageMs > tickMs ? fact : undefined),
    // The second status request of the first task is still on its way when its row has another one.
    statusMs: ({ taskId, queriedMs }) => (taskId === 'task-1' && queriedMs.length > 1 ? 2 * tickMs : 100),
  });
  const run = trial.run();
  await trial.clock.reach(tickMs + 10_000);
  await payAgain(trial);
  expect(await run).toMatchObject({ reason: 'done' });
  expect(await trial.item('q1')).toMatchObject({ status: 'completed', taskId: 'task-2', points: 10 });
  const paths = trial.tasks.fileRequests.map(({ link }) => link);
  expect(paths).toEqual(['task-2/video']);
  const [row] = await Array.fromAsync(trial.checkpoint.reportRows());
  expect(row?.attempts[0]).toMatchObject({ taskId: 'task-1', points: fact === notFound ? 0 : 3 });
});

it('under a points cap a late answer says no price of an attempt that its row has left', async () => {
  const said = (points: number) => ({ ...done({ taskId: 'task-1' }), ending: { ...ending, points } });
  await using trial = await openTrial(namedRows(1), {
    status: ({ taskId, ageMs }) =>
      taskId === 'task-1' && ageMs > tickMs ? said(ageMs > 5 * tickMs ? 10 : 2) : undefined,
    statusMs: ({ taskId, queriedMs }) => (taskId === 'task-1' && queriedMs.length > 1 ? 2 * tickMs : 100),
  });
  const run = trial.run({ maxPoints: 50 });
  await trial.clock.reach(tickMs + 10_000);
  await payAgain(trial);
  await run;
  const [row] = await Array.fromAsync(trial.checkpoint.reportRows());
  expect(row?.attempts.map(({ points }) => points)).toEqual([0, 10]);
});

it('the video of a task is not that of the next attempt of its row', async () => {
  await using trial = await openTrial(namedRows(1), {
    status: (task) => done(task),
    file: ({ link }) => (link === 'task-1/video' ? slowFile(trial) : undefined),
  });
  const run = trial.run();
  await trial.clock.reach(10_000);
  await payAgain(trial);
  await liveOn(trial.checkpoint, 'q1', eventOf('task-completed', { frames: [] }));
  expect(await run).toMatchObject({ reason: 'done' });
  expect(await trial.item('q1')).toMatchObject({ status: 'completed', taskId: 'task-2', points: 10 });
  expect(trial.tasks.fileRequests.map(({ link }) => link)).toEqual(['task-1/video', 'task-2/video']);
});

/** A file whose first byte takes a while. */
function slowFile({ clock }: Trial): FileAnswer {
  const body = (async function* () {
    await clock.wait(20_000);
    yield mp4;
  })();
  return { outcome: 'content', offset: 0, totalBytes: mp4.length, validator: null, contentType: null, body };
}

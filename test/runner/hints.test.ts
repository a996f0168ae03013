import { describe, expect, it } from 'vitest';
import { namedRows } from '../support/incoming-rows.ts';
import {
  acceptedButLost,
  forQuestions,
  inProgress,
  keyRefused,
  makingMs,
  notFound,
  type Script,
  unanswered,
} from '../support/scripted-tasks.ts';
import { openTrial, type Trial } from '../support/virtual-run.ts';

/** The key of a row, which its callback address stands for. */
async function keyOf(trial: Trial, id: string): Promise<number> {
  return (await trial.item(id)).key;
}

/** A run of two rows whose first is uncertain at one second; its task is `task-1`. */
async function openUncertain(script: Script = {}) {
  const trial = await openTrial(namedRows(2), { ...forQuestions([1], acceptedButLost), ...script });
  const runner = trial.createRunner();
  const ending = runner.run();
  await trial.clock.reach(1_000);
  return Object.assign(trial, { runner, ending });
}

describe('a hint about an uncertain row', () => {
  it('settles it when the service knows the task: the video comes, and nothing is paid again', async () => {
    await using trial = await openUncertain();
    await trial.runner.hint(await keyOf(trial, 'q1'), 'task-1');
    await trial.ending;
    expect(await trial.item('q1')).toMatchObject({
      status: 'completed',
      taskId: 'task-1',
      attempt: 1,
      points: 10,
    });
    expect(trial.tasks.creations).toHaveLength(2);
  });

  it.for([
    ['does not know the task', notFound],
    ['does not answer', unanswered],
    ['refuses the key', keyRefused],
  ] as const)('changes nothing when the service %s', async ([, answer]) => {
    await using trial = await openUncertain({
      status: (task) => (task.taskId === 'task-1' ? answer : undefined),
    });
    await trial.runner.hint(await keyOf(trial, 'q1'), 'task-1');
    await trial.ending;
    expect(await trial.statuses()).toEqual(['uncertain', 'completed']);
  });

  it('changes nothing when it names no task, and asks nobody', async () => {
    await using trial = await openUncertain();
    await trial.runner.hint(await keyOf(trial, 'q1'), null);
    await trial.ending;
    expect(await trial.statuses()).toEqual(['uncertain', 'completed']);
    expect(trial.tasks.tasks.get('task-1')?.queriedMs).toEqual([]);
  });

  it('changes nothing when it names the task of another row', async () => {
    await using trial = await openUncertain();
    await trial.runner.hint(await keyOf(trial, 'q1'), 'task-2');
    await trial.ending;
    expect(await trial.statuses()).toEqual(['uncertain', 'completed']);
  });

  it('that comes twice at once settles it once', async () => {
    await using trial = await openUncertain();
    const key = await keyOf(trial, 'q1');
    await Promise.all([trial.runner.hint(key, 'task-1'), trial.runner.hint(key, 'task-1')]);
    expect(await trial.ending).toEqual({ reason: 'done', failure: null });
    expect(await trial.statuses()).toEqual(['completed', 'completed']);
  });

  it('gives the task to one row only, when two are hinted at with the same', async () => {
    await using trial = await openTrial(namedRows(3), forQuestions([1, 2], acceptedButLost));
    const runner = trial.createRunner();
    const ending = runner.run();
    await trial.clock.reach(1_000);
    const keys = [await keyOf(trial, 'q1'), await keyOf(trial, 'q2')];
    await Promise.all(keys.map((key) => runner.hint(key, 'task-1')));
    expect((await ending).reason).toBe('done');
    expect((await trial.statuses()).sort()).toEqual(['completed', 'completed', 'uncertain']);
  });

  it('frees the slot of that row and of no other', async () => {
    await using trial = await openTrial(namedRows(5), forQuestions([1, 2], acceptedButLost));
    const runner = trial.createRunner({ concurrency: 3 });
    const ending = runner.run();
    await trial.clock.reach(1_000);
    await runner.hint(await keyOf(trial, 'q1'), 'task-1');
    await ending;
    const [fourth] = trial.tasks.tasksOf('Question 4');
    expect(fourth?.madeMs).toBeGreaterThanOrEqual(makingMs);
    expect((await trial.checkpoint.ledger()).counts).toMatchObject({ completed: 4, uncertain: 1 });
  });

  it('is not heard any more when the run is stopping', async () => {
    await using trial = await openUncertain();
    trial.runner.stop('interrupted');
    await trial.runner.hint(await keyOf(trial, 'q1'), 'task-1');
    await trial.ending;
    expect(await trial.statuses()).toEqual(['uncertain', 'open']);
  });
});

describe('a hint about an open row', () => {
  it('makes the service be asked now, and not only at the next tick', async () => {
    await using trial = await openTrial(namedRows(1));
    const runner = trial.createRunner();
    const ending = runner.run();
    await trial.clock.reach(makingMs + 5_000);
    await runner.hint(await keyOf(trial, 'q1'), null);
    await ending;
    expect(trial.tasks.tasksOf('Question 1')[0]?.queriedMs.at(-1)).toBe(makingMs + 5_000);
    expect(await trial.statuses()).toEqual(['completed']);
  });

  it('is harmless however often it comes', async () => {
    await using trial = await openTrial(namedRows(1), {
      status: (task) => (task.ageMs < 20_000 ? inProgress() : undefined),
    });
    const runner = trial.createRunner();
    const ending = runner.run();
    await trial.clock.reach(10_000);
    const key = await keyOf(trial, 'q1');
    for (let time = 1; time <= 50; time++) await runner.hint(key, 'task-99');
    await ending;
    const [task] = trial.tasks.tasksOf('Question 1');
    expect(task?.queriedMs.filter((at) => at === 10_000)).toEqual([10_000]);
    expect(await trial.item('q1')).toMatchObject({ status: 'completed', taskId: 'task-1' });
  });

  it('that no row has changes nothing', async () => {
    await using trial = await openTrial(namedRows(1));
    const runner = trial.createRunner();
    const ending = runner.run();
    await trial.clock.reach(10_000);
    await runner.hint(999, 'task-1');
    await ending;
    expect(await trial.statuses()).toEqual(['completed']);
  });
});

import { describe, expect, it } from 'vitest';
import { fixed } from '../../../src/money/policy.ts';
import { events } from '../../money/lives.ts';
import { namedRows } from '../../support/incoming-rows.ts';
import { liveOn } from '../../support/saved-lives.ts';
import {
  acceptedButLost,
  done,
  forQuestions,
  inProgress,
  keyRefused,
  makingMs,
  notFound,
  type Script,
  unanswered,
} from '../../support/scripted-tasks.ts';
import { openTrial, type Trial } from '../../support/virtual-run.ts';

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

describe('a callback about an uncertain row', () => {
  it('settles it when the service knows the task: the video comes, and nothing is paid again', async () => {
    await using trial = await openUncertain();
    await trial.runner.noteCallback(await keyOf(trial, 'q1'), 'task-1');
    await trial.ending;
    expect(await trial.item('q1')).toMatchObject({
      status: 'completed',
      taskId: 'task-1',
      attempt: 1,
      points: 10,
    });
    expect(trial.tasks.creations).toHaveLength(2);
  });

  it('that came before the creation ended is lost where the checkpoint cannot be read then, and the run goes on', async () => {
    await using trial = await openTrial(namedRows(2), forQuestions([1], acceptedButLost));
    const runner = trial.createRunner();
    const ending = runner.run();
    await trial.clock.reach(100);
    const key = await keyOf(trial, 'q1');
    expect((await trial.item('q1')).status).toBe('submitting');
    await runner.noteCallback(key, 'task-1');
    trial.checkpoint.itemWithKey = async () => {
      throw new Error('SQLITE_IOERR');
    };
    expect(await ending).toEqual({ reason: 'done', failure: null });
    expect(await trial.statuses()).toEqual(['uncertain', 'completed']);
  });

  it.for([
    ['does not know the task', notFound],
    ['does not answer', unanswered],
    ['refuses the key', keyRefused],
  ] as const)('changes nothing when the service %s', async ([, answer]) => {
    await using trial = await openUncertain({
      status: (task) => (task.taskId === 'task-1' ? answer : undefined),
    });
    await trial.runner.noteCallback(await keyOf(trial, 'q1'), 'task-1');
    await trial.ending;
    expect(await trial.statuses()).toEqual(['uncertain', 'completed']);
  });

  it('changes nothing when it names no task, and asks nobody', async () => {
    await using trial = await openUncertain();
    await trial.runner.noteCallback(await keyOf(trial, 'q1'), null);
    await trial.ending;
    expect(await trial.statuses()).toEqual(['uncertain', 'completed']);
    expect(trial.tasks.tasks.get('task-1')?.queriedMs).toEqual([]);
  });

  it('changes nothing when it names the task of another row', async () => {
    await using trial = await openUncertain();
    await trial.runner.noteCallback(await keyOf(trial, 'q1'), 'task-2');
    await trial.ending;
    expect(await trial.statuses()).toEqual(['uncertain', 'completed']);
  });

  it('changes nothing when it repeats the task of an earlier attempt of the row: the last one may have made another', async () => {
    let sent = 0;
    await using trial = await openTrial(namedRows(1), {
      create: (creation) => (++sent === 1 ? undefined : acceptedButLost(creation)),
    });
    await trial.run();
    await liveOn(trial.checkpoint, 'q1', events['retry-ordered']);
    const runner = trial.createRunner({ listens: true });
    const ending = runner.run();
    await trial.clock.wait(1_000);
    expect((await trial.item('q1')).status).toBe('uncertain');
    await runner.noteCallback(await keyOf(trial, 'q1'), 'task-1');
    await ending;
    expect(await trial.item('q1')).toMatchObject({ status: 'uncertain', attempt: 2, taskId: null });
  });

  it('that comes twice at once settles it once', async () => {
    await using trial = await openUncertain();
    const key = await keyOf(trial, 'q1');
    await Promise.all([trial.runner.noteCallback(key, 'task-1'), trial.runner.noteCallback(key, 'task-1')]);
    expect(await trial.ending).toEqual({ reason: 'done', failure: null });
    expect(await trial.statuses()).toEqual(['completed', 'completed']);
  });

  it('gives the task to one row only, when two are named with the same', async () => {
    await using trial = await openTrial(namedRows(3), forQuestions([1, 2], acceptedButLost));
    const runner = trial.createRunner();
    const ending = runner.run();
    await trial.clock.reach(1_000);
    const keys = [await keyOf(trial, 'q1'), await keyOf(trial, 'q2')];
    await Promise.all(keys.map((key) => runner.noteCallback(key, 'task-1')));
    expect((await ending).reason).toBe('done');
    expect((await trial.statuses()).sort()).toEqual(['completed', 'completed', 'uncertain']);
  });

  it('frees the slot of that row and of no other', async () => {
    await using trial = await openTrial(namedRows(5), forQuestions([1, 2], acceptedButLost));
    const runner = trial.createRunner({ concurrency: 3 });
    const ending = runner.run();
    await trial.clock.reach(1_000);
    await runner.noteCallback(await keyOf(trial, 'q1'), 'task-1');
    await ending;
    const [fourth] = trial.tasks.tasksOf('Question 4');
    expect(fourth?.madeMs).toBeGreaterThanOrEqual(makingMs);
    expect((await trial.checkpoint.ledger()).counts).toMatchObject({ completed: 4, uncertain: 1 });
  });

  it('is ignored when the run is stopping', async () => {
    await using trial = await openUncertain();
    trial.runner.stop('interrupted');
    await trial.runner.noteCallback(await keyOf(trial, 'q1'), 'task-1');
    await trial.ending;
    expect(await trial.statuses()).toEqual(['uncertain', 'open']);
  });
});

describe('a task that is named for a row', () => {
  it('whose creation is unanswered settles the row if no answer comes', async () => {
    await using trial = await openTrial(namedRows(1), forQuestions([1], acceptedButLost));
    const runner = trial.createRunner({ listens: true });
    const ending = runner.run();
    await trial.clock.reach(100);
    expect((await trial.item('q1')).status).toBe('submitting');
    await runner.noteCallback(await keyOf(trial, 'q1'), 'task-1');
    await runner.noteCallback(await keyOf(trial, 'q1'), null);
    await trial.clock.reach(10_000);
    expect(await trial.item('q1')).toMatchObject({ status: 'open', taskId: 'task-1' });
    expect((await ending).reason).toBe('done');
    expect(trial.tasks.creations).toHaveLength(1);
  });

  it('whose creation is unanswered means nothing once the answer is there', async () => {
    await using trial = await openTrial(namedRows(1));
    const runner = trial.createRunner();
    const ending = runner.run();
    await trial.clock.reach(100);
    await runner.noteCallback(await keyOf(trial, 'q1'), 'task-99');
    await ending;
    expect(await trial.item('q1')).toMatchObject({ status: 'completed', taskId: 'task-1' });
  });

  it('is not taken while a creation is on its way that may have made it', async () => {
    await using trial = await openTrial(namedRows(2), forQuestions([1], acceptedButLost));
    const runner = trial.createRunner();
    const ending = runner.run();
    await trial.clock.reach(300);
    expect(await trial.statuses()).toEqual(['uncertain', 'submitting']);
    // A stranger who knows the first row's address names the task that the second one is about to get.
    trial.tasks.follow({
      create: (creation) => ({ type: 'creation-accepted', taskId: creation.make() }),
    });
    await runner.noteCallback(await keyOf(trial, 'q1'), 'task-2');
    await ending;
    expect(await trial.item('q2')).toMatchObject({ status: 'completed', taskId: 'task-2' });
    expect((await trial.item('q1')).status).toBe('uncertain');
  });

  it('is not taken where the service, whose times are right, says that it was made at another time', async () => {
    const start = new Date(Date.UTC(2026, 2, 1, 8)).toISOString();
    const script: Script = {
      status: (task) => {
        const whole = done(task);
        if (whole.type !== 'task-completed') return undefined;
        const isMine = task.taskId !== 'task-1';
        if (isMine && task.ageMs < makingMs) return inProgress();
        const createdAt = isMine ? start : '2019-01-01T00:00:00Z';
        return { ...whole, ending: { ...whole.ending, createdAt } };
      },
    };
    await using trial = await openTrial(namedRows(3), { ...forQuestions([1], acceptedButLost), ...script });
    const runner = trial.createRunner({ concurrency: 2, listens: true });
    const ending = runner.run();
    await trial.clock.reach(makingMs + 60_000);
    expect((await trial.item('q2')).status).toBe('completed');
    await runner.noteCallback(await keyOf(trial, 'q1'), 'task-1');
    await ending;
    expect(await trial.statuses()).toEqual(['uncertain', 'completed', 'completed']);
  });
});

describe('a run that listens for callbacks', () => {
  it('waits for them as long as an uncertain row may be a task, says so once, and adopts what comes', async () => {
    await using trial = await openTrial(namedRows(1), forQuestions([1], acceptedButLost));
    const runner = trial.createRunner({ listens: true, concurrency: 5 });
    const ending = runner.run();
    await trial.clock.reach(60_000);
    expect(runner.obstacle).toMatchObject({ why: 'callbacks' });
    await runner.noteCallback(await keyOf(trial, 'q1'), 'task-1');
    expect((await ending).reason).toBe('done');
    expect(await trial.statuses()).toEqual(['completed']);
    expect(trial.notes.filter((note) => note.includes('callbacks'))).toHaveLength(1);
  });

  it('ends when none comes, and at once when it is stopped', async () => {
    await using trial = await openTrial(namedRows(1), forQuestions([1], acceptedButLost));
    expect((await trial.run({ listens: true, concurrency: 5 })).reason).toBe('done');
    expect(trial.clock.elapsedMs).toBeGreaterThanOrEqual(fixed.uncertainHoldMs);
    expect(trial.clock.elapsedMs).toBeLessThan(fixed.uncertainHoldMs + 60_000);

    await using other = await openTrial(namedRows(1), forQuestions([1], acceptedButLost));
    const runner = other.createRunner({ listens: true, concurrency: 5 });
    const ending = runner.run();
    await other.clock.reach(60_000);
    runner.stop('interrupted');
    expect((await ending).reason).toBe('interrupted');
    expect(other.clock.elapsedMs).toBe(60_000);
  });
});

describe('a callback about an open row', () => {
  it('makes the service be asked now, and not only at the next tick', async () => {
    await using trial = await openTrial(namedRows(1));
    const runner = trial.createRunner();
    const ending = runner.run();
    await trial.clock.reach(makingMs + 5_000);
    await runner.noteCallback(await keyOf(trial, 'q1'), null);
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
    for (let time = 1; time <= 50; time++) await runner.noteCallback(key, 'task-99');
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
    await runner.noteCallback(999, 'task-1');
    await ending;
    expect(await trial.statuses()).toEqual(['completed']);
  });
});

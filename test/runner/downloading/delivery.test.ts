import { describe, expect, it } from 'vitest';
import { DiskError, FileRemovedError } from '../../../src/errors.ts';
import type { SavedFile } from '../../../src/money/item.ts';
import type { FileAnswer } from '../../../src/ports.ts';
import { ending } from '../../money/lives.ts';
import { namedRows } from '../../support/incoming-rows.ts';
import {
  content,
  done,
  inProgress,
  makingMs,
  mp4,
  type Script,
  type ScriptedTasks,
  type StatusFact,
  type Task,
  unanswered,
} from '../../support/scripted-tasks.ts';
import { openTrial } from '../../support/virtual-run.ts';

const linkRefused: FileAnswer = { outcome: 'link-refused', failure: 'HTTP 403' };
const cut: FileAnswer = { outcome: 'unanswered', failure: 'HTTP 503' };

/** How often each file was asked for, by what follows the host in its link. */
function askedFor({ fileRequests }: ScriptedTasks): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { link } of fileRequests) counts[link] = (counts[link] ?? 0) + 1;
  return counts;
}

describe('a video', () => {
  it('whose link is refused is fetched with a new one, asked for at once', async () => {
    let requestCount = 0;
    await using trial = await openTrial(namedRows(1), {
      file: () => (++requestCount === 1 ? linkRefused : undefined),
    });
    await trial.run();
    expect(await trial.statuses()).toEqual(['completed']);
    const [task] = trial.tasks.tasksOf('Question 1');
    expect(task?.queriedMs.slice(-2)).toEqual([330_000, 330_400]);
  });

  it('whose links are all refused is given up for this run, charged, and tried again in the next', async () => {
    await using trial = await openTrial(namedRows(1), { file: () => linkRefused });
    await trial.run();
    expect(await trial.item('q1')).toMatchObject({ status: 'undelivered', points: 10, failure: 'HTTP 403' });
    expect(askedFor(trial.tasks)).toEqual({ 'task-1/video': 12 });
    trial.tasks.follow({});
    await trial.run();
    expect(await trial.item('q1')).toMatchObject({ status: 'completed', points: 10, failure: null });
    expect(trial.tasks.creations).toHaveLength(1);
  });

  it('that does not come after several tries is asked for later, and occupies no place meanwhile', async () => {
    await using trial = await openTrial(namedRows(12), {
      // More rows than there are places, and a host that fails for all of them but the last two.
      file: ({ link }) => (/-(11|12)\//.test(link) ? undefined : cut),
    });
    const ending = trial.run({ concurrency: 12 });
    await trial.clock.reach(600_000);
    const statuses = await trial.statuses();
    expect(statuses.slice(-2)).toEqual(['completed', 'completed']);
    expect(new Set(statuses.slice(0, -2))).toEqual(new Set(['downloading']));
    await ending;
    expect(await trial.item('q1')).toMatchObject({
      status: 'undelivered',
      failure: 'HTTP 503 (given up after 5 tries)',
    });
    expect((await trial.checkpoint.ledger()).spent).toBe(120);
  });

  /** A service that lags: from its completion on it says this until so long (ms) has passed. */
  const lagging = (lagMs: number, meanwhile: (task: Task) => StatusFact): Script => ({
    status: (task) => {
      if (task.ageMs < makingMs) return inProgress();
      return task.ageMs < makingMs + lagMs ? meanwhile(task) : done(task);
    },
  });
  const withoutLink: StatusFact = { type: 'task-completed', ending, videoUrl: null, frames: [] };

  it.for([
    ['comes three seconds late', lagging(63_000, () => withoutLink)],
    ['comes nine minutes late', lagging(9 * 60_000, () => withoutLink)],
    [
      'is announced by a text, taken back, and named after all',
      lagging(8 * 60_000, ({ ageMs }) =>
        ageMs < makingMs + 240_000 ? { ...withoutLink, text: 'one moment' } : inProgress(),
      ),
    ],
  ] as const)('whose link %s is delivered', async ([, script]) => {
    await using trial = await openTrial(namedRows(1), script);
    await trial.run();
    expect(await trial.statuses()).toEqual(['completed']);
    expect((await trial.checkpoint.ledger()).spent).toBe(10);
  });

  it.for([3_000, 9 * 60_000])('whose host lags %i ms behind the service is delivered', async (lagMs) => {
    await using trial = await openTrial(namedRows(1), {
      file: ({ sentMs }) => (sentMs < 330_000 + lagMs ? linkRefused : undefined),
    });
    await trial.run();
    expect(await trial.statuses()).toEqual(['completed']);
    expect(askedFor(trial.tasks)['task-1/video']).toBeLessThan(13);
  });

  it('of which the first link cannot be had is fetched by another one', async () => {
    await using trial = await openTrial(namedRows(1), {
      status: (task) => ({
        ...withoutLink,
        videoUrl: `https://files.example/${task.taskId}/gone`,
        spareUrls: [1, 2].map((n) => `https://files.example/${task.taskId}/spare${n}`),
      }),
      file: ({ link }) => (link.endsWith('spare2') ? undefined : linkRefused),
    });
    await trial.run();
    expect(await trial.statuses()).toEqual(['completed']);
    expect(Object.keys(askedFor(trial.tasks))).toEqual(
      ['gone', 'spare1', 'spare2'].map((n) => `task-1/${n}`),
    );
  });

  it('of a completed task that names none is asked for during ten minutes, then given up with what the service says', async () => {
    await using trial = await openTrial(namedRows(1), {
      status: () => ({ ...withoutLink, text: '内容不符合规范' }),
    });
    await trial.run();
    expect(await trial.item('q1')).toMatchObject({
      status: 'undelivered',
      points: 10,
      failure: 'the service completed the task without a video: 内容不符合规范',
    });
    const [task] = trial.tasks.tasksOf('Question 1');
    expect(task?.queriedMs).toHaveLength(12);
    expect(trial.clock.elapsedMs).toBeGreaterThan(600_000);
    trial.tasks.follow({ status: done });
    await trial.run();
    expect(await trial.statuses()).toEqual(['completed']);
    expect(trial.tasks.creations).toHaveLength(1);
    expect((await trial.checkpoint.ledger()).spent).toBe(10);
  });

  it('is not given up for hours in which nobody was asked: the computer slept, or the service said nothing', async () => {
    await using trial = await openTrial(namedRows(1), {
      status: ({ ageMs }) => (ageMs > 60_000 && ageMs < 3_600_000 ? unanswered : withoutLink),
    });
    const ending = trial.run();
    await trial.clock.reach(30_000);
    trial.clock.sleep(8 * 3_600_000);
    await trial.clock.reach(8 * 3_600_000 + 60_000);
    expect(await trial.statuses()).toEqual(['downloading']);
    trial.tasks.follow({ status: done });
    await ending;
    expect(await trial.statuses()).toEqual(['completed']);
  });

  it('that is waited for does not delay who stops the run, and costs nothing until its time has come', async () => {
    await using trial = await openTrial(namedRows(1), { status: () => withoutLink });
    const runner = trial.createRunner({ pollIntervalMs: 1_000 });
    const ending = runner.run();
    await trial.clock.reach(400_000);
    const [task] = trial.tasks.tasksOf('Question 1');
    const queries = task?.queriedMs.length;
    await trial.clock.reach(470_000);
    expect(task?.queriedMs).toHaveLength(queries ?? 0);
    runner.stop('interrupted');
    await ending;
    expect(trial.clock.elapsedMs).toBeLessThan(471_000);
    expect(await trial.statuses()).toEqual(['downloading']);
    trial.tasks.follow({ status: done });
    await trial.run();
    expect(await trial.statuses()).toEqual(['completed']);
  });

  it('that a full disk kept out is fetched by the next run', async () => {
    await using trial = await openTrial(namedRows(2));
    const { openPart } = trial.tree;
    trial.tree.openPart = () => Promise.reject(new DiskError('the disk is full'));
    expect(await trial.run()).toEqual({ reason: 'disk', failure: 'the disk is full' });
    expect(await trial.statuses()).toEqual(['downloading', 'downloading']);
    trial.tree.openPart = openPart;
    expect((await trial.run()).reason).toBe('done');
    expect(await trial.statuses()).toEqual(['completed', 'completed']);
  });

  it.each([
    [2, 'completed', null],
    [Number.POSITIVE_INFINITY, 'undelivered', expect.stringContaining('such as a virus scanner')],
  ])('that a virus scanner removes %d times is %s', async (times, status, failure) => {
    await using trial = await openTrial(namedRows(1));
    const { openPart } = trial.tree;
    let removals = 0;
    trial.tree.openPart = async (path) => {
      const part = await openPart.call(trial.tree, path);
      if (removals++ >= times) return part;
      const commit = (target: string): Promise<SavedFile> => Promise.reject(new FileRemovedError(target));
      return Object.assign(part, { commit });
    };
    await trial.run();
    expect(await trial.item('q1')).toMatchObject({ status, failure, points: 10 });
    expect(askedFor(trial.tasks)['task-1/video']).toBeLessThan(15);
    expect(trial.tasks.creations).toHaveLength(1);
  });

  it('is not on disk twice, though a run was killed between the file and the checkpoint', async () => {
    await using trial = await openTrial(namedRows(1));
    trial.tasks.follow({
      file: () => {
        trial.checkpoint.failure = new DiskError('the disk is full');
        return undefined;
      },
    });
    await expect(trial.run()).rejects.toThrow('the disk is full');
    expect(await trial.statuses()).toEqual(['downloading']);
    trial.checkpoint.failure = null;
    trial.tasks.follow({});
    await trial.run();
    expect(await trial.statuses()).toEqual(['completed']);
    expect([...trial.tree.files.keys()].sort()).toEqual(['q1/task.json', 'q1/video.mp4']);
  });
});

describe('frames', () => {
  /** One frame after a minute, two after two, and a third with the video. */
  const growing: Script = {
    status: (task) => {
      if (task.ageMs > 180_000) return done(task, ['f1', 'f2', 'f3']);
      if (task.ageMs > 120_000) return inProgress('f1', 'f2');
      return task.ageMs > 60_000 ? inProgress('f1') : inProgress();
    },
  };

  it('are fetched once each, when they first appear, in order of appearance', async () => {
    await using trial = await openTrial(namedRows(1), growing);
    await trial.run({ frames: 'all' });
    expect([...trial.tree.files.keys()].sort()).toEqual([
      'q1/frames/001.png',
      'q1/frames/002.png',
      'q1/frames/003.png',
      'q1/task.json',
      'q1/video.mp4',
    ]);
    expect(askedFor(trial.tasks)).toEqual({
      'frames/f1': 1,
      'frames/f2': 1,
      'frames/f3': 1,
      'task-1/video': 1,
    });
    expect(trial.tasks.fileRequests[0]).toMatchObject({ link: 'frames/f1', sentMs: 90_100 });
    expect((await trial.item('q1')).artifacts.map(({ ordinal, remoteId }) => [ordinal, remoteId])).toEqual([
      [0, null],
      [1, 'f1'],
      [2, 'f2'],
      [3, 'f3'],
    ]);
  });

  it.for([
    ['last', { 'frames/f3': 1, 'task-1/video': 1 }],
    ['none', { 'task-1/video': 1 }],
  ] as const)('are kept as the user wants: %s', async ([frames, asked]) => {
    await using trial = await openTrial(namedRows(1), growing);
    await trial.run({ frames });
    expect(await trial.statuses()).toEqual(['completed']);
    expect(askedFor(trial.tasks)).toEqual(asked);
  });

  it.for([
    ['its link is refused', linkRefused],
    ['its host is down', cut],
    ['it is a page', content(Buffer.from('<!doctype html><p>no'))],
  ] as const)('never fail a row: one is given up when %s', async ([, answer]) => {
    await using trial = await openTrial(namedRows(1), {
      ...growing,
      file: ({ link }) => (link === 'frames/f2' ? answer : undefined),
    });
    await trial.run();
    const { status, points, artifacts } = await trial.item('q1');
    expect({ status, points }).toEqual({ status: 'completed', points: 10 });
    expect(artifacts.map((artifact) => artifact.state)).toEqual(['saved', 'saved', 'missing', 'saved']);
    expect(trial.tree.files.has('q1/frames/002.png')).toBe(false);
  });

  it('that a task no longer names at its end are given up', async () => {
    await using trial = await openTrial(namedRows(1), {
      status: (task) => (task.ageMs > 180_000 ? done(task) : inProgress('f1')),
      file: ({ link }) => (link === 'frames/f1' ? linkRefused : content(mp4)),
    });
    await trial.run();
    expect(await trial.statuses()).toEqual(['completed']);
  });
});

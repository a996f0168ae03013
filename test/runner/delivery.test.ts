import { describe, expect, it } from 'vitest';
import { DiskError } from '../../src/errors.ts';
import type { FileAnswer } from '../../src/ports.ts';
import { ending } from '../core/lives.ts';
import { namedRows } from '../support/incoming-rows.ts';
import {
  content,
  done,
  inProgress,
  mp4,
  type Script,
  type ScriptedTasks,
} from '../support/scripted-tasks.ts';
import { openTrial } from '../support/virtual-run.ts';

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
    expect(askedFor(trial.tasks)).toEqual({ 'task-1/video': 6 });
    trial.tasks.follow({});
    await trial.run();
    expect(await trial.item('q1')).toMatchObject({ status: 'completed', points: 10, failure: null });
    expect(trial.tasks.creations).toHaveLength(1);
  });

  it('that does not come after several tries is given up for this run', async () => {
    await using trial = await openTrial(namedRows(1), { file: () => cut });
    await trial.run();
    expect(await trial.item('q1')).toMatchObject({
      status: 'undelivered',
      failure: 'HTTP 503 (given up after 5 tries)',
    });
    expect((await trial.checkpoint.ledger()).spent).toBe(10);
  });

  it('of a completed task that names none is not to be had, and is asked for again in the next run', async () => {
    await using trial = await openTrial(namedRows(1), {
      status: () => ({ outcome: 'completed', ending, videoUrl: null, frames: [] }),
    });
    await trial.run();
    expect(await trial.item('q1')).toMatchObject({
      status: 'undelivered',
      points: 10,
      failure: 'the service completed the task without a video',
    });
    trial.tasks.follow({ status: done });
    await trial.run();
    expect(await trial.statuses()).toEqual(['completed']);
    expect(trial.tasks.creations).toHaveLength(1);
    expect((await trial.checkpoint.ledger()).spent).toBe(10);
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
    expect(trial.tasks.fileRequests[0]).toEqual({ link: 'frames/f1', sentMs: 90_100 });
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

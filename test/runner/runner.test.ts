import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Item } from '../../src/money/item.ts';
import { namedRows } from '../support/incoming-rows.ts';
import { done, failed, type Task, uncertain } from '../support/scripted-tasks.ts';
import { openTrial } from '../support/virtual-run.ts';

const hourMs = 3_600_000;

describe('a whole run', () => {
  it('turns every question into a video on disk', async () => {
    await using trial = await openTrial(namedRows(3));
    const runner = trial.createRunner();
    expect(await runner.run()).toEqual({ reason: 'done', failure: null });
    expect(await trial.statuses()).toEqual(['completed', 'completed', 'completed']);
    expect([...trial.tree.files.keys()].sort()).toEqual(
      ['q1', 'q2', 'q3'].flatMap((id) => [`${id}/task.json`, `${id}/video.mp4`]),
    );
    expect(await trial.item('q2')).toMatchObject({
      taskId: trial.tasks.tasksOf('Question 2')[0]?.taskId,
      points: 10,
      title: 'A sum',
      attempt: 1,
      artifacts: [{ kind: 'video', state: 'saved', path: 'q2/video.mp4' }],
    });
    expect(trial.warnings).toEqual([]);
  });

  it('has nothing to do the second time', async () => {
    await using trial = await openTrial(namedRows(2));
    await trial.run();
    const commitCount = trial.checkpoint.commits.length;
    expect(await trial.run()).toEqual({ reason: 'done', failure: null });
    expect(trial.tasks.creations).toHaveLength(2);
    expect(trial.checkpoint.commits).toHaveLength(commitCount);
  });

  it('saves together what happens together: far fewer commits than changes', async () => {
    await using trial = await openTrial(namedRows(25));
    await trial.run({ concurrency: 25 });
    const { commits } = trial.checkpoint;
    // Each row is submitting, open, downloading and completed once, and nothing is written that has not changed.
    expect(commits.flat()).toHaveLength(4 * 25);
    expect(commits.length).toBeLessThan(25);
  });

  it('keeps the same books as its checkpoint, whatever happens', async () => {
    await using trial = await openTrial(namedRows(12), {
      create: ({ question }) => (question === 'Question 3' ? uncertain : undefined),
      status: (task) => (task.question.endsWith('2') ? failed() : undefined),
    });
    const runner = trial.createRunner({ concurrency: 4 });
    await runner.run();
    const saved = await trial.checkpoint.ledger();
    expect(runner.ledger.counts).toEqual(saved.counts);
    expect(saved).toMatchObject({
      spent: runner.ledger.spent,
      longestTaskMs: runner.ledger.longestTaskMs,
      largestPoints: runner.ledger.largestPoints,
    });
    expect(saved.counts).toMatchObject({ completed: 9, failed: 2, uncertain: 1 });
  });

  it('only brings home what is paid when it may not submit', async () => {
    await using trial = await openTrial(namedRows(3));
    await trial.run({ limit: 1, taskTimeoutMs: 60_000 });
    expect(await trial.statuses()).toEqual(['lost', 'pending', 'pending']);
    await trial.clock.wait(hourMs);
    expect(await trial.run({ submits: false })).toEqual({ reason: 'collected', failure: null });
    expect(await trial.statuses()).toEqual(['completed', 'pending', 'pending']);
    expect(trial.tasks.creations).toHaveLength(1);
  });
});

describe('what is on disk before anything is done', () => {
  it('is the intent, with the hash of the very request, when a creation leaves', async () => {
    await using trial = await openTrial(namedRows(20));
    const seen: { text: string; found: Promise<Item[]> }[] = [];
    trial.tasks.follow({
      create: ({ question, text }) => {
        seen.push({ text, found: trial.onDisk.itemsWithIds([question.replace('Question ', 'q')]) });
        return undefined;
      },
    });
    await trial.run({ concurrency: 5 });
    expect(seen).toHaveLength(20);
    for (const { text, found } of seen) {
      const requestHash = expect.stringContaining(createHash('sha256').update(text).digest('hex'));
      expect(await found).toMatchObject([{ status: 'submitting', requestHash, attempt: 1, taskId: null }]);
    }
  });

  it('is the task id, when its status is asked for the first time', async () => {
    await using trial = await openTrial(namedRows(20));
    const seen: Promise<Item | null>[] = [];
    trial.tasks.follow({
      status: (task) => {
        if (task.queriedMs.length === 1) seen.push(trial.onDisk.itemOfTask(task.taskId));
        return undefined;
      },
    });
    await trial.run({ concurrency: 5 });
    expect(seen).toHaveLength(20);
    for (const item of await Promise.all(seen)) expect(item?.status).toBe('open');
  });

  it('is the completion with its points, when the video is fetched', async () => {
    await using trial = await openTrial(namedRows(1));
    const seen: Promise<Item[]>[] = [];
    trial.tasks.follow({
      file: () => {
        seen.push(trial.onDisk.itemsWithIds(['q1']));
        return undefined;
      },
    });
    await trial.run();
    expect(await Promise.all(seen)).toMatchObject([[{ status: 'downloading', points: 10 }]]);
  });
});

it('is over when every task has ended, whatever the service made of it', async () => {
  const ends = [done, () => failed(), () => failed(3)];
  await using trial = await openTrial(namedRows(3), {
    status: (task: Task) => ends[Number(task.question.slice(-1)) - 1]?.(task),
  });
  expect((await trial.run()).reason).toBe('done');
  expect(await trial.statuses()).toEqual(['completed', 'failed', 'failed']);
  expect((await trial.checkpoint.ledger()).spent).toBe(13);
  expect(trial.notes).toEqual([
    'row q2 is failed: it cannot be drawn',
    'row q3 is failed: it cannot be drawn',
  ]);
  expect(trial.tree.files.has('q2/task.json')).toBe(true);
});

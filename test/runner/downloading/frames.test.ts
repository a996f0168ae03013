import { describe, expect, it } from 'vitest';
import { fixed } from '../../../src/money/policy.ts';
import type { FileAnswer } from '../../../src/ports.ts';
import { ending } from '../../money/lives.ts';
import { namedRows } from '../../support/incoming-rows.ts';
import {
  content,
  done,
  inProgress,
  makingMs,
  type StatusFact,
  type Task,
  unanswered,
} from '../../support/scripted-tasks.ts';
import { openTrial, type Trial } from '../../support/virtual-run.ts';

const busy: FileAnswer = { outcome: 'unanswered', failure: 'HTTP 503' };
const refused: FileAnswer = { outcome: 'link-refused', failure: 'HTTP 403' };

/** A body that begins and never continues. */
const silent = (trial: () => Trial, signal: AbortSignal): FileAnswer => ({
  ...(content(Buffer.from('\u0089PNG', 'latin1')) as Extract<FileAnswer, { outcome: 'content' }>),
  totalBytes: 5_000,
  body: (async function* () {
    yield Buffer.from('x');
    await trial().clock.wait(3_600_000, signal);
    throw new Error('it was cut');
  })(),
});

const names = (count: number): string[] => Array.from({ length: count }, (_, i) => `f${i + 1}`);

/** Completed with its video and so many frames; each answer signs new links, good for `lifeMs`. */
function withFrames(
  clockMs: () => number,
  { taskId }: Task,
  count: number,
  sign: (nowMs: number) => string,
): StatusFact {
  const link = (name: string): string =>
    `https://${name === 'video' ? 'files' : 'frames'}.example/${taskId}/${name}?${sign(clockMs())}`;
  return {
    type: 'task-completed',
    ending,
    videoUrl: link('video'),
    frames: names(count).map((id) => ({ id, url: link(id) })),
  };
}

const plain = (nowMs: number): string => `signature=${nowMs}`;

function finished(
  trial: () => Trial,
  count: number,
  sign: (nowMs: number) => string = plain,
): (task: Task) => StatusFact {
  return (task) =>
    task.ageMs < makingMs ? inProgress() : withFrames(() => trial().clock.now(), task, count, sign);
}

/** When the row of this task had its video, in ms since the start. */
const videoRequests = ({ tasks }: Trial) => tasks.fileRequests.filter(({ link }) => link.endsWith('/video'));
const frameRequests = ({ tasks }: Trial) => tasks.fileRequests.filter(({ link }) => !link.endsWith('/video'));

const isFrame = (link: string): boolean => !link.endsWith('/video');

describe('frames that cannot be had', () => {
  it.for([
    ['answers 503', () => busy],
    ['refuses every link', () => refused],
    ['sends empty files', () => content(Buffer.alloc(0))],
  ] as const)('delay neither the videos nor the run, where their host %s', async ([, answer]) => {
    await using trial = await openTrial(namedRows(10), {
      file: ({ link }) => (isFrame(link) ? answer() : undefined),
    });
    trial.tasks.follow({
      status: finished(() => trial, 30),
      file: ({ link }) => (isFrame(link) ? answer() : undefined),
    });
    await trial.run();
    expect(await trial.statuses()).toEqual(Array.from({ length: 10 }, () => 'completed'));
    for (const { sentMs } of videoRequests(trial)) expect(sentMs).toBeLessThan(332_000);
    expect(trial.clock.elapsedMs).toBeLessThan(330_000 + 60_000);
  });

  it('are asked for rarely where their host fails for all of them, and as ever where another does not', async () => {
    await using trial = await openTrial(namedRows(20));
    trial.tasks.follow({
      status: (task) => {
        if (task.ageMs < makingMs) return inProgress();
        const answer = withFrames(() => trial.clock.now(), task, 20, plain);
        if (answer.type !== 'task-completed') return answer;
        const frames = answer.frames.map(({ id, url }, i) => ({
          id,
          url: url.replace('frames.', i % 2 === 0 ? 'ill.' : 'well.'),
        }));
        return { ...answer, frames };
      },
      file: ({ link, host }) => (isFrame(link) && host === 'ill.example' ? busy : undefined),
    });
    await trial.run({ concurrency: 20 });
    for (const id of ['q1', 'q20']) {
      const { status, artifacts } = await trial.item(id);
      expect(status).toBe('completed');
      expect(artifacts.filter(({ kind, state }) => kind === 'frame' && state === 'saved')).toHaveLength(10);
    }
    expect(frameRequests(trial).filter(({ host }) => host === 'ill.example').length).toBeLessThan(30);
  });

  it('that are empty are given up at the second try', async () => {
    await using trial = await openTrial(namedRows(1));
    trial.tasks.follow({
      status: finished(() => trial, 1),
      file: ({ link }) => (isFrame(link) ? content(Buffer.alloc(0)) : undefined),
    });
    await trial.run();
    expect(await trial.statuses()).toEqual(['completed']);
    expect(frameRequests(trial)).toHaveLength(2);
  });

  it('delay a finished video no longer than a row may wait: each is cut in its time, and the rest given up', async () => {
    await using trial = await openTrial(namedRows(1));
    trial.tasks.follow({
      status: finished(() => trial, 200),
      // Every fourth comes, so that the host is never taken for one that fails.
      file: ({ link, signal }) =>
        isFrame(link) && Number(/\d+$/.exec(link)) % 4 !== 0 ? silent(() => trial, signal) : undefined,
    });
    await trial.run();
    expect(await trial.statuses()).toEqual(['completed']);
    expect(trial.clock.elapsedMs).toBeLessThan(330_000 + 2_000_000);
  });

  it('delay a finished video no longer where the service, too, says nothing any more', async () => {
    await using trial = await openTrial(namedRows(1));
    let isFinished = false;
    trial.tasks.follow({
      status: (task) => {
        if (task.ageMs < makingMs) return inProgress();
        if (isFinished) return unanswered;
        isFinished = true;
        return done(task, ['a', 'b']);
      },
      file: ({ link }) => (isFrame(link) ? busy : undefined),
    });
    const ended = trial.run();
    await trial.clock.reach(3_600_000);
    expect(await trial.statuses()).toEqual(['completed']);
    await ended;
  });

  it('of a task that is still being made are asked for again once their host is well', async () => {
    await using trial = await openTrial(namedRows(1));
    trial.tasks.follow({
      status: (task) =>
        task.ageMs < makingMs
          ? inProgress(...names(Math.floor(task.ageMs / 30_000)))
          : withFrames(() => trial.clock.now(), task, 9, plain),
      file: ({ link, sentMs }) => (isFrame(link) && sentMs < 200_000 ? busy : undefined),
    });
    await trial.run();
    const { status, artifacts } = await trial.item('q1');
    expect(status).toBe('completed');
    expect(artifacts.filter(({ state }) => state === 'saved').length).toBeGreaterThan(5);
  });
});

describe('frames whose ids are new at each answer', () => {
  it.each(['of a task alone', 'and of a finished one'])('are saved once, %s', async (when) => {
    const picture = (link: string): Buffer =>
      Buffer.from(`\x89PNG\r\n\x1a\n${link.replace(/-.*/, '')}`, 'latin1');
    await using trial = await openTrial(namedRows(1));
    let answers = 0;
    const anew = (task: Task): string[] => {
      answers += 1;
      return names(Math.ceil(task.ageMs / 60_000)).map((name) => `${name}-${answers}`);
    };
    trial.tasks.follow({
      status: (task) =>
        task.ageMs < makingMs
          ? inProgress(...anew(task))
          : done(task, when === 'of a task alone' ? [] : anew(task)),
      file: ({ link }) => (isFrame(link) ? content(picture(link)) : undefined),
    });
    await trial.run();
    const { status, artifacts } = await trial.item('q1');
    expect(status).toBe('completed');
    const saved = artifacts.filter(({ kind, state }) => kind === 'frame' && state === 'saved');
    expect(answers).toBeGreaterThan(5);
    expect(new Set(saved.map(({ path }) => path)).size).toBe(new Set(saved.map(({ sha256 }) => sha256)).size);
    expect(saved.length).toBeLessThanOrEqual(3 * 6);
  });
});

describe('links of a task', () => {
  const tasks = 100;
  const frames = 30;
  /** All wait in line for minutes, and links live for one. */
  const lifeMs = 60_000;
  const isExpired = (query: string, nowMs: number): boolean => nowMs > Number(/\d{13}/.exec(query));

  it.for([
    ['say when they end', (nowMs: number) => `expires=${nowMs + lifeMs}`],
    ['say so escaped', (nowMs: number) => `a=1&amp;expires=${nowMs + lifeMs}`],
    ['do not', (nowMs: number) => `signature=${nowMs + lifeMs}`],
  ] as const)(
    'are renewed by one question for all of them, where they %s',
    { timeout: 60_000 },
    async ([, sign]) => {
      await using trial = await openTrial(namedRows(tasks));
      trial.tasks.follow({
        status: finished(() => trial, frames, sign),
        file: ({ query }) => (isExpired(query, trial.clock.now()) ? refused : undefined),
      });
      await trial.run({ concurrency: tasks });
      expect(new Set(await trial.statuses())).toEqual(new Set(['completed']));
      for (const { artifacts } of await Promise.all(['q1', 'q50', 'q100'].map((id) => trial.item(id))))
        expect(artifacts.filter(({ state }) => state === 'saved')).toHaveLength(1 + frames);
      const lastVideo = videoRequests(trial).at(-1)?.sentMs ?? 0;
      expect(lastVideo).toBeLessThan(340_000);
      const beats = 11;
      const queries = [...trial.tasks.tasks.values()].map(({ queriedMs }) => queriedMs.length - 1 - beats);
      const sum = queries.reduce((total, count) => total + count, 0);
      // The line is several lives of a link long: for most tasks one more answer, for none a flood.
      expect(sum / tasks).toBeLessThan(2.5);
      expect(Math.max(...queries)).toBeLessThan(8);
      expect(frameRequests(trial).length).toBeLessThan(tasks * (frames + 2));
    },
  );

  it('that had ended by their own word when they came are tried all the same: two clocks differ', async () => {
    const queries: unknown[] = [];
    for (const sign of [plain, (nowMs: number) => `expires=${nowMs - 86_400_000}`]) {
      await using trial = await openTrial(namedRows(1));
      trial.tasks.follow({ status: finished(() => trial, 3, sign) });
      await trial.run();
      expect(await trial.statuses()).toEqual(['completed']);
      queries.push(trial.tasks.tasksOf('Question 1')[0]?.queriedMs);
    }
    expect(queries[1]).toEqual(queries[0]);
    expect(queries[0]).toHaveLength(12);
  });

  it('stay good for their time where the clock is put back or forward meanwhile', async () => {
    for (const jumpMs of [86_400_000, -86_400_000]) {
      await using trial = await openTrial(namedRows(20));
      trial.tasks.follow({
        status: finished(
          () => trial,
          30,
          (nowMs) => `expires=${nowMs + 3_600_000}`,
        ),
      });
      const run = trial.run({ concurrency: 20 });
      await trial.clock.reach(335_000);
      trial.clock.set(jumpMs);
      await run;
      expect(new Set(await trial.statuses())).toEqual(new Set(['completed']));
      const most = Math.max(...[...trial.tasks.tasks.values()].map(({ queriedMs }) => queriedMs.length));
      expect(most).toBeLessThanOrEqual(12 + 2);
    }
  });

  it('of frames never wait for more places than frames have', async () => {
    await using trial = await openTrial(namedRows(30));
    trial.tasks.follow({ status: finished(() => trial, 10) });
    await trial.run({ concurrency: 30 });
    const byTime = Map.groupBy(frameRequests(trial), ({ sentMs }) => sentMs);
    expect(Math.max(...[...byTime.values()].map((all) => all.length))).toBeLessThanOrEqual(
      fixed.frameConnections,
    );
  });
});

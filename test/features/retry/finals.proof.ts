/** Drafts, marks, finals: each good row is made once more, whoever orders it, however often, and whatever dies. */

import { describe, expect, it } from 'vitest';
import { storeIn } from '../../../src/app/stores.ts';
import { completed, failed } from '../../cli/support/scripted-service.ts';
import { openStage, runLine, type Stage } from '../../cli/support/stage.ts';

const final = ['retry', '--good', '--quality', 'h', '--poll-interval', '100ms'];

/** A run of drafts of these rows. */
async function drafts(stage: Stage, count: number): Promise<void> {
  const ids = Array.from({ length: count }, (_, at) => `q${at + 1}`);
  await stage.write('q.csv', ['id,question', ...ids.map((id) => `${id},Question ${id}`), ''].join('\n'));
  await stage.batch(runLine('q.csv', '--quality', 'l'));
}

/** Saves marks as `batch view --review` does: the attempt that each is about, by the name of the reviewer. */
async function mark(stage: Stage, mark: 'good' | 'bad', ids: readonly string[], attempt = 1): Promise<void> {
  await using store = await storeIn(`${stage.folder}/videos`).open();
  const items = await store.checkpoint.itemsWithIds(ids);
  const said = { reviewer: 'Anna', note: '', question: null, answer: null, at: 1, mark, attempt };
  await store.reviews.saveMarks(items.map(({ key }) => ({ ...said, key })));
}

/** Questions of creations in this quality. */
function asked({ service }: Stage, quality: string): string[] {
  return service.creations.filter(({ body }) => body.quality === quality).map(({ question }) => question);
}

interface NotedDecision {
  readonly kind: string;
  readonly detail: { readonly points: number | null };
}

const prices: Readonly<Record<string, number>> = { l: 15, h: 60 };

/** Three good drafts, and the order of their finals: the cap leaves two of them waiting. */
async function openWaiting(): Promise<Stage> {
  const stage = await openStage();
  stage.service.follow({
    status: (task) => completed(task, { consumption: [{ type: 'score', value: priceOf(stage, task) }] }),
  });
  await drafts(stage, 3);
  await mark(stage, 'good', ['q1', 'q2', 'q3']);
  await stage.batch([...final, '--max-points', '105', '--yes']);
  expect(spentOn(stage)).toBe(105);
  return stage;
}

function priceOf({ service }: Stage, { question }: { readonly question: string }): number {
  const last = service.creations.findLast((creation) => creation.question === question);
  return prices[String(last?.body.quality)] ?? 0;
}

/** What the service was asked to make, at its prices. */
function spentOn({ service }: Stage): number {
  return service.creations.reduce((sum, { body }) => sum + (prices[String(body.quality)] ?? 0), 0);
}

const waitingLines = {
  run: runLine('q.csv', '--max-points', 'none'),
  resume: ['resume', '--max-points', 'none', '--poll-interval', '100ms'],
  'retry --good': [...final, '--max-points', 'none'],
  'retry --unsent': ['retry', '--unsent', '2', '--max-points', 'none', '--poll-interval', '100ms'],
};

describe.concurrent('a final that waits', () => {
  it.for(Object.entries(waitingLines))('costs what the plan says: %s', async ([, line]) => {
    await using stage = await openWaiting();
    if (line[0] === 'run') await stage.write('q.csv', `${await stage.read('q.csv')}q4,Question q4\n`);
    const planned = [
      [...line, '--dry-run', '--json'],
      ...(line[0] === 'run' ? [['check', 'q.csv', '--json']] : []),
    ];
    const said = [];
    for (const command of planned) {
      const { stdout } = await stage.batch(command);
      said.push(JSON.parse(stdout).plan.estimate.points);
    }
    const before = spentOn(stage);
    expect(await stage.batch([...line, '--yes'])).toMatchObject({ code: 0 });
    expect(said).toEqual(said.map(() => spentOn(stage) - before));
    expect(spentOn(stage) - before).toBe(line[0] === 'run' ? 135 : 120);
    const { decisions } = JSON.parse((await stage.batch(['status', '--decisions', '--json'])).stdout);
    const points = decisions.findLast(({ kind }: { readonly kind: string }) => kind === 'yes');
    expect(points?.detail.points ?? said[0]).toBe(said[0]);
  });

  it('falls away with another text of its row, and where its draft is called bad', async () => {
    await using stage = await openWaiting();
    await mark(stage, 'bad', ['q3']);
    const before = await stage.read('q.csv');
    await stage.write('q.csv', before.replace('Question q2', 'Another question'));
    const lines = [runLine('q.csv', '--max-points', 'none', '--dry-run'), waitingLines.run];
    for (const line of lines) {
      const { stdout, stderr } = await stage.batch(line);
      expect(stdout + stderr).toMatch(
        /2 finals .+: q2 \(its text .+\), q3 \(its draft is marked bad\)|2 finals .+: q3 .+, q2 /,
      );
    }
    await stage.batch(waitingLines.resume);
    expect(spentOn(stage)).toBe(105);
    const report = await stage.report();
    expect(report.map(({ id, status, quality, points }) => [id, status, quality, points])).toEqual([
      ['q1', 'completed', 'h', '75'],
      ['q2', 'completed', 'l', '15'],
      ['q3', 'completed', 'l', '15'],
    ]);
    await stage.batch(runLine('q.csv', '--quality', 'l', '--rerun-changed', '--yes'));
    expect(spentOn(stage)).toBe(120);
    const { stdout } = await stage.batch(['status', '--decisions']);
    expect(stdout).toContain('1 row with another text paid for again');
  });
});

describe.concurrent('batch retry --good', () => {
  it('has no price before one was paid for in its quality: that of the drafts is neither said nor saved', async () => {
    await using stage = await openStage();
    await drafts(stage, 2);
    await mark(stage, 'good', ['q1', 'q2']);
    const { stdout } = await stage.batch([...final, '--dry-run', '--json']);
    expect(JSON.parse(stdout).plan.estimate).toMatchObject({
      points: null,
      basis: 'no video in quality h has been paid for in this folder yet',
    });
    await stage.batch([...final, '--yes']);
    const { decisions } = JSON.parse((await stage.batch(['status', '--decisions', '--json'])).stdout);
    const said = decisions.map(({ kind, detail }: NotedDecision) => [kind, detail.points]);
    expect(said).toEqual([
      ['unasked', null],
      ['yes', null],
      ['retry', null],
      ['retry', null],
    ]);
  });

  it('makes each good draft once more, also after two kills and from the marks of a table', async () => {
    await using stage = await openStage();
    await drafts(stage, 12);
    const good = Array.from({ length: 8 }, (_, at) => `q${at + 1}`);
    await mark(stage, 'good', good);
    await mark(stage, 'bad', ['q9']);
    const line = [...final, '--concurrency', '2'];
    for (const until of [2, 5]) {
      const dying = stage.start(line);
      await stage.service.until(() => asked(stage, 'h').length >= until);
      dying.kill('SIGKILL');
      await dying.ended;
    }
    await stage.batch([...line, '--yes']);
    // Whatever was on its way at a kill is not sent again by itself.
    const uncertain = (await stage.report()).filter(({ status }) => status === 'uncertain');
    for (const { id = '' } of uncertain) {
      const task = stage.service.taskIds.get(`Question ${id}`) ?? '';
      await stage.batch(['resolve', 'videos', id, '--task-id', task]);
    }
    await stage.batch(['resume', '--poll-interval', '100ms']);
    await stage.write('marks.csv', ['id,mark,attempt', ...good.map((id) => `${id},good,1`), ''].join('\n'));
    const again = await stage.batch([...final, '--only', '@marks.csv']);
    expect(again).toMatchObject({ code: 2, stderr: expect.stringMatching(/nothing|no video that stands/) });
    expect(asked(stage, 'h').sort()).toEqual(good.map((id) => `Question ${id}`).sort());
    const report = await stage.report();
    expect(report.map(({ quality }) => quality)).toEqual([...good.map(() => 'h'), 'l', 'l', 'l', 'l']);
    expect(await stage.list('videos/q1')).toContain('attempt-1/video.webm');
  });

  it('leaves the draft where the final fails or is called bad, and makes it again in its quality', async () => {
    await using stage = await openStage();
    await drafts(stage, 2);
    await mark(stage, 'good', ['q1', 'q2']);
    stage.service.follow({
      status: (task) => (task.question === 'Question q1' ? failed(task, 'no') : undefined),
    });
    await stage.batch([...final, '--yes']);
    await mark(stage, 'bad', ['q2'], 2);
    await stage.batch(['report']);
    expect((await stage.report()).map(({ quality, video }) => [quality, video])).toEqual([
      ['l', expect.stringContaining('q1/')],
      ['l', 'q2/attempt-1/video.webm'],
    ]);
    stage.service.follow({});
    await stage.batch(['retry', '--failed', '--poll-interval', '100ms', '--yes']);
    expect(asked(stage, 'h')).toEqual(['Question q1', 'Question q2', 'Question q1']);
    expect((await stage.report()).map(({ quality }) => quality)).toEqual(['h', 'l']);
    expect(await stage.batch(['resume', '--dry-run'])).toMatchObject({ code: 0 });
    expect(asked(stage, 'l')).toHaveLength(2);
  });

  it('sends nothing for a row that is another one in the file by now, and says which', async () => {
    await using stage = await openStage();
    await drafts(stage, 2);
    await mark(stage, 'good', ['q1', 'q2']);
    await stage.write('q.csv', 'id,question\nq1,Another question\nq2,Question q2\n');
    await stage.batch(runLine('q.csv'));
    const ending = await stage.batch([...final, '--yes']);
    expect(ending.stderr).toContain('q1 (changed in the file since its video was made)');
    expect(asked(stage, 'h')).toEqual(['Question q2']);
  });

  it('refuses a line that leaves open what was watched, or in which quality', async () => {
    await using stage = await openStage();
    await drafts(stage, 1);
    const lines: readonly (readonly [line: readonly string[], said: string])[] = [
      [['retry', '--good'], '--good needs --quality'],
      [[...final, '--only', 'q1'], '--good takes marks'],
      [[...final, '--failed'], '--good chooses the rows by their marks'],
      [final, 'no video that stands for its row is marked good'],
    ];
    for (const [line, said] of lines)
      expect(await stage.batch(line)).toMatchObject({ code: 2, stderr: expect.stringContaining(said) });
    expect(stage.service.creations).toHaveLength(1);
  });
});

import { describe, expect, it } from 'vitest';
import { swiftly } from '../../cli/support/program.ts';
import {
  bare,
  completed,
  errorEnvelope,
  failed,
  inProgress,
  notFound,
  reset,
  success,
  type Task,
} from '../../cli/support/scripted-service.ts';
import { openOne, openStage, questions, runLine, type Stage } from '../../cli/support/stage.ts';
import { answerOf, reason, undocumentedStates } from '../../money/undocumented-states.ts';

const statusCount = ({ service }: Stage): number =>
  service.events.filter((event) => event.startsWith('status')).length;

describe.concurrent('a task that the service does not know', () => {
  it('is lost after ten minutes; resume asks once more, and retry --lost pays again', async () => {
    await using stage = await openOne({ status: () => notFound });
    const ending = await stage.batch(runLine('q.csv'), { node: swiftly });
    expect(ending).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        /Next: batch collect \.\/videos .*\n.*Then: batch retry \.\/videos --lost/,
      ),
    });
    expect(await stage.report()).toMatchObject([
      { status: 'lost', points: '', task_id: 'task-1', failure: 'Server error: Task not found' },
    ]);
    const before = statusCount(stage);
    expect(before).toBeGreaterThanOrEqual(3);
    expect((await stage.batch(['resume'])).code).toBe(1);
    expect(statusCount(stage)).toBe(before + 1);

    stage.service.follow({});
    expect((await stage.batch(['retry', '--lost'])).code).toBe(0);
    expect(stage.service.creations).toHaveLength(2);
    expect(await stage.report()).toMatchObject([{ status: 'completed', attempts: '2', task_id: 'task-2' }]);
  });
});

describe.concurrent('a poll', () => {
  it('that fails changes nothing', async () => {
    const failures = [
      bare(503),
      reset,
      bare(200, 'no JSON'),
      errorEnvelope('Server error: busy', 500),
      bare(302),
    ];
    await using stage = await openOne({ status: (task) => failures[task.queries - 1] });
    expect((await stage.batch(runLine('q.csv'))).code).toBe(0);
    expect(statusCount(stage)).toBe(failures.length + 1);
  });

  it('follows a creation at once, whatever the tick', async () => {
    await using stage = await openOne({});
    expect((await stage.batch(['run', 'q.csv', '--poll-interval', '1h'])).code).toBe(0);
    expect(stage.service.events).toEqual([
      'create Question a',
      'status Question a',
      'file Question a video.mp4',
    ]);
  });

  it('judges an answer that is not as documented by what comes with it, with one warning each', async () => {
    const cases = new Map(undocumentedStates.map((state) => [state.name.replaceAll(',', ''), state]));
    const lastQuery = 3;
    await using stage = await openStage({
      status: (task) => {
        const state = cases.get(task.question.replace('Question ', ''));
        if (state === undefined || (state.judged === 'IN_PROGRESS' && task.queries >= lastQuery))
          return undefined;
        return bare(state.http ?? 200, JSON.stringify(answerOf(state, task.taskId, task.link('video.mp4'))));
      },
    });
    await stage.write('q.csv', questions(...cases.keys()));
    const ending = await stage.batch(runLine('q.csv', '-j', `${cases.size}`));
    expect(ending.code).toBe(1);
    const { creations, events } = stage.service;
    expect(creations).toHaveLength(cases.size);
    const idsOf = (judged: string): string[] =>
      [...cases].flatMap(([id, state]) => (state.judged === judged ? [id] : []));
    const rows = await stage.report();
    const bad = rows.filter(({ status }) => status !== 'completed');
    expect(bad.map(({ id, status, failure, points }) => [id, status, failure, points])).toEqual(
      idsOf('FAILED').map((id) => [id, 'failed', reason, '0']),
    );
    // What was finished was fetched at once; what was open when its third answer said that it was completed.
    const wasOpen = (id: string): boolean => {
      const before = events.slice(0, events.indexOf(`file Question ${id} video.mp4`));
      return before.filter((event) => event === `status Question ${id}`).length >= lastQuery;
    };
    const good = rows.flatMap(({ id = '', status }) => (status === 'completed' ? [id] : []));
    expect(good.filter(wasOpen)).toEqual(idsOf('IN_PROGRESS'));
    const warned = ending.stderr.match(/is not documented, .*/g) ?? [];
    expect(warned.map((line) => line.replace(/.* /, '')).toSorted()).toEqual(['COMPLETED', 'FAILED', 'open']);
    expect(
      ending.stderr.match(/reports the state ".*, but a video came with it, so it counts as COMPLETED/g),
    ).toHaveLength(2);
    expect(rows.find(({ id }) => id === 'a failed video and a text')?.failure).toBe(
      `the service called the task "FAILED: ${reason}", and gave this video`,
    );
  });

  it.for([401, 402, 403] as const)(
    'that is refused while the free question is not has failed, like any other: %i',
    async (status) => {
      await using stage = await openOne({
        status: (task) => (task.queries < 3 ? errorEnvelope('Not for you', status) : undefined),
      });
      const ending = await stage.batch(runLine('q.csv'));
      expect(ending.code).toBe(0);
      expect(ending.stderr.match(/refuses to tell the status of row a .*Not for you/g)).toHaveLength(1);
      expect(statusCount(stage)).toBe(3);
    },
  );
});

describe.concurrent('a task whose state is not documented', () => {
  it('is finished for each command that asks about it', async () => {
    const odd = (task: Task) => completed(task, { status: 'SUCCEEDED' });
    await using stage = await openStage({
      status: () => success({ status: 'RENDERING' }),
      create: ({ question }, accept) => {
        if (question !== 'Question b') return undefined;
        accept();
        return reset;
      },
    });
    await stage.write('q.csv', questions('a', 'b'));
    await stage.batch(runLine('q.csv', '-j', '2', '--task-timeout', '1ms'));
    expect(await stage.report()).toMatchObject([
      { status: 'lost', failure: expect.stringMatching(/; the service last said "RENDERING"$/) },
      { status: 'uncertain' },
    ]);

    stage.service.follow({ status: odd });
    const found = stage.service.taskIds.get('Question b') ?? '';
    expect((await stage.batch(['resolve', 'videos', 'b', '--task-id', found])).code).toBe(0);
    expect((await stage.batch(['links', '--only', 'a'])).stdout).toMatch(/^a video 1 http:/);
    expect((await stage.batch(['collect'])).code).toBe(0);
    expect(await stage.report()).toMatchObject([
      { status: 'completed', points: '10', failure: '' },
      { status: 'completed', points: '10', failure: '' },
    ]);

    await stage.remove('videos/a/video.webm');
    expect((await stage.batch(['verify', '--fix'])).code).toBe(0);
    expect((await stage.list('videos')).filter((path) => path.endsWith('.webm'))).toHaveLength(2);
    expect(stage.service.creations).toHaveLength(2);
  });
});

describe.concurrent('a task that fails', () => {
  it("is reported in the service's own words for 0 points; retry --failed makes a new attempt", async () => {
    await using stage = await openOne({ status: (task) => failed(task, '题目无法识别, "sorry"') });
    const ending = await stage.batch(runLine('q.csv'));
    expect(ending).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('Next: batch retry ./videos --failed'),
    });
    expect(await stage.report()).toMatchObject([
      { status: 'failed', points: '0', failure: '题目无法识别, "sorry"' },
    ]);
    expect((await stage.batch(['resume'])).code).toBe(1);
    expect(stage.service.creations).toHaveLength(1);

    stage.service.follow({});
    expect((await stage.batch(['retry', '--failed'])).code).toBe(0);
    const entry = JSON.parse(await stage.read('videos/report.jsonl'));
    expect(entry).toMatchObject({ status: 'completed', points: 10, attempts: 2 });
    expect(entry.history).toMatchObject([
      { attempt: 1, status: 'failed', task_id: 'task-1', points: 0 },
      { attempt: 2, status: 'completed', task_id: 'task-2', points: 10 },
    ]);
  });
});

describe.concurrent('batch collect', () => {
  it('brings home what is paid and submits nothing, though rows are pending', async () => {
    await using stage = await openStage({ status: (task) => inProgress(task) });
    await stage.write('q.csv', questions('a', 'b', 'c'));
    const program = stage.start(runLine('q.csv', '-j', '2'));
    await stage.service.until(
      ({ events }) => events.filter((event) => event.startsWith('status')).length >= 4,
    );
    program.kill('SIGINT');
    await program.ended;
    stage.service.follow({});
    const ending = await stage.batch(['collect']);
    expect(ending).toMatchObject({ code: 4, stdout: expect.stringContaining('nothing was submitted') });
    expect(await stage.statuses()).toEqual({ a: 'completed', b: 'completed', c: 'pending' });
    expect(stage.service.creations).toHaveLength(2);
  });
});

describe.concurrent('--listen', () => {
  const listening = ['run', 'q.csv', '--poll-interval', '1h', '--listen', '127.0.0.1:0', '--verbose'];

  it('gives each row a callback address that nobody can guess, and a hit on it means: ask now', async () => {
    await using stage = await openStage({
      status: (task) => (task.queries === 1 ? inProgress(task) : completed(task)),
    });
    await stage.write(
      'q.csv',
      'id,question,notify_url\na,Question a,\nb,Question b,http://own.example/hook\n',
    );
    const program = stage.start(listening);
    await stage.service.until(
      ({ events }) => events.filter((event) => event.startsWith('status')).length === 2,
    );
    const addresses = new Map(
      stage.service.creations.map(({ question, body }) => [question, String(body.notify_url)]),
    );
    expect(addresses.get('Question b')).toBe('http://own.example/hook');
    const address = addresses.get('Question a') ?? '';
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback\/\d+-[0-9a-f]{32}$/);
    expect((await fetch(address.replace(/.{4}$/, '0000'))).status).toBe(404);
    expect((await fetch(address, { method: 'PUT', body: 'whatever' })).status).toBe(204);
    await program.said(/"id":"a",.*"to":"completed"/);
    program.kill('SIGINT');
    expect((await program.ended).code).toBe(130);
    expect(await stage.statuses()).toEqual({ a: 'completed', b: 'open' });
  });
});

import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readInvocation } from '../../src/app/options/settings.ts';
import { stopRun } from '../../src/features/steering/stop-run.ts';
import { collectBatch, type RowEvent, resumeBatch, runBatch } from '../../src/index.ts';
import { inEnglish } from '../../src/messages/message.ts';
import { completed, errorEnvelope, failed, type Script, silence } from '../cli/support/scripted-service.ts';
import { questions } from '../cli/support/stage.ts';
import { ofType, openLibraryStage, readAll } from './stage.ts';

/** `a` gets its video with two frames, `b` fails, `c` is refused. */
const mixed: Script = {
  create: ({ question }) => (question === 'Question c' ? errorEnvelope('Too long') : undefined),
  status: (task) =>
    task.question === 'Question b' ? failed(task, 'No picture') : completed(task, { frameCount: 2 }),
};

describe.concurrent('the events of a run', () => {
  it('begin with the plan, end with the summary, and agree with the report', async () => {
    await using stage = await openLibraryStage(mixed);
    const run = runBatch(stage.options);
    const events = await readAll(run);
    expect(events[0]).toMatchObject({
      type: 'plan',
      file: { path: stage.options.input, format: 'csv', encoding: 'UTF-8', newRows: 3, invalidRows: 0 },
      rows: 3,
      toSubmit: 3,
      estimatedPoints: null,
    });
    expect(events.at(-1)).toEqual({ type: 'end', summary: await run.summary });
    const last = new Map(ofType(events, 'row').map((event) => [event.id, event]));
    const told = (await stage.report()).map(({ row, id, status, video, failure, task_id, attempts }) => ({
      row,
      id,
      status,
      failure,
      taskId: task_id,
      attempt: attempts,
      video: video === null ? null : join(stage.options.out, String(video)),
    }));
    expect([...last.values()]).toEqual(told.map((line) => expect.objectContaining(line)));
    expect(last.get('a')).toMatchObject({ status: 'completed', points: 10, failure: null });
    expect(last.get('b')).toMatchObject({ status: 'failed', failure: 'No picture', video: null });
    expect(last.get('c')).toMatchObject({ status: 'rejected', failure: 'Too long', taskId: null });
  });

  it('name each status of a row once, and each frame with its file', async () => {
    await using stage = await openLibraryStage(mixed);
    const events = await readAll(runBatch({ ...stage.options, only: ['a'] }));
    const rows = ofType(events, 'row');
    expect(rows.map(({ from, status }) => [from, status])).toEqual([
      ['pending', 'submitting'],
      ['submitting', 'open'],
      ['open', 'downloading'],
      ['downloading', 'completed'],
    ]);
    const frames = ofType(events, 'frame').map(({ id, frame, path }) => [id, frame, path]);
    const path = (name: string): string => join(stage.options.out, 'a', 'frames', name);
    expect(frames.sort()).toEqual([
      ['a', 1, path('001.png')],
      ['a', 2, path('002.png')],
    ]);
  });

  it('are those of the rows with exactly these ids, however they are spelled', async () => {
    await using stage = await openLibraryStage();
    const input = await stage.write('odd.csv', 'id,question\n"a,b",One\n@c,Two\na,Three\n');
    const events = await readAll(runBatch({ ...stage.options, input, only: ['a,b', '@c'] }));
    expect(events[0]).toMatchObject({ type: 'plan', rows: 3, toSubmit: 2 });
    expect(new Set(ofType(events, 'row').map(({ id }) => id))).toEqual(new Set(['a,b', '@c']));
  });

  it('tell of a row that the file made invalid, once', async () => {
    await using stage = await openLibraryStage();
    const read = async (text: string) => {
      await stage.write('odd.csv', text);
      const events = await readAll(runBatch({ ...stage.options, input: join(stage.folder, 'odd.csv') }));
      const told = ofType(events, 'row').filter(({ status }) => status === 'invalid');
      return told.map(({ id, from, failure }) => [id, from, failure]);
    };
    const failure = 'it has neither a question nor a question image';
    const file = 'id,question,answer\na,One,1\nb,,2\nc,Part A,\n';
    expect(await read(file)).toEqual([['b', 'pending', failure]]);
    expect(await read(file)).toEqual([]);
    expect(await read(`${file}d,,4\n`)).toEqual([['d', 'pending', failure]]);
    const again = await readAll(resumeBatch({ ...stage.options }));
    expect(ofType(again, 'row')).toEqual([]);
  });

  it('say the summary that the command prints as JSON', async () => {
    await using stage = await openLibraryStage(mixed);
    const { out } = stage.options;
    expect(await runBatch(stage.options).summary).toMatchObject({
      rows: 3,
      statuses: { completed: 1, failed: 1, rejected: 1, pending: 0, uncertain: 0 },
      points: { spent: 10, reserved: 0 },
      out,
      reason: 'done',
      failure: null,
      exitCode: 1,
      next: expect.stringMatching(/^batch retry /),
    });
  });

  it('tell of what stops a run, which is no error: a refused key, a cap', async () => {
    await using stage = await openLibraryStage();
    const wrong = await runBatch({ ...stage.options, apiKey: 'sk-wrong' }).summary;
    expect(wrong).toMatchObject({ reason: 'key-refused', exitCode: 3, statuses: { pending: 3 } });
    const capped = await resumeBatch({ ...stage.options, maxPoints: 10, concurrency: 1 }).summary;
    expect(capped).toMatchObject({ reason: 'points-cap', exitCode: 4, points: { spent: 10 } });
  });

  it('need no file to go on, and submit nothing where they only collect', async () => {
    await using stage = await openLibraryStage();
    const { input: _, ...options } = stage.options;
    await runBatch({ ...stage.options, limit: 1 }).summary;
    const collected = await readAll(collectBatch(options));
    expect(collected[0]).toMatchObject({
      type: 'plan',
      file: null,
      rows: 3,
      toSubmit: 0,
      estimatedPoints: 0,
    });
    expect(stage.service.creations).toHaveLength(1);
    const resumed = await readAll(resumeBatch(options));
    expect(resumed[0]).toMatchObject({ rows: 3, toSubmit: 2, estimatedPoints: 20, known: { completed: 1 } });
    expect(ofType(resumed, 'row').filter(({ status }) => status === 'completed')).toHaveLength(2);
    expect(stage.service.creations).toHaveLength(3);
  });

  it('are not waited for: a run ends whether they are read or not', async () => {
    await using stage = await openLibraryStage();
    const run = runBatch(stage.options);
    const reader = run[Symbol.asyncIterator]();
    await reader.next();
    const second = reader.next();
    await run.summary;
    expect(await second).toMatchObject({ value: { type: 'row' } });
    const rest = await readAll(run);
    expect(rest.at(-1)?.type).toBe('end');
    expect(await readAll(run)).toEqual([]);
  });
});

describe.concurrent('a plan', () => {
  it('comes before anything is sent, and waits until it was read', async () => {
    await using stage = await openLibraryStage();
    const reader = runBatch(stage.options)[Symbol.asyncIterator]();
    expect(await reader.next()).toMatchObject({ value: { type: 'plan' } });
    // Another run goes from its start to its end meanwhile.
    const input = await stage.write('other.csv', questions('x'));
    const other = { ...stage.options, input, out: join(stage.folder, 'other') };
    expect(await runBatch(other).summary).toMatchObject({ exitCode: 0 });
    expect(stage.service.creations.map(({ question }) => question)).toEqual(['Question x']);
    await reader.next();
    await stage.service.until(({ creations }) => creations.length === 4);
    await reader.return?.();
  });

  it('can be declined without a look at it', async () => {
    await using stage = await openLibraryStage();
    const run = runBatch(stage.options);
    let isOver = false;
    void run.summary.then(() => {
      isOver = true;
    });
    expect(await run[Symbol.asyncIterator]().return?.()).toEqual({ done: true, value: undefined });
    expect(isOver).toBe(true);
    expect(await run.summary).toMatchObject({ reason: 'interrupted' });
    expect(stage.service.events).toEqual([]);
  });

  it('can be declined: nothing is sent, and no folder is left behind', async () => {
    await using stage = await openLibraryStage();
    const run = runBatch(stage.options);
    for await (const event of run) if (event.type === 'plan') break;
    const { input, out } = stage.options;
    expect(await run.summary).toMatchObject({ rows: 0, reason: 'interrupted', exitCode: 130 });
    expect(await run.summary).toMatchObject({ next: `batch run ${input} --out ${out}` });
    expect(stage.service.events).toEqual([]);
    await expect(stage.report()).rejects.toThrow('ENOENT');
    expect(await runBatch(stage.options).summary).toMatchObject({ exitCode: 0 });
  });
});

describe.concurrent('a run that is ended early', () => {
  it('waits for creations on their way when its signal aborts, and is not paid twice when it goes on', async () => {
    // The first row goes alone; the other two are on their way together.
    const answer = Promise.withResolvers<void>();
    const create: Script['create'] = async ({ question }) =>
      question === 'Question a' ? undefined : void (await answer.promise);
    await using stage = await openLibraryStage({ create, status: () => silence });
    const abort = new AbortController();
    const run = runBatch({ ...stage.options, concurrency: 3, signal: abort.signal });
    await stage.service.until(({ creations }) => creations.length === 3);
    abort.abort();
    answer.resolve();
    expect(await run.summary).toMatchObject({
      reason: 'interrupted',
      exitCode: 130,
      statuses: { open: 3, uncertain: 0 },
    });
    stage.service.follow({});
    expect(await runBatch(stage.options).summary).toMatchObject({ exitCode: 0, statuses: { completed: 3 } });
    expect(stage.service.creations).toHaveLength(3);
  });

  it('ends in good order by `batch stop` as well, which never ends its process', async () => {
    await using stage = await openLibraryStage({ status: () => silence });
    const run = runBatch({ ...stage.options, concurrency: 1 });
    await stage.service.until(({ creations }) => creations.length === 1);
    const invocation = readInvocation({}, { out: stage.options.out, dotEnv: false });
    const told: string[] = [];
    const order = { worker: null, isNow: true };
    expect(await stopRun(invocation, order, (said) => void told.push(inEnglish(said)))).toBeNull();
    expect(told).toEqual([`told process ${process.pid} to stop; waiting for its end`]);
    expect(await run.summary).toMatchObject({ reason: 'terminated', exitCode: 143 });
  });

  it('has ended in good order when the loop is left', async () => {
    await using stage = await openLibraryStage();
    const run = runBatch({ ...stage.options, concurrency: 1 });
    for await (const event of run) if (event.type === 'row' && event.status === 'open') break;
    const { statuses, reason } = await run.summary;
    expect(reason).toBe('interrupted');
    expect(statuses).toMatchObject({ uncertain: 0, submitting: 0 });
    const events = await readAll(runBatch(stage.options));
    const ended = new Map(ofType(events, 'row').map(({ id, status }: RowEvent) => [id, status]));
    expect([...ended.values()].every((status) => status === 'completed')).toBe(true);
    expect(stage.service.creations).toHaveLength(3);
  });

  it('submits nothing when its signal had aborted before', async () => {
    await using stage = await openLibraryStage();
    const summary = await runBatch({ ...stage.options, signal: AbortSignal.abort() }).summary;
    expect(summary).toMatchObject({ reason: 'interrupted' });
    expect(stage.service.events).toEqual([]);
  });
});

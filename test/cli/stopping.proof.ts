import { execFileSync } from 'node:child_process';
import { open as openFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { insist } from './support/program.ts';
import { type Creation, inProgress, type Reply, type Script } from './support/scripted-service.ts';
import { openStage, questions, runLine, type Stage } from './support/stage.ts';

/** Creations are accepted, but answered only once the gate is opened; all but that of this question. */
function heldAnswers(free?: string): { script: Script; open: () => void } {
  const gate = Promise.withResolvers<void>();
  const create = async ({ question }: Creation, accept: () => string): Promise<Reply | undefined> => {
    if (question === free) return undefined;
    const taskId = accept();
    await gate.promise;
    return (response) => void response.end(JSON.stringify({ status: 'success', data: { task_id: taskId } }));
  };
  return { script: { create }, open: gate.resolve };
}

async function killedInFlight(): Promise<Stage> {
  const { script, open } = heldAnswers();
  const stage = await openStage(script);
  await stage.write('q.csv', questions('a', 'b'));
  const program = stage.start(runLine('q.csv', '-j', '1'));
  await stage.service.until(({ creations }) => creations.length === 1);
  program.kill('SIGKILL');
  await program.ended;
  open();
  stage.service.follow({});
  return stage;
}

describe.concurrent('a run that was killed between acceptance and answer', () => {
  it('leaves an uncertain row, which is never sent again; the other rows go on', async () => {
    await using stage = await killedInFlight();
    const ending = await stage.batch(runLine('q.csv', '-j', '2'));
    expect(ending).toMatchObject({
      code: 5,
      stdout: expect.stringContaining('Next: batch resolve ./videos a'),
    });
    expect(await stage.statuses()).toEqual({ a: 'uncertain', b: 'completed' });
    expect(stage.service.creations.map(({ question }) => question)).toEqual(['Question a', 'Question b']);
  });
});

describe.concurrent('the first signal', () => {
  it.for([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s waits for creations that are on their way, and ends with %i', async ([signal, code]) => {
    // The first row goes alone; two more are on their way when the signal comes.
    const { script, open } = heldAnswers('Question a');
    await using stage = await openStage({ ...script, status: (task) => inProgress(task) });
    await stage.write('q.csv', questions('a', 'b', 'c', 'd'));
    const program = stage.start(runLine('q.csv', '-j', '3'));
    await stage.service.until(({ creations }) => creations.length === 3);
    program.kill(signal);
    await program.said(/Stopping/);
    open();
    const ending = await program.ended;
    expect(ending).toMatchObject({ code, stdout: expect.stringContaining('Next: batch resume ./videos ') });
    expect(await stage.statuses()).toEqual({ a: 'open', b: 'open', c: 'open', d: 'pending' });

    stage.service.follow({});
    expect((await stage.batch(runLine('q.csv'))).code).toBe(0);
    expect(stage.service.creations).toHaveLength(4);
  });
});

describe.concurrent('the second signal', () => {
  it('leaves at once; what was on its way is uncertain', async () => {
    const { script, open } = heldAnswers();
    await using stage = await openStage(script);
    await stage.write('q.csv', questions('a'));
    const program = stage.start(runLine('q.csv'));
    await stage.service.until(({ creations }) => creations.length === 1);
    program.kill('SIGINT');
    await program.said(/Stopping/);
    const ending = await insist(program, 'SIGINT');
    expect(ending).toMatchObject({ code: 130, stderr: expect.stringContaining('Left at once') });
    open();
    expect((await stage.batch(['resume'])).code).toBe(5);
    expect(stage.service.creations).toHaveLength(1);
  });
});

describe.concurrent('after its last line', () => {
  // The system reads that file before it asks a name server, and nobody ever writes it.
  it.skipIf(process.platform !== 'linux')(
    'no name is waited for that the system still looks up',
    async () => {
      await using stage = await openStage();
      await stage.write('q.csv', questions('a'));
      const aliases = join(stage.folder, 'aliases');
      execFileSync('mkfifo', [aliases]);
      const program = stage.start(runLine('q.csv', '--request-timeout', '1s'), {
        env: { BATCH_BASE_URL: 'http://nameless', HOSTALIASES: aliases },
      });
      await program.said(/trying again/);
      program.kill('SIGINT');
      expect((await program.ended).code).toBe(130);
    },
  );
});

describe.concurrent('two signals that come together are one wish to stop', () => {
  it.for([
    ['SIGHUP', 'SIGHUP', 143],
    ['SIGTERM', 'SIGHUP', 143],
    ['SIGHUP', 'SIGTERM', 143],
    ['SIGTERM', 'SIGTERM', 143],
    ['SIGINT', 'SIGINT', 130],
  ] as const)('%s and %s: creations on their way are waited for', async ([first, second, code]) => {
    const { script, open } = heldAnswers();
    await using stage = await openStage(script);
    await stage.write('q.csv', questions('a', 'b', 'c'));
    const program = stage.start(runLine('q.csv', '-j', '2'));
    // Creations begin slowly: the second leaves when the first is accepted.
    await stage.service.until(({ creations }) => creations.length === 1);
    program.kill(first);
    program.kill(second);
    await program.said(/Stopping/);
    program.kill(second);
    open();
    const ending = await program.ended;
    expect(ending).toMatchObject({ code, stdout: expect.stringContaining('Next: batch resume ./videos ') });
    expect(ending.stderr).not.toContain('Left at once');
    expect(await stage.statuses()).toEqual({ a: 'open', b: 'pending', c: 'pending' });
  });

  it('SIGHUP never leaves at once, however often and late it comes', async () => {
    const { script, open } = heldAnswers();
    await using stage = await openStage(script);
    await stage.write('q.csv', questions('a'));
    const program = stage.start(runLine('q.csv', '--request-timeout', '1500ms'));
    await stage.service.until(({ creations }) => creations.length === 1);
    program.kill('SIGTERM');
    await program.said(/Stopping/);
    const ending = await insist(program, 'SIGHUP');
    open();
    // Only the deadline of the request ends it.
    expect(ending.stderr).not.toContain('Left at once');
    expect(await stage.statuses()).toEqual({ a: 'uncertain' });
  });
});

describe.concurrent('a program that nobody looks at any more', () => {
  it('goes on after SIGHUP where its output goes to files, as under nohup', async () => {
    const { script, open } = heldAnswers();
    await using stage = await openStage(script);
    await stage.write('q.csv', questions('a'));
    await using log = await openFile(join(stage.folder, 'log'), 'w');
    const program = stage.start(runLine('q.csv'), { stdio: ['ignore', log.fd, log.fd] });
    await stage.service.until(({ creations }) => creations.length === 1);
    program.kill('SIGHUP');
    program.kill('SIGHUP');
    stage.service.follow({});
    open();
    expect((await program.ended).code).toBe(0);
    expect(await stage.statuses()).toEqual({ a: 'completed' });
  });
});

describe.concurrent('two processes on one folder', () => {
  it('are refused with 6, and the first goes on undisturbed', async () => {
    await using stage = await openStage({ status: (task) => inProgress(task) });
    await stage.write('q.csv', questions('a'));
    const program = stage.start(runLine('q.csv'));
    await stage.service.until(({ events }) => events.includes('status Question a'));
    for (const line of [
      runLine('q.csv'),
      ['resume'],
      ['collect'],
      ['retry', '--failed'],
      ['resolve', 'a', '--not-created'],
    ]) {
      const second = await stage.batch(line);
      expect(second).toMatchObject({
        code: 6,
        stderr: expect.stringContaining('batch: ./videos is in use by another batch process'),
      });
    }
    stage.service.follow({});
    expect((await program.ended).code).toBe(0);
    expect(stage.service.creations).toHaveLength(1);
  });
});

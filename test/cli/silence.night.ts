import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { trusted, unknown } from '../service/certificates.ts';
import { inProgress, success } from './support/scripted-service.ts';
import { openOne, runLine, type Stage } from './support/stage.ts';

/** A folder with an open task, and nobody works in it. */
async function openTask(): Promise<Stage> {
  const stage = await openOne({ status: (task) => inProgress(task) });
  const program = stage.start(runLine('q.csv'));
  await stage.service.until(({ events }) => events.includes('status Question a'));
  program.kill('SIGTERM');
  await program.ended;
  return stage;
}

const collect = ['collect', 'videos', '--poll-interval', '100ms'];

describe.concurrent('collect from a service that is not there', () => {
  it('says why with the first sweep, once, and again only after an answer', async () => {
    await using stage = await openTask();
    const { port } = new URL(stage.service.url);
    await stage.service.close();
    const program = stage.start(collect);
    await program.said(/the service answers no status request; .*ECONNREFUSED/);
    program.kill('SIGTERM');
    const { stderr } = await program.ended;
    expect(stderr.split('the service answers no status request')).toHaveLength(2);
    expect(stderr).toContain(port);
  });

  it('says that its certificate is not good any more, and what to do', async () => {
    await using stage = await openTask();
    const server = createServer({ key: unknown.key, cert: unknown.cert }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    await writeFile(join(stage.folder, 'ca.pem'), trusted.cert);
    const env = {
      BATCH_BASE_URL: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
      NODE_EXTRA_CA_CERTS: join(stage.folder, 'ca.pem'),
    };
    const program = stage.start(collect, { env });
    await program.said(
      /the service answers no status request; .*cannot be used: .*certificate.*; check --base-url/,
    );
    program.kill('SIGTERM');
    await program.ended;
    server.close();
  });
});

describe.concurrent('a status that is very long', () => {
  it('of a task with thousands of frames is read, and its video is had', { timeout: 120_000 }, async () => {
    await using stage = await openOne({
      status: (task) =>
        success({
          task_id: task.taskId,
          status: 'COMPLETED',
          progress: Array.from({ length: 5_000 }, (_, id) => ({
            id: `f${id}`,
            image: `${task.link('frame')}&pad=${'s'.repeat(1_000)}`,
          })),
          consumption: [{ type: 'score', value: 10 }],
          result: [{ type: 'video', content: task.link('video') }],
        }),
    });
    const ending = await stage.batch(runLine('q.csv', '--frames', 'none'));
    expect(ending.code).toBe(0);
  });

  it('beyond all bounds is said, and its row stays open', { timeout: 120_000 }, async () => {
    await using stage = await openOne({
      status: ({ taskId }) =>
        success({ task_id: taskId, status: 'IN_PROGRESS', title: 's'.repeat(70_000_000) }),
    });
    const program = stage.start(runLine('q.csv', '--task-timeout', '1ms'));
    await program.said(
      /warning: the status of row a \(task task-1\) cannot be read: .*longer than 67108864 bytes/,
    );
    program.kill('SIGTERM');
    await program.ended;
    expect(await stage.statuses()).toEqual({ a: 'open' });
  });
});

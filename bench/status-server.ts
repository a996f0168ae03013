/**
 * A small service in a process of its own: answers every status request at once, for a task that is being made. `/polls`
 * says how many there were, `/asked` how long after the last `/mark` each task was asked about first.
 */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { frameIds, tokenOf } from './open-tasks.ts';

/** The service, as long as it is not disposed. */
export interface StatusServer extends Disposable {
  readonly baseUrl: string;
}

/** Starts the service on a free port of this machine. */
export async function startStatusServer(): Promise<StatusServer> {
  const child = fork(fileURLToPath(import.meta.url));
  const [port] = await once(child, 'message');
  return { baseUrl: `http://127.0.0.1:${port}`, [Symbol.dispose]: () => void child.kill() };
}

const pathStart = '/api/get_status/';

/** What the service says of a task, with a signed link to each frame so far. */
function answerOf(taskId: string, port: number): string {
  const progress = frameIds(taskId).map((id) => {
    const path = `/files/${taskId}/${id}.png?expires=1790000000&signature=${tokenOf(taskId + id)}`;
    return { id, image: `http://127.0.0.1:${port}${path}` };
  });
  return JSON.stringify({ status: 'success', data: { task_id: taskId, status: 'IN_PROGRESS', progress } });
}

if (import.meta.main) {
  /** A benchmark asks about the same tasks again and again; the machine's time is for who asks. */
  const answers = new Map<string, Buffer>();
  const asked = new Map<string, number>();
  let [polls, markedAt] = [0, 0];
  const tell: Readonly<Record<string, () => unknown>> = {
    '/polls': () => polls,
    '/asked': () => [...asked.values()],
    '/mark': () => {
      asked.clear();
      markedAt = performance.now();
    },
  };
  const server = createServer((request, response) => {
    const told = tell[request.url ?? ''];
    if (told !== undefined) {
      response.end(JSON.stringify(told() ?? null));
      return;
    }
    const taskId = (request.url ?? '').slice(pathStart.length);
    polls += 1;
    if (!asked.has(taskId)) asked.set(taskId, performance.now() - markedAt);
    let body = answers.get(taskId);
    if (body === undefined) {
      body = Buffer.from(answerOf(taskId, (server.address() as AddressInfo).port));
      answers.set(taskId, body);
    }
    const type = 'application/json; charset=utf-8';
    response.writeHead(200, { 'content-type': type, 'content-length': body.length });
    response.end(body);
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
  process.on('disconnect', () => process.exit());
}

/** A creation, a status request and a download that are answered with a lie, and what has to come of them. */

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { defaultPolicy } from '../../src/money/policy.ts';
import { transition } from '../../src/money/transition.ts';
import { openFileOutputTree } from '../../src/outputs/file-output-tree.ts';
import type { Clock } from '../../src/ports.ts';
import { createHttpFileHost } from '../../src/service/http-file-host.ts';
import { clip } from '../cli/support/scripted-service.ts';
import { itemIn } from '../money/lives.ts';
import { answer, openService, startServer } from '../service/wire.ts';
import { wordOf } from '../support/creation-word.ts';
import { downloadToEnd } from '../support/download.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type Lie, lyingOnce, safeEnds } from './lies.ts';

const never = new AbortController().signal;
const body = JSON.stringify({ question: 'Why?' });
const acceptance = Buffer.from(JSON.stringify({ status: 'success', data: { task_id: 'task-1' } }));
const progress = (taskId: string) => ({
  status: 'success',
  data: { task_id: taskId, status: 'IN_PROGRESS' },
});
const openItem = itemIn('open', { taskId: 'task-1' });

/** Time that is never waited for: the pauses between tries. */
const stillClock: Clock = { now: () => 0, steady: () => 0, wait: async () => {} };
/** The same, but it passes, 100 times as fast: the watch on hosts that send next to nothing. */
const swift = (): number => performance.now() * 100;
const swiftClock: Clock = { ...stillClock, now: swift, steady: swift };

/** One creation that is answered with a lie. */
export async function create(
  { tell, creation = safeEnds.creation }: Lie,
  requestTimeoutMs: number,
): Promise<void> {
  const told = tell(acceptance);
  await using server = await startServer((socket, request) => request.then(() => told(socket)));
  await using service = openService(`http://127.0.0.1:${server.port}`, { requestTimeoutMs });
  expect([creation].flat()).toContain(wordOf(await service.create(body, never)));
  expect(server.count('POST')).toBe(1);
  expect(server.received).toHaveLength(1);
}

/** Two status requests, the first of which is answered with a lie. */
export async function ask({ tell, status = safeEnds.status }: Lie, requestTimeoutMs: number): Promise<void> {
  const told = tell(Buffer.from(JSON.stringify(progress('task-1'))));
  const honest = (request: string) => answer(200, progress(/get_status\/(\S+)/.exec(request)?.[1] ?? ''));
  await using server = await startServer(lyingOnce(told, honest));
  await using service = openService(`http://127.0.0.1:${server.port}`, { requestTimeoutMs });
  const said = await service.status('task-1', never);
  expect([status].flat()).toContain(said.type);

  // Whatever was said, it is a legal event of an open task, or none.
  if (said.type !== 'poll-unanswered' && said.type !== 'poll-refused')
    transition(openItem, said, defaultPolicy);

  // And the next question, on the same connection or a new one, is answered for itself.
  expect(await service.status('task-2', never)).toMatchObject({ type: 'task-progressed' });
}

/** The download of a file that is answered with a lie, again and again. */
export async function download(
  { tell, file, fileKind = 'video', hangs }: Lie,
  requestTimeoutMs: number,
): Promise<void> {
  const told = tell(clip);
  await using server = await startServer((socket) => {
    socket.on('data', () => told(socket));
  });
  await using folder = await temporaryFolder();
  const wire = { connections: 8, requestTimeoutMs, stallMs: requestTimeoutMs, env: {} };
  const host = createHttpFileHost({ serviceUrl: 'http://127.0.0.1', ...wire });
  const clock = hangs ? swiftClock : stillClock;
  const ports = { host, tree: await openFileOutputTree(folder.path, Date.now), clock };
  const url = `http://127.0.0.1:${server.port}/video?signature=s3cret`;
  const end = await downloadToEnd(ports, { url, target: 'a/file', kind: fileKind }, never);
  await host.close(true);
  expect(end.outcome === 'saved').toBe(file !== undefined);
  const there = (await readdir(join(folder.path, 'a'))).filter((name) => !name.endsWith('.part'));
  expect(there).toHaveLength(file === undefined ? 0 : 1);
  if (file === 'honest') expect(clip.equals(await readFile(join(folder.path, 'a/file.webm')))).toBe(true);
  expect(JSON.stringify(end)).not.toContain('s3cret');
}

/**
 * A service as bare as it can be, in a process of its own: every task is completed when it is first asked about, with a
 * video of 20 KB and three frames of 5 KB. Tells its port to the process that forked it. With the
 * argument `open` no task ends.
 */

import { createHash } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Bytes that begin like a file of the kind and never repeat, so that no disk stores them for less. */
function fileOf(head: Buffer, sizeBytes: number): { readonly bytes: Buffer; readonly etag: string } {
  let tail = createHash('sha256').update(head).digest();
  const parts = [head];
  for (let length = head.length; length < sizeBytes; length += tail.length) {
    parts.push(tail);
    tail = createHash('sha256').update(tail).digest();
  }
  const bytes = Buffer.concat(parts).subarray(0, sizeBytes);
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}"` };
}

const files = {
  'video/mp4': fileOf(Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1'), 20_000),
  'image/png': fileOf(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 5_000),
};

let taskCount = 0;

/** Whether a task ends. */
const ends = process.argv[2] !== 'open';

const server = createServer((request, response) => {
  const { url = '' } = request;
  if (request.method === 'POST') {
    request.resume().on('end', () => {
      taskCount += 1;
      answer(response, { task_id: `task-${taskCount}` });
    });
  } else if (url.startsWith('/api/get_status/')) {
    const id = url.slice('/api/get_status/'.length);
    answer(response, ends ? completed(id) : { task_id: id, status: 'IN_PROGRESS' });
  } else {
    const type = url.includes('.mp4?') ? 'video/mp4' : 'image/png';
    const { bytes, etag } = files[type];
    response.writeHead(200, { 'content-type': type, 'content-length': bytes.length, etag }).end(bytes);
  }
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.(portOf()));
process.on('disconnect', () => process.exit());

function portOf(): number {
  return (server.address() as AddressInfo).port;
}

function answer(response: ServerResponse, data: object): void {
  const body = JSON.stringify({ status: 'success', data });
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  response.writeHead(200, headers).end(body);
}

function completed(taskId: string): object {
  const link = (name: string) =>
    `http://127.0.0.1:${portOf()}/files/${taskId}/${name}?expires=1767225600&signature=5f2b9c`;
  return {
    task_id: taskId,
    status: 'COMPLETED',
    progress: ['1', '2', '3'].map((id) => ({ id, image: link(`${id}.png`) })),
    consumption: [{ type: 'score', value: 10, detail: 'video generation' }],
    result: [{ type: 'video', content: link('video.mp4') }],
    title: 'Maximum and minimum of a function',
    created_at: '2026-01-01T08:00:00+08:00',
    finish_at: '2026-01-01T08:07:30+08:00',
  };
}

/** Answers to status requests that are far too long, on real sockets. */

import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { always, answer, openService, startServer } from './wire.ts';

const never = new AbortController().signal;

test('a bomb of 200 MB in 200 KB is not blown up', async () => {
  const bomb = gzipSync(Buffer.alloc(200_000_000, ' '));
  const head = `HTTP/1.1 200 X\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`;
  await using server = await startServer(always(Buffer.concat([Buffer.from(head), bomb])));
  await using service = openService(`http://127.0.0.1:${server.port}`);
  expect(await service.status('task-1', never)).toMatchObject({
    type: 'poll-unanswered',
    failure: expect.stringContaining('gzip'),
  });
});

test('a status of tens of megabytes is read, and one beyond the bound is distinguished from silence', async () => {
  const frames = (count: number) => ({
    status: 'success',
    data: {
      task_id: 't',
      status: 'COMPLETED',
      progress: Array.from({ length: count }, (_, id) => ({
        id: `f${id}`,
        image: `http://f/${'s'.repeat(1_000)}`,
      })),
      result: [{ type: 'video', content: 'http://f/v' }],
    },
  });
  const long = Buffer.from(answer(200, frames(20_000)));
  const tooLong = Buffer.from(answer(200, frames(70_000)));
  await using server = await startServer((socket) => {
    socket.on('data', (asked) => socket.write(asked.includes('/too-long') ? tooLong : long));
  });
  await using service = openService(`http://127.0.0.1:${server.port}`, { pollConnections: 1 });
  const read = await service.status('t', never);
  expect(read).toMatchObject({ type: 'task-completed', videoUrl: 'http://f/v' });
  expect(await service.status('too-long', never)).toMatchObject({
    type: 'poll-unanswered',
    isTooLong: true,
    failure: expect.stringContaining('the answer is longer than 67108864 bytes'),
  });
});

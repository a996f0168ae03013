/** Requests through a SOCKS proxy: the latch belongs to the creation, not to the handshake before it. */

import * as net from 'node:net';
import { describe, expect, test } from 'vitest';
import { createHttpFileHost } from '../../src/service/http-file-host.ts';
import { trusted, trustInTests } from './certificates.ts';
import {
  acceptance,
  always,
  answer,
  type Behaviour,
  closedPort,
  openService,
  progress,
  startServer,
  thenClose,
} from './wire.ts';

const body = JSON.stringify({ question: 'Why?' });
const never = new AbortController().signal;
const host = 'service.invalid';

trustInTests(trusted);

const granted = Buffer.from([5, 0, 0, 1, 127, 0, 0, 1, 0, 80]);
const refused = Buffer.from([5, 2, 0, 1, 0, 0, 0, 0, 0, 0]);

/** A proxy of SOCKS 5 that leads every connection to one port, and keeps what it was asked for; null refuses. */
function socksTo(port: number | null, asked: string[] = []): Behaviour {
  return (socket) => {
    const onAsk = (request: Buffer): void => {
      const name = request.subarray(5, 5 + (request[4] ?? 0)).toString();
      asked.push(`${name}:${request.readUInt16BE(request.length - 2)}`);
      if (port === null) return void socket.end(refused);
      const onward = net.connect(port, '127.0.0.1', () => {
        socket.write(granted);
        socket.pipe(onward).pipe(socket);
      });
      onward.on('error', () => socket.destroy()).on('close', () => socket.destroy());
    };
    const onName = (credentials: Buffer): void => {
      asked.push(
        credentials
          .subarray(1)
          .toString('latin1')
          .replace(/[^a-z-]+/g, ' ')
          .trim(),
      );
      socket.write(Buffer.from([1, 0]));
      socket.once('data', onAsk);
    };
    socket.once('data', (hello: Buffer) => {
      const wantsName = hello.includes(2, 2);
      socket.write(Buffer.from([5, wantsName ? 2 : 0]));
      socket.once('data', wantsName ? onName : onAsk);
    });
  };
}

describe.each([
  ['http', undefined, 80],
  ['https', trusted, 443],
] as const)('through SOCKS to %s', (scheme, secure, port) => {
  test('a creation and a status are answered, and the proxy resolves the name', async () => {
    await using server = await startServer(async (socket, request) => {
      socket.end((await request).startsWith('POST') ? acceptance : progress);
    }, secure);
    const asked: string[] = [];
    await using proxy = await startServer(socksTo(server.port, asked));
    const env = { all_proxy: `socks5://user:pass-%77ord@127.0.0.1:${proxy.port}` };
    await using service = openService(`${scheme}://${host}`, { env });
    expect(await service.create(body, never)).toMatchObject({ type: 'creation-accepted', taskId: 'task-1' });
    expect(await service.status('task-1', never)).toMatchObject({ type: 'task-progressed' });
    expect(asked).toEqual(['user pass-word', `${host}:${port}`, 'user pass-word', `${host}:${port}`]);
    expect(server.count('POST')).toBe(1);
    expect(server.received[0]).not.toMatch(/proxy-/i);
  });

  test('an answer that never comes leaves the creation uncertain', async () => {
    await using server = await startServer(thenClose(''), secure);
    await using proxy = await startServer(socksTo(server.port));
    const env = { [`${scheme}_proxy`]: `socks5h://127.0.0.1:${proxy.port}` };
    await using service = openService(`${scheme}://${host}`, { env });
    expect((await service.create(body, never)).type).toBe('creation-uncertain');
    expect(server.count('POST')).toBe(1);
  });

  test.each<[string, Behaviour]>([
    ['refuses', socksTo(null)],
    ['closes without a word', (socket) => socket.end()],
    ['speaks no SOCKS', always(answer(200, acceptance))],
    ['is silent until the deadline', () => undefined],
  ])('a creation was not sent when the proxy %s', async (_, behave) => {
    await using proxy = await startServer(behave);
    const env = { ALL_PROXY: `socks5://me:secret-word@127.0.0.1:${proxy.port}` };
    await using service = openService(`${scheme}://${host}`, { env, requestTimeoutMs: 500 });
    const result = await service.create(body, never);
    expect(result).toMatchObject({
      type: 'creation-not-sent',
      failure: expect.stringContaining(`through the proxy of ALL_PROXY, 127.0.0.1:${proxy.port})`),
    });
    expect(JSON.stringify(result)).not.toContain('secret-word');
    expect(proxy.count('POST')).toBe(0);
  });
});

test('a creation was not sent when nobody listens at the proxy', async () => {
  const env = { ALL_PROXY: `socks5://127.0.0.1:${await closedPort()}` };
  await using service = openService(`http://${host}`, { env });
  expect((await service.create(body, never)).type).toBe('creation-not-sent');
});

test('a video is fetched through SOCKS, too', async () => {
  await using server = await startServer(always(answer(200, 'bytes')));
  await using proxy = await startServer(socksTo(server.port));
  const files = createHttpFileHost({
    serviceUrl: `http://${host}`,
    connections: 2,
    requestTimeoutMs: 20_000,
    stallMs: 20_000,
    env: { ALL_PROXY: `socks5://127.0.0.1:${proxy.port}` },
  });
  const got = await files.get('http://files.invalid/v.mp4', { offset: 0, validator: null }, never);
  expect(got).toMatchObject({ outcome: 'content', totalBytes: 5 });
  await files.close(true);
});

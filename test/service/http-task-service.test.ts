/** Creations on plain sockets: what each way to fail means, and that no creation is ever sent twice. */

import type { Socket } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { UsageError } from '../../src/errors.ts';
import type { CreationEvent, KeyBar } from '../../src/money/event.ts';
import {
  always,
  answer,
  apiKey,
  type Behaviour,
  closedPort,
  openService,
  startServer,
  thenClose,
  type WireServer,
} from './wire.ts';

const body = JSON.stringify({ question: '1 + 1 = ?' });
const never = new AbortController().signal;
const acceptance = { status: 'success', data: { task_id: 'task-1' } };
const refusal = { status: 'error', data: { messages: 'no points' } };

const packed = (encoding: string, bytes: Uint8Array): Uint8Array =>
  Buffer.concat([
    Buffer.from(`HTTP/1.1 200 X\r\ncontent-length: ${bytes.length}\r\ncontent-encoding: ${encoding}\r\n\r\n`),
    bytes,
  ]);

/** One creation against a server; gives the answer and what the server received. */
async function createAt(
  behave: Behaviour,
  requestTimeoutMs = 20_000,
): Promise<{ readonly result: CreationEvent; readonly server: WireServer }> {
  await using server = await startServer(behave);
  await using service = openService(`http://127.0.0.1:${server.port}`, { requestTimeoutMs });
  return { result: await service.create(body, never), server };
}

test('a creation is one POST with the key, the JSON and a connection of its own', async () => {
  await using server = await startServer(thenClose(answer(200, acceptance)));
  await using service = openService(`http://127.0.0.1:${server.port}/prefix/v1//`);
  expect(await service.create(body, never)).toMatchObject({ type: 'creation-accepted', taskId: 'task-1' });
  expect(await service.create(body, never)).toMatchObject({ type: 'creation-accepted', taskId: 'task-1' });
  expect(server.received).toHaveLength(2);
  for (const request of server.received) {
    expect(request).toMatch(/^POST \/prefix\/v1\/api\/gen_video HTTP\/1\.1\r\n/);
    expect(request).toContain(`\r\nhost: 127.0.0.1:${server.port}\r\n`);
    expect(request).toContain(`\r\nauthorization: Bearer ${apiKey}\r\n`);
    expect(request).toContain('\r\ncontent-type: application/json\r\n');
    expect(request).toContain('\r\naccept-encoding: identity\r\n');
    expect(request).toContain('\r\nconnection: close\r\n');
    expect(request.endsWith(`\r\n\r\n${body}`)).toBe(true);
  }
});

describe('a creation was not sent', () => {
  test('when the connection is refused', async () => {
    const port = await closedPort();
    await using service = openService(`http://127.0.0.1:${port}`);
    expect(await service.create(body, never)).toMatchObject({
      type: 'creation-not-sent',
      failure: `not sent to http://127.0.0.1:${port}: connect ECONNREFUSED 127.0.0.1:${port}`,
    });
  });

  test('when the name is not known', async () => {
    await using service = openService('http://no-such-host.invalid');
    expect(await service.create(body, never)).toMatchObject({
      type: 'creation-not-sent',
      failure: expect.stringMatching(/ENOTFOUND|EAI_AGAIN/),
    });
  });

  test('when the program was leaving already', async () => {
    await using server = await startServer(always(answer(200, acceptance)));
    await using service = openService(`http://127.0.0.1:${server.port}`);
    const result = await service.create(body, AbortSignal.abort());
    expect(result).toMatchObject({ type: 'creation-not-sent', failure: expect.stringContaining('exiting') });
    expect(server.received).toEqual([]);
  });

  test('when it leaves while still connecting', async () => {
    await using server = await startServer(always(answer(200, acceptance)));
    await using service = openService(`http://127.0.0.1:${server.port}`);
    const leave = new AbortController();
    const creation = service.create(body, leave.signal);
    leave.abort();
    expect((await creation).type).toBe('creation-not-sent');
    expect(server.count('POST')).toBe(0);
  });

  test('when the service was closed by force', async () => {
    await using server = await startServer(always(answer(200, acceptance)));
    const service = openService(`http://127.0.0.1:${server.port}`);
    await service.close(true);
    expect((await service.create(body, never)).type).toBe('creation-not-sent');
    expect(server.received).toEqual([]);
  });
});

describe('a creation is misconfigured', () => {
  test('when the key cannot stand in a header', async () => {
    await using server = await startServer(always(answer(200, acceptance)));
    await using service = openService(`http://127.0.0.1:${server.port}`, { apiKey: 'sk-键-secret' });
    const result = await service.create(body, never);
    expect(result).toMatchObject({
      type: 'creation-not-sent',
      endsRun: 'misconfigured',
      failure: expect.stringContaining('authorization'),
    });
    expect(JSON.stringify(result)).not.toContain('secret');
    expect(server.count('POST')).toBe(0);
  });

  test.each([301, 307, 308])('when HTTP %i sends it elsewhere, and it does not follow', async (status) => {
    await using other = await startServer(always(answer(200, acceptance)));
    const location = `location: http://127.0.0.1:${other.port}/new/api/gen_video?token=t`;
    const { result, server } = await createAt(always(answer(status, '', [location])));
    expect(result).toMatchObject({
      type: 'creation-not-sent',
      endsRun: 'misconfigured',
      failure: `the service redirects creations to http://127.0.0.1:${other.port}/new/api/gen_video; put the final address in --base-url`,
    });
    expect(server.count('POST')).toBe(1);
    expect(other.received).toEqual([]);
  });
});

/** Resets the connection instead of closing it. */
const reset: Behaviour = async (socket, request) => {
  await request;
  socket.resetAndDestroy();
};

describe('a creation is uncertain', () => {
  const head = 'HTTP/1.1 200 OK\r\n';
  const start = '{"status":"success","data":{"task';
  test.each<[string, Behaviour]>([
    ['the peer closes without a word', thenClose('')],
    ['the peer resets', reset],
    ['the answer is not HTTP', thenClose('hello there\r\n\r\n')],
    ['the answer is not HTTP and does not say success', thenClose('{"data":{"task_id":"task-1"}}')],
    ['the answer is not HTTP and says error', thenClose('{"status":"error","data":{"task_id":"task-1"}}')],
    ['the answer is not HTTP and names two tasks', thenClose(JSON.stringify([acceptance, acceptance]))],
    ['the answer stops in its head', thenClose(`${head}content-le`)],
    ['the head is too long', always(`${head}x: ${'y'.repeat(70_000)}\r\n\r\n`)],
    ['the head has two lengths', thenClose(`${head}content-length: 2\r\ncontent-length: 3\r\n\r\nabc`)],
    ['the body is cut', thenClose(`${head}content-length: 900\r\n\r\n${start}`)],
    ['the chunked body is cut', thenClose(`${head}transfer-encoding: chunked\r\n\r\n5\r\n{"sta\r\n`)],
    ['the body without a length is cut', thenClose(`${head}\r\n${start}`)],
    ['the body has no task id', always(answer(200, { status: 'success', data: {} }))],
    ['the body is empty', always(answer(200, ''))],
    ['the status has no body', always('HTTP/1.1 204 No Content\r\n\r\n')],
    ['the body is in an unknown encoding', always(packed('compress', Buffer.from('\x1f\x9d\x90 task-1')))],
    [
      'the answer switches protocols',
      always('HTTP/1.1 101 X\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n'),
    ],
    ['HTTP 302', always(answer(302, '', ['location: /elsewhere']))],
    ['HTTP 303', always(answer(303, '', ['location: /elsewhere']))],
    ['HTTP 408', thenClose(answer(408, ''))],
    ['HTTP 409', always(answer(409, 'conflict'))],
    ['HTTP 425', always(answer(425, ''))],
    ['HTTP 502 with a page', always(answer(502, '<h1>Bad Gateway</h1>'))],
    [
      'HTTP 500 with a cut envelope',
      thenClose(`HTTP/1.1 500 X\r\ncontent-length: 99\r\n\r\n{"status":"error","da`),
    ],
  ])('when %s, and it is not sent again', async (_, behave) => {
    const { result, server } = await createAt(behave);
    expect(result.type).toBe('creation-uncertain');
    expect(server.count('POST')).toBe(1);
    expect(server.received).toHaveLength(1);
  });

  test.each<[string, Behaviour]>([
    ['no answer comes', (_, request) => request],
    ['the head drips', (socket, request) => request.then(() => drip(socket, `${head}x-drip: `))],
    ['the body stalls', always(`${head}content-length: 99\r\n\r\n${start}`)],
    [
      'the body drips',
      (socket, request) => request.then(() => drip(socket, `${head}content-length: 9999999\r\n\r\n`)),
    ],
  ])('when %s until the deadline, and it is not sent again', async (_, behave) => {
    const { result, server } = await createAt(behave, 300);
    expect(result).toMatchObject({
      type: 'creation-uncertain',
      failure: expect.stringContaining('within 0.3 s'),
    });
    expect(server.count('POST')).toBe(1);
  });

  test('when the program leaves after the bytes left', async () => {
    const leave = new AbortController();
    await using server = await startServer(async (_, request) => {
      await request;
      leave.abort();
    });
    await using service = openService(`http://127.0.0.1:${server.port}`);
    const result = await service.create(body, leave.signal);
    expect(result).toMatchObject({ type: 'creation-uncertain', failure: expect.stringContaining('exiting') });
    expect(server.count('POST')).toBe(1);
  });

  test('when the service is closed by force after the bytes left', async () => {
    const received = Promise.withResolvers<void>();
    await using server = await startServer(async (_, request) => {
      await request;
      received.resolve();
    });
    const service = openService(`http://127.0.0.1:${server.port}`);
    const creation = service.create(body, never);
    await received.promise;
    await service.close(true);
    expect((await creation).type).toBe('creation-uncertain');
    expect(server.count('POST')).toBe(1);
  });
});

/** Writes a byte at a time, for as long as the socket lives. */
function drip(socket: Socket, start: string): void {
  socket.write(start);
  const timer = setInterval(() => socket.write(' '), 5);
  socket.on('close', () => clearInterval(timer));
}

describe('a creation is accepted', () => {
  const json = JSON.stringify(acceptance);
  const padded = `${JSON.stringify(acceptance).slice(0, -1)},"pad":"${'x'.repeat(2 * 1024 * 1024)}"}`;
  test.each<[string, Behaviour]>([
    ['a plain answer', always(answer(200, acceptance))],
    ['an answer with a byte order mark', always(answer(200, `\ufeff${json}`))],
    [
      'an interim answer first',
      always(`HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n${answer(200, acceptance)}`),
    ],
    ['another status that says success all the same', always(answer(500, acceptance))],
    ['a redirect that says success all the same', always(answer(302, acceptance, ['location: /x']))],
    ['a body without a length', thenClose(`HTTP/1.1 200 OK\r\n\r\n${json}`)],
    ['a text that is no HTTP, and says success', thenClose(json)],
    ['a head that cannot be read', thenClose(`HTTP/2 200\r\nnel: {"a":1}\r\n\r\n${json}`)],
    [
      'a chunk that cannot be read, in an answer that is a success by its status',
      thenClose('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{"data":{"task_id":"task-1"}}'),
    ],
    [
      'a body that is cut after the id',
      thenClose(`HTTP/1.1 200 OK\r\ncontent-length: 999\r\n\r\n${json.slice(0, -2)}`),
    ],
    ['a body that is longer than it may be', always(answer(200, padded))],
    ['gzip, although it was not asked for', always(packed('gzip', gzipSync(json)))],
    ['gzip that is cut', thenClose(packed('GZIP', gzipSync(json)).subarray(0, -6))],
    ['deflate', always(packed('deflate', deflateSync(json)))],
    ['bare deflate', always(packed('deflate', deflateRawSync(json)))],
    ['brotli', always(packed('br', brotliCompressSync(json)))],
    ['the start of a bomb', always(packed('gzip', gzipSync(json + ' '.repeat(20 * 1024 * 1024))))],
  ])('by %s', async (_, behave) => {
    const { result, server } = await createAt(behave);
    expect(result).toMatchObject({ type: 'creation-accepted', taskId: 'task-1' });
    expect(server.count('POST')).toBe(1);
  });

  test('by a body that stalls after the id, at the deadline', async () => {
    const { result } = await createAt(always(`HTTP/1.1 200 OK\r\ncontent-length: 999\r\n\r\n${json}`), 300);
    expect(result).toMatchObject({ type: 'creation-accepted', taskId: 'task-1' });
  });
});

describe('a creation is refused', () => {
  test.each<[string, string, Partial<CreationEvent>]>([
    [
      'an error envelope',
      answer(200, refusal),
      { type: 'creation-refused', failure: 'no points', passing: false },
    ],
    [
      'an error envelope with HTTP 500',
      answer(500, refusal),
      { type: 'creation-refused', failure: 'no points' },
    ],
    [
      'an error envelope with HTTP 400',
      answer(400, refusal),
      { type: 'creation-refused', failure: 'no points', passing: false },
    ],
    [
      'HTTP 429',
      answer(429, '', ['retry-after: 3']),
      { type: 'creation-refused', passing: true, retryAfterMs: 3_000 },
    ],
  ])('by %s', async (_, said, expected) => {
    const { result, server } = await createAt(always(said));
    expect(result).toMatchObject(expected);
    expect(server.count('POST')).toBe(1);
  });

  test('by a whole error envelope before the connection is cut', async () => {
    const cut = `HTTP/1.1 500 X\r\ncontent-length: 999\r\n\r\n${JSON.stringify(refusal)}`;
    const { result } = await createAt(thenClose(cut));
    expect(result).toMatchObject({ type: 'creation-refused', failure: 'no points' });
  });

  test('without the key in any message, however the server echoes it', async () => {
    const echo: Behaviour = async (socket, request) => {
      const received = await request;
      socket.write(answer(400, { status: 'error', data: { messages: `you sent ${received}` } }));
    };
    const { result } = await createAt(echo);
    expect(result).toMatchObject({
      type: 'creation-refused',
      failure: expect.stringContaining('Bearer [secret]'),
    });
    expect(JSON.stringify(result)).not.toContain(apiKey);
  });
});

describe('a creation is barred, which may be about its row or about all', () => {
  const page = thenClose('HTTP/1.1 413 X\r\ncontent-length: 999\r\n\r\n<h1>Too large');
  test.each<[string, Behaviour, KeyBar | 'gateway', string]>([
    ['HTTP 400 without the envelope', always(answer(400, 'bad')), 'gateway', 'HTTP 400: bad'],
    ['HTTP 404 without the envelope', always(answer(404, '')), 'gateway', 'HTTP 404'],
    ['HTTP 413 without the envelope', always(answer(413, '')), 'gateway', 'HTTP 413'],
    ['HTTP 415 without the envelope', always(answer(415, '')), 'gateway', 'HTTP 415'],
    ['HTTP 422 without the envelope', always(answer(422, '')), 'gateway', 'HTTP 422'],
    ['HTTP 413 although its page is cut', page, 'gateway', 'HTTP 413: Too large'],
    ['HTTP 401', always(answer(401, refusal)), 'key-refused', 'no points'],
    ['HTTP 402', always(answer(402, '')), 'no-points', 'HTTP 402'],
    ['HTTP 403', always(answer(403, '')), 'key-forbidden', 'HTTP 403'],
  ])('by %s', async (_, behave, bar, failure) => {
    const { result, server } = await createAt(behave);
    expect(result).toEqual({ type: 'creation-barred', at: expect.any(Number), bar, failure });
    expect(server.count('POST')).toBe(1);
  });
});

test('many creations at once are as many connections with one request each', async () => {
  await using server = await startServer(always(answer(200, acceptance)));
  await using service = openService(`http://127.0.0.1:${server.port}`);
  const results = await Promise.all(Array.from({ length: 40 }, () => service.create(body, never)));
  expect(results.every((result) => result.type === 'creation-accepted')).toBe(true);
  expect(server.received).toHaveLength(40);
  expect(server.received.every((request) => request.split('POST ').length === 2)).toBe(true);
});

test.each(['', 'service.example', 'ftp://service.example', 'http://'])(
  'the address %j is refused before anything is sent',
  (baseUrl) => {
    expect(() => openService(baseUrl)).toThrow(UsageError);
  },
);

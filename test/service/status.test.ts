/** Status requests on real sockets. */

import { describe, expect, test } from 'vitest';
import {
  always,
  answer,
  apiKey,
  type Behaviour,
  closedPort,
  openService,
  startServer,
  thenClose,
} from './wire.ts';

const never = new AbortController().signal;
const progress = {
  status: 'success',
  data: { status: 'IN_PROGRESS', progress: [{ id: '1', image: 'http://f/1?s=2' }] },
};

/** Answers every request on a connection, with keep-alive. */
function keepAnswering(said: string): Behaviour {
  return (socket) => {
    socket.on('data', () => socket.write(said));
  };
}

test('a status is one GET with the key', async () => {
  await using server = await startServer(always(answer(200, progress)));
  await using service = openService(`http://127.0.0.1:${server.port}/v1/`);
  expect(await service.status('task 1/é?', never)).toEqual({
    type: 'task-progressed',
    at: expect.any(Number),
    frames: [{ id: '1', url: 'http://f/1?s=2' }],
  });
  expect(server.received[0]).toMatch(/^GET \/v1\/api\/get_status\/task%201%2F%C3%A9%3F HTTP\/1\.1\r\n/);
  expect(server.received[0]).toContain(`\r\nauthorization: Bearer ${apiKey}\r\n`);
});

test.each([
  ['.', '%2E'],
  ['..', '%2E%2E'],
  ['a.b', 'a.b'],
  ['\ud800', '%EF%BF%BD'],
])('the task id %j cannot leave its place in the path', async (taskId, segment) => {
  await using server = await startServer(always(answer(200, progress)));
  await using service = openService(`http://127.0.0.1:${server.port}`);
  expect((await service.status(taskId, never)).type).toBe('task-progressed');
  expect(server.received[0]).toContain(`GET /api/get_status/${segment} HTTP`);
});

test('connections are kept and are no more than allowed', async () => {
  await using server = await startServer(keepAnswering(answer(200, progress)));
  await using service = openService(`http://127.0.0.1:${server.port}`, { pollConnections: 3 });
  const results = await Promise.all(Array.from({ length: 30 }, () => service.status('task-1', never)));
  expect(results.every((result) => result.type === 'task-progressed')).toBe(true);
  expect(server.received).toHaveLength(3);
  expect(server.count('GET')).toBe(30);
});

test('a connection whose answer had two framings is not used again', async () => {
  const text = JSON.stringify(progress);
  const chunks = `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n0\r\n\r\n`;
  const head = 'HTTP/1.1 200 OK\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n';
  await using server = await startServer(keepAnswering(`${head}${chunks}`));
  await using service = openService(`http://127.0.0.1:${server.port}`, { pollConnections: 1 });
  for (let count = 0; count < 2; count++)
    expect(await service.status('task-1', never)).toMatchObject({ type: 'task-progressed' });
  expect(server.received).toHaveLength(2);
});

test('a status in GBK is read as one in UTF-8 is', async () => {
  for (const [bytes, text] of [
    [
      '7b22737461747573223a226572726f72222c2264617461223a7b226d65737361676573223a22cafdbeddbfe2b4edcef3227d7d',
      '数据库错误',
    ],
    [
      '7b22737461747573223a226572726f72222c2264617461223a7b226d65737361676573223a22fffe227d7d',
      '\ufffd\ufffd',
    ],
  ] as const) {
    const body = Buffer.from(bytes, 'hex');
    const head = Buffer.from(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n`);
    await using server = await startServer(always(Buffer.concat([head, body])));
    await using service = openService(`http://127.0.0.1:${server.port}`);
    expect(await service.status('task-1', never)).toMatchObject({ type: 'poll-unanswered', failure: text });
  }
});

describe('a status is unanswered', () => {
  test.each<[string, Behaviour]>([
    ['the peer closes without a word', thenClose('')],
    ['the answer is not HTTP', thenClose('hello\r\n\r\n')],
    ['the body is cut', thenClose('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"status":"success"')],
    ['the body is a page', always(answer(200, '<html>'))],
    [
      'the body is in an unknown encoding',
      always(answer(200, '\x1f\x9d\x90', ['content-encoding: compress'])),
    ],
    ['the service fails', always(answer(500, 'oops'))],
    ['it is redirected', always(answer(302, '', ['location: /elsewhere']))],
    [
      'the body is too long',
      always(answer(200, `${JSON.stringify(progress).slice(0, -1)},"x":"${'y'.repeat(70_000_000)}"}`)),
    ],
  ])('when %s', async (_, behave) => {
    await using server = await startServer(behave);
    await using service = openService(`http://127.0.0.1:${server.port}`);
    expect(await service.status('task-1', never)).toMatchObject({
      type: 'poll-unanswered',
      failure: expect.stringMatching(/\S/),
    });
    expect(server.count('GET')).toBe(1);
  });

  test('when the connection is refused', async () => {
    await using service = openService(`http://127.0.0.1:${await closedPort()}`);
    expect(await service.status('task-1', never)).toMatchObject({
      type: 'poll-unanswered',
      failure: expect.stringContaining('ECONNREFUSED'),
    });
  });

  test('when the deadline passes, also while it waits for a connection', async () => {
    await using server = await startServer(() => undefined);
    await using service = openService(`http://127.0.0.1:${server.port}`, {
      requestTimeoutMs: 200,
      pollConnections: 1,
    });
    const results = await Promise.all([service.status('a', never), service.status('b', never)]);
    expect(results.map((result) => result.type)).toEqual(['poll-unanswered', 'poll-unanswered']);
  });

  test('when the program leaves, and the others continue', async () => {
    const received = Promise.withResolvers<void>();
    await using server = await startServer(async (socket, request) => {
      if ((await request).includes('/mine ')) socket.write(answer(200, progress));
      else received.resolve();
    });
    await using service = openService(`http://127.0.0.1:${server.port}`);
    const leave = new AbortController();
    const left = service.status('theirs', leave.signal);
    await received.promise;
    leave.abort();
    expect((await left).type).toBe('poll-unanswered');
    expect((await service.status('mine', never)).type).toBe('task-progressed');
  });

  test('with the longest pause that an overloaded service asks for', async () => {
    await using server = await startServer(always(answer(503, '', ['retry-after: 2', 'retry-after: 9'])));
    await using service = openService(`http://127.0.0.1:${server.port}`);
    expect(await service.status('task-1', never)).toMatchObject({
      type: 'poll-unanswered',
      retryAfterMs: 9_000,
    });
  });
});

test('an unknown task and a refused key are distinguished', async () => {
  const unknown = { status: 'error', data: { messages: `Server error: Task not found (${apiKey})` } };
  await using server = await startServer((socket, request) =>
    request.then((text) => socket.write(answer(text.includes('/lost ') ? 200 : 401, unknown))),
  );
  await using service = openService(`http://127.0.0.1:${server.port}`);
  const failure = 'Server error: Task not found ([secret])';
  expect(await service.status('lost', never)).toEqual({
    type: 'task-not-found',
    at: expect.any(Number),
    failure,
    unknownMs: 0,
  });
  expect(await service.status('other', never)).toEqual({
    type: 'poll-refused',
    failure,
    endsRun: 'key-refused',
  });
});

test('closing lets a status end, closing by force cuts it, and both may be repeated', async () => {
  const received = Promise.withResolvers<void>();
  const blocked = Promise.withResolvers<void>();
  await using server = await startServer(async (socket, request) => {
    await request;
    received.resolve();
    await blocked.promise;
    socket.write(answer(200, progress));
  });
  const [patient, cut] = [
    openService(`http://127.0.0.1:${server.port}`),
    openService(`http://127.0.0.1:${server.port}`),
  ];
  const results = Promise.all([patient.status('task-1', never), cut.status('task-1', never)]);
  await received.promise;
  const closing = patient.close();
  await cut.close(true);
  blocked.resolve();
  expect((await results).map((result) => result.type)).toEqual(['task-progressed', 'poll-unanswered']);
  await closing;
  await patient.close();
  await cut.close(true);
  expect((await patient.status('task-1', never)).type).toBe('poll-unanswered');
});

test('an answer about another task says nothing of this one, not even that it is not there', async () => {
  await using server = await startServer(
    always(answer(200, { status: 'success', data: { task_id: 'x', status: 'FAILED' } })),
  );
  await using service = openService(`http://127.0.0.1:${server.port}`);
  expect(await service.status('task-1', never)).toMatchObject({ type: 'poll-unanswered', isWhole: true });
});

describe('status requests', () => {
  test('are never more at once than there are connections, and their deadline begins when they leave', async () => {
    let open = 0;
    let most = 0;
    const waiting: (() => void)[] = [];
    const arrived = Promise.withResolvers<void>();
    await using server = await startServer((socket) => {
      socket.on('data', () => {
        most = Math.max(most, ++open);
        waiting.push(() => {
          open -= 1;
          socket.write(answer(200, progress));
        });
        if (waiting.length === 4) arrived.resolve();
      });
    });
    await using service = openService(`http://127.0.0.1:${server.port}`, { requestTimeoutMs: 1_500 });
    const asked = Array.from({ length: 12 }, (_, i) => service.status(`task-${i}`, never));
    await arrived.promise;
    // The first four are answered after most of their time; those that waited in line have all of theirs.
    let answered = 0;
    const beat = setInterval(() => {
      for (const say of waiting.splice(0)) say();
      answered += 1;
    }, 1_000);
    const ends = (await Promise.all(asked)).map(({ type }) => type);
    clearInterval(beat);
    expect(ends).toEqual(Array(12).fill('task-progressed'));
    expect(most).toBe(4);
    expect(answered).toBeGreaterThan(2);
  });

  test('that are slow do not keep anybody from finding out who is there', async () => {
    await using server = await startServer(async (socket, request) => {
      if ((await request).includes('no-such-task'))
        socket.write(answer(200, { status: 'error', data: { messages: 'Task not found' } }));
    });
    await using service = openService(`http://127.0.0.1:${server.port}`);
    for (let i = 0; i < 12; i++) void service.status(`task-${i}`, never);
    expect(await service.probe(never)).toMatchObject({ outcome: 'service' });
  });
});

describe('the free question', () => {
  const known = answer(200, { status: 'error', data: { messages: 'Server error: Task not found' } });
  const unknown = answer(404, { status: 'error', data: { messages: 'Not found' } });

  test.each([
    ['', '', 1, { outcome: 'service', knowsTasks: true }],
    ['/v1/api', '/v1/api', 1, { outcome: 'service', knowsTasks: true }],
    ['/api', '', 2, { outcome: 'foreign', failure: expect.stringMatching(/^http:..[^/]+ answers as/) }],
    ['/v1/api/', '/v1', 2, { outcome: 'foreign', failure: expect.stringMatching(/[0-9]\/v1 answers as/) }],
    [
      '/v1',
      '/v1/api',
      2,
      { outcome: 'foreign', failure: expect.stringMatching(/[0-9]\/v1\/api answers as/) },
    ],
    ['/v1', '', 2, { outcome: 'service' }],
  ])('at %j of a service that is at %j', async (given, actual, questions, judged) => {
    await using server = await startServer(async (socket, request) => {
      const isHere = (await request).startsWith(`GET ${actual}/api/get_status/no-such-task-`);
      socket.end(isHere ? known : unknown);
    });
    await using service = openService(`http://127.0.0.1:${server.port}${given}`);
    expect(await service.probe(never)).toEqual(judged);
    expect([server.count('GET'), server.count('POST')]).toEqual([questions, 0]);
  });
});

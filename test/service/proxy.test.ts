/** Creations through a proxy: the latch belongs to the creation, not to the CONNECT before it. */

import * as net from 'node:net';
import { describe, expect, test } from 'vitest';
import { UsageError } from '../../src/errors.ts';
import { trusted, trustInTests, unknown } from './certificates.ts';
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

/** A proxy that tunnels every CONNECT to one port, after `gate`. */
function tunnelTo(port: number, gate: Promise<void> = Promise.resolve(), closed = () => {}): Behaviour {
  return async (socket, request) => {
    socket.on('close', closed);
    await request;
    await gate;
    const onward = net.connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(onward).pipe(socket);
    });
    onward.on('error', () => socket.destroy()).on('close', () => socket.destroy());
    socket.on('error', () => onward.destroy());
  };
}

const through = (port: number) => ({
  https_proxy: `http://user:pass-%77ord@127.0.0.1:${port}`,
  HTTP_PROXY: `http://user:pass-%77ord@127.0.0.1:${port}`,
});
const credentials = `Basic ${Buffer.from('user:pass-word').toString('base64')}`;

/** What every proxy says that does not know who asks. */
const wantsCredentials = always(answer(407, 'who are you?', ['proxy-authenticate: Basic realm="p"']));

describe('through a proxy to http', () => {
  const baseUrl = `http://${host}/v1`;

  test('the whole address is asked for, with the credentials of the proxy, and no tunnel', async () => {
    await using proxy = await startServer(always(acceptance));
    await using service = openService(baseUrl, { env: through(proxy.port) });
    expect(await service.create(body, never)).toMatchObject({ type: 'creation-accepted', taskId: 'task-1' });
    expect(proxy.received[0]).toMatch(new RegExp(`^POST http://${host}/v1/api/gen_video HTTP/1.1\r\n`));
    expect(proxy.received[0]).toContain(`\r\nhost: ${host}\r\n`);
    expect(proxy.received[0]).toContain(`\r\nproxy-authorization: ${credentials}\r\n`);
  });

  test('a status is asked, one after the other on one connection', async () => {
    await using proxy = await startServer((socket) => {
      socket.on('data', () => socket.write(progress));
    });
    await using service = openService(baseUrl, { env: through(proxy.port), pollConnections: 1 });
    for (let count = 0; count < 3; count++)
      expect(await service.status('task-1', never)).toMatchObject({ type: 'task-progressed' });
    expect(proxy.received).toHaveLength(1);
    expect(proxy.count(`GET http://${host}/v1/api/get_status/task-1`)).toBe(3);
  });

  test('an answer with an odd head is read', async () => {
    await using proxy = await startServer(always(acceptance.replaceAll('\r', '').replace(':', ' :')));
    await using service = openService(baseUrl, { env: through(proxy.port) });
    expect(await service.create(body, never)).toMatchObject({ type: 'creation-accepted', taskId: 'task-1' });
    expect(proxy.count('POST')).toBe(1);
  });

  test("an answer that may be the proxy's own names it, and one of the service does not", async () => {
    await using proxy = await startServer(async (socket, request) =>
      socket.end(
        (await request).startsWith('POST')
          ? answer(502, 'Bad Gateway')
          : answer(200, { status: 'error', data: { messages: 'busy' } }),
      ),
    );
    await using service = openService(baseUrl, { env: through(proxy.port) });
    expect(await service.create(body, never)).toMatchObject({
      failure: expect.stringMatching(
        new RegExp(`^HTTP 502 \\(through the proxy of HTTP_PROXY, 127.0.0.1:${proxy.port}\\): Bad Gateway`),
      ),
    });
    expect(await service.status('task-1', never)).toMatchObject({ failure: 'busy' });
  });

  test('a proxy without credentials in its address gets none', async () => {
    await using proxy = await startServer(always(acceptance));
    await using service = openService(baseUrl, { env: { http_proxy: `127.0.0.1:${proxy.port}` } });
    expect((await service.create(body, never)).type).toBe('creation-accepted');
    expect(proxy.received[0]).not.toMatch(/proxy-/i);
  });

  test('a proxy of https is spoken to over TLS', async () => {
    await using proxy = await startServer(always(acceptance), trusted);
    await using service = openService(baseUrl, { env: { http_proxy: `https://127.0.0.1:${proxy.port}` } });
    expect((await service.create(body, never)).type).toBe('creation-accepted');
  });
});

describe.each(['http', 'https'])('a proxy on the way to %s that wants credentials', (scheme) => {
  test('says so: no other row fares better', async () => {
    await using proxy = await startServer(wantsCredentials);
    await using service = openService(`${scheme}://${host}`, { env: through(proxy.port) });
    const said = { failure: expect.stringMatching(/the proxy requires credentials: add user and password/) };
    expect(await service.create(body, never)).toMatchObject({
      type: 'creation-not-sent',
      ...said,
    });
    expect(await service.status('task-1', never)).toMatchObject({ type: 'poll-unanswered', ...said });
  });
});

describe('through the tunnel of a proxy to https', () => {
  const baseUrl = `https://${host}`;
  const secure = trusted;

  test('a creation is accepted, and the proxy sees nothing of it in the clear', async () => {
    await using server = await startServer(always(acceptance), secure);
    await using proxy = await startServer(tunnelTo(server.port));
    await using service = openService(baseUrl, { env: through(proxy.port) });
    expect(await service.create(body, never)).toMatchObject({ type: 'creation-accepted', taskId: 'task-1' });
    expect(server.count('POST')).toBe(1);
    expect(server.received[0]).toContain(`\r\nhost: ${host}\r\n`);
    expect(server.received[0]).not.toMatch(/proxy-/i);
    expect(proxy.received).toHaveLength(1);
    expect(proxy.received[0]).toMatch(new RegExp(`^CONNECT ${host}:443 `));
    expect(proxy.received[0]).toContain(`\r\nproxy-authorization: ${credentials}\r\n`);
    expect(proxy.count('authorization: Bearer')).toBe(0);
  });

  test('an answer with an odd head is read', async () => {
    await using server = await startServer(
      always(acceptance.replaceAll('\r', '').replace(':', ' :')),
      secure,
    );
    await using proxy = await startServer(tunnelTo(server.port));
    await using service = openService(baseUrl, { env: through(proxy.port) });
    expect(await service.create(body, never)).toMatchObject({ type: 'creation-accepted', taskId: 'task-1' });
    expect(server.count('POST')).toBe(1);
  });

  test('a status is asked', async () => {
    await using server = await startServer(always(progress), secure);
    await using proxy = await startServer(tunnelTo(server.port));
    await using service = openService(baseUrl, { env: through(proxy.port) });
    expect(await service.status('task-1', never)).toMatchObject({ type: 'task-progressed' });
  });

  test('an answer that never comes leaves the creation uncertain', async () => {
    await using server = await startServer(thenClose(''), secure);
    await using proxy = await startServer(tunnelTo(server.port));
    await using service = openService(baseUrl, { env: through(proxy.port) });
    expect((await service.create(body, never)).type).toBe('creation-uncertain');
    expect(server.count('POST')).toBe(1);
  });

  test.each<[string, Behaviour]>([
    ['refuses the tunnel', always(answer(403, 'no'))],
    ['fails', thenClose(answer(502, ''))],
    ['closes without a word', thenClose('')],
    ['speaks no HTTP', thenClose('what?\r\n\r\n')],
    [
      'resets',
      async (socket, request) => {
        await request;
        socket.resetAndDestroy();
      },
    ],
  ])('a creation was not sent when the proxy %s', async (_, behave) => {
    await using proxy = await startServer(behave);
    await using service = openService(baseUrl, { env: through(proxy.port) });
    const result = await service.create(body, never);
    expect(result).toMatchObject({
      type: 'creation-not-sent',
      failure: expect.stringMatching(/through the proxy of http/i),
    });
    expect(JSON.stringify(result)).not.toMatch(/pass-word|user/);
    expect(proxy.count('POST')).toBe(0);
  });

  test('a creation was not sent when nobody listens at the proxy', async () => {
    await using service = openService(baseUrl, { env: through(await closedPort()) });
    expect((await service.create(body, never)).type).toBe('creation-not-sent');
  });

  test('a creation was not sent when the proxy is silent until the deadline', async () => {
    await using proxy = await startServer(() => undefined);
    await using service = openService(baseUrl, { env: through(proxy.port), requestTimeoutMs: 200 });
    expect((await service.create(body, never)).type).toBe('creation-not-sent');
  });

  test('a creation was not sent when the program leaves while the proxy is silent', async () => {
    const asked = Promise.withResolvers<void>();
    await using proxy = await startServer((_, request) => request.then(() => asked.resolve()));
    await using service = openService(baseUrl, { env: through(proxy.port) });
    const leave = new AbortController();
    const creation = service.create(body, leave.signal);
    await asked.promise;
    leave.abort();
    expect((await creation).type).toBe('creation-not-sent');
  });

  test('a tunnel that opens after the deadline carries no request', async () => {
    await using server = await startServer(always(acceptance), secure);
    const gate = Promise.withResolvers<void>();
    const over = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
    let closed = 0;
    await using proxy = await startServer(
      tunnelTo(server.port, gate.promise, () => over[closed++ === 0 ? 0 : 1].resolve()),
    );
    await using service = openService(baseUrl, { env: through(proxy.port), requestTimeoutMs: 200 });
    expect((await service.create(body, never)).type).toBe('creation-not-sent');
    expect((await service.status('task-1', never)).type).toBe('poll-unanswered');
    gate.resolve();
    await Promise.all(over.map((each) => each.promise));
    expect(server.count('POST')).toBe(0);
    expect(server.count('GET')).toBe(0);
  });
});

test('a tunnel to a server whose certificate nobody vouches for is a matter of configuration', async () => {
  await using server = await startServer(always(acceptance), unknown);
  await using proxy = await startServer(tunnelTo(server.port));
  await using service = openService(`https://${host}`, { env: through(proxy.port) });
  expect(await service.create(body, never)).toMatchObject({
    type: 'creation-not-sent',
    failure: expect.stringContaining('cannot be used: '),
  });
  expect(server.count('POST')).toBe(0);
});

test('a handshake inside the tunnel that never answers was not sent', async () => {
  await using server = await startServer(() => undefined);
  await using proxy = await startServer(tunnelTo(server.port));
  await using service = openService(`https://${host}`, { env: through(proxy.port), requestTimeoutMs: 300 });
  expect((await service.create(body, never)).type).toBe('creation-not-sent');
});

test('a service on this machine is reached without the proxy', async () => {
  await using server = await startServer(always(acceptance));
  await using proxy = await startServer(() => undefined);
  await using service = openService(`http://127.0.0.1:${server.port}`, { env: through(proxy.port) });
  expect((await service.create(body, never)).type).toBe('creation-accepted');
  expect(proxy.received).toEqual([]);
});

test.each(['ftp://127.0.0.1:1', 'http://:@', 'http://a:%zz@127.0.0.1:1'])(
  'the proxy %s is refused by the name of its variable, before anything is sent',
  (HTTPS_PROXY) => {
    expect(() => openService(`https://${host}`, { env: { HTTPS_PROXY } })).toThrow(UsageError);
    expect(() => openService(`https://${host}`, { env: { HTTPS_PROXY } })).toThrow(/^HTTPS_PROXY/);
  },
);

/** Creations over TLS: everything that goes wrong before the handshake is done surely made no task. */

import * as http2 from 'node:http2';
import * as net from 'node:net';
import { expect, test } from 'vitest';
import { otherName, trusted, trustInTests, unknown } from './certificates.ts';
import { acceptance, always, openService, startServer } from './wire.ts';

const body = JSON.stringify({ question: 'Why?' });
const never = new AbortController().signal;

trustInTests(trusted, otherName);

test('a creation is accepted over TLS', async () => {
  await using server = await startServer(always(acceptance), trusted);
  await using service = openService(`https://127.0.0.1:${server.port}`);
  expect(await service.create(body, never)).toMatchObject({ type: 'creation-accepted', taskId: 'task-1' });
  expect(server.count('POST')).toBe(1);
});

test('HTTP/2 is not spoken, even to a server that would', async () => {
  await using server = await startServer(always(acceptance), {
    ...trusted,
    ALPNProtocols: ['h2', 'http/1.1'],
  });
  await using service = openService(`https://127.0.0.1:${server.port}`);
  expect(await service.create(body, never)).toMatchObject({ type: 'creation-accepted', taskId: 'task-1' });
  expect(server.count('POST')).toBe(1);
});

test('a server that speaks only HTTP/2 is reported in one plain line', async () => {
  const only2 = http2.createSecureServer({ ...trusted, allowHTTP1: false });
  await new Promise<void>((listening) => only2.listen(0, '127.0.0.1', listening));
  const place = `https://127.0.0.1:${Object(only2.address()).port}`;
  await using service = openService(place);
  const said =
    'it speaks only HTTP/2, and batch speaks HTTP/1.1; check --base-url, or ask its owner for HTTP/1.1';
  expect(await service.probe(never)).toEqual({
    outcome: 'unreachable',
    failure: `${place} cannot be reached: ${said}`,
    obstacle: 'tls',
  });
  expect(await service.create(body, never)).toMatchObject({ failure: `${place} cannot be used: ${said}` });
  only2.close();
});

test('a certificate that nobody vouches for is a matter of configuration', async () => {
  await using server = await startServer(always(acceptance), unknown);
  await using service = openService(`https://127.0.0.1:${server.port}`);
  expect(await service.create(body, never)).toMatchObject({
    type: 'creation-not-sent',
    failure: expect.stringMatching(/self-signed certificate.*NODE_EXTRA_CA_CERTS/),
  });
  expect(server.count('POST')).toBe(0);
});

test('a certificate for another name is a matter of configuration', async () => {
  await using server = await startServer(always(acceptance), otherName);
  await using service = openService(`https://127.0.0.1:${server.port}`);
  expect(await service.create(body, never)).toMatchObject({
    type: 'creation-not-sent',
    failure: expect.stringContaining('altnames'),
  });
  expect(server.count('POST')).toBe(0);
});

test('a server that knows no version of TLS in common is a matter of configuration', async () => {
  await using server = await startServer(always(acceptance), {
    ...trusted,
    minVersion: 'TLSv1.2',
    maxVersion: 'TLSv1.2',
    ciphers: 'ECDHE-RSA-AES128-GCM-SHA256',
  });
  await using service = openService(`https://127.0.0.1:${server.port}`);
  expect(await service.create(body, never)).toMatchObject({
    type: 'creation-not-sent',
    failure: expect.stringContaining('cannot be used: '),
  });
  expect(server.count('POST')).toBe(0);
});

test('plain HTTP on the port is a matter of configuration', async () => {
  await using server = await startServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  await using service = openService(`https://127.0.0.1:${server.port}`);
  expect(await service.create(body, never)).toMatchObject({
    type: 'creation-not-sent',
    failure: expect.stringContaining('cannot be used: '),
  });
  expect(server.count('POST')).toBe(0);
});

test.each<[string, (socket: net.Socket) => void]>([
  ['reset', (socket) => socket.once('data', () => socket.resetAndDestroy())],
  ['closed', (socket) => socket.once('data', () => socket.end())],
])('a connection that is %s during the handshake was not sent', async (_, behave) => {
  await using server = await startServer(behave);
  await using service = openService(`https://127.0.0.1:${server.port}`);
  expect((await service.create(body, never)).type).toBe('creation-not-sent');
});

test('a handshake that never answers was not sent when the deadline passes', async () => {
  await using server = await startServer(() => undefined);
  await using service = openService(`https://127.0.0.1:${server.port}`, { requestTimeoutMs: 200 });
  expect((await service.create(body, never)).type).toBe('creation-not-sent');
  expect(server.received).toHaveLength(1);
});

test('a handshake that never answers was not sent when the program leaves, and is cut then', async () => {
  const [connected, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await using server = await startServer((socket) => {
    socket.once('data', () => connected.resolve()).once('close', () => closed.resolve());
  });
  await using service = openService(`https://127.0.0.1:${server.port}`, { requestTimeoutMs: 300_000 });
  const leave = new AbortController();
  const creation = service.create(body, leave.signal);
  await connected.promise;
  leave.abort();
  expect((await creation).type).toBe('creation-not-sent');
  await closed.promise;
});

/** Passes bytes on to a server, but only after `gate`. */
function gatedRelay(port: number, gate: Promise<void>, closed: () => void) {
  return async (socket: net.Socket) => {
    socket.pause().on('close', closed);
    await gate;
    const onward = net.connect(port, '127.0.0.1');
    onward.on('error', () => socket.destroy()).on('close', () => socket.destroy());
    socket.on('error', () => onward.destroy());
    socket.pipe(onward).pipe(socket);
  };
}

test('a handshake that is done after the deadline carries no creation', async () => {
  await using server = await startServer(always(acceptance), trusted);
  const [gate, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await using relay = await startServer(gatedRelay(server.port, gate.promise, over.resolve));
  await using service = openService(`https://127.0.0.1:${relay.port}`, { requestTimeoutMs: 200 });
  expect((await service.create(body, never)).type).toBe('creation-not-sent');
  gate.resolve();
  await over.promise;
  expect(server.count('POST')).toBe(0);
});

test('an alert of TLS after the request left leaves the creation uncertain', async () => {
  // In TLS 1.3 the client has written its request when the server asks in vain for its certificate.
  await using server = await startServer(always(acceptance), {
    ...trusted,
    requestCert: true,
    rejectUnauthorized: true,
  });
  await using service = openService(`https://127.0.0.1:${server.port}`);
  expect((await service.create(body, never)).type).toBe('creation-uncertain');
});

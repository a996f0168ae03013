/** Real sockets for tests: servers that say exactly the bytes they are given, and remember what they received. */

import { once } from 'node:events';
import * as net from 'node:net';
import * as tls from 'node:tls';
import { createHttpTaskService, type HttpTaskServiceOptions } from '../../src/service/http-task-service.ts';
import { createRedact } from '../../src/text/redact.ts';

export const apiKey = 'sk-test-0123456789';

/** A service as the tests use it: short of secrets, long of patience. */
export function openService(baseUrl: string, options: Partial<HttpTaskServiceOptions> = {}) {
  const service = createHttpTaskService({
    baseUrl,
    apiKey,
    requestTimeoutMs: 20_000,
    pollConnections: 4,
    redact: createRedact([apiKey]),
    env: {},
    now: Date.now,
    ...options,
  });
  return Object.assign(service, { [Symbol.asyncDispose]: () => service.close(true) });
}

export interface WireServer extends AsyncDisposable {
  readonly port: number;
  /** Raw bytes received on each connection, in order of connection. */
  readonly received: string[];
  /** Requests of this method that were begun on any connection. */
  count(method: string): number;
}

/** What a server does with a connection; `received` resolves with the first whole request. */
export type Behaviour = (socket: net.Socket, request: Promise<string>) => unknown;

/** The first whole request on a socket: head, and body by its content-length. Never settles for a cut one. */
function wholeRequest(socket: net.Socket, record: (chunk: string) => void): Promise<string> {
  let text = '';
  return new Promise((resolve) => {
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      record(chunk.toString('latin1'));
      const headEnd = text.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      if (headEnd !== -1 && text.length >= headEnd + 4 + length) resolve(text);
    });
  });
}

/** Starts a server on loopback, at a free port unless said; with `secure` it speaks TLS. */
export async function startServer(behave: Behaviour, secure?: tls.TlsOptions, port = 0): Promise<WireServer> {
  const received: string[] = [];
  const open = new Set<net.Socket>();
  const onConnection = (socket: net.Socket) => {
    const index = received.push('') - 1;
    socket.on('error', () => undefined);
    const request = wholeRequest(socket, (chunk) => {
      received[index] += chunk;
    });
    behave(socket, request);
  };
  const server =
    secure === undefined ? net.createServer(onConnection) : tls.createServer(secure, onConnection);
  server.on('connection', (socket: net.Socket) => {
    open.add(socket);
    socket.on('error', () => undefined).on('close', () => open.delete(socket));
  });
  server.on('tlsClientError', () => undefined);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    received,
    count: (method) => received.join('').split(`${method} `).length - 1,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

/** A port that nobody listens on. */
export async function closedPort(): Promise<number> {
  const server = await startServer(() => undefined);
  await server[Symbol.asyncDispose]();
  return server.port;
}

/** The raw bytes of an answer with its right content-length. */
export function answer(status: number, body: unknown, headers: readonly string[] = []): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const head = [`HTTP/1.1 ${status} X`, `content-length: ${Buffer.byteLength(text)}`, ...headers];
  return `${head.join('\r\n')}\r\n\r\n${text}`;
}

/** What a service answers to a creation, and of its task. */
export const acceptance = answer(200, { status: 'success', data: { task_id: 'task-1' } });
export const progress = answer(200, {
  status: 'success',
  data: { task_id: 'task-1', status: 'IN_PROGRESS' },
});

/** Says the same to every whole request. */
export function always(said: string | Uint8Array): Behaviour {
  return async (socket, request) => {
    await request;
    socket.write(said);
  };
}

/** Hears the request, says something, and closes the connection. */
export function thenClose(said: string | Uint8Array): Behaviour {
  return async (socket, request) => {
    await request;
    socket.end(said);
  };
}

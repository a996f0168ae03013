/** A port where connecting never ends, or takes a second: somebody listens, nobody accepts, and the queue is full. */

import dns from 'node:dns';
import { once } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import { connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { type Behaviour, startServer, type WireServer } from '../service/wire.ts';

/** Listens, says where, and then never turns its event loop again. */
const listenAndFreeze = `
  const { parentPort } = require('node:worker_threads');
  const server = require('node:net').createServer();
  server.listen(0, '127.0.0.1', 1, () => {
    parentPort.postMessage(server.address().port);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });
`;

/** Connections that Linux holds for a listener with a backlog of 1, before it drops the next attempts. */
const queueLength = 2;

export async function blockedListener(): Promise<{ readonly port: number } & AsyncDisposable> {
  const worker = new Worker(listenAndFreeze, { eval: true });
  const [port]: number[] = await once(worker, 'message');
  const queued: Socket[] = [];
  for (let i = 0; i < queueLength; i++) {
    const socket = connect({ port: Number(port), host: '127.0.0.1' });
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    queued.push(socket);
  }
  return {
    port: Number(port),
    async [Symbol.asyncDispose]() {
      for (const socket of queued) socket.destroy();
      await worker.terminate();
    },
  };
}

/** The next name to be looked up has these addresses. Resolves once somebody has begun to connect. */
function resolveOnce(addresses: readonly string[]): Promise<void> {
  const { lookup } = dns;
  const put = (next: unknown): void => {
    dns.lookup = next as typeof lookup;
    syncBuiltinESMExports();
  };
  return new Promise((resolve) => {
    put((_: string, __: object, callback: (error: null, found: object[]) => void) => {
      put(lookup);
      callback(
        null,
        addresses.map((address) => ({ address, family: 4 })),
      );
      setImmediate(resolve);
    });
  });
}

/**
 * A server at a name with two addresses. The way to the first takes a second: its first packet is lost, and Linux sends it again then.
 * At the second nobody is.
 */
export async function farServer(behave: Behaviour, open: AsyncDisposableStack) {
  const blocked = await blockedListener();
  let server: WireServer | null = null;
  void resolveOnce(['127.0.0.1', '127.0.0.2']).then(async () => {
    await blocked[Symbol.asyncDispose]();
    server = open.use(await startServer(behave, undefined, blocked.port));
  });
  return { baseUrl: `http://far.invalid:${blocked.port}`, count: (method: string) => server?.count(method) };
}

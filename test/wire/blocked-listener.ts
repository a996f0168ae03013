/** A port where connecting never ends: somebody listens, nobody accepts, and the queue is full. */

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';

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

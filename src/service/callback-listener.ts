/** Listens for completion callbacks. Every answer is short, and no callback is trusted. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { namedTask } from '../money/answers/service-envelope.ts';

/** Largest body that is read; a callback names a task and little more. */
const bodyMaxBytes = 65_536;

/** Longest wait for a slow sender, and how often slow senders are checked for. */
const requestMaxMs = 10_000;
const lookIntervalMs = 1_000;

/** Connections at once: callbacks are short, and every open connection leaves one file handle less to the downloads. */
const mostConnections = 64;

export interface CallbackListener {
  /** Where it listens, without a trailing slash. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * `onCallback` receives the path of each request and the task id in its body, if any, and returns whether the path is known.
 * Rejects when it cannot listen at the address.
 */
export async function openCallbackListener(
  address: { readonly host: string; readonly port: number },
  onCallback: (path: string, taskId: string | null) => boolean,
): Promise<CallbackListener> {
  const server = createServer(
    {
      requestTimeout: requestMaxMs,
      headersTimeout: requestMaxMs,
      connectionsCheckingInterval: lookIntervalMs,
    },
    (request, response) => {
      const chunks: Buffer[] = [];
      let sizeBytes = 0;
      let isAnswered = false;
      const answer = (taskId: string | null): void => {
        if (isAnswered) return;
        isAnswered = true;
        const path = (request.url ?? '').split('?', 1)[0] ?? '';
        response.writeHead(onCallback(path, taskId) ? 204 : 404, { connection: 'close' }).end();
      };
      request.on('data', (chunk: Buffer) => {
        sizeBytes += chunk.length;
        if (sizeBytes <= bodyMaxBytes) chunks.push(chunk);
        else {
          answer(null);
          request.destroy();
        }
      });
      request.on('end', () => answer(namedTask(Buffer.concat(chunks).toString('utf8'))));
      request.on('error', () => {});
    },
  );
  server.maxConnections = mostConnections;
  server.on('clientError', (_, socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address.port, address.host, resolve);
  });
  // A connection that cannot be accepted is ignored; without this it would end the run.
  server.on('error', () => {});
  const bound = server.address() as AddressInfo;
  const host = bound.family === 'IPv6' ? `[${bound.address}]` : bound.address;
  return {
    url: `http://${host}:${bound.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

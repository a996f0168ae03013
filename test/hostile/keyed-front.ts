/** A door before the scripted service that lets another key in. */

import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { apiKey, type ScriptedService } from '../cli/support/scripted-service.ts';

export async function openFront(
  service: ScriptedService,
  key: string,
): Promise<{ readonly url: string } & AsyncDisposable> {
  const server = createServer((incoming, response) => {
    const { host: _, ...headers } = incoming.headers;
    const isLetIn = headers.authorization === `Bearer ${key}`;
    const authorization = `Bearer ${isLetIn ? apiKey : 'none'}`;
    const options = { method: incoming.method, headers: { ...headers, authorization } };
    const outgoing = request(`${service.url}${incoming.url}`, options, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    incoming.pipe(outgoing);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

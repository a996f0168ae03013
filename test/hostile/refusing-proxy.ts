/** A proxy that refuses everything, and tells everybody the password it was given. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RefusingProxy extends AsyncDisposable {
  /** `127.0.0.1:PORT`. */
  readonly host: string;
  /** What stood in `Proxy-Authorization` of each request. */
  readonly seen: readonly string[];
}

export async function startRefusingProxy(): Promise<RefusingProxy> {
  const seen: string[] = [];
  const say = (given: string | undefined): string => {
    seen.push(given ?? '');
    return `${given} is ${Buffer.from((given ?? '').replace(/^\w+ /, ''), 'base64')}`;
  };
  const server = createServer((request, response) => {
    const words = say(request.headers['proxy-authorization']);
    response.writeHead(407, { 'x-given': words }).end(words);
  });
  server.on('connect', (request, socket) => {
    const words = say(request.headers['proxy-authorization']);
    socket.end(
      `HTTP/1.1 407 ${words}\r\nx-given: ${words}\r\ncontent-length: ${words.length}\r\n\r\n${words}`,
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What one request gets; without `cutAfter` the whole of it. */
export interface Serving {
  readonly content: Buffer;
  readonly etag?: string;
  readonly lastModified?: string;
  /** `ignores-if-range`: a server that sends the range of whatever file it has now. */
  readonly ranges?: 'yes' | 'no' | 'ignores-if-range';
  /** Bytes of the body before the connection is cut. */
  readonly cutAfter?: number;
}

/** Serves a file on 127.0.0.1: the request of number N (from 0) gets what `plan(N)` says. */
export async function fileServer(plan: (request: number, link: string) => Serving | number) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    const serving = plan(requests.push(request) - 1, request.url ?? '');
    if (typeof serving === 'number') response.writeHead(serving).end();
    else serve(serving, request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function serve(serving: Serving, request: IncomingMessage, response: ServerResponse): void {
  const { content, etag, lastModified, ranges = 'yes', cutAfter } = serving;
  if (etag !== undefined) response.setHeader('etag', etag);
  if (lastModified !== undefined) response.setHeader('last-modified', lastModified);
  const offset = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
  const condition = request.headers['if-range'];
  const holds =
    ranges === 'ignores-if-range' || condition === undefined || condition === (etag ?? lastModified);
  const start = ranges !== 'no' && holds ? offset : 0;
  const total = content.length;
  if (start > 0 && start >= total) {
    response.writeHead(416, { 'content-range': `bytes */${total}` }).end();
    return;
  }
  const body = content.subarray(start);
  const headers = { 'content-type': 'video/mp4', 'content-length': body.length };
  if (start > 0)
    response.writeHead(206, { ...headers, 'content-range': `bytes ${start}-${total - 1}/${total}` });
  else response.writeHead(200, headers);
  if (cutAfter === undefined) response.end(body);
  else if (cutAfter === 0) response.flushHeaders();
  else response.write(body.subarray(0, cutAfter));
  if (cutAfter !== undefined) response.socket?.end();
}

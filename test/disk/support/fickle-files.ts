/** A file host that cuts its first answer, may have another version of the file then, and treats ranges as it likes. */

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What tells one version from another; `version` counts from 1. */
export const validators: Readonly<Record<string, (version: number) => Record<string, string>>> = {
  'a strong ETag': (version) => ({ etag: `"v${version}"` }),
  'a weak ETag': (version) => ({ etag: `W/"v${version}"` }),
  'a date': (version) => ({ 'last-modified': `Sat, 0${version} Jan 2022 00:00:00 GMT` }),
  'no validator': () => ({}),
};

interface Asked {
  readonly bytes: Buffer;
  readonly headers: Record<string, string>;
  /** From the Range header. */
  readonly offset: number;
  readonly ifRange: string | undefined;
}

type Behaviour = (asked: Asked, response: ServerResponse) => void;

function sendAll({ bytes, headers }: Asked, response: ServerResponse): void {
  response.writeHead(200, { ...headers, 'content-length': bytes.length }).end(bytes);
}

function sendPart(
  asked: Asked,
  response: ServerResponse,
  contentRange: string | null,
  from = asked.offset,
): void {
  const part = asked.bytes.subarray(from);
  const range = contentRange === null ? {} : { 'content-range': contentRange };
  response.writeHead(206, { ...asked.headers, ...range, 'content-length': part.length }).end(part);
}

const rangeOf = (from: number, { length }: Buffer): string => `bytes ${from}-${length - 1}/${length}`;

/** What a host does when it is asked to go on; a range beyond the end of what it has now is refused by all but one. */
export const behaviours: Readonly<Record<string, Behaviour>> = {
  'honours Range and If-Range': (asked, response) => {
    const { bytes, headers, offset, ifRange } = asked;
    if (ifRange !== headers.etag && ifRange !== headers['last-modified']) return sendAll(asked, response);
    if (offset < bytes.length) return sendPart(asked, response, rangeOf(offset, bytes));
    return refuseRange(asked, response);
  },
  'sends the range of whatever it has now': (asked, response) => {
    const { bytes, offset } = asked;
    if (offset >= bytes.length) return refuseRange(asked, response);
    return sendPart(asked, response, rangeOf(offset, bytes));
  },
  'ignores Range': sendAll,
  'sends another range than it was asked for': (asked, response) => {
    const from = Math.max(0, Math.min(asked.bytes.length, asked.offset) - 1);
    return sendPart(asked, response, rangeOf(from, asked.bytes), from);
  },
  'does not say which range it sends': (asked, response) => sendPart(asked, response, null),
  'refuses every range': refuseRange,
  'refuses every range and names no version': ({ bytes }, response) =>
    void response.writeHead(416, { 'content-range': `bytes */${bytes.length}` }).end(),
};

function refuseRange({ bytes, headers }: Asked, response: ServerResponse): void {
  response.writeHead(416, { ...headers, 'content-range': `bytes */${bytes.length}` }).end();
}

/** One file of the host: how it is served, and what was served of it. */
export interface HostedFile {
  /** The first and all later requests get these. */
  readonly versions: readonly [Buffer, Buffer];
  readonly validator: (version: number) => Record<string, string>;
  readonly behaviour: Behaviour;
  /** Bytes of the first answer before it is cut, or before nothing more comes. */
  readonly cutAfter: number;
  readonly isInUse?: boolean;
  requestCount: number;
}

/** Serves `file(N)` at `/N`. */
export async function startFickleHost() {
  const files: HostedFile[] = [];
  const server = createServer((request, response) => {
    const file = files[Number(request.url?.slice(1))];
    if (file === undefined) response.writeHead(404).end();
    else serve(file, request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    add: (file: HostedFile): string => `${origin}/${files.push(file) - 1}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function serve(file: HostedFile, request: IncomingMessage, response: ServerResponse): void {
  const isFirst = file.requestCount++ === 0;
  const bytes = file.versions[isFirst ? 0 : 1];
  const version = bytes === file.versions[0] ? 1 : 2;
  const headers = { 'content-type': 'video/mp4', ...file.validator(version) };
  if (isFirst) {
    response.writeHead(200, { ...headers, 'content-length': bytes.length }).flushHeaders();
    if (file.cutAfter === bytes.length) response.end(bytes);
    else if (file.cutAfter > 0) response.write(bytes.subarray(0, file.cutAfter));
    if (!file.isInUse) response.socket?.end();
    return;
  }
  const offset = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
  const ifRange = request.headers['if-range'];
  const asked = { bytes, headers, offset, ifRange: typeof ifRange === 'string' ? ifRange : undefined };
  if (offset === 0) sendAll(asked, response);
  else file.behaviour(asked, response);
}

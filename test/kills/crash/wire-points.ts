/** Crash points on the wire, seen through the diagnostics channels of the HTTP library. */

import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { reach } from './reach.ts';

interface Message {
  readonly request?: { readonly method: string; readonly path: string };
  readonly socket?: Socket;
  /** The same while one connection is made. */
  readonly connector?: object;
}

/** Channel, and what has just happened when it speaks. */
const moments = [
  ['undici:request:create', 'is asked for'],
  ['undici:client:beforeConnect', 'is about to connect'],
  ['undici:client:connected', 'has connected'],
  ['undici:client:sendHeaders', 'is about to leave'],
  ['undici:request:bodySent', 'has left'],
  ['undici:request:headers', 'has the head of its answer'],
  ['undici:request:trailers', 'has its whole answer'],
] as const;

export function watchWire(): void {
  let latest = '';
  // A connection is made for the request that was asked for last: the channels themselves do not say. Videos and frames
  // share theirs.
  const connecting = new WeakMap<object, string>();
  for (const [channel, moment] of moments) {
    subscribe(channel, (message) => {
      const { request, socket, connector } = message as Message;
      if (request !== undefined) latest = nameOf(request);
      if (channel === 'undici:client:beforeConnect' && connector !== undefined)
        connecting.set(connector, latest.replace(/(?<=request for ).*/, 'a file'));
      const name = request === undefined ? (connecting.get(connector ?? {}) ?? latest) : latest;
      reach(`${name} ${moment}`);
      if (channel === 'undici:client:sendHeaders' && request?.method === 'POST' && socket !== undefined)
        splitHeadFromBody(socket, name);
    });
  }
}

function nameOf({ method, path }: { readonly method: string; readonly path: string }): string {
  if (method === 'POST') return 'the creation';
  if (path.startsWith('/api/')) return 'the poll';
  return path.includes('/frame') ? 'the request for the frame' : 'the request for the video';
}

/** Head and body leave in one packet; to stand between them, the head has to leave alone. */
function splitHeadFromBody(socket: Socket, name: string): void {
  const write: Socket['write'] = socket.write;
  let writes = 0;
  socket.cork = () => {};
  socket.write = (...args: unknown[]) => {
    writes += 1;
    if (writes === 2) reach(`${name} has left but for its body`);
    return Reflect.apply(write, socket, args);
  };
}

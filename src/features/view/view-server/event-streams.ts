/** Server-sent events (HTML standard, section 9.2): one open response per follower. */

import type { ServerResponse } from 'node:http';
import type { Listener } from '../../../ports.ts';

/** Interval of the comments that keep an idle connection open. */
const heartbeatMs = 15_000;

/** How long the browser waits before it reconnects. */
const retryMs = 2_000;

/** All followers. */
export interface EventStreams extends Disposable {
  /** Turns the response into a stream; null when there are too many. */
  open(response: ServerResponse): Listener | null;
}

/** At most `most` at once; a follower that stalls for `stallMs` is dropped. */
export function createEventStreams({ most, stallMs }: { most: number; stallMs: number }): EventStreams {
  const responses = new Set<ServerResponse>();
  const heartbeat = setInterval(() => {
    // A follower that has not read the last heartbeat needs no other.
    for (const response of responses) if (response.writableLength === 0) response.write(':\n\n');
  }, heartbeatMs).unref();
  return {
    open(response) {
      if (responses.size >= most) return null;
      responses.add(response);
      response.on('close', () => responses.delete(response));
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
      response.write(`retry: ${retryMs}\n\n`);
      return listenerOf(response, stallMs);
    },
    [Symbol.dispose]() {
      clearInterval(heartbeat);
      for (const response of responses) response.destroy();
    },
  };
}

function listenerOf(response: ServerResponse, stallMs: number): Listener {
  return {
    get isOpen() {
      return !response.closed && !response.destroyed;
    },
    send({ name, data, id }) {
      const number = id === null ? '' : `id: ${id}\n`;
      if (response.destroyed || response.write(`${number}event: ${name}\ndata: ${data}\n\n`))
        return Promise.resolve();
      return new Promise((resolve) => {
        const drop = setTimeout(() => response.destroy(), stallMs);
        const done = (): void => {
          clearTimeout(drop);
          response.off('drain', done).off('close', done);
          resolve();
        };
        response.on('drain', done).on('close', done);
      });
    },
  };
}

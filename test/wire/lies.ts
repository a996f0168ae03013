/** How a lying server says something: whole answers as bytes, and behaviours on a connection. */

import type { Socket } from 'node:net';
import type { FileKind } from '../../src/money/item.ts';
import type { Behaviour } from '../service/wire.ts';

type Bytes = string | Uint8Array;

/** The answer that would be right: an acceptance, a status or a file. */
export type Honest = Buffer;

/** What a server does with a whole request, where `honest` would be right. */
export type Lying = (honest: Honest) => (socket: Socket) => unknown;

/** One lie, and what comes of it in each place; what is not named comes to the safe end of `safeEnds`. */
export interface Lie {
  readonly tell: Lying;
  /** Outcome of a creation, or several that are all right. */
  readonly creation?: string | readonly string[];
  /** How a status request ends, or several that are all right. */
  readonly status?: string | readonly string[];
  /**
   * `honest`: the right file. `plausible`: other bytes that are not told from a file, being whole by all that HTTP says
   * of them and no page of HTML, XML or JSON.
   */
  readonly file?: 'honest' | 'plausible';
  /** What the file is taken for where that is not a video, which may be long. */
  readonly fileKind?: FileKind;
  /** Only the deadline ends it. */
  readonly hangs?: true;
}

/** What a lie comes to unless it says more: nobody knows about the creation, nothing was learned, no file is there. */
export const safeEnds = { creation: 'uncertain', status: 'poll-unanswered' } as const;

export function bytesOf(...parts: readonly Bytes[]): Buffer {
  return Buffer.concat(parts.map((part) => Buffer.from(part as Uint8Array)));
}

/** A status line and header lines, up to the empty line. */
export function head(status: number | string, ...headers: readonly string[]): string {
  return [`HTTP/1.1 ${status} X`, ...headers, '', ''].join('\r\n');
}

/** Says these bytes and keeps the connection. */
export const says =
  (make: (honest: Honest) => Bytes): Lying =>
  (honest) => {
    const bytes = make(honest);
    return (socket) => socket.write(bytes);
  };

/** Says these bytes and closes the connection. */
export const ends =
  (make: (honest: Honest) => Bytes): Lying =>
  (honest) => {
    const bytes = make(honest);
    return (socket) => socket.end(bytes);
  };

/** Says this the first time, and that from then on. */
export const firstThen =
  (first: Lying, then: Lying): Lying =>
  (honest) => {
    let count = 0;
    const [before, after] = [first(honest), then(honest)];
    return (socket) => (count++ === 0 ? before : after)(socket);
  };

/** Says these bytes and resets the connection once they are on their way. */
export const resetsAfter =
  (make: (honest: Honest) => Bytes): Lying =>
  (honest) => {
    const bytes = make(honest);
    return (socket) => socket.write(bytes, () => socket.resetAndDestroy());
  };

/** An answer with this body and its right length. */
export function whole(body: Bytes, status: number | string = 200, ...headers: readonly string[]): Buffer {
  const bytes = bytesOf(body);
  return bytesOf(head(status, `content-length: ${bytes.length}`, ...headers), bytes);
}

/** Says this body in a plain answer. */
export const body = (text: Bytes, status = 200): Lying => says(() => whole(text, status));

/** Says this value as JSON in a plain answer. */
export const json = (value: unknown, status = 200): Lying => body(JSON.stringify(value), status);

/** Says `start`, and then `piece` again and again for as long as somebody listens. */
export const forever =
  (start: Bytes, piece: Bytes, everyMs = 0): Lying =>
  () =>
  (socket) => {
    socket.write(start);
    if (everyMs > 0) {
      const timer = setInterval(() => socket.write(piece), everyMs);
      socket.on('close', () => clearInterval(timer));
      return;
    }
    const pour = (): void => {
      while (!socket.destroyed && socket.write(piece));
    };
    socket.on('drain', pour);
    pour();
  };

/** Lies once, to the first whole request on any connection; every later request gets what `later` says. */
export function lyingOnce(tell: (socket: Socket) => unknown, later: (request: string) => Bytes): Behaviour {
  let hasLied = false;
  return (socket) => {
    let heard = '';
    socket.on('data', (chunk) => {
      heard += chunk.toString('latin1');
      const headEnd = heard.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(heard)?.[1] ?? 0);
      if (headEnd === -1 || heard.length < headEnd + 4 + length) return;
      const request = heard;
      heard = '';
      if (hasLied) socket.write(later(request));
      else {
        hasLied = true;
        tell(socket);
      }
    });
  };
}

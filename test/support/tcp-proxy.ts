/**
 * A path between a worker and PostgreSQL that fails as networks do: it cuts, goes silent, delays, or loses one statement
 * or the answer to one. Knows of the protocol only where an answer ends. For connections without TLS.
 */

import { once } from 'node:events';
import { createConnection, createServer, type Socket } from 'node:net';

interface Loss {
  /** Which occurrence of the text on its way to the server, from now on, over all connections; 1 by default. */
  readonly nth?: number;
  /** The statement arrives and its answer is lost, or it does not arrive at all; `answer` by default. */
  readonly what?: 'answer' | 'statement';
  /** What the client sees then: a reset, or nothing any more; `reset` by default. */
  readonly leaves?: 'reset' | 'silence';
}

export interface TcpProxy extends AsyncDisposable {
  readonly port: number;
  /** The same database, by way of the proxy. */
  through(address: string): string;
  /** New connections pass again, and nothing is delayed. */
  pass(): void;
  /** Resets all connections, and new ones until `pass`. */
  cut(): void;
  /** Resets all connections; new ones pass. */
  reset(): void;
  /**
   * Half open: what either side sends or ends is swallowed, for good on the connections there are, and on new ones until
   * `pass`.
   */
  silence(): void;
  /** Delivers everything this much later (ms), in both directions. */
  delay(ms: number): void;
  /** Loses a message that contains this text, as it stands in the bytes, or its answer. Resolves when it is lost. */
  lose(text: string, loss?: Loss): Promise<void>;
}

interface Watch {
  readonly text: Buffer;
  readonly loss: Required<Loss>;
  readonly lost: () => void;
  seen: number;
}

/** What all connections share. */
interface Path {
  mode: 'pass' | 'cut' | 'silence';
  delayMs: number;
  watches: readonly Watch[];
}

/** `target` is the port of the server on this machine. */
export async function openTcpProxy(target: number): Promise<TcpProxy> {
  const path: Path = { mode: 'pass', delayMs: 0, watches: [] };
  const links = new Set<Link>();
  const server = createServer((client) => {
    client.on('error', () => {});
    if (path.mode === 'cut') {
      client.resetAndDestroy();
      return;
    }
    const link = new Link(client, target, path, () => links.delete(link));
    links.add(link);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const { port } = address;
  const reset = (): void => {
    for (const link of [...links]) link.reset();
  };
  return {
    port,
    reset,
    through(database) {
      const url = new URL(database);
      url.hostname = '127.0.0.1';
      url.port = String(port);
      return String(url);
    },
    pass() {
      path.mode = 'pass';
      path.delayMs = 0;
    },
    cut() {
      path.mode = 'cut';
      reset();
    },
    silence() {
      path.mode = 'silence';
      for (const link of links) link.silence();
    },
    delay(ms) {
      path.delayMs = ms;
    },
    lose(text, { nth = 1, what = 'answer', leaves = 'reset' } = {}) {
      return new Promise((resolve) => {
        const watch: Watch = { text: Buffer.from(text), loss: { nth, what, leaves }, lost: resolve, seen: 0 };
        path.watches = [...path.watches, watch];
      });
    },
    async [Symbol.asyncDispose]() {
      reset();
      server.close();
      await once(server, 'close');
    },
  };
}

/** One connection of a client, and its own to the server. */
class Link {
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #path: Path;
  readonly #forget: () => void;
  readonly #toServer: Delivery;
  readonly #toClient: Delivery;
  #isSilent: boolean;
  /** The last bytes to the server: a text may be spread over two chunks. */
  #tail = Buffer.alloc(0);
  /** Whose answer is on its way, and what has come of it. */
  #awaited: { readonly watch: Watch; answer: Buffer } | null = null;

  constructor(client: Socket, target: number, path: Path, forget: () => void) {
    this.#client = client;
    this.#path = path;
    this.#forget = forget;
    this.#isSilent = path.mode === 'silence';
    this.#server = createConnection({ port: target, host: '127.0.0.1' });
    this.#toServer = new Delivery(this.#server, path);
    this.#toClient = new Delivery(client, path);
    for (const socket of [client, this.#server]) {
      socket.setNoDelay(true);
      socket.on('error', () => this.#breakUp());
      socket.on('close', () => this.#breakUp());
    }
    client.on('data', (chunk: Buffer) => this.#hearClient(chunk));
    this.#server.on('data', (chunk: Buffer) => this.#hearServer(chunk));
  }

  reset(): void {
    this.#isSilent = false;
    this.#forget();
    this.#client.resetAndDestroy();
    this.#server.resetAndDestroy();
  }

  silence(): void {
    this.#isSilent = true;
  }

  /** One side is gone: the other one hears of it, unless the path is silent. */
  #breakUp(): void {
    if (!this.#isSilent) this.reset();
    else if (this.#client.destroyed && this.#server.destroyed) this.#forget();
  }

  #hearClient(chunk: Buffer): void {
    if (this.#isSilent) return;
    const watch = this.#findWatched(chunk);
    if (watch?.loss.what === 'statement') {
      this.#end(watch);
      return;
    }
    if (watch !== undefined) this.#awaited = { watch, answer: Buffer.alloc(0) };
    this.#toServer.send(chunk);
  }

  #hearServer(chunk: Buffer): void {
    if (this.#isSilent) return;
    if (this.#awaited === null) {
      this.#toClient.send(chunk);
      return;
    }
    this.#awaited.answer = Buffer.concat([this.#awaited.answer, chunk]);
    if (isWholeAnswer(this.#awaited.answer)) this.#end(this.#awaited.watch);
  }

  #end(watch: Watch): void {
    if (watch.loss.leaves === 'reset') this.reset();
    else this.silence();
    watch.lost();
  }

  /** The watch that this chunk fulfils, which is over then. */
  #findWatched(chunk: Buffer): Watch | undefined {
    const heard = Buffer.concat([this.#tail, chunk]);
    const longest = Math.max(0, ...this.#path.watches.map(({ text }) => text.length - 1));
    const old = this.#tail.length;
    this.#tail = longest === 0 ? Buffer.alloc(0) : heard.subarray(-longest);
    for (const watch of this.#path.watches) watch.seen += countOf(watch.text, heard, old);
    const found = this.#path.watches.find(({ seen, loss }) => seen >= loss.nth);
    this.#path.watches = this.#path.watches.filter((watch) => watch !== found);
    return found;
  }
}

/** Sends what it is given after the delay of the path, in order. */
class Delivery {
  readonly #socket: Socket;
  readonly #path: Path;
  #queue: Buffer[] = [];

  constructor(socket: Socket, path: Path) {
    this.#socket = socket;
    this.#path = path;
  }

  send(chunk: Buffer): void {
    if (this.#path.delayMs === 0 && this.#queue.length === 0) {
      this.#write(chunk);
      return;
    }
    this.#queue.push(chunk);
    setTimeout(() => {
      const next = this.#queue.shift();
      if (next !== undefined) this.#write(next);
    }, this.#path.delayMs);
  }

  #write(chunk: Buffer): void {
    if (this.#socket.writable) this.#socket.write(chunk);
  }
}

/** How often the text occurs, without what ended in the first `old` bytes already. */
function countOf(text: Buffer, heard: Buffer, old: number): number {
  let count = 0;
  for (let at = heard.indexOf(text); at !== -1; at = heard.indexOf(text, at + 1)) {
    if (at + text.length > old) count += 1;
  }
  return count;
}

/** The server is ready for the next query: the last message, of a type and a length, is a `Z`. */
function isWholeAnswer(answer: Buffer): boolean {
  for (let at = 0; at + 5 <= answer.length; at += 1 + answer.readInt32BE(at + 1)) {
    if (answer[at] === 'Z'.charCodeAt(0)) return true;
  }
  return false;
}

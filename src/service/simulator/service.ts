/** The embedded service: the whole interface of the video service on loopback, without an account or points. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { answerError, answerText } from './answers.ts';
import { createCallbacks } from './callbacks.ts';
import { openClips } from './clips.ts';
import { createFaults, type FaultName } from './faults.ts';
import { createFiles, type Files } from './files.ts';
import { createGenVideo } from './gen-video.ts';
import { createGetStatus } from './get-status.ts';
import { createLinks } from './links.ts';
import { sha256 } from './seeded-random.ts';
import { renderStatement } from './statement.ts';
import { openTaskBook, type SimulatorLedger, type TaskBook } from './task-book.ts';

/** The behaviour of a simulated service. */
export interface SimulatorOptions {
  /** 0 for any free port. */
  readonly port: number;
  /** The only accepted key. */
  readonly apiKey: string;
  /** Typical length of a task; each task's own is 50 to 150 % of it. */
  readonly durationMs: number;
  /** Share of tasks that end FAILED, 0..1. */
  readonly failRate: number;
  /** How often a fault happens, 0..1, and `capacity`: tasks that are made at once; faults not named never happen. */
  readonly faults: ReadonlyMap<FaultName, number>;
  /** The same seed and questions give the same faults and failures, in any order of requests. */
  readonly seed: number;
  /** An append-only JSON lines file from which a killed service continues; null keeps everything in memory. */
  readonly stateFile: string | null;
}

/** A running service. */
export interface Simulator extends AsyncDisposable {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly apiKey: string;
  ledger(): SimulatorLedger;
  /** Closes at once, including open connections. */
  close(): Promise<void>;
}

/** Idle connections last longer than any tick; closing one sooner could hit a creation in flight. */
const idleConnectionMs = 120_000;

/** The delay of the fault `slow`. */
const slownessMs = 3_000;

/** Starts the service; rejects with a one-line Error when the port is taken or the state file cannot be used. */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const { apiKey, seed, durationMs, failRate } = options;
  const book = openTaskBook(options.stateFile);
  const clips = openClips();
  const callbacks = createCallbacks();
  const closing = new AbortController();
  const server = createServer();
  server.keepAliveTimeout = idleConnectionMs;

  async function close(): Promise<void> {
    closing.abort();
    callbacks[Symbol.dispose]();
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await Promise.all([closed, clips[Symbol.asyncDispose]()]);
    book[Symbol.dispose]();
  }

  let baseUrl: string;
  try {
    baseUrl = `http://127.0.0.1:${await listen(server, options.port)}`;
  } catch (error) {
    await close();
    throw error;
  }
  const faults = createFaults(seed, options.faults);
  const links = createLinks(sha256(`${seed} ${apiKey}`));
  const files = createFiles({ book, clips, faults, links });
  const odds = { seed, durationMs, failRate, faults };
  const putOff = () => pause(slownessMs, undefined, { signal: closing.signal, ref: false });
  const capacity = options.faults.get('capacity') ?? null;
  const genVideo = createGenVideo({ book, callbacks, odds, capacity, putOff });
  const getStatus = createGetStatus({ baseUrl, book, files, odds, putOff });
  server.on('request', createRouter({ apiKey, book, files, genVideo, getStatus }));
  const now = Date.now();
  for (const task of book.tasks()) if (task.finishAt > now) callbacks.expect(task, now);
  return { baseUrl, apiKey, ledger: () => book.ledger(Date.now()), close, [Symbol.asyncDispose]: close };
}

/** Returns the port in use. */
function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

/**
 * DNS rebinding: another site can point its own name to this machine, and its page would read without a key what was
 * asked here; the browser then sends that name.
 */
function isAskedByName({ headers, socket }: IncomingMessage): boolean {
  const [, name = '', port = '80'] = /^(.*?)(?::(\d+))?$/.exec(headers.host?.toLowerCase() ?? '') ?? [];
  return ['127.0.0.1', 'localhost', '[::1]'].includes(name) && Number(port) === socket.localPort;
}

/** Routes requests. An answer cut off because the service closes is not an error. */
function createRouter(world: {
  readonly apiKey: string;
  readonly book: TaskBook;
  readonly files: Files;
  readonly genVideo: ReturnType<typeof createGenVideo>;
  readonly getStatus: ReturnType<typeof createGetStatus>;
}): (request: IncomingMessage, response: ServerResponse) => void {
  const { apiKey, book, files, genVideo, getStatus } = world;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = URL.parse(request.url ?? '', 'http://127.0.0.1');
    const path = url?.pathname ?? '';
    const route = `${request.method} ${path}`;
    const taskId = /^GET \/api\/get_status\/([^/]+)$/.exec(route)?.[1];
    if (url !== null && /^(GET|HEAD) \/files\//.test(route)) {
      await files.answer(request, response, url);
    } else if (route === 'GET /ledger' || route === 'GET /statement') {
      if (!isAskedByName(request)) answerError(response, 403, 'Forbidden: not a name of this service');
      else if (path === '/ledger')
        answerText(response, 200, 'application/json', JSON.stringify(book.ledger(Date.now())));
      else answerText(response, 200, 'text/csv', renderStatement(book.ledger(Date.now())));
    } else if (path.startsWith('/api/') && request.headers.authorization !== `Bearer ${apiKey}`) {
      answerError(response, 401, 'Unauthorized: Invalid API key');
    } else if (route === 'POST /api/gen_video') {
      await genVideo(request, response);
    } else if (taskId !== undefined) {
      await getStatus(response, taskId);
    } else {
      answerError(response, 404, 'Not found');
    }
  }

  return (request, response) => {
    answer(request, response).catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      if (response.headersSent) response.destroy();
      else answerError(response, 500, `Server error: ${message}`);
    });
  };
}

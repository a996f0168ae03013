/** A video service on a real socket that answers as a test says, and keeps a ledger of all it was asked. */

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** What goes out for one request. */
export type Reply = (response: ServerResponse) => void;

/** One creation request as it came. */
export interface Creation {
  readonly question: string;
  /** Creations of this question so far, this one included. */
  readonly attempt: number;
  readonly body: Readonly<Record<string, unknown>>;
  /** The bytes of the body, as text. */
  readonly raw: string;
}

/** A task that was made. */
export interface Task {
  readonly taskId: string;
  readonly question: string;
  /** Status requests so far, the current one included. */
  readonly queries: number;
  /** Address of one of its files. */
  link(name: string): string;
}

/** One request for a file. */
export interface FileRequest {
  readonly question: string;
  /** As the link named it. */
  readonly name: string;
  /** Requests for this link so far, this one included. */
  readonly count: number;
  readonly headers: IncomingHttpHeaders;
}

/** What to answer; without an answer creations are accepted, tasks are completed at once, and files are there. */
export interface Script {
  /** The key of the account that has the tasks, where it is another one by now. */
  readonly key?: string;
  /** The key of an account that has none. */
  readonly strangersKey?: string;
  /** `accept` makes the task, whatever is answered then, and gives its id. */
  readonly create?: (
    creation: Creation,
    accept: () => string,
  ) => Reply | undefined | Promise<Reply | undefined>;
  readonly status?: (task: Task) => Reply | undefined;
  /** Status of a task that was never made: the free question. */
  readonly free?: () => Reply | undefined;
  readonly file?: (request: FileRequest) => Reply | undefined;
  /** What is no part of the service, by its path; nothing is there unless a test says otherwise. */
  readonly other?: (path: string) => Reply | undefined;
}

export interface ScriptedService extends AsyncDisposable {
  readonly url: string;
  readonly creations: readonly Creation[];
  readonly fileRequests: readonly FileRequest[];
  /** Everything in order: `create Q`, `status Q`, `file Q NAME`, or method and path of what is no part of the service. */
  readonly events: readonly string[];
  /** Tasks that were made, by question. */
  readonly taskIds: ReadonlyMap<string, string>;
  /** Resolves once the ledger satisfies this. */
  until(isEnough: (service: ScriptedService) => boolean): Promise<void>;
  /** From now on it answers by this script. */
  follow(script: Script): void;
  /** Answers nobody any more. */
  close(): Promise<void>;
}

export const apiKey = 'sk-scripted-0123456789';

/** Points that every task is charged. */
const pointsEach = 10;

export const clip = readFileSync(new URL('../../../samples/clip.webm', import.meta.url));
export const picture = readFileSync(new URL('../../../samples/clip.png', import.meta.url));

export async function startService(script: Script = {}): Promise<ScriptedService> {
  let current = script;
  const creations: Creation[] = [];
  const fileRequests: FileRequest[] = [];
  const events: string[] = [];
  const taskIds = new Map<string, string>();
  const tasks = new Map<string, { question: string; queries: number }>();
  const watchers = new Set<() => void>();

  const note = (event: string): void => {
    events.push(event);
    for (const watch of [...watchers]) watch();
  };

  async function create(raw: string): Promise<Reply> {
    const body: Readonly<Record<string, unknown>> = JSON.parse(raw);
    const question = String(body.question);
    const attempt = creations.filter((creation) => creation.question === question).length + 1;
    const creation = { question, attempt, body, raw };
    const accept = (): string => {
      const taskId = `task-${tasks.size + 1}`;
      tasks.set(taskId, { question, queries: 0 });
      taskIds.set(question, taskId);
      return taskId;
    };
    creations.push(creation);
    note(`create ${question}`);
    return (await current.create?.(creation, accept)) ?? success({ task_id: accept() });
  }

  function status(taskId: string): Reply {
    const task = tasks.get(taskId);
    if (task === undefined) return current.free?.() ?? errorEnvelope('Server error: Task not found');
    task.queries += 1;
    note(`status ${task.question}`);
    const link = (name: string) => `${service.url}/files/${taskId}/${name}?signature=s3cret-${task.queries}`;
    const shown = { taskId, ...task, link };
    return current.status?.(shown) ?? completed(shown);
  }

  function file(taskId: string, name: string, headers: IncomingHttpHeaders): Reply {
    const question = tasks.get(taskId)?.question ?? '';
    const count = fileRequests.filter((one) => one.question === question && one.name === name).length + 1;
    const request = { question, name, count, headers };
    fileRequests.push(request);
    note(`file ${question} ${name}`);
    return current.file?.(request) ?? content(name.startsWith('frame') ? picture : clip);
  }

  async function route(request: IncomingMessage): Promise<Reply> {
    const { pathname } = new URL(request.url ?? '', 'http://127.0.0.1');
    const [, kind, first = '', name] = /^\/(api|files)\/([^/]+)(?:\/([^/]+))?$/.exec(pathname) ?? [];
    if (kind === 'files') return file(first, name ?? '', request.headers);
    const body = await text(request);
    const isFrom = (key: string | undefined): boolean => request.headers.authorization === `Bearer ${key}`;
    const isStranger = isFrom(current.strangersKey);
    if (kind === 'api' && !isStranger && !isFrom(current.key ?? apiKey))
      return errorEnvelope('Unauthorized: Invalid API key', 401);
    if (kind === 'api' && request.method === 'POST' && first === 'gen_video') return create(body);
    if (kind === 'api' && request.method === 'GET' && first === 'get_status')
      return status(isStranger ? '' : (name ?? ''));
    note(`${request.method} ${pathname}`);
    return current.other?.(pathname) ?? bare(404);
  }

  const server = createServer((request, response) => {
    response.on('error', () => {});
    // A request that breaks off because its sender was killed has no answer.
    route(request).then(
      (reply) => reply(response),
      () => response.destroy(),
    );
  });
  // An idle connection that is closed here could meet a request that is on its way.
  server.keepAliveTimeout = 120_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  async function close(): Promise<void> {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  }

  const service: ScriptedService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    creations,
    fileRequests,
    events,
    taskIds,
    until: (isEnough) =>
      new Promise((resolve) => {
        const watch = (): void => {
          if (!isEnough(service)) return;
          watchers.delete(watch);
          resolve();
        };
        watchers.add(watch);
        watch();
      }),
    follow(next) {
      current = next;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
  return service;
}

/** The connection is reset without an answer. */
export const reset: Reply = (response) => void response.socket?.resetAndDestroy();

/** No answer, ever. */
export const silence: Reply = () => {};

export function bare(
  status: number,
  body = '<h1>Nothing to see</h1>',
  headers: Record<string, string> = {},
): Reply {
  return (response) => void response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(body);
}

function envelope(status: number, body: object): Reply {
  return bare(status, JSON.stringify(body), { 'content-type': 'application/json' });
}

export const success = (data: object): Reply => envelope(200, { status: 'success', data });

export const errorEnvelope = (messages: string, status = 200): Reply =>
  envelope(status, { status: 'error', data: { messages } });

/** A whole file. */
export function content(bytes: Uint8Array, headers: Record<string, string> = {}): Reply {
  return (response) =>
    void response.writeHead(200, { 'content-length': bytes.length, ...headers }).end(bytes);
}

const frames = (task: Task, count: number) =>
  Array.from({ length: count }, (_, i) => ({ id: `frame-${i + 1}`, image: task.link(`frame-${i + 1}.png`) }));

export function inProgress(task: Task, frameCount = 0): Reply {
  return success({ task_id: task.taskId, status: 'IN_PROGRESS', progress: frames(task, frameCount) });
}

export function completed(task: Task, more: { frameCount?: number; [field: string]: unknown } = {}): Reply {
  const { frameCount = 0, ...others } = more;
  return success({
    task_id: task.taskId,
    status: 'COMPLETED',
    progress: frames(task, frameCount),
    consumption: [{ type: 'score', value: pointsEach, detail: 'one video' }],
    result: [{ type: 'video', content: task.link('video.mp4') }],
    title: `About ${task.question}`,
    created_at: '2026-01-02T03:04:05Z',
    finish_at: '2026-01-02T03:09:05Z',
    ...others,
  });
}

export function failed(task: Task, reason: string): Reply {
  return success({
    task_id: task.taskId,
    status: 'FAILED',
    consumption: [{ type: 'score', value: 0, detail: 'not charged' }],
    result: [{ type: 'text', content: reason }],
  });
}

export const notFound: Reply = errorEnvelope('Server error: Task not found');

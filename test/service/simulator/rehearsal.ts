/** What the tests of the embedded service share: a service with quiet defaults, and how to talk to it. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Simulator,
  type SimulatorOptions,
  startSimulator,
} from '../../../src/service/simulator/service.ts';

export const apiKey = 'test-key';

/** A task length that no test lives to see the end of. */
export const foreverMs = 1_000_000_000;

/** A service whose tasks end at once and well, unless said otherwise. */
export function startRehearsal(options: Partial<SimulatorOptions> = {}): Promise<Simulator> {
  return startSimulator({
    port: 0,
    apiKey,
    durationMs: 0,
    failRate: 0,
    faults: new Map(),
    seed: 1,
    stateFile: null,
    ...options,
  });
}

/** Sends a creation; `body` goes out as JSON, a string as it stands. */
export function create({ baseUrl }: Simulator, body: unknown, headers?: Record<string, string>) {
  return fetch(`${baseUrl}/api/gen_video`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** The task id of a creation that has to be accepted. */
export async function createTaskId(simulator: Simulator, body: unknown): Promise<string> {
  const { data } = (await (await create(simulator, body)).json()) as { data: { task_id?: string } };
  if (data.task_id === undefined) throw new Error(`the creation was refused: ${JSON.stringify(data)}`);
  return data.task_id;
}

export function askStatus({ baseUrl }: Simulator, taskId: string): Promise<Response> {
  return fetch(`${baseUrl}/api/get_status/${taskId}`, { headers: { authorization: `Bearer ${apiKey}` } });
}

/** All that a status answer may hold. */
export interface StatusData {
  readonly task_id: string;
  readonly status: string;
  readonly progress: readonly { readonly id: string; readonly image: string }[];
  readonly consumption: readonly { readonly type: string; readonly value: number; readonly detail: string }[];
  readonly result: readonly { readonly type: string; readonly content: string }[];
  readonly title: string;
  readonly created_at: string;
  readonly finish_at: string;
}

export async function statusOf(simulator: Simulator, taskId: string): Promise<StatusData> {
  const { status, data } = (await (await askStatus(simulator, taskId)).json()) as {
    status: string;
    data: StatusData;
  };
  if (status !== 'success') throw new Error(`no status: ${JSON.stringify(data)}`);
  return data;
}

/** The link to the video of a task that is completed. */
export async function videoLinkOf(simulator: Simulator, taskId: string): Promise<string> {
  const { result } = await statusOf(simulator, taskId);
  const [entry] = result;
  if (entry?.type !== 'video') throw new Error(`no video: ${JSON.stringify(result)}`);
  return entry.content;
}

/** A folder that is removed when it goes out of scope. */
export async function openFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'batch-simulator-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

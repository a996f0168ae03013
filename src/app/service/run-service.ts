/** The service of a run: the real one or the embedded one, and whether it is the one that knows the earlier tasks. */

import { createHmac } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import { statusesWith } from '../../money/statuses.ts';
import type { Reporter, TaskService } from '../../ports.ts';
import { createHttpTaskService, type HttpTaskServiceOptions } from '../../service/http-task-service.ts';
import type { Settings } from '../../stores/port/settings.ts';
import type { Store } from '../../stores/port/store.ts';
import { createRedact } from '../../text/redact.ts';
import { deciderOf, noteDecision } from '../decisions.ts';
import type { Invocation } from '../options/invocation.ts';
import type { Options } from '../options/options.ts';
import { policyOf, serviceOf, simulatedKey, simulationOf } from '../options/settings.ts';
import type { RunSetup } from '../session.ts';
import { systemClock } from '../system-clock.ts';

export interface ServiceAddress {
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** The service of the run. */
export type Service = ServiceAddress & AsyncDisposable;

/** The real service, or the embedded one with its state in the output folder. */
export async function openService({
  invocation,
  options,
}: Pick<RunSetup, 'invocation' | 'options'>): Promise<Service> {
  if (!options.simulate) return { ...serviceOf(invocation, options), [Symbol.asyncDispose]: async () => {} };
  haveFiles();
  const { startSimulator } = await import('../../service/simulator/service.ts');
  return startSimulator({
    ...simulationOf(options),
    port: 0,
    apiKey: simulatedKey,
    stateFile: join(invocation.out, 'simulator.jsonl'),
  });
}

/** What a few rows at once need, with the embedded service at the other end of their connections. */
const fewestFiles = 24;

/** Throws the system's error where it lets this process open so few files that its service could not answer. */
function haveFiles(): void {
  const held: number[] = [];
  try {
    while (held.length < fewestFiles) held.push(openSync(devNull, 'r'));
  } finally {
    for (const file of held) closeSync(file);
  }
}

/** A run that a service works for. */
export type ServedRun = Pick<RunSetup, 'store' | 'invocation' | 'options'>;

/** Throws `UsageError` where this is not the service, or no key of the account, of a shared run. */
export async function checkService(run: ServedRun, service: ServiceAddress): Promise<void> {
  await takesKey(run, service);
}

/**
 * All workers of a run use one service and one account. A key by which the service knows the run's tasks takes the place of
 * the one before. Throws `UsageError`.
 */
export async function noteServiceOfRun(
  run: ServedRun,
  service: ServiceAddress,
  reporter: Reporter,
): Promise<void> {
  const { settings } = run.store;
  const before = await settings.get('key');
  const news = await takesKey(run, service);
  if ((await settings.get('service')) === null) await settings.save('service', addressOf(service.baseUrl));
  if (news === 'known' || news === 'refused') return;
  const key = fingerprintOf(service.apiKey);
  if (news === 'first') return settings.save('key', key);
  const decider = await deciderOf(run.store, run.invocation);
  // Another process may have said the same just now.
  if (await settings.replace({ key: before }, { key }, [noteDecision(decider, 'key', news)]))
    reporter.note(message('service.new-key'));
}

/** What a key is to a run: refused, and nobody works with it, or another one by which the service knows this task, if there is any. */
type KeyNews = 'known' | 'first' | 'refused' | { readonly task: string | null };

/** Throws `UsageError` where service or key are not the run's. */
async function takesKey(run: ServedRun, service: ServiceAddress): Promise<KeyNews> {
  const { settings } = run.store;
  const known = { service: await settings.get('service'), key: await settings.get('key') };
  const address = addressOf(service.baseUrl);
  if (known.service !== null && known.service !== address)
    throw new UsageError(message('store.other-service', { service: known.service, address }));
  if (known.key === null) return 'first';
  if (known.key === fingerprintOf(service.apiKey)) return 'known';
  const task = await knownTask(run.store);
  if (task === null) {
    if (await mayHaveTasks(run.store)) throw new UsageError(message('store.other-key'));
    return { task };
  }
  const tasks = openTasks(service, run.invocation, run.options);
  try {
    const end = await tasks.status(task, new AbortController().signal);
    if (end.type === 'task-not-found') throw new UsageError(message('store.other-key'));
    // Whoever works with it hears that from the service, as of any key.
    if (end.type === 'poll-refused' && end.endsRun === 'key-refused') return 'refused';
    if (end.type === 'poll-refused' || end.type === 'poll-unanswered')
      throw new UsageError(message('store.unknown-key', { failure: end.failure }));
    return { task };
  } finally {
    await tasks.close(true);
  }
}

/** A task that the service knows, as far as the run knows; null for none. */
async function knownTask({ checkpoint }: Pick<Store, 'checkpoint'>): Promise<string | null> {
  const made = statusesWith('made').filter((status) => status !== 'lost');
  for await (const { taskId } of checkpoint.items(made)) if (taskId !== null) return taskId;
  return null;
}

/** True where a task may be on its way to a run that knows of none: its key was taken by the service, or soon will be. */
async function mayHaveTasks({
  checkpoint,
  sharing,
}: Pick<Store, 'checkpoint' | 'sharing'>): Promise<boolean> {
  const { submitting, uncertain, lost } = (await checkpoint.ledger()).counts;
  const others = (await sharing?.workers())?.filter(
    ({ name, scratch, isAlive }) => isAlive && scratch !== null && name !== sharing?.worker,
  );
  return submitting + uncertain + lost + (others?.length ?? 0) > 0;
}

/** Longest wait (ms) for an answer that is optional. */
const patienceMs = 20_000;

/** Requests at once: many tasks are asked about in seconds, and the service hardly notices. */
export const requestsAtOnce = 8;

/** For a question that nothing depends on. */
export function openTasks(
  { baseUrl, apiKey }: ServiceAddress,
  { env }: Invocation,
  options: Options,
  more: Pick<HttpTaskServiceOptions, 'hearClock' | 'wantsLinks'> = {},
): TaskService {
  return createHttpTaskService({
    baseUrl,
    apiKey,
    requestTimeoutMs: Math.min(policyOf(options, 0).requestTimeoutMs, patienceMs),
    pollConnections: requestsAtOnce,
    redact: createRedact([apiKey]),
    env,
    now: systemClock.now,
    ...more,
  });
}

/**
 * A service knows only its own tasks: those of another service become lost rows, which users pay for again. But the same
 * service may have moved, so this is a warning and not an error.
 */
export async function warnOfOtherService(
  { store: { settings } }: Pick<RunSetup, 'store'>,
  { baseUrl }: ServiceAddress,
  reporter: Reporter,
): Promise<void> {
  const now = addressOf(baseUrl);
  const before = await settings.get('service');
  if (before === now) return;
  await settings.save('service', now);
  if (before === null) return;
  reporter.warn(message('service.another', { before, now }));
}

/** True where the run's earlier tasks were made at this address. */
export async function isServiceOfRun(settings: Settings, baseUrl: string): Promise<boolean> {
  return (await settings.get('service')) === addressOf(baseUrl);
}

/** Without a trailing slash, and without what a request adds. */
function addressOf(baseUrl: string): string {
  const { origin, pathname } = new URL(baseUrl);
  return origin + pathname.replace(/\/+$/, '');
}

function fingerprintOf(apiKey: string): string {
  return createHmac('sha256', 'key of a batch run').update(apiKey).digest('hex').slice(0, 16);
}

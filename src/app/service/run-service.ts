/** The service of a run: the real one or the embedded one, and whether it is the one that knows the earlier tasks. */

import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { UsageError } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import type { Reporter } from '../../ports.ts';
import type { Settings } from '../../stores/port/settings.ts';
import { serviceOf, simulatedKey, simulationOf } from '../options/settings.ts';
import type { RunSetup } from '../session.ts';

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
  const { startSimulator } = await import('../../service/simulator/service.ts');
  return startSimulator({
    ...simulationOf(options),
    port: 0,
    apiKey: simulatedKey,
    stateFile: join(invocation.out, 'simulator.jsonl'),
  });
}

/** Throws `UsageError` where this is not the service, or not the key, of a shared run. */
export async function checkService(settings: Settings, { baseUrl, apiKey }: ServiceAddress): Promise<void> {
  const known = { service: await settings.get('service'), key: await settings.get('key') };
  const address = addressOf(baseUrl);
  if (known.service !== null && known.service !== address)
    throw new UsageError(message('store.other-service', { service: known.service, address }));
  if (known.key !== null && known.key !== fingerprintOf(apiKey))
    throw new UsageError(message('store.other-key'));
}

/** All workers of a run use one service and one account. Throws `UsageError`. */
export async function refuseOtherService(settings: Settings, service: ServiceAddress): Promise<void> {
  await checkService(settings, service);
  if ((await settings.get('service')) === null) await settings.save('service', addressOf(service.baseUrl));
  if ((await settings.get('key')) === null) await settings.save('key', fingerprintOf(service.apiKey));
}

/**
 * A service knows only its own tasks: those of another service become lost rows, which users pay for again. But the same
 * service may have moved, so this is a warning and not an error.
 */
export async function warnOfOtherService(
  settings: Settings,
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

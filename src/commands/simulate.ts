/** `batch simulate`: runs the embedded service on its own port until it is interrupted. */

import type { RawOptions } from '../app/options.ts';
import { readInvocation, simulatedKey, simulationOf } from '../app/settings.ts';
import { messageOf, UsageError } from '../errors.ts';
import type { Handle } from './command.ts';
import { printResult } from './console.ts';
import { givenOptions, simulatorGroup } from './flags.ts';

/** Serves until SIGINT or SIGTERM. */
export async function simulate(port: number, apiKey: string, flags: RawOptions): Promise<void> {
  const { options } = readInvocation(flags, {});
  const { startSimulator } = await import('../simulator/service.ts');
  await using simulator = await startSimulator({
    port,
    apiKey,
    ...simulationOf(options),
    stateFile: null,
  }).catch((error: unknown) => {
    throw new UsageError(`${messageOf(error)}; choose another --port`, error);
  });
  printResult(
    `The embedded service listens at ${simulator.baseUrl}, its ledger is at ${simulator.baseUrl}/ledger`,
  );
  printResult(
    `BATCH_BASE_URL=${simulator.baseUrl} BATCH_API_KEY=${simulator.apiKey} batch run FILE --poll-interval 1s`,
  );
  await new Promise<void>((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
}

export const handle: Handle = async (argv) => {
  const port = Number(argv.port ?? 4010);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new UsageError(`--port: "${argv.port}" is not valid; use a number from 0 to 65535`);
  }
  const key = argv['api-key'] ?? simulatedKey;
  if (typeof key !== 'string' || key.trim() === '') throw new UsageError('--api-key is empty; use any word');
  await simulate(port, key, givenOptions(argv, [simulatorGroup]));
  process.exitCode = 0;
};

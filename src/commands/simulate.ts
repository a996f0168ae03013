/** `batch simulate`: the embedded service on a port of its own, until it is interrupted. */

import { messageOf, UsageError } from '../errors.ts';
import type { RawOptions } from '../job-file.ts';
import { faultMeaning, faultNames } from '../simulator/faults.ts';
import type { Command } from './command.ts';
import { printResult } from './console.ts';
import { givenOptions, simulatorFlags } from './flags.ts';
import { readGiven, simulatedKey, simulationOf } from './settings.ts';

/** Serves until SIGINT or SIGTERM. */
export async function simulate(port: number, apiKey: string, flags: RawOptions): Promise<void> {
  const { options } = readGiven(flags, {});
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

const faultList = faultNames.map((name) => `  ${name.padEnd(13)} ${faultMeaning[name]}`).join('\n');

export const command: Command = {
  build: (yargs) =>
    yargs
      .options({
        port: { type: 'string', describe: 'port on 127.0.0.1; 0 for any that is free', default: '4010' },
        'api-key': { type: 'string', describe: 'the only key that is let in', default: simulatedKey },
      })
      .options(simulatorFlags)
      .epilogue(`Faults:\n${faultList}`),
  handle: async (argv) => {
    const port = Number(argv.port);
    if (!Number.isInteger(port) || port < 0 || port > 65_535) {
      throw new UsageError(`--port: "${argv.port}" will not do; write a number from 0 to 65535`);
    }
    const key = argv['api-key'];
    if (typeof key !== 'string' || key.trim() === '')
      throw new UsageError('--api-key is empty; write any word');
    await simulate(port, key, givenOptions(argv, simulatorFlags));
    process.exitCode = 0;
  },
};

/** `batch simulate`: runs the embedded service on its own port until it is interrupted. */

import { invalidOption } from '../app/options/invalid-option.ts';
import type { RawOptions } from '../app/options/options.ts';
import { readInvocation, simulatedKey, simulationOf } from '../app/options/settings.ts';
import { messageOf, UsageError } from '../errors.ts';
import { portNumber } from '../messages/choices.ts';
import { message } from '../messages/message.ts';
import { phrasesOf } from '../terminal/phrases/phrases.ts';
import { programName } from '../text/run-words.ts';
import { shellCommand } from '../text/shell-word.ts';
import type { Handle } from './command.ts';
import { printResult } from './console.ts';
import { givenOptions } from './flags/flag.ts';
import { simulatorGroup } from './flags/run-flags.ts';

/** Serves until SIGINT or SIGTERM. */
export async function simulate(port: number, apiKey: string, flags: RawOptions): Promise<void> {
  const { options, language } = readInvocation(flags, {});
  const { render } = phrasesOf(language);
  const { startSimulator } = await import('../service/simulator/service.ts');
  await using simulator = await startSimulator({
    port,
    apiKey,
    ...simulationOf(options),
    stateFile: null,
  }).catch((error: unknown) => {
    const failure = message('value.port', { port, host: '127.0.0.1', failure: messageOf(error) });
    throw new UsageError(message('refused.port', { failure }), error);
  });
  printResult(render(message('simulate.listens', { address: simulator.baseUrl })));
  printResult(
    shellCommand(
      { BATCH_BASE_URL: simulator.baseUrl, BATCH_API_KEY: simulator.apiKey },
      `${programName()} run FILE --poll-interval 1s`,
    ),
  );
  await new Promise<void>((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
}

export const handle: Handle = async (argv) => {
  const port = Number(argv.port ?? 4010);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw invalidOption('--port', argv.port, portNumber);
  }
  const key = argv['api-key'] ?? simulatedKey;
  if (typeof key !== 'string' || key.trim() === '') throw new UsageError(message('refused.empty-key'));
  await simulate(port, key, givenOptions(argv, [simulatorGroup]));
  process.exitCode = 0;
};

/** Calls a hook: it gets no secret, and none that it prints is shown. */

import type { HookCommand, HookEnd } from '../../ports.ts';
import { createRedact } from '../../text/redact.ts';
import type { Environment } from '../options/environment.ts';
import { hookEnvironment } from './hook-environment.ts';

/** Whose hook it is. */
export interface HookCaller {
  readonly env: Environment;
  /** What no hook may have. */
  readonly secrets: readonly string[];
}

/** What one call gets: on its standard input, and in variables. */
export interface HookNews {
  readonly input: string;
  readonly facts: Parameters<typeof hookEnvironment>[2];
}

export async function callHook(
  command: HookCommand,
  { env, secrets }: HookCaller,
  { input, facts }: HookNews,
  signal: AbortSignal,
): Promise<HookEnd> {
  const ended = await command.run({ input, env: hookEnvironment(env, secrets, facts) }, signal);
  const redact = createRedact(secrets);
  const failure = ended.failure === null ? null : redact(ended.failure);
  return { ...ended, failure, output: redact(ended.output) };
}

/** What is secret of a run: its key, the address of its store with the password in it, where its signs of life go. */

import { secretsIn } from '../../text/store-address.ts';
import type { Invocation } from './invocation.ts';
import type { Options } from './options.ts';
import { isKept, readTextFile } from './text-file.ts';

type Sources = Pick<Invocation, 'shared' | 'options' | 'env' | 'apiKey'>;

/** What no text of the run may show, without empty ones. `apiKey` is the one it uses. */
export function secretsOf({ shared, options }: Sources, apiKey: string): readonly string[] {
  return cleaned([apiKey, options.ping, ...(shared === null ? [] : secretsIn(shared.url))]);
}

/**
 * What no hook may have: also what the environment holds for other runs. Where nobody has read the key yet (null), the
 * key file of the run counts, if it is still there.
 */
export function secretsFromHooks(given: Sources, apiKey: string | null): readonly string[] {
  const { env, options } = given;
  return cleaned([
    ...secretsOf(given, apiKey ?? given.apiKey ?? keyInFile(options)),
    env.BATCH_API_KEY,
    env.BATCH_PING,
    env.PGPASSWORD,
    ...secretsIn(env.BATCH_STORE ?? ''),
  ]);
}

function keyInFile({ 'api-key-file': file }: Options): string {
  try {
    return file === undefined || !isKept(file) ? '' : readTextFile(file);
  } catch {
    return '';
  }
}

function cleaned(secrets: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(secrets.map((secret) => secret?.trim() ?? ''))].filter((secret) => secret !== '');
}

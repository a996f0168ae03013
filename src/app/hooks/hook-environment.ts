/** Pure. What a hook finds in its environment: that of the program without its secrets, and facts. */

import { createFinder } from '../../text/redact.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that the program reads secrets from. */
const secretNames: ReadonlySet<string> = new Set([
  'BATCH_API_KEY',
  'BATCH_STORE',
  'BATCH_PING',
  'PGPASSWORD',
]);

/** Without its `PATH` or `HOME` a hook does not work, and a password such as `batch` or `postgres` names folders, too. */
function isOrdinaryWord(secret: string): boolean {
  return secret.length < 8 || /^[a-z]+$/i.test(secret);
}

/** Absolute paths in a list, as in `PATH`. */
function isPaths(value: string): boolean {
  const isPath = (part: string): boolean => part === '' || /^(?:[/~.]|[a-z]:[/\\])/i.test(part);
  return [':', ';'].some((between) => value.split(between).every(isPath));
}

/** Finds values that hold a secret, as redaction finds it; among paths an ordinary word is none. */
function holderOf(secrets: readonly string[]): (value: string) => boolean {
  const known = new Set(secrets);
  const hasSeparator = createFinder(secrets);
  const holdsOdd = createFinder(secrets.filter((secret) => !isOrdinaryWord(secret)));
  return (value) => known.has(value) || (isPaths(value) ? holdsOdd(value) : hasSeparator(value));
}

/** A variable of Windows has at most 32,767 characters, one of Linux 128 kB. */
const longestValue = 30_000;

/** `facts` go in as far as a variable can hold them. */
export function hookEnvironment(
  from: Environment,
  secrets: readonly string[],
  facts: Readonly<Record<string, string | number | null>>,
): Record<string, string> {
  const isSecret = holderOf(secrets);
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(from)) {
    if (value === undefined || secretNames.has(name) || name.startsWith('BATCH_ROW')) continue;
    if (value === '' || !isSecret(value)) env[name] = value;
  }
  for (const [name, value] of Object.entries(facts)) {
    const text = String(value ?? '').replaceAll('\0', '');
    if (text.length <= longestValue) env[name] = text;
  }
  return env;
}

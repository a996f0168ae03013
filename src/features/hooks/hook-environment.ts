/** Pure. What a hook finds in its environment: that of the program without its secrets, and facts. */

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that the program reads secrets from. */
const secretNames: ReadonlySet<string> = new Set([
  'BATCH_API_KEY',
  'BATCH_STORE',
  'BATCH_PING',
  'PGPASSWORD',
]);

/** A secret shorter than this may also occur in an ordinary value. */
const shortLength = 8;

/** A variable of Windows has at most 32,767 characters, one of Linux 128 kB. */
const longestValue = 30_000;

/** `facts` go in as far as a variable can hold them. */
export function hookEnvironment(
  from: Environment,
  secrets: readonly string[],
  facts: Readonly<Record<string, string | number | null>>,
): Record<string, string> {
  const known = secrets.filter((secret) => secret.length >= shortLength);
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(from)) {
    if (value === undefined || secretNames.has(name) || name.startsWith('BATCH_ROW')) continue;
    if (!known.some((secret) => value.includes(secret))) env[name] = value;
  }
  for (const [name, value] of Object.entries(facts)) {
    const text = String(value ?? '').replaceAll('\0', '');
    if (text.length <= longestValue) env[name] = text;
  }
  return env;
}

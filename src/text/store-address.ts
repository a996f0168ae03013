/** The address of a store as texts may show it: never its password, nor what may be a part of one. */

/**
 * True where it is known which part of the address is the password. A `/`, `?` or `#` in a password ends the part of the
 * address that holds it: what follows then looks like a port, a path or parameters.
 */
export function isClearAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const beyond = /^[^/]*\/\/[^/?#]*(.*)$/s.exec(address)?.[1];
  const { username, password, pathname } = new URL(address);
  return (
    beyond?.includes('@') === false && [username, password, pathname].every((part) => decoded(part) !== null)
  );
}

/** The address without its password. */
export function withoutPassword(address: string): string {
  if (!isClearAddress(address)) return '...';
  const url = new URL(address);
  url.password = '';
  for (const name of [...url.searchParams.keys()]) if (/password/i.test(name)) url.searchParams.delete(name);
  return url.href;
}

/** What of the address nobody may read: the whole, and the password as it is spelled and decoded. */
export function secretsIn(address: string): readonly string[] {
  const spelled = [
    /^[^/]*\/\/[^/?#]*?:(.*)@/s.exec(address)?.[1] ?? '',
    /[?&]password=([^&#]*)/.exec(address)?.[1] ?? '',
  ].filter((password) => password !== '');
  return [address, ...spelled.flatMap((password) => [password, decoded(password) ?? password])];
}

/** Null where it cannot be decoded. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

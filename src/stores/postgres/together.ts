/** Lookups of one turn of the event loop as one statement: the rows of a claim, and the tasks of the answers saved together. */

import { setImmediate as nextTurn } from 'node:timers/promises';

/** `ask` gets what was asked for meanwhile; what it does not name is undefined. */
export function together<K, V>(
  ask: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>,
): (key: K) => Promise<V | undefined> {
  let next: { readonly keys: Set<K>; readonly found: Promise<ReadonlyMap<K, V>> } | null = null;
  const begin = (): NonNullable<typeof next> => {
    const keys = new Set<K>();
    const found = nextTurn().then(() => {
      next = null;
      return ask([...keys]);
    });
    return { keys, found };
  };
  return async (key) => {
    next ??= begin();
    next.keys.add(key);
    return (await next.found).get(key);
  };
}

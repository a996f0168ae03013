/** Settings of a run in memory. */

import type { Settings } from '../../src/stores/port/settings.ts';

export function createMemorySettings(): Settings {
  const values = new Map<string, string>();
  return {
    get: async (name) => values.get(name) ?? null,
    save: async (name, value) => void values.set(name, value),
    async replace(before, after) {
      const isSame = Object.entries(before).every(([name, value]) => (values.get(name) ?? null) === value);
      if (isSame) for (const [name, value] of Object.entries(after)) values.set(name, value);
      return isSame;
    },
  };
}

import type { StoreMemory } from '../../src/runner/context.ts';

/** The memory of a machine whose store forgets nothing. */
export const noMemory: StoreMemory = {
  check: async () => 'whole',
  leave: () => {},
  answer: () => {},
  least: 0,
  lastSent: null,
};

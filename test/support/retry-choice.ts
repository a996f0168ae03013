import type { RetryChoice } from '../../src/features/retry/plan-retry.ts';

/** A retry that chooses nothing yet. */
export const noChoice: RetryChoice = {
  statuses: [],
  failure: null,
  withGone: false,
  until: null,
  attempt: null,
  unsent: null,
  marked: false,
  final: null,
};

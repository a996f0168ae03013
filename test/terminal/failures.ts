/** Groups of failures, as a checkpoint counts them. */

import type { FailureGroup } from '../../src/money/failure-groups.ts';

/** Rows that all failed with the same text, unless said otherwise. */
export function groupOf(part: Partial<FailureGroup> & Pick<FailureGroup, 'kind'>): FailureGroup {
  const { kind, count = 1 } = part;
  return { status: 'failed', failure: kind, count, inFile: count, someId: 'q-1', ...part };
}

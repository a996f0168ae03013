/** Which waiting rows a command pays for: one answer for plan, question, submission and the commands to type next. */

/** A row is paid for when it waits and meets both conditions. */
export interface PaidRows {
  /** Ids of the only rows; null for all. */
  readonly only: readonly string[] | null;
  /** The round whose retry ordered them; null for rows of any origin. */
  readonly retry?: number | null | undefined;
}

/** What `run` and `resume` pay for. */
export const allWaiting: PaidRows = { only: null, retry: null };

/** The rows that a session with these options pays for. */
export function paidRowsOf({
  only,
  retry = null,
}: {
  readonly only?: readonly string[] | undefined;
  readonly retry?: number | null | undefined;
}): PaidRows {
  // A retry names its rows by ordering them.
  return retry === null ? { only: only ?? null, retry } : { only: null, retry };
}

/**
 * Which of the rows that were refused with others alike are sent once more, together with the waiting ones: a retry sends only what it
 * ordered.
 */
export function secondChances<T extends { readonly id: string }>(
  alike: readonly T[],
  { only, retry = null }: PaidRows,
): readonly T[] {
  if (retry !== null) return [];
  if (only === null) return alike;
  const named = new Set(only);
  return alike.filter(({ id }) => named.has(id));
}

/** Durations as people write them: `250ms`, `30s`, `5m`, `2h`, or a plain number of seconds. */

const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** The form of a duration. */
const durationPattern = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h)?$/;

/** Whole milliseconds, or null where the text is not a duration. */
export function parseDurationMs(text: string): number | null {
  const [, amount, unit] = durationPattern.exec(text.trim()) ?? [];
  if (amount === undefined) return null;
  return Math.round(Number(amount) * unitMs[(unit ?? 's') as keyof typeof unitMs]);
}

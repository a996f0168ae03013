/** What PostgreSQL cannot keep in the texts of a row. */

import type { IncomingRow } from '../../../money/question.ts';
import { withoutNul } from '../../../text/cells/storable-text.ts';

/** The row as it can be saved. One with U+0000 in one of its columns cannot be sent. */
export function storableRow(row: IncomingRow): IncomingRow {
  const corrected = row.corrected?.map((item) => ({ ...item, input: saved(item.input) }));
  const input = saved(row.input);
  if (input === row.input) return corrected === undefined ? row : { ...row, corrected };
  const names = Object.keys(row.input).filter((name) => hasNul(row.input[name]));
  const reason = `${withoutNul(names.join(', '))}: contains the character U+0000, which PostgreSQL cannot keep`;
  return {
    ...row,
    id: row.id === null ? null : withoutNul(row.id),
    failure: withoutNul(row.failure === null ? reason : `${row.failure}; ${reason}`),
    input,
    ...(corrected !== undefined && { corrected }),
  };
}

function hasNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0');
  return typeof value === 'object' && value !== null && Object.values(value).some(hasNul);
}

function saved<T>(value: T): T {
  if (!hasNul(value)) return value;
  const text = JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'string' ? withoutNul(part) : part,
  );
  return JSON.parse(text);
}

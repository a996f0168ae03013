/** What PostgreSQL cannot keep in the texts of a row. */

import type { IncomingRow } from '../../../money/question.ts';
import { withoutNul } from '../../../text/cells/storable-text.ts';

/** The row as it can be saved. One with U+0000 in one of its columns cannot be sent. */
export function storableRow(row: IncomingRow): IncomingRow {
  const corrected = row.corrected?.map((item) => ({ ...item, input: saved(item.input) }));
  const input = saved(row.input);
  if (input === row.input) return corrected === undefined ? row : { ...row, corrected };
  const names = Object.keys(row.input).filter((name) => hasNul({ [name]: row.input[name] }));
  const reason = `${withoutNul(names.join(', '))}: contains the character U+0000, which PostgreSQL cannot keep`;
  return {
    ...row,
    id: row.id === null ? null : withoutNul(row.id),
    failure: withoutNul(row.failure === null ? reason : `${row.failure}; ${reason}`),
    input,
    ...(corrected !== undefined && { corrected }),
  };
}

/** JSON spells the character like this; the text may also be a backslash and these letters. */
const mayHaveNul = (value: unknown): boolean => JSON.stringify(value).includes('\\u0000');

function saved<T>(value: T): T {
  if (!mayHaveNul(value)) return value;
  const text = JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'string' ? withoutNul(part) : part,
  );
  return text === JSON.stringify(value) ? value : JSON.parse(text);
}

const hasNul = (value: unknown): boolean => saved(value) !== value;

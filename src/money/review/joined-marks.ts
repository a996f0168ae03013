/** Pure. What several reviewers say of one row, taken together. Where they contradict each other, people decide. */

import { asSpreadsheetsKeep } from '../../text/spreadsheet-text.ts';
import type { ReadMark } from './marks-table.ts';

/** A mark, and whose it is. */
export interface GivenMark extends ReadMark {
  /** The reviewer, or the file where it names none; for messages. */
  readonly by: string;
}

/** Marks of one row that contradict each other. */
interface MarkConflict {
  readonly about: 'mark' | 'question' | 'answer';
  /** Who says what, such as `anna: bad, ben: good`. */
  readonly words: string;
}

/** The marks of one row together. */
export interface JoinedMark {
  readonly id: string;
  /** `good`, `bad`, or '' where nobody gave a verdict, or verdicts or corrected texts contradict each other. */
  readonly mark: 'good' | 'bad' | '';
  /** True where somebody calls the latest of the marked attempts bad. */
  readonly isCalledBad: boolean;
  /** The attempt they are about; null where none of them says. */
  readonly attempt: number | null;
  /** Corrected texts; null where they are right, and where the marks contradict each other. */
  readonly question: string | null;
  readonly answer: string | null;
  readonly conflicts: readonly MarkConflict[];
}

/** Joins the marks of each row, in order of appearance. */
export function joinMarks(marks: readonly GivenMark[]): readonly JoinedMark[] {
  return [...Map.groupBy(marks, ({ id }) => id)].map(([id, ofRow]) => joinedRow(id, ofRow));
}

function joinedRow(id: string, marks: readonly GivenMark[]): JoinedMark {
  const latest = latestAttempt(marks);
  // A verdict on an earlier attempt is about a video that was made again since.
  const current = marks.filter(({ attempt }) => attempt === null || attempt === latest);
  const verdict = agreed(
    'mark',
    current.flatMap(({ by, mark }) =>
      mark === 'good' || mark === 'bad' ? [{ by, text: mark } as const] : [],
    ),
  );
  const corrected = (field: 'question' | 'answer') =>
    agreed(
      field,
      current.flatMap(({ by, [field]: text }) => (text === null ? [] : [{ by, text }])),
    );
  const [question, answer] = [corrected('question'), corrected('answer')];
  const conflicts = [verdict, question, answer].flatMap(({ conflict }) => conflict ?? []);
  return {
    id,
    mark: conflicts.length > 0 ? '' : (verdict.text ?? ''),
    isCalledBad: current.some(({ mark }) => mark === 'bad'),
    attempt: latest,
    question: question.text,
    answer: answer.text,
    conflicts,
  };
}

/**
 * The latest of these attempts; null where none of them is known. One that is known counts for all: as a mark of any
 * attempt, the same table would pay again at each use.
 */
export function latestAttempt(marks: readonly { readonly attempt: number | null }[]): number | null {
  const known = marks.flatMap(({ attempt }) => attempt ?? []);
  return known.length === 0 ? null : Math.max(...known);
}

/** What they all say; null where nobody says anything, or not all the same. */
function agreed<T extends string>(
  about: MarkConflict['about'],
  said: readonly { readonly by: string; readonly text: T }[],
): { readonly text: T | null; readonly conflict: MarkConflict | null } {
  const [first] = said;
  const isOne = new Set(said.map(({ text }) => asSpreadsheetsKeep(text))).size <= 1;
  if (isOne || first === undefined) return { text: first?.text ?? null, conflict: null };
  const words =
    about === 'mark'
      ? said.map(({ by, text }) => `${by}: ${text}`).join(', ')
      : `${said.map(({ by }) => by).join(', ')}: different texts of the ${about}`;
  return { text: null, conflict: { about, words } };
}

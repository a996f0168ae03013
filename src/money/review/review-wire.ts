/**
 * Pure. How marks travel between the page of `batch view` and its server.
 *
 * `GET marks` answers with a list of `WireMark`. With `--review`, `PUT marks/ID` (ID: the row's id, percent-encoded) takes
 * a `MarkBody` as `application/json` and answers 204 once it is saved; 400 for a body that is none or names an attempt
 * without a video, 404 for an unknown row, 403 from another page, 405 without `--review`, 409 where the run is elsewhere.
 * A mark without verdict, note and corrected texts removes the reviewer's mark. The heading says whether the page may
 * save (`review`), and its `reviewVersion` changes when marks were saved, by whomever.
 */

import type { ReviewMark, SavedMark } from '../review.ts';

/** A mark with the id of its row. `key` is that of the page row. */
export interface WireMark extends SavedMark {
  readonly id: string;
}

/** What `PUT` takes. */
export interface MarkBody {
  readonly mark: ReviewMark['mark'];
  readonly note: string;
  /** The attempt it is about; 0 before the first. */
  readonly attempt: number;
  /** Corrected texts; absent or null where they are right. */
  readonly question?: string | null;
  readonly answer?: string | null;
  /** The attempt whose video is to stand for the row; null for the latest; absent leaves the choice as it is. */
  readonly prefer?: number | null;
  /** Absent for the name that `batch view` was started with. */
  readonly reviewer?: string;
}

/** Longest texts of a mark (characters): more than any question or note. */
const textMaxLength = 100_000;
const nameMaxLength = 200;

/** The body of a `PUT`; null where it is none. */
export function parseMarkBody(text: string): MarkBody | null {
  const value = parsed(text);
  if (typeof value !== 'object' || value === null) return null;
  const { mark, note, attempt, question = null, answer = null, prefer, reviewer } = value as Untyped;
  const isWhole =
    (mark === 'good' || mark === 'bad' || mark === '') &&
    isText(note, textMaxLength) &&
    isAttempt(attempt) &&
    (question === null || isText(question, textMaxLength)) &&
    (answer === null || isText(answer, textMaxLength)) &&
    (prefer === undefined || prefer === null || isAttempt(prefer)) &&
    (reviewer === undefined || isText(reviewer, nameMaxLength));
  if (!isWhole) return null;
  return {
    mark,
    note,
    attempt,
    question: textOrNull(question),
    answer: textOrNull(answer),
    ...(prefer === undefined ? {} : { prefer }),
    ...(reviewer === undefined ? {} : { reviewer: reviewer.trim() }),
  };
}

type Untyped = Readonly<Record<keyof MarkBody, unknown>>;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isText(value: unknown, maxLength: number): value is string {
  return typeof value === 'string' && value.length <= maxLength && isSendable(value);
}

/** False for a character that no store keeps and no request carries. */
function isSendable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

function isAttempt(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function textOrNull(text: string | null): string | null {
  return text === null || text.trim() === '' ? null : text;
}

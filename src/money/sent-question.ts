/** Which texts of a row are sent, or were sent with its last attempt: those of the file, or those that a reviewer corrected. */

import type { Item, Question } from './item.ts';
import { type ParsedQuestion, parseQuestion, readShown } from './parse-question.ts';
import type { Source } from './question.ts';
import { type Correction, correctedQuestion, correctionInForce } from './review.ts';
import { hasMark } from './statuses.ts';

/** A row as it is saved: its last attempt, the row as it was read, how to read it, and its saved correction. */
export interface SavedRow {
  readonly item: Pick<Item, 'status' | 'attempt'>;
  readonly input: Readonly<Record<string, unknown>>;
  readonly source: Source;
  readonly correction: Correction | null;
}

/** A text as it is in the file, and as it was sent. */
interface CorrectedText {
  readonly from: string;
  readonly to: string;
}

/** The corrected texts of a row; a text that was right is absent. */
export interface CorrectedTexts {
  readonly question?: CorrectedText;
  readonly answer?: CorrectedText;
}

/** A row's question as it was sent last, or as it is about to be. */
export interface SentQuestion {
  readonly question: Question;
  /** The same with the file's own texts. */
  readonly own: ParsedQuestion;
  /** Null where the file's own texts were sent. */
  readonly corrected: CorrectedTexts | null;
}

export function readSent({ item, input, source, correction }: SavedRow): SentQuestion {
  const own = parseQuestion(input, source);
  const sent = sentCorrection(item, own.question, correction);
  if (sent === null) return { question: own.question, own, corrected: null };
  const { question, answer } = sent;
  return {
    question: correctedQuestion(own.question, sent),
    own,
    corrected: {
      ...(question === null ? {} : { question: { from: own.question.question, to: question } }),
      ...(answer === null ? {} : { answer: { from: own.question.answer, to: answer } }),
    },
  };
}

/** What the reports show of a row's question: for most rows in a quarter of the time of `readSent`. */
export function readSentTexts(row: SavedRow): Pick<Question, 'question' | 'answer' | 'quality'> {
  return row.correction === null ? readShown(row.input, row.source) : readSent(row).question;
}

/** The correction that the last attempt sent, or that the next one sends while the row waits; null for none. */
export function sentCorrection(
  { status, attempt }: SavedRow['item'],
  own: Pick<Question, 'question' | 'answer'>,
  saved: Correction | null,
): Correction | null {
  const isWaiting = hasMark(status, 'waiting');
  // An order that was never saved leaves a correction that no attempt has sent.
  return saved !== null && (isWaiting || attempt >= saved.since) ? correctionInForce(own, saved) : null;
}

/**
 * Stands for a request: the digest (hex) of its body, and that of what its row said (`contentSent`), which is the same whatever the
 * machine that sends it adds.
 */
export function hashOfRequest(body: string, content: string): string {
  return `${body}.${content}`;
}

/** The digest of what the row said; null where the hash does not tell. */
export function contentIn(requestHash: string | null): string | null {
  return requestHash?.split('.')[1] ?? null;
}

/** What reviewers decide about rows: marks, a preferred attempt, corrected texts. None of it changes a status. */

import { asSpreadsheetsKeep } from '../text/spreadsheet-text.ts';
import type { Question } from './item.ts';

/** What one reviewer thinks of a row. */
export interface ReviewMark {
  /** The name of the reviewer; '' where nobody gave one. A reviewer has one mark for each row: the latest. */
  readonly reviewer: string;
  /** `good`, `bad`, or '' for a note without a verdict. */
  readonly mark: 'good' | 'bad' | '';
  readonly note: string;
  /** The attempt it is about, from 1; 0 before the first. */
  readonly attempt: number;
  /** Corrected texts; null where they are right. */
  readonly question: string | null;
  readonly answer: string | null;
  /** Epoch ms. */
  readonly at: number;
}

/** A mark as it is saved. */
export interface SavedMark extends ReviewMark {
  /** The item's. */
  readonly key: number;
}

/** True for a mark that says nothing. */
export function isEmptyMark({ mark, note, question, answer }: ReviewMark): boolean {
  return mark === '' && note === '' && question === null && answer === null;
}

/** Texts that are sent instead of those of the file. */
export interface Correction {
  /** Null where that of the file is right. */
  readonly question: string | null;
  readonly answer: string | null;
  /** The texts of the file that were corrected: where one of them is another by now, that of the file is sent. */
  readonly ofQuestion: string;
  readonly ofAnswer: string;
  /** The first attempt that sends it. */
  readonly since: number;
}

type Texts = Pick<Question, 'question' | 'answer'>;

/** The correction while the file has the texts that were corrected; null for none. */
export function correctionInForce({ question, answer }: Texts, saved: Correction | null): Correction | null {
  if (saved === null) return null;
  // A file that was saved by another program has the same texts.
  const isSame = (one: string, other: string): boolean =>
    asSpreadsheetsKeep(one) === asSpreadsheetsKeep(other);
  return isSame(saved.ofQuestion, question) && isSame(saved.ofAnswer, answer) ? saved : null;
}

/** The question as it is sent. */
export function correctedQuestion<T extends Texts>(question: T, saved: Correction | null): T {
  const correction = correctionInForce(question, saved);
  if (correction === null) return question;
  return {
    ...question,
    question: correction.question ?? question.question,
    answer: correction.answer ?? question.answer,
  };
}

/**
 * The correction of a row by these texts ('' or null: unchanged), which the attempt `since` is the first to send; null
 * where they are those of the file.
 */
export function planCorrection(
  { question, answer }: Texts,
  wanted: { readonly question: string | null; readonly answer: string | null },
  since: number,
): Correction | null {
  const changed = (text: string | null, own: string): string | null =>
    text === null || text.trim() === '' || asSpreadsheetsKeep(text) === asSpreadsheetsKeep(own) ? null : text;
  const next = { question: changed(wanted.question, question), answer: changed(wanted.answer, answer) };
  if (next.question === null && next.answer === null) return null;
  return { ...next, ofQuestion: question, ofAnswer: answer, since };
}

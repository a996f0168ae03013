/** What was sent for a row: the texts of the file, or those that a reviewer corrected. */

import type { Question } from '../core/item.ts';
import { parseQuestion } from '../core/question.ts';
import { correctedQuestion, correctionInForce } from '../core/review.ts';
import type { ReportRow } from '../store.ts';

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
  /** Null where the file's own texts were sent. */
  readonly corrected: CorrectedTexts | null;
}

export function readSent(row: Pick<ReportRow, 'item' | 'input' | 'source' | 'correction'>): SentQuestion {
  const { question } = parseQuestion(row.input, row.source);
  const { item, correction } = row;
  // An order that was never saved leaves a correction that no attempt has sent.
  const isSent = correction !== null && (item.attempt >= correction.since || item.status === 'pending');
  const inForce = isSent ? correctionInForce(question, correction) : null;
  if (inForce === null) return { question, corrected: null };
  const { question: newQuestion, answer: newAnswer } = inForce;
  return {
    question: correctedQuestion(question, inForce),
    corrected: {
      ...(newQuestion === null ? {} : { question: { from: question.question, to: newQuestion } }),
      ...(newAnswer === null ? {} : { answer: { from: question.answer, to: newAnswer } }),
    },
  };
}

/**
 * Whether the video that stands for a row is a draft to be made once more: reviewers call it good, and the same texts can
 * be sent again. Once in each quality, however often and from whichever marks it is ordered.
 */

import { type Message, message } from '../../messages/message.ts';
import { attemptVideos } from '../../money/artifacts.ts';
import type { Quality } from '../../money/item.ts';
import { parseQuestion } from '../../money/parse-question.ts';
import { type GivenMark, type JoinedMark, joinMarks } from '../../money/review/joined-marks.ts';
import { type Correction, correctedQuestion } from '../../money/review.ts';
import { sentCorrection } from '../../money/sent-question.ts';
import { asStanding, isCounted, standingAttempt } from '../../money/standing-attempt.ts';
import { hasMark } from '../../money/statuses.ts';
import { effectiveQuality } from '../../money/summary.ts';
import { isLegal } from '../../money/transition.ts';
import type { ReportRow } from '../../stores/port/reading.ts';
import { asSpreadsheetsKeep } from '../../text/spreadsheet-text.ts';

/** What becomes of a row that somebody calls good. */
export type JudgedDraft =
  | {
      readonly is: 'draft';
      /** The attempt. */
      readonly draft: number;
      /** It was made of corrected texts, which are sent again. */
      readonly isCorrected: boolean;
      /** The correction that it was made with, where the row has another one since; null for none. Absent where it has that one. */
      readonly correction?: Correction | null;
    }
  /** `had`: an attempt in this quality was ordered before. `under-way`: it waits, or is being made. */
  | { readonly is: 'had' | 'under-way' | 'other-video' }
  /** Reviewers contradict each other. */
  | { readonly is: 'disputed'; readonly words: string }
  | { readonly is: 'left-out'; readonly why: Message };

/** `marks` are all marks of the row. */
export function judgeDraft(row: ReportRow, quality: Quality, marks: readonly GivenMark[]): JudgedDraft {
  const { item } = row;
  const { id, status } = item;
  const isFinal = row.final?.quality === quality;
  if (isFinal && (hasMark(status, 'waiting') || hasMark(status, 'under-way'))) return { is: 'under-way' };
  if (isFinal || hasAttemptIn(row, quality)) return { is: 'had' };
  const leftOut = (why: Message): JudgedDraft => ({ is: 'left-out', why });
  const draft = standingAttempt(row);
  if (draft === null) return leftOut(message('skipped.no-video', { id }));
  if (marks.some(({ attempt }) => attempt === null) && attemptVideos(item).length > 1)
    return leftOut(message('skipped.unsaid-attempt', { id }));
  const [judged] = joinMarks(marks.filter(({ attempt }) => attempt === null || attempt === draft));
  if (judged === undefined) return { is: 'other-video' };
  if (judged.conflicts.length > 0)
    return { is: 'disputed', words: judged.conflicts.map(({ words }) => words).join('; ') };
  if (judged.mark !== 'good') return { is: 'other-video' };
  if (!isLegal(status, 'retry-ordered')) return leftOut(message('skipped.status', { id, status }));
  if (row.edit !== null || row.earlierInputs.some(({ attempt }) => attempt >= draft))
    return leftOut(message('skipped.changed', { id }));
  return textsOf(row, draft, judged) ?? leftOut(message('skipped.good-corrected', { id }));
}

function hasAttemptIn({ attempts }: ReportRow, quality: Quality): boolean {
  return attempts.some((attempt) => isCounted(attempt) && effectiveQuality(attempt.quality) === quality);
}

/** The draft with the texts that it was made of; null where its reviewer wants others. */
function textsOf(row: ReportRow, draft: number, judged: JoinedMark): JudgedDraft | null {
  const { item } = row;
  const own = parseQuestion(row.input, row.source).question;
  const sent = sentCorrection({ ...item, attempt: draft }, own, asStanding(row).correction);
  const watched = correctedQuestion(own, sent);
  const wants = (text: string | null, was: string): boolean =>
    text !== null && asSpreadsheetsKeep(text) !== asSpreadsheetsKeep(was);
  if (wants(judged.question, watched.question) || wants(judged.answer, watched.answer)) return null;
  const next = correctedQuestion(own, row.correction);
  const isSame = next.question === watched.question && next.answer === watched.answer;
  const since = item.attempt + 1;
  return {
    is: 'draft',
    draft,
    isCorrected: sent !== null,
    ...(isSame ? {} : { correction: sent === null ? null : correctionOf(sent, since) }),
  };
}

function correctionOf({ question, answer, ofQuestion, ofAnswer }: Correction, since: number): Correction {
  return { question, answer, ofQuestion, ofAnswer, since };
}

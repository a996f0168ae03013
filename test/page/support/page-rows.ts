/** Rows as the page has them. */

import type { PageRow } from '../../../src/reports/page-wire.ts';

/** What a test says of a row; the rest is as it is with most rows that are completed. */
export type SomeRow = Pick<PageRow, 'key'> & Partial<PageRow>;

export function somePageRow({ key, attempts = 1, ...some }: SomeRow): PageRow {
  return {
    key,
    row: key,
    id: `r-${key}`,
    status: 'completed',
    points: 1,
    question: 'What?',
    failure: null,
    failureZh: null,
    taskId: null,
    attempts,
    token: 'a1b2',
    counted: attempts,
    answer: 'An answer',
    questionImages: [],
    answerImages: [],
    quality: 'm',
    title: null,
    submittedAt: null,
    endedAt: null,
    seconds: null,
    video: null,
    frames: [],
    videos: [],
    preferred: null,
    draft: null,
    corrected: null,
    captions: null,
    secondsVideo: null,
    findings: [],
    own: null,
    ...some,
  };
}

/** Rows as a reader of input files hands them on, made from what a test writes down. */

import { parseQuestion } from '../../src/money/parse-question.ts';
import type { IncomingRow, Source } from '../../src/money/question.ts';

/** The columns of a test's file; `note` means nothing to the service. */
export type WrittenRow = Readonly<Partial<Record<'id' | 'question' | 'image' | 'quality' | 'note', string>>>;

/** How the rows of tests are to be read. */
export const source: Source = {
  file: 'questions.csv',
  format: 'csv',
  columns: ['id', 'question', 'image', 'quality', 'note'],
  fields: { id: 'id', question: 'question', questionImages: 'image', quality: 'quality' },
  folder: '/questions',
};

/** The rows of a file with these lines under its header. */
export function incomingRows(...written: readonly WrittenRow[]): IncomingRow[] {
  return written.map((input, at) => {
    const { question, content, failure, files } = parseQuestion(input, source);
    return {
      row: at + 1,
      line: at + 2,
      id: question.id,
      content,
      written: files.length === 0 ? null : content,
      quality: question.quality,
      input,
      failure,
    };
  });
}

/** `count` rows with the ids `q1`, `q2`... */
export function namedRows(count: number): WrittenRow[] {
  return Array.from({ length: count }, (_, at) => ({ id: `q${at + 1}`, question: `Question ${at + 1}` }));
}

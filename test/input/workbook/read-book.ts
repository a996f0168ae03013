/** Reads a workbook that a test made. */

import { InputError, type Problem } from '../../../src/errors.ts';
import { type ReadOptions, readQuestions } from '../../../src/input/read-questions.ts';
import { loadNumberLibrary } from '../../../src/input/workbook/number-library.ts';
import { readWorkbook, type WorkbookReader } from '../../../src/input/workbook/read-workbook.ts';
import { parseQuestion } from '../../../src/money/parse-question.ts';
import type { IncomingRow } from '../../../src/money/question.ts';
import { type TestBook, workbook } from '../../support/workbook.ts';
import { heard } from '../in-chinese.ts';
import { collect, plainOptions, type ReadResult } from '../read-file.ts';

export interface BookResult extends ReadResult {
  /** What each row would send. */
  readonly questions: readonly ReturnType<typeof parseQuestion>['question'][];
  readonly reader: WorkbookReader;
}

const numbers = await loadNumberLibrary();

export async function readBook(
  book: TestBook | Uint8Array,
  {
    sheet = null,
    headerRow = null,
    ...given
  }: Partial<ReadOptions> & { sheet?: string | null; headerRow?: number | null } = {},
): Promise<BookResult> {
  const bytes = book instanceof Uint8Array ? book : workbook(book);
  const access = {
    sizeBytes: bytes.length,
    read: async (offset: number, length: number) => bytes.subarray(offset, offset + length),
  };
  let reader: WorkbookReader | undefined;
  const file = readQuestions(
    {
      format: 'xlsx',
      open(overrides, problems) {
        reader = readWorkbook(access, { overrides, problems, sheet, headerRow, numbers });
        return reader;
      },
    },
    {
      file: 'questions.xlsx',
      ...plainOptions,
      keptSize: async (sha256) => reader?.media()?.sizeOf(sha256) ?? null,
      ...given,
    },
  );
  const rows: IncomingRow[] = [];
  let problems: readonly Problem[] = [];
  try {
    await collect(file.rows, rows);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    problems = error.problems;
  }
  if (reader === undefined) throw new Error('the workbook was not opened');
  const source = file.source();
  const questions = rows.map(({ input }) => parseQuestion(input, source).question);
  return { ...heard(rows, problems, file.found()), source, questions, reader };
}

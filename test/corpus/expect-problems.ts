import { expect } from 'vitest';
import type { IncomingRow } from '../../src/money/question.ts';
import { readFile } from '../input/read-file.ts';
import { openScratchCheckpoint } from '../support/checkpoint-folder.ts';
import { asProblems, type BrokenFile } from './broken-files.ts';

/** What is found only beside the other rows; none of them is taken up then. */
async function problemsOfImport(rows: readonly IncomingRow[]) {
  await using folder = openScratchCheckpoint();
  const { problems } = await folder.ingest(rows);
  expect(await folder.all()).toEqual([]);
  return problems;
}

/** Every problem of the file is told with its line, however its bytes come. */
export async function expectProblems({ file, content, told }: BrokenFile): Promise<void> {
  // Long files are cut at odd places, too, but not into a hundred thousand pieces.
  for (const chunkBytes of [content.length > 64 * 1024 ? 997 : 7, 1_000, 64 * 1024]) {
    const { rows, problems } = await readFile(content, { file, chunkBytes });
    const found = problems.length > 0 ? problems : await problemsOfImport(rows);
    expect(found, `in chunks of ${chunkBytes}`).toMatchObject(asProblems(told));
  }
}

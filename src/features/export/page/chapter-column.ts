/** `--chapters` of an export, read against the columns of the input. */

import { UsageError } from '../../../errors.ts';
import { message } from '../../../messages/message.ts';
import type { Checkpoint } from '../../../stores/port/checkpoint.ts';
import { nearWord } from '../../../text/near-word.ts';
import { columnsOfRows } from '../export-template.ts';
import { findColumn } from '../name-template.ts';

/** The column with this name. Throws `UsageError` where no file of the run has it. */
export async function readChapterColumn(
  name: string,
  checkpoint: Pick<Checkpoint, 'reportRows'>,
): Promise<string> {
  let known: readonly string[] = [];
  for await (const columns of columnsOfRows(checkpoint)) {
    const column = findColumn(name, columns);
    if (column !== undefined) return column;
    known = columns;
  }
  const said = { name: JSON.stringify(name), known: known.join(', ') };
  const near = nearWord(name, known);
  throw new UsageError(
    near === null ? message('export.no-chapters', said) : message('export.near-chapters', { ...said, near }),
  );
}

/** `--name` of an export, read against the columns of the input. */

import { UsageError } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import type { Source } from '../../money/question.ts';
import type { Checkpoint } from '../../stores/port/checkpoint.ts';
import { type NameTemplate, parseNameTemplate } from './name-template.ts';

/** Throws `UsageError` where it is no template, or has a placeholder for which no file of the run has a column. */
export async function readTemplate(
  text: string,
  checkpoint: Pick<Checkpoint, 'reportRows'>,
): Promise<NameTemplate> {
  let parsed = parseNameTemplate(text, []);
  for await (const columns of columnsOfRows(checkpoint)) {
    parsed = parseNameTemplate(text, columns);
    if (parsed.unknown === null) break;
  }
  if (parsed.template === null)
    throw new UsageError(
      message('refused.template', { name: JSON.stringify(text), failure: parsed.failure }),
    );
  return parsed.template;
}

/**
 * The columns of the files of the run, each time with one file more. Most runs have one: only a name that is not in it makes the
 * others worth reading.
 */
export async function* columnsOfRows(
  checkpoint: Pick<Checkpoint, 'reportRows'>,
): AsyncGenerator<readonly string[]> {
  const sources = new Set<Source>();
  const columns = new Set<string>();
  for await (const { source } of checkpoint.reportRows()) {
    if (sources.has(source)) continue;
    sources.add(source);
    for (const column of source.columns) columns.add(column);
    yield [...columns];
  }
}

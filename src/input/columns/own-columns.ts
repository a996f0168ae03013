/** Pure. The columns of the input that are no field of the service, as the reports carry them. */

import type { Source } from '../../money/question.ts';
import { headerKey } from './known-names.ts';

/** A table of objects with ever new keys could have millions of columns. The rest is in `report.jsonl`. */
export const mostOwnColumns = 1_000;

/** The columns that are no field in one of these files, each once, in the order of the files. */
export function ownColumns(sources: readonly Source[]): readonly string[] {
  const found = new Set<string>();
  for (const source of sources) for (const column of ownColumnsOf(source)) found.add(column);
  return [...found].slice(0, mostOwnColumns);
}

/** The columns of one file that are no field in it. */
export function ownColumnsOf({ columns, fields }: Source): readonly string[] {
  const mapped = new Set(Object.values(fields));
  return columns.filter((column) => !mapped.has(column));
}

/** The last column of `failed.csv` for a run of these files: `failure`, or the first such name that they do not use. */
export function failureColumn(sources: readonly Source[]): string {
  const taken = new Set(sources.flatMap(({ columns }) => columns.map(headerKey)));
  let name = 'failure';
  for (let number = 2; taken.has(headerKey(name)); number += 1) name = `failure_${number}`;
  return name;
}

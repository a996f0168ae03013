/** Pure. The columns of the input that are no field of the service, as the reports carry them. */

import type { Source } from '../../money/question.ts';
import { keyName } from '../../text/ids/row-key.ts';
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

/** `ownColumnsOf`, worked out once for each file. */
export function ownColumnsReader(): (source: Source) => ReadonlySet<string> {
  const known = new Map<Source, ReadonlySet<string>>();
  return (source) => {
    const found = known.get(source) ?? new Set(ownColumnsOf(source));
    known.set(source, found);
    return found;
  };
}

/** The column of `failed.csv` with the failures, for a run of these files. */
export function failureColumn(sources: readonly Source[]): string {
  return freeName('failure', sources);
}

/** True for the header of `failed.csv` of any run without its last column, which is taken away where its rows are to be new ones. */
export function endsInFailures(header: readonly string[]): boolean {
  return /^failure(_\d+)?$/.test(header.at(-1)?.trim() ?? '');
}

/** The last column of `failed.csv`, with the keys of its rows. */
export function keyColumn(sources: readonly Source[]): string {
  return freeName(keyName, sources);
}

/** The name, or the first with a number that these files do not use. */
function freeName(wanted: string, sources: readonly Source[]): string {
  const taken = new Set(sources.flatMap(({ columns }) => columns.map(headerKey)));
  let name = wanted;
  for (let number = 2; taken.has(headerKey(name)); number += 1) name = `${wanted}_${number}`;
  return name;
}

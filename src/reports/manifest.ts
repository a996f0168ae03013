/** What an export says of its videos: `manifest.csv`, `manifest.jsonl` and `SHA256SUMS`. */

import { pictureFields, type Source } from '../money/question.ts';
import type { ManifestEntry } from '../schemas/manifest.ts';
import type { ReportRow } from '../stores/port/reading.ts';
import { type KeyedRow, keyName, renderRowKey } from '../text/ids/row-key.ts';
import type { ReportLine } from './columns.ts';
import { byteOrderMark, renderCsv } from './csv-text.ts';

export type { ManifestEntry } from '../schemas/manifest.ts';

/** The columns of `manifest.csv` before those of the input, and the keys of `manifest.jsonl`. */
export const manifestColumns = [
  'path',
  'id',
  'question',
  'answer',
  'title',
  'duration',
  'points',
  'sha256',
  'captions',
  'row',
  'quality',
  'attempt',
  'run',
] as const satisfies readonly (keyof ManifestEntry)[];

/** What an export adds to the facts of a row. */
export type ExportedFile = Pick<ManifestEntry, 'path' | 'sha256' | 'captions' | 'attempt' | 'run' | 'url'>;

/** The entry of a row; `line` is its line in the reports. */
export function manifestEntry(
  { item, input, source }: Pick<ReportRow, 'item' | 'input' | 'source'>,
  line: ReportLine,
  { path, sha256, captions, attempt, run, url }: ExportedFile,
): ManifestEntry {
  const { id, question, answer, title, points, row, quality, seconds_video: duration } = line;
  const plain = Object.entries(input).filter(([column]) => !isPicture(source, column));
  return {
    path,
    id,
    question,
    answer,
    title,
    duration,
    points,
    sha256,
    captions,
    row,
    quality,
    attempt,
    run,
    ...(url === undefined ? {} : { url }),
    input: Object.fromEntries(plain),
    batch: renderRowKey(run, ofAttempt(item, attempt), question),
  };
}

/** Only the token of the last attempt is known. */
function ofAttempt({ key, attempt: last, token }: ReportRow['item'], attempt: number | null): KeyedRow {
  return { key, attempt: attempt ?? last, token: attempt === last ? token : null };
}

/** A line of `manifest.jsonl`: the exact values. */
export function renderManifestLine(entry: ManifestEntry): string {
  return `${JSON.stringify(entry)}\n`;
}

/** The start of `manifest.csv`; `inputColumns` are those of the input. */
export function manifestHead(inputColumns: readonly string[], hasUrls = false): string {
  const names = inputColumns.map((name) => `input.${name}`);
  return byteOrderMark + renderCsv([[...columnsWith(hasUrls), ...names, keyName]]);
}

function columnsWith(hasUrls: boolean): readonly Exclude<keyof ManifestEntry, 'input'>[] {
  return hasUrls ? [...manifestColumns, 'url'] : manifestColumns;
}

/** True for the start of a manifest, even after a spreadsheet has saved it. */
export function isManifestHead(text: string): boolean {
  const cells = text.replace(/^\ufeff/, '').split(/[,;\t\r\n]/);
  return manifestColumns.every((column, at) => cells[at]?.replace(/^"(.*)"$/, '$1') === column);
}

/** Lines of `manifest.csv`: texts a spreadsheet would run are defused. */
export function renderManifestRows(
  entries: readonly ManifestEntry[],
  inputColumns: readonly string[],
  hasUrls = false,
): string {
  const columns = columnsWith(hasUrls);
  return renderCsv(
    entries.map(({ input, ...entry }) => [
      ...columns.map((column) => entry[column] ?? null),
      ...inputColumns.map((name) => cellText(Object.hasOwn(input, name) ? input[name] : null)),
      entry[keyName],
    ]),
  );
}

/** The columns of the input that a manifest shows. */
export function shownColumns(source: Source): readonly string[] {
  return source.columns.filter((column) => !isPicture(source, column));
}

/** A line of `SHA256SUMS`, for `sha256sum -c`. Exported names have no letter that must be escaped there. */
export function renderChecksum({ sha256, path }: Checksum): string {
  return `${sha256}  ${path}\n`;
}

/** A file and its digest. */
export interface Checksum {
  /** Lower-case hex. */
  readonly sha256: string;
  readonly path: string;
}

/** The line as read; null for any other text. */
export function parseChecksum(line: string): Checksum | null {
  const [, sha256, path] = /^([0-9a-f]{64}) [ *]([^\r\n]+)\r?$/.exec(line) ?? [];
  return sha256 === undefined || path === undefined ? null : { sha256, path };
}

/** Pictures in cells may be megabytes of base64. */
function isPicture({ fields }: Source, column: string): boolean {
  return pictureFields.some((field) => fields[field] === column);
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

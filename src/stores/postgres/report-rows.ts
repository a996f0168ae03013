/** Reads the rows of the reports with their files and attempts, a page at a time. */

import { CheckpointError } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import type { Source } from '../../money/question.ts';
import { keysFor, kindsOfItems, type OfItems, type RowsOfItems } from '../item-rows.ts';
import type { ReportRow } from '../port/reading.ts';
import {
  completeRows,
  type ReportItemRow,
  selectReportRows,
  shownVideos,
  usedSources,
  withInspections,
} from '../report-rows.ts';
import { databaseName } from '../tables.ts';
import type { Connections } from './connection/connections.ts';
import { readOf } from './item-rows.ts';
import { readInspections } from './postgres-inspections.ts';

/** Each page is several answers of the server, so it is larger than that of a local file. */
const pageRows = 500;

/** With `gone` fixed, the index alone finds the page. */
const page = `${selectReportRows} WHERE gone = $1 AND (row, key) > ($2, $3) AND shown
  ORDER BY row, key LIMIT ${pageRows}`;

/** Which tables have rows of these items: nearly all pages have only files and attempts, and each kind costs an answer of the server. */
const filledKinds = (kinds: readonly OfItems[]): string =>
  `SELECT ${kinds.map(
    (kind) => `EXISTS (SELECT 1 FROM ${databaseName(kind)} WHERE item = ANY ($1)) AS "${kind}"`,
  )}`;

type Place = Pick<ReportItemRow, 'row' | 'key'>;

interface Page {
  readonly rows: readonly ReportRow[];
  /** Its last row; null where no page follows. */
  readonly end: Place | null;
}

export class ReportRows {
  readonly #connections: Connections;
  readonly #sources = new Map<number, Source>();

  readonly #filledKinds: string;

  /** `kinds` are those that the run keeps. */
  constructor(connections: Connections, kinds: readonly OfItems[]) {
    this.#connections = connections;
    this.#filledKinds = filledKinds(kinds);
  }

  /** All rows: input order, then the gone ones. The next page is read while the caller works on this one. */
  async *all(): AsyncIterable<readonly ReportRow[]> {
    for (const gone of [0, 1]) {
      let coming: Promise<Page> | null = this.#pageAfter(gone, { row: -1, key: -1 });
      while (coming !== null) {
        const { rows, end }: Page = await coming;
        coming = end === null ? null : this.#pageAfter(gone, end);
        // Thrown where it is awaited; the caller may stop before.
        coming?.catch(() => {});
        yield rows;
      }
    }
  }

  async #pageAfter(gone: number, { row, key }: Place): Promise<Page> {
    const found = await this.#connections.rows<ReportItemRow>(page, [gone, row, key]);
    const end = found.length < pageRows ? null : (found.at(-1) ?? null);
    return { rows: await this.#fill(found), end };
  }

  /** The rows with these keys that are in the reports. */
  async withKeys(keys: readonly number[]): Promise<ReportRow[]> {
    const text = `${selectReportRows} WHERE key = ANY ($1) AND shown`;
    return this.#fill(await this.#connections.rows<ReportItemRow>(text, [keys]));
  }

  /** How to read the files that the rows are from. */
  async sources(): Promise<readonly Source[]> {
    const keys = await this.#connections.rows<{ key: number }>(usedSources);
    return Promise.all(keys.map(({ key }) => this.source(key)));
  }

  /** How to read the rows of an imported file. */
  async source(key: number): Promise<Source> {
    const known = this.#sources.get(key);
    if (known !== undefined) return known;
    const row = await this.#connections.row<{ source: string }>('SELECT source FROM sources WHERE key = $1', [
      key,
    ]);
    if (row === undefined) throw new Error(`source ${key} is missing`);
    const source: Source = parseSaved(this.#connections.name, row.source);
    this.#sources.set(key, source);
    return source;
  }

  async #fill(found: readonly ReportItemRow[]): Promise<ReportRow[]> {
    const keys = found.map(({ key }) => key);
    const filled = await this.#connections.row<Record<OfItems, boolean>>(this.#filledKinds, [keys]);
    const read = async (kind: OfItems) => {
      const owners = filled?.[kind] === true ? keysFor(kind, found) : [];
      return [kind, await readOf(this.#connections, kind, owners)] as const;
    };
    const of = Object.fromEntries(await Promise.all(kindsOfItems.map(read))) as unknown as RowsOfItems;
    for (const { source } of [...found, ...of.edits, ...of.earlierInputs]) await this.source(source);
    const rows = completeRows(found, of, (key) => this.#sources.get(key) as Source);
    const videos = shownVideos(rows);
    const shown = videos.filter((video) => video !== '');
    return withInspections(rows, videos, await readInspections(this.#connections, shown));
  }
}

/** Parses JSON saved with the run. Throws `CheckpointError` when it is damaged. */
export function parseSaved<T>(name: string, text: string): T {
  try {
    return JSON.parse(text) as T;
  } catch (error) {
    throw new CheckpointError(message('store.run-text-damaged', { name }), error);
  }
}

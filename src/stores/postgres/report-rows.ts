/** Reads the rows of the reports with their files and attempts, a page at a time. */

import { CheckpointError } from '../../errors.ts';
import { shownFiles } from '../../money/artifacts.ts';
import type { Source } from '../../money/question.ts';
import type { ReportRow } from '../port/reading.ts';
import {
  type AttemptRow,
  attemptColumns,
  type EarlierCorrectionRow,
  type EarlierInputRow,
  earlierCorrectionColumns,
  earlierInputColumns,
  groupByItem,
  type ItemRow,
  itemColumns,
} from '../tables.ts';
import type { Connections } from './connection/connections.ts';
import { readArtifacts } from './item-rows.ts';
import { readInspections } from './postgres-inspections.ts';
import { readCorrections, readPreferences } from './reviews.ts';

/** Each page is four answers of the server, so it is larger than that of a local file. */
const pageRows = 500;

type ReportItemRow = ItemRow & { readonly gone: number; readonly input: string; readonly source: number };

const columns = `${itemColumns}, gone, input, source`;
const from = 'FROM items JOIN questions ON questions.item = items.key';

/** With `gone` fixed, the index alone finds the page. */
const page = `SELECT ${columns} ${from} WHERE gone = $1 AND (row, key) > ($2, $3) AND shown
  ORDER BY row, key LIMIT ${pageRows}`;

type Place = Pick<ReportItemRow, 'row' | 'key'>;

interface Page {
  readonly rows: readonly ReportRow[];
  /** Its last row; null where no page follows. */
  readonly end: Place | null;
}

export class ReportRows {
  readonly #connections: Connections;
  readonly #sources = new Map<number, Source>();

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  /** All rows: input order, then the gone ones. The next page is read while the caller works on this one. */
  async *all(): AsyncIterable<ReportRow> {
    for (const gone of [0, 1]) {
      let coming: Promise<Page> | null = this.#pageAfter(gone, { row: -1, key: -1 });
      while (coming !== null) {
        const { rows, end }: Page = await coming;
        coming = end === null ? null : this.#pageAfter(gone, end);
        // Thrown where it is awaited; the caller may stop before.
        coming?.catch(() => {});
        yield* rows;
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
    const text = `SELECT ${columns} ${from} WHERE key = ANY ($1) AND shown`;
    return this.#fill(await this.#connections.rows<ReportItemRow>(text, [keys]));
  }

  /** How to read the files that the rows are from. */
  async sources(): Promise<readonly Source[]> {
    const keys = await this.#connections.rows<{ key: number }>(
      `SELECT key FROM sources WHERE EXISTS (SELECT 1 FROM items WHERE source = sources.key)
         OR EXISTS (SELECT 1 FROM edits WHERE source = sources.key) ORDER BY key`,
    );
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
    const sent = found.filter(({ attempt }) => attempt > 0).map(({ key }) => key);
    const all = found.map(({ key }) => key);
    const corrections = await readCorrections(this.#connections, all);
    const [artifacts, attempts, edits, inputs, sentCorrections, preferences] =
      sent.length === 0
        ? [new Map(), new Map(), new Map(), new Map(), new Map(), new Map()]
        : await Promise.all([
            readArtifacts(this.#connections, sent),
            this.#attempts(sent),
            this.#edits(sent),
            this.#earlierInputs(sent),
            this.#earlierCorrections(sent),
            readPreferences(this.#connections, sent),
          ]);
    for (const { source } of found) await this.source(source);
    const rows = found.map(
      ({ gone, input, source, ...item }): ReportRow => ({
        input: inputOrNothing(input),
        item: { ...item, artifacts: artifacts.get(item.key) ?? [] },
        gone: gone === 1,
        source: this.#sources.get(source) as Source,
        edit: edits.get(item.key) ?? null,
        attempts: attempts.get(item.key) ?? [],
        earlierInputs: inputs.get(item.key) ?? [],
        earlierCorrections: sentCorrections.get(item.key) ?? [],
        preferred: preferences.get(item.key) ?? null,
        correction: corrections.get(item.key) ?? null,
        inspection: null,
      }),
    );
    return this.#withInspections(rows);
  }

  /** With what was seen of the videos that they show. */
  async #withInspections(rows: readonly ReportRow[]): Promise<ReportRow[]> {
    const digests = rows.map(({ item, preferred }) => shownFiles(item, preferred).video?.sha256 ?? null);
    const found = await readInspections(
      this.#connections,
      digests.filter((digest) => digest !== null),
    );
    return rows.map((row, at) => ({ ...row, inspection: found.get(digests[at] ?? '') ?? null }));
  }

  async #attempts(keys: readonly number[]): Promise<ReadonlyMap<number, AttemptRow[]>> {
    const text = `SELECT ${attemptColumns} FROM attempts WHERE item = ANY ($1) ORDER BY item, attempt`;
    return groupByItem(await this.#connections.rows<AttemptRow & Record<string, unknown>>(text, [keys]));
  }

  async #earlierInputs(keys: readonly number[]): Promise<Map<number, ReportRow['earlierInputs'][number][]>> {
    const rows = await this.#connections.rows<EarlierInputRow & Record<string, unknown>>(
      `SELECT ${earlierInputColumns} FROM earlier_inputs WHERE item = ANY ($1) ORDER BY item, attempt`,
      [keys],
    );
    const inputs = new Map<number, ReportRow['earlierInputs'][number][]>();
    for (const { item, attempt, input, source } of rows) {
      const list = inputs.get(item) ?? [];
      list.push({ attempt, input: inputOrNothing(input), source: await this.source(source) });
      inputs.set(item, list);
    }
    return inputs;
  }

  async #earlierCorrections(keys: readonly number[]): Promise<ReadonlyMap<number, EarlierCorrectionRow[]>> {
    const text = `SELECT ${earlierCorrectionColumns} FROM earlier_corrections WHERE item = ANY ($1) ORDER BY item, attempt`;
    return groupByItem(
      await this.#connections.rows<EarlierCorrectionRow & Record<string, unknown>>(text, [keys]),
    );
  }

  async #edits(keys: readonly number[]): Promise<Map<number, ReportRow['edit']>> {
    const rows = await this.#connections.rows<{ item: number; input: string; source: number }>(
      'SELECT item, input, source FROM edits WHERE item = ANY ($1)',
      [keys],
    );
    const edits = new Map<number, ReportRow['edit']>();
    for (const { item, input, source } of rows)
      edits.set(item, { input: inputOrNothing(input), source: await this.source(source) });
    return edits;
  }
}

/** Parses JSON saved with the run. Throws `CheckpointError` when it is damaged. */
export function parseSaved<T>(name: string, text: string): T {
  try {
    return JSON.parse(text) as T;
  } catch (error) {
    throw new CheckpointError(`the run in ${name} is damaged (a saved text is not whole)`, error);
  }
}

/** A report without the input of one row is better than no report, which must show what was paid. */
function inputOrNothing(text: string): ReportRow['input'] {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** Reads the rows of the reports with their files and attempts, a page at a time. */

import { readInspected } from '../../features/verify/inspection.ts';
import { shownFiles } from '../../money/artifacts.ts';
import type { Source } from '../../money/question.ts';
import type { ReportRow } from '../port/reading.ts';
import { groupByItem } from '../tables.ts';
import { prepareReportStatements, type ReportItemRow, reportPageRows } from './checkpoint-statements.ts';
import { type Database, guard, parseSaved } from './database.ts';
import { prepareInspections } from './inspection-rows.ts';
import { readCorrections, readPreferences } from './reviews.ts';

/** Most runs have no preferences and no corrections. */
const none = new Map<number, never>();

/** Where a page ended. */
interface PageEnd {
  readonly gone: number;
  readonly row: number;
  readonly key: number;
}

export class ReportRows {
  readonly #db: Database;
  readonly #statements;
  readonly #inspections;
  readonly #sources = new Map<number, Source>();

  constructor(db: Database) {
    this.#db = db;
    this.#statements = prepareReportStatements(db);
    this.#inspections = prepareInspections(db);
  }

  /** All rows: input order, then the gone ones. */
  async *all(): AsyncIterable<ReportRow> {
    let last: PageEnd | undefined = { gone: -1, row: -1, key: -1 };
    while (last !== undefined) {
      const page: { rows: ReportRow[]; last: PageEnd | undefined } = guard(this.#db.name, () =>
        this.#page(last as PageEnd),
      );
      yield* page.rows;
      last = page.last;
    }
  }

  /** The rows with these keys that are in the reports. */
  async withKeys(keys: readonly number[]): Promise<ReportRow[]> {
    return guard(this.#db.name, () => this.#fill(this.#statements.reportRowsOf.all(JSON.stringify(keys))));
  }

  /** How to read the files that the rows are from. */
  sources(): readonly Source[] {
    return this.#statements.sources.all().map(({ key }) => this.source(key));
  }

  /** How to read the rows of an imported file. */
  source(key: number): Source {
    const known = this.#sources.get(key);
    if (known !== undefined) return known;
    const row = this.#statements.source.get(key);
    if (row === undefined) throw new Error(`source ${key} is missing`);
    const source: Source = parseSaved(this.#db.name, row.source);
    this.#sources.set(key, source);
    return source;
  }

  #page(after: PageEnd): { rows: ReportRow[]; last: PageEnd | undefined } {
    const found = this.#statements.reportPage.all(after);
    const end: PageEnd | undefined = found.length < reportPageRows ? undefined : found.at(-1);
    return { rows: this.#fill(found), last: end };
  }

  #isAny(statement: { get(): { readonly n: number } | undefined }): boolean {
    return statement.get()?.n === 1;
  }

  /** Completes the rows in place: five copies of each row would take a tenth of the report's time. */
  #fill(found: readonly ReportItemRow[]): ReportRow[] {
    const all = found.map(({ key }) => key);
    // The rest has neither files nor attempts; with a million pending rows, skipping them saves a tenth of the time.
    const sent = found.filter(({ attempt }) => attempt > 0).map(({ key }) => key);
    const keys = JSON.stringify(sent);
    const artifacts = groupByItem(this.#statements.artifacts.all(keys));
    const attempts = groupByItem(this.#statements.attempts.all(keys));
    const preferences = this.#isAny(this.#statements.anyPreference) ? readPreferences(this.#db, sent) : none;
    const corrections = this.#isAny(this.#statements.anyCorrection) ? readCorrections(this.#db, all) : none;
    const isEdited = this.#isAny(this.#statements.anyEdit);
    const edits = groupByItem(isEdited ? this.#statements.editedInputs.all(keys) : []);
    const hasEarlier = this.#isAny(this.#statements.anyEarlierText);
    const inputs = groupByItem(hasEarlier ? this.#statements.earlierInputs.all(keys) : []);
    const sentCorrections = groupByItem(hasEarlier ? this.#statements.earlierCorrections.all(keys) : []);
    const editOf = (key: number): ReportRow['edit'] => {
      const [edit] = edits.get(key) ?? [];
      return edit === undefined
        ? null
        : { input: inputOrNothing(edit.input), source: this.source(edit.source) };
    };
    const rows = found.map(
      (row): ReportRow => ({
        input: inputOrNothing(row.input),
        // Drops the text once it is parsed: pictures can make it megabytes long.
        item: Object.assign(row, { input: '', artifacts: artifacts.get(row.key) ?? [] }),
        gone: row.gone === 1,
        source: this.source(row.source),
        edit: isEdited ? editOf(row.key) : null,
        attempts: attempts.get(row.key) ?? [],
        earlierInputs: (inputs.get(row.key) ?? []).map(({ attempt, input, source }) => ({
          attempt,
          input: inputOrNothing(input),
          source: this.source(source),
        })),
        earlierCorrections: sentCorrections.get(row.key) ?? [],
        preferred: preferences.get(row.key) ?? null,
        correction: corrections.get(row.key) ?? null,
        inspection: null,
      }),
    );
    return this.#isAny(this.#statements.anyInspection) ? this.#withInspections(rows) : rows;
  }

  /** With what was seen of the videos that they show. */
  #withInspections(rows: readonly ReportRow[]): ReportRow[] {
    const digests = rows.map(({ item, preferred }) => shownFiles(item, preferred).video?.sha256 ?? null);
    const seen = this.#inspections.all(JSON.stringify(digests.filter((digest) => digest !== null)));
    const found = new Map(seen.map((row) => [row.sha256, readInspected(row.facts, row.findings)]));
    return rows.map((row, at) => ({ ...row, inspection: found.get(digests[at] ?? '') ?? null }));
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

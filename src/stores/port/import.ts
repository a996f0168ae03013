/** How a file becomes rows of a run. */

import type { Problem } from '../../errors.ts';
import type { PlaceOf } from '../../messages/input.ts';
import type { QualityCounts } from '../../money/forecast/estimate.ts';
import type { Quality } from '../../money/item.ts';
import type { Plan, RowOutcome } from '../../money/plan.ts';
import type { IncomingRow, Source } from '../../money/question.ts';
import type { IdFacts } from '../../money/row-identity.ts';
import type { TextLengths } from './reading.ts';
import type { RoundStart, TermsMark } from './sharing.ts';

/**
 * The import of a file: its rows are staged, compared with those of the run, and imported whole or not at all.
 * Disposing it drops the staged rows.
 */
export interface Ingest extends AsyncDisposable {
  /** Stages rows in file order. */
  add(rows: readonly IncomingRow[]): Promise<void>;
  /**
   * Finds the item of each staged row; call it once, after the last row. Returns ids that identify no row reliably as
   * problems.
   */
  match(join: JoinOptions): Promise<readonly Problem[]>;
  /** The effect of importing the file. */
  plan(options: PlanOptions): Promise<Plan>;
  /** Lengths of the texts of the rows to submit now; `column` holds their text. */
  lengths(options: LengthOptions): Promise<readonly TextLengths[]>;
  /** The rows to submit now that have no video, in file order. */
  waiting(options: WaitingOptions): Promise<readonly WaitingRow[]>;
  /** Of the rows to submit now: those that send what an earlier one of the file sends, by quality. */
  repeats(options: WaitingOptions): Promise<QualityCounts>;
  /** Staged rows that cannot be sent, in file order. */
  unsendable(): AsyncIterable<{ readonly line: number; readonly failure: string }>;
  /** The first of these names (a name on disk each) that is the folder of a staged row; null for none. */
  takenFolder(names: readonly string[]): Promise<string | null>;
  /** Facts that show whether the file's ids are reliable. */
  idFacts(): Promise<IdFacts>;
  /** The first rows whose id was sent with another text. */
  keepingRows(): Promise<readonly { readonly id: string; readonly line: number }[]>;
  readonly pictures: PictureDigests;
  /**
   * Imports the staged rows in one transaction. Null where one process alone has the run. Throws `UsageError` where another
   * process has changed the rows of the run since `plan`.
   */
  apply(options: IngestOptions): Promise<TermsMark | null>;
}

/** How the rows of a file join those of the run. */
export interface JoinOptions {
  /** Adds them to those of the run, instead of replacing them. */
  readonly add: boolean;
  /**
   * The file is the run's own `failed.csv`: the user merged or removed the rows without a task that are missing from
   * it.
   */
  readonly isMended: boolean;
  /** Names another row of the file in a problem; by its line without it. */
  readonly placeOf?: PlaceOf;
}

/** What a plan depends on besides the file and the run. */
export interface PlanOptions extends JoinOptions {
  /** Changed rows whose task has ended get a new, paid attempt. */
  readonly rerunChanged: boolean;
  /** Ids of the only rows to submit now; null for all. */
  readonly only: readonly string[] | null;
  /** Items whose waiting final falls away, whatever the file says of them; by default none. */
  readonly ended?: readonly number[];
  /** The column of the file with the question; without it `askedBefore` is 0. */
  readonly column?: string | null;
}

export type WaitingOptions = Pick<PlanOptions, 'add' | 'only'>;

/** A row that the import makes pending, or that waits already. */
export interface WaitingRow {
  readonly id: string;
  /** Its item; null for a new row. */
  readonly item: number | null;
  /** Its own quality. */
  readonly quality: Quality | null;
  /** As it was read, as JSON. */
  readonly input: string;
  /** How to read it, as JSON; null for a row of the staged file. */
  readonly source: string | null;
  /** Among which rows of the plan it is counted. */
  readonly share: 'newRows' | 'waiting' | 'changed';
}

export interface LengthOptions extends Pick<PlanOptions, 'add' | 'only'> {
  /** The column of the file with the text; null where there is none. */
  readonly column: string | null;
  /** Only one of so many rows is looked at. */
  readonly oneOf: number;
}

export interface IngestOptions extends JoinOptions {
  readonly source: Source;
  /** Epoch ms. */
  readonly at: number;
  /** Changed rows whose task has ended get a new, paid attempt. */
  readonly rerunChanged: boolean;
  /**
   * The round in which the rows are submitted, where processes share the run: it begins with the import, so that nobody submits
   * them under the terms of an earlier one. Without it none begins.
   */
  readonly round?: RoundStart;
}

/** Digests of local pictures from earlier imports. New ones are saved together with the rows, or dropped. */
export interface PictureDigests {
  /** The digest of a file with this size and modification time (ms); null where unknown. */
  find(path: string, sizeBytes: number, changedAt: number): Promise<string | null>;
  note(path: string, sizeBytes: number, changedAt: number, digest: string): Promise<void>;
}

/** What the import of a file reads and writes. */
export type ImportTable =
  | 'sources'
  | 'items'
  | 'questions'
  | 'pictured'
  | 'pictures'
  | 'edits'
  | 'finals'
  | 'artifacts';

/**
 * What a run in another store knows of its rows, on this machine: a file is staged, matched and imported here, by the one
 * rule, and the run then takes over the difference.
 */
export interface ImportCopy extends Omit<Ingest, 'apply'> {
  /** True once the run has rows. */
  readonly isAnyKnown: boolean;
  /** True where the last match found the item of any row, besides rows that are the same. */
  readonly isAnyFound: boolean;
  /** Takes over rows of the run: the values of `tables[table]` as texts, bytes in hexadecimal. */
  take(table: ImportTable, rows: Iterable<readonly (string | null)[]>): void;
  /** All are taken over: rows of a file may come. */
  taken(): void;
  /**
   * Drops these items, before they are taken over as they are now, and the match: rows of the file that were the same are
   * compared again.
   */
  forget(items: readonly number[]): void;
  /**
   * Drops these items and what belongs to them, has `takeOver` take them as they are now, and keeps the match. Where it may
   * be another one now, they stay as they were.
   */
  renew(items: readonly number[], options: ImportTerms, takeOver: () => Promise<void>): Promise<Renewal>;
  /** What the import does with each row of the file. */
  outcomes(options: ImportTerms): RowOutcomes;
  /** Items that the import sends again. Their files have to be taken over before. */
  sentAgain(options: ImportTerms): readonly number[];
  /** Imports the matched file here, as if it had not been imported before; with `among`, what that changes of these items. */
  difference(options: IngestOptions, among?: readonly number[]): ImportDifference;
  /** The rows of the file, where the run has none. */
  firstRows(options: IngestOptions): FirstRows;
}

/** What decides about the rows that are sent again. */
export type ImportTerms = Pick<IngestOptions, 'isMended' | 'rerunChanged'>;

/** What became of a match when some items were renewed. */
export type Renewal =
  | 'the same'
  /** The rows have to be matched again. */
  | 'to match again'
  /** The match is the same, and a row is sent again that was kept. */
  | 'sends more';

/** What an import does with each row, to be compared with what it did when its plan was shown. */
export interface RowOutcomes {
  isAsShown(shown: RowOutcomes): boolean;
  of(row: number): RowOutcome;
}

/** What an import has changed, until its copy is changed again. */
export interface ImportDifference {
  readonly isEmpty: boolean;
  /** True where known rows have another text or place, or have left the input. */
  readonly isInputMoved: boolean;
  readonly newItems: number;
  /** What was there before and is not as it was: keys of sources and items, else items or paths whose rows are others now. */
  outdated(table: ImportTable): Iterable<number | string>;
  /** Rows as they are now: new ones, or those of what is outdated. The values of `tables[table]`. */
  rows(table: ImportTable, which: 'new' | 'outdated'): Iterable<readonly CopiedValue[]>;
}

/** What a first file brings into a run without rows, until its copy is changed. */
export interface FirstRows {
  /** Items. */
  readonly count: number;
  /** What its rows have; everything else is as in a new row. */
  fields(table: ImportTable): readonly string[];
  /** The values of `fields(table)`. Of pictures all that the file names: what was known of others is kept by nobody. */
  rows(table: ImportTable): Iterable<readonly CopiedValue[]>;
}

export type CopiedValue = string | number | Uint8Array | null;

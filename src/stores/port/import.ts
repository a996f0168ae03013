/** How a file becomes rows of a run. */

import type { Problem } from '../../errors.ts';
import type { PlaceOf } from '../../messages/input.ts';
import type { Plan } from '../../money/plan.ts';
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
  /** Staged rows that cannot be sent, in file order. */
  unsendable(): AsyncIterable<{ readonly line: number; readonly failure: string }>;
  /** The first of these names (a name on disk each) that is the folder of a staged row; null for none. */
  takenFolder(names: readonly string[]): Promise<string | null>;
  /** Facts that show whether the file's ids are reliable. */
  idFacts(): Promise<IdFacts>;
  /** The first rows whose id was sent with another text. */
  keepingRows(): Promise<readonly { readonly id: string; readonly line: number }[]>;
  readonly pictures: PictureDigests;
  /** Imports the staged rows in one transaction. */
  /**
   * Imports the rows. Null where one process alone has the run. Throws `UsageError` where another process has changed the rows
   * of the run since `plan`.
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
  /** The column of the file with the question; without it `askedBefore` is 0. */
  readonly column?: string | null;
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

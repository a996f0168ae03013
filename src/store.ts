/**
 * Where a run is saved: one port for all of it, asynchronous everywhere, so that the database may be on another
 * machine. SQLite is an adapter; only the composition root knows which one is used. A change is refused if its item has
 * changed since the decision, so nothing here assumes that one process owns the run.
 */

import type { QualityCounts } from './core/estimate.ts';
import type { FailureGroups } from './core/failure-groups.ts';
import type { Finding, InspectedVideo, Inspection } from './core/inspection.ts';
import type { CreationEvent, Item, Quality } from './core/item.ts';
import type { PaidRows } from './core/paid-rows.ts';
import type { Plan } from './core/plan.ts';
import type { PaidSums } from './core/price-range.ts';
import type { IncomingRow, Source } from './core/question.ts';
import type { Correction, ReviewMark, SavedMark } from './core/review.ts';
import type { WireMark } from './core/review-wire.ts';
import type { IdFacts, PlaceOf } from './core/row-identity.ts';
import type { AttemptFacts, EarlierCorrection, EarlierInput } from './core/standing-attempt.ts';
import type { Ledger } from './core/summary.ts';
import type { UncertainPlace } from './core/tick.ts';
import type { Problem } from './errors.ts';
import type { AttemptTask } from './ports.ts';

/** The place of one run, before it is opened. */
export interface StorePlace {
  /** Names of the store's own files at the top of the output folder; none where it is elsewhere. */
  readonly files: readonly string[];
  /** True where a run is saved here. Throws where the place cannot be read. */
  exists(): Promise<boolean>;
  /**
   * Opens the run for work, creating it if needed. Throws `HeldError` when another process has it, `CheckpointError`
   * when it is damaged, lost or from a newer version, `UsageError` when this user lacks permission.
   */
  open(): Promise<Store>;
  /** Opens the run read-only, even while it is active; null where there is none. Changes nothing. */
  look(): Promise<Store | null>;
  /**
   * Opens what may be changed of a run while another process works on it. Throws `UsageError` where there is no run,
   * `CheckpointError` where another version of the program works on it.
   */
  openSettings(): Promise<OpenSettings>;
  /** True while a process works on the run. */
  isHeld(): Promise<boolean>;
}

/** An open run. Disposing it releases the run. */
export interface Store extends AsyncDisposable {
  /** True when this process created it. */
  readonly isNew: boolean;
  readonly checkpoint: Checkpoint;
  readonly settings: Settings;
  readonly reviews: Reviews;
  readonly totals: RunTotals;
  readonly inspections: Inspections;
  /** Null where one process at a time works on the run. */
  readonly sharing: Sharing | null;
  readonly archive: Archive;
  readonly hooks: HookCalls;
  /** True until the first row is imported. */
  isEmpty(): Promise<boolean>;
  /**
   * Resolves when the saved data has been verified; rejects with `CheckpointError`. Everything that writes, submits or
   * reports waits for this by itself.
   */
  checkSound(): Promise<void>;
  /** Begins the import of a file. One at a time; until its rows are matched nothing else may be saved. */
  openIngest(): Promise<Ingest>;
  /** Follows what other processes save. */
  openWatch(): Promise<RunWatch>;
  /** Closes and removes an empty store that this process created. */
  abandon(): Promise<void>;
}

/** The whole run as plain records, and where it goes or comes from with them. */
export interface Archive {
  /** Everything saved, in the order of `ArchiveRecord`, as of one moment. */
  dump(): AsyncIterable<ArchiveRecord>;
  /**
   * Replaces everything saved by these records, in one transaction, and saves the mark with them. Throws `UsageError`
   * where the store has rows, unless its own mark names one of the moves that these records may replace.
   */
  load(records: AsyncIterable<ArchiveRecord>, mark: MoveMark, replaces?: readonly string[]): Promise<void>;
  /** Null for a run that is here and nowhere else. A marked shared run refuses every change of a row. */
  mark(): Promise<MoveMark | null>;
  /**
   * Replaces the mark. Throws `UsageError` where it is not `before` any more, and where a shared run is to leave while
   * other processes work on it or a creation may still be answered.
   */
  setMark(before: MoveMark | null, after: MoveMark | null): Promise<void>;
}

/** A run that is, or was, on its way to another store. */
export interface MoveMark {
  /**
   * `leaving`: nothing of it changes any more. `arriving`: it is here, and still goes on where it comes from. `moved`: it
   * is elsewhere.
   */
  readonly state: 'leaving' | 'arriving' | 'moved';
  /** Names this move. */
  readonly move: string;
  /** The other place, as it is written after `batch resume`; without a password. */
  readonly place: string;
}

/** The version of the records. */
export const archiveVersion = 1;

/**
 * One record of an archive: the head, settings by name, sources by key, rows by key, pictures by path, inspections by
 * digest, the end. Digests are lower-case hex.
 */
export type ArchiveRecord =
  | { readonly type: 'head'; readonly version: typeof archiveVersion }
  | { readonly type: 'setting'; readonly name: string; readonly value: string }
  /** How to read the rows of one input file, as JSON. */
  | { readonly type: 'source'; readonly key: number; readonly source: string }
  | ArchivedRow
  /** A local picture as it was when it was last read. `modifiedAt` is epoch ms. */
  | {
      readonly type: 'picture';
      readonly path: string;
      readonly sizeBytes: number;
      readonly modifiedAt: number;
      readonly digest: string;
    }
  /** What was seen of a video; both texts are JSON. */
  | {
      readonly type: 'inspection';
      readonly sha256: string;
      readonly facts: string;
      readonly findings: string;
    }
  | { readonly type: 'end'; readonly rows: number };

/** One row with all that belongs to it. */
export interface ArchivedRow {
  readonly type: 'row';
  readonly item: Item;
  /** 1 when the row is no longer in the input. */
  readonly gone: number;
  readonly identity: string;
  readonly occurrence: number;
  readonly content: string;
  readonly inputDigest: string;
  /** Key of its source. */
  readonly source: number;
  /** The row as it was read, as JSON. */
  readonly input: string;
  /** Of a row with local pictures: its content by their names alone. */
  readonly written: string | null;
  readonly edit: ArchivedEdit | null;
  /** Oldest first. */
  readonly attempts: readonly ArchivedAttempt[];
  /** Texts of attempts that the row has no more. */
  readonly earlierInputs: readonly (Omit<EarlierInput, 'input' | 'source'> & {
    readonly source: number;
    readonly input: string;
  })[];
  readonly earlierCorrections: readonly EarlierCorrection[];
  /** The attempt whose video stands for the row; null for the latest. */
  readonly preferred: number | null;
  readonly correction: Correction | null;
  readonly marks: readonly ReviewMark[];
  /** Oldest first. */
  readonly hooks: readonly ArchivedHookCall[];
  /** The round whose retry ordered it and did not send it yet; null for none. */
  readonly ordered: number | null;
  /** The round in which it last failed, was rejected or lost; 0 where it never was. */
  readonly endedRound: number;
}

/** A call of the command of `--on-row` as it is saved. */
export interface ArchivedHookCall extends Pick<HookCall, 'attempt' | 'tries' | 'failure'> {
  readonly state: keyof HookCounts;
  /** Epoch ms; null where it was never made to its end. */
  readonly endedAt: number | null;
}

/** What a row says in the input now, where it was sent with another text. */
export interface ArchivedEdit extends RowEdit {
  readonly content: string;
  readonly inputDigest: string;
  readonly source: number;
  readonly input: string;
}

export interface ArchivedAttempt extends Attempt {
  readonly token: string;
  readonly requestHash: string | null;
}

/** The name under which the course of the search for the concurrency is saved: a `LimitCourse` as JSON. */
export const limitCourseSetting = 'concurrency';

/** Values saved with the run, by name. */
export interface Settings {
  get(name: string): Promise<string | null>;
  save(name: string, value: string): Promise<void>;
  /**
   * Saves all these values, durably and at once, if those named in `before` are still the same (null: not saved); else
   * saves none and returns false. Throws `UsageError` where the run is elsewhere or on its way there.
   */
  replace(before: SettingValues, after: Readonly<Record<string, string>>): Promise<boolean>;
}

export type SettingValues = Readonly<Record<string, string | null>>;

/** What may be changed of a run that another process may work on. */
export interface OpenSettings extends AsyncDisposable {
  readonly settings: Settings;
  readonly reviews: Reviews;
  readonly inspections: Inspections;
}

/**
 * What people decided about the rows. Changes no item. Each save is durable; it throws `UsageError` where the run is
 * elsewhere or on its way there.
 */
export interface Reviews {
  /** The marks of all rows with their ids, by row and reviewer. */
  marks(): Promise<readonly WireMark[]>;
  /** Each replaces the mark of the same reviewer on the same row; an empty one removes it. */
  saveMarks(marks: readonly SavedMark[]): Promise<void>;
  /** Attempts whose video stands for their row, by the key of the item. */
  preferences(): Promise<ReadonlyMap<number, number>>;
  /** Null for the latest attempt that has a video. */
  prefer(choices: ReadonlyMap<number, number | null>): Promise<void>;
  /** The saved corrections of these items; null for all. */
  corrections(keys: readonly number[] | null): Promise<ReadonlyMap<number, Correction>>;
  /** Corrections that attempts have sent and that another one, or none, has taken the place of, by the key of the item. */
  earlierCorrections(): Promise<ReadonlyMap<number, readonly EarlierCorrection[]>>;
  /** Null removes the correction of the item. */
  correct(corrections: ReadonlyMap<number, Correction | null>): Promise<void>;
}

/**
 * What was seen of videos, by the digests of their bytes (lower-case hex). Nothing of it decides anything about a row. A
 * save throws `UsageError` where the run is elsewhere or on its way there.
 */
export interface Inspections {
  /** Of the videos with these digests; unknown ones are left out. */
  find(digests: readonly string[]): Promise<ReadonlyMap<string, InspectedVideo>>;
  /** Keeps what was found about them before. */
  save(seen: readonly { readonly sha256: string; readonly inspection: Inspection }[]): Promise<void>;
  /** Replaces what was found about these videos; unknown ones are left out. */
  saveFindings(
    found: readonly { readonly sha256: string; readonly findings: readonly Finding[] }[],
  ): Promise<void>;
}

/** The setting that says how the run is steered: a `Steering` as JSON. A claim decided on an older one is refused. */
export const steeringSetting = 'steering';

/** The setting that says that rows are owed calls of the command of `--on-row`. */
export const hooksSetting = 'hooks';

/** A call of the command of `--on-row` that was not made, or that failed. */
export interface HookCall {
  /** Of the item. */
  readonly key: number;
  readonly id: string;
  readonly attempt: number;
  readonly state: 'owed' | 'failed';
  /** Calls that came to their end. */
  readonly tries: number;
  /** Why the last one failed. */
  readonly failure: string | null;
}

/** Calls by their state. */
export type HookCounts = Readonly<Record<HookCall['state'] | 'done', number>>;

/** Which rows the command of `--on-row` was called for. A row is called for as long as it is completed by that attempt. */
export interface HookCalls {
  /** From now on each row that is completed is owed a call, by the commit that completes it. */
  begin(): Promise<void>;
  /** Calls in these states, by the key of the item, after this one; `slices` only of items there, null for all. */
  left(query: {
    readonly states: readonly HookCall['state'][];
    readonly after: number;
    readonly limit: number;
    readonly slices: readonly number[] | null;
  }): Promise<readonly HookCall[]>;
  counts(): Promise<HookCounts>;
  /** Saves that a call came to its end `at` this time (epoch ms); `failure` is null where it did its work. Durable. */
  ended(call: HookCall, at: number, failure: string | null): Promise<void>;
}

/** The cost of attempts. */
export interface Prices {
  /** Attempts that were charged. */
  readonly charged: number;
  /** Mean points of the attempts that made a video; null where none has known points. */
  readonly perVideo: number | null;
}

/** Statuses that a retry takes as a whole. */
export const retriedStatuses = ['failed', 'rejected', 'lost'] as const;
type RetriedStatus = (typeof retriedStatuses)[number];

/** Rows that a retry would take, by status. */
export type RetryableRows = Readonly<Record<RetriedStatus, QualityCounts>>;

/** What is left of a retry. */
export interface UnsentRetry {
  /** The round of the retry. */
  readonly round: number;
  readonly rows: QualityCounts;
}

/** Bad rows in the totals that are no longer in the file, by status. */
export type GoneCounts = Readonly<Partial<Record<Item['status'], number>>>;

/** The data of plans and totals. */
export interface RunTotals {
  prices(): Promise<Prices>;
  /** Why rows ended badly, the most frequent kind first. */
  failureGroups(): Promise<FailureGroups>;
  goneCounts(): Promise<GoneCounts>;
  /** Rows of the file that a retry would take, by status and their own quality now. */
  retryable(): Promise<RetryableRows>;
  /** Retries with rows that wait, by round, the last one first. */
  unsent(): Promise<readonly UnsentRetry[]>;
  /** Rows that wait to be submitted, by their own quality. */
  pendingQualities(paid: PaidRows): Promise<QualityCounts>;
  /** What was paid for videos whose price is known, with the length of their texts; of a long run the last rows. */
  paidSums(): Promise<readonly PaidSums[]>;
  /** Lengths of the texts of waiting rows, by the key one of so many. */
  pendingLengths(paid: PaidRows, oneOf: number): Promise<readonly TextLengths[]>;
}

/** Lengths of the texts of some rows of one quality; null for rows without one of their own. */
export interface TextLengths {
  readonly quality: Quality | null;
  readonly rows: number;
  readonly characters: number;
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

/** Digests of local pictures from earlier imports. New ones are saved together with the rows, or dropped. */
export interface PictureDigests {
  /** The digest of a file with this size and modification time (ms); null where unknown. */
  find(path: string, sizeBytes: number, changedAt: number): Promise<string | null>;
  note(path: string, sizeBytes: number, changedAt: number, digest: string): Promise<void>;
}

/** Two states of one item; `after` replaces `before` only while the checkpoint still holds `before`. */
export interface Change {
  readonly before: Item;
  readonly after: Item;
}

/** One line of the reports. */
export interface ReportRow {
  readonly item: Item;
  /** True for a submitted row that is no longer in the input. */
  readonly gone: boolean;
  /** The row as it was read: column -> value, in the input's own columns. */
  readonly input: Readonly<Record<string, unknown>>;
  /** How to read the row's file. */
  readonly source: Source;
  /** The current input of a row that was sent with another text; null where nothing differs. */
  readonly edit: Pick<ReportRow, 'input' | 'source'> | null;
  /** Every creation request, oldest first. */
  readonly attempts: readonly Attempt[];
  /** Texts of attempts that the row has no more, by attempt. */
  readonly earlierInputs: readonly EarlierInput[];
  readonly earlierCorrections: readonly EarlierCorrection[];
  /** The attempt whose video stands for the row; null for the latest that has one. */
  readonly preferred: number | null;
  /** The saved correction, in force or not; null for none. */
  readonly correction: Correction | null;
  /** Of the video that the row shows; null where nobody looked into it. */
  readonly inspection: InspectedVideo | null;
}

/**
 * One creation request of one item, as saved in the checkpoint. Its status is the item's when the attempt was superseded,
 * or its current one.
 */
export type Attempt = AttemptFacts;

/** The current input of a row that was sent with another text. */
export interface RowEdit {
  readonly quality: Quality | null;
  /** Why it cannot be sent; null when it can. */
  readonly failure: string | null;
}

/** The task of a superseded attempt whose price is not known. */
export interface UnpricedAttempt extends AttemptTask {
  /** When the service first said that the task had ended (epoch ms); null where it has not. */
  readonly endedAt: number | null;
}

/** How the task of an attempt ended. */
export interface AttemptEnd {
  readonly status: 'completed' | 'failed';
  /** Epoch ms. */
  readonly at: number;
  /** null where the service gave none. */
  readonly points: number | null;
}

/** How a commit ended. */
export interface CommitEnd {
  /**
   * False where the changes are saved, but the answer to the commit was lost and it was found out later: a claim among
   * them must not be sent any more.
   */
  readonly isHeard: boolean;
}

/** What goes with a commit to a shared store. */
export interface Beside {
  /** The room that claims among the changes must find; null where there are none. A store that is not shared checks only its `steering`. */
  readonly room: ClaimRoom | null;
  /** What other processes learn of it. */
  readonly facts: readonly CreationFact[];
}

/**
 * The limits of the run as a whole. A shared store checks them on its own counts as they would be after the commit, so
 * that no number of processes passes them together. `core/` chooses the claims by the same rules.
 */
export interface ClaimRoom {
  /** Rows that are submitting or open, and uncertain ones that still hold a slot. */
  readonly held: number;
  /** The longest (ms) that an uncertain row holds its slot, however long the longest task so far took. */
  readonly mostHoldMs: number;
  /** Rows that are submitting or open: as many as the service accepts at once; infinite where that is not known. */
  readonly open: number;
  /** Rows that are submitting. */
  readonly submitting: number;
  /** Rows submitted in this round; null for no limit. */
  readonly submitted: number | null;
  /** Spent and reserved points; null for no cap. */
  readonly points: number | null;
  /** Attempts that ended since then (epoch ms) at 0 points reserve them: the price may come late. */
  readonly pricedLateSince: number;
  /** Creations that the store must know: one that knows fewer is an older copy, and its pending rows may be paid for. */
  readonly creations: number;
  /** The token of the last creation that left this process: a store that does not know it is an older copy. Null for none. */
  readonly lastSent: string | null;
  /** The last fact this process considered: one that is not `accepted` and came later refuses the claims. */
  readonly lastFact: number;
  /** The round whose terms the claims obey; null where one process has the run. */
  readonly round: number | null;
  /** The last change of the steering that this process knows: a later one refuses the claims. Checked by every store. */
  readonly steering: number;
  /** Until when the answer to these claims can come (epoch ms). */
  readonly answerBy: number;
  /** The time of the decision (epoch ms). */
  readonly at: number;
}

/** How a creation or a task ended, for the circuit breakers of all processes. Times are epoch ms. */
export type CreationFact =
  | {
      readonly type: 'creation';
      readonly event: Exclude<CreationEvent, { readonly type: 'creation-not-sent' }>;
      /** The row's own names, ignored when two messages are compared. */
      readonly names: readonly string[];
      readonly startedAt: number;
      readonly at: number;
    }
  | { readonly type: 'lost'; readonly failure: string | null; readonly at: number };

/** A fact as saved. */
export interface SavedFact {
  /** Increases with every fact of the run. */
  readonly number: number;
  /** The process that saved it. */
  readonly worker: string;
  readonly fact: CreationFact;
}

/** The run as a whole at one moment, as all its processes left it. */
export interface SharedState {
  readonly ledger: Ledger;
  /** Increases with every change of an item. */
  readonly change: number;
  /** Counts the invocations of `run`, `resume` and `retry`: limits count from the beginning of a round. */
  readonly round: number;
  /** Rows submitted, and rows that ended badly, in this round. */
  readonly submittedRows: number;
  readonly badRows: number;
  /** The last fact, and the last one of earlier rounds. */
  readonly lastFact: number;
  readonly roundFact: number;
  /** Creations ever claimed. A store that knows fewer than it did before is an older copy. */
  readonly creations: number;
  /** Names the server and the tables: another one may have forgotten what this process knows. */
  readonly server: string;
  /** True where the processes of the run have compared what they know with it; else it refuses claims. */
  readonly isConfirmed: boolean;
  /** The workers that are not silent. */
  readonly crew: readonly string[];
}

/** What a process of a shared run holds and is. */
export interface WorkerNote {
  readonly host: string;
  readonly pid: number;
  /** Slices whose rows it works on. */
  readonly slices: readonly number[];
  /** Rows it holds, by status. */
  readonly rows: Readonly<Partial<Record<Item['status'], number>>>;
  /** Of the program. */
  readonly version: string;
  /** Its folder for unfinished files; null where it has none. */
  readonly scratch: string | null;
}

/** A process of a shared run as it was last heard of. Times are epoch ms by the clock of the store. */
export interface WorkerMark extends WorkerNote {
  readonly name: string;
  readonly startedAt: number;
  readonly heardAt: number;
  /** False where it was silent for so long that others take over its slices. */
  readonly isHeard: boolean;
}

/** The number of slices of a shared run; an item is in slice `key % sliceCount`. */
export const sliceCount = 64;

/** What the processes of a shared run need of each other. */
export interface Sharing {
  /** The name of this process, unique in the run. */
  readonly worker: string;
  /** Names the run, wherever its store is: copies of it have the same, another run of the same name has not. */
  readonly runId: string;
  /** Identifies the database, so that a copy of it is told from it; null where the server does not say. */
  database(): Promise<string | null>;
  look(): Promise<SharedState>;
  /** Facts after this number, oldest first; of a long list the last ones. */
  facts(after: number): Promise<readonly SavedFact[]>;
  /** Submitting, open, downloading, lost and undelivered items of these slices that changed after `change`; -1 for all. */
  unfinished(slices: readonly number[], change: number): AsyncIterable<Item>;
  /** Submitting items of these slices whose answer can no longer come, `at` this time (epoch ms). */
  unanswered(slices: readonly number[], at: number): Promise<readonly Item[]>;
  /** Until when the answer to the creation of a submitting item can come (epoch ms); null where it is not submitting. */
  answerBy(key: number): Promise<number | null>;
  /** SHA-256 (hex) of the local pictures at these paths when they were last imported; unknown ones are left out. */
  pictureDigests(paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Begins a round: what limits count begins at 0. One change, from which on claims that name another round are refused. */
  beginRound(start: RoundStart): Promise<TermsMark>;
  /** As of when the terms are that are read next. */
  mark(): Promise<TermsMark>;
  /** Epoch ms by the clock of the store, which all machines share. */
  now(): Promise<number>;
  /** The task of each of these attempts (tokens), null where it has none; unknown attempts are left out. */
  tasksOf(tokens: readonly string[]): Promise<ReadonlyMap<string, string | null>>;
  /**
   * All that this process knows is in this server. Claims are accepted again once all processes have said so: those heard of
   * lately, and `crew`, which this one saw before, unless they stay away.
   */
  confirm(server: string, crew: readonly string[]): Promise<void>;
  /** This process knows of creations that the store does not: no claim is accepted until all have compared. */
  doubt(): Promise<void>;
  /** Says that this process lives. A process that never does, or no longer, is not heard of. */
  noteWorker(note: WorkerNote): Promise<void>;
  /** The processes that did not leave in an orderly way, by name; forgotten a day after they were last heard of. */
  workers(): Promise<readonly WorkerMark[]>;
}

/** What begins with a round. */
export interface RoundStart {
  /** Options to save with the run, over those saved before. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The value of the setting `round`; null for the terms of the last round. */
  readonly terms: string | null;
}

/** Which terms a process knows: the round, and the last change of the steering (`Steering`). Claims with earlier ones are refused. */
export interface TermsMark {
  readonly round: number;
  readonly steering: number;
}

/** The saved state of all items. */
export interface Checkpoint {
  /**
   * One durable transaction for all changes. Throws `StaleItemError` and writes none when a status, token or version
   * differs from `before`, when a change names a task that belongs to another attempt, or when it claims a row that has
   * left the input. Throws `NoRoomError` when
   * claims among the changes were decided before the run was steered otherwise; a shared store also when they find no room
   * in the run as a whole.
   */
  commit(changes: readonly Change[], beside?: Beside): Promise<CommitEnd>;
  ledger(): Promise<Ledger>;
  /**
   * All items in these statuses, read in pages; `inFile` leaves out items whose row is no longer in the input, `until` those
   * that failed, were rejected or lost after this round.
   */
  items(statuses: readonly Item['status'][], scope?: 'all' | 'inFile', until?: number): AsyncIterable<Item>;
  /**
   * Up to `limit` pending items in input order, those whose turn is not `first` after the others. `slices`: only items of these slices, and none that another process is
   * changing at this moment; null for all.
   */
  pendingItems(
    query: PaidRows & { readonly limit: number; readonly slices?: readonly number[] | null },
  ): Promise<Item[]>;
  /** Pending rows that the retry of this round ordered. */
  orderedCount(round: number): Promise<number>;
  /** True while any of these rows is pending. */
  hasPending(paid: PaidRows): Promise<boolean>;
  /**
   * Orders rows for the retry of this round: those that the changes make pending, and those with the keys in `waiting`, which
   * are pending. One durable transaction; throws like `commit`.
   */
  order(round: number, changes: readonly Change[], waiting: readonly number[]): Promise<void>;
  /** Rejected items that are kept for a second chance (`Turn`), in input order; up to `limit`. */
  refusedAlike(limit?: number): Promise<readonly Item[]>;
  /** Completed items whose points are unknown or 0. */
  itemsWithoutPoints(): AsyncIterable<Item>;
  /** Latest `notBefore` of pending items (epoch ms): the pause that the service asked of an earlier run. */
  pausedUntil(): Promise<number>;
  /** The row as it was read, how to read it, and its saved correction. */
  input(key: number): Promise<Pick<ReportRow, 'input' | 'source' | 'correction'>>;
  /** True when one of these texts is the content that the row was imported with, local pictures included. */
  isContent(key: number, contents: readonly string[]): Promise<boolean>;
  itemWithKey(key: number): Promise<Item | null>;
  /** The items with these ids; unknown ids are ignored. */
  itemsWithIds(ids: readonly string[], scope?: 'all' | 'inFile'): Promise<Item[]>;
  /** The item that holds this task, if any. */
  itemOfTask(taskId: string): Promise<Item | null>;
  /** How to read the files that the rows are from, in the order in which they were first imported. */
  sources(): Promise<readonly Source[]>;
  /** All rows for the reports: input order, then the gone ones. */
  reportRows(): AsyncIterable<ReportRow>;
  /** When each uncertain item was submitted, which decides how long it holds its slot. */
  uncertainPlaces(): Promise<UncertainPlace[]>;
  /** Items with a file that was saved at any time, in pages. */
  filedItems(): AsyncIterable<Item>;
  /** The edited text that a new attempt of this item would send; null where its text is unchanged. */
  editOf(key: number): Promise<RowEdit | null>;
  /** Makes items that left the file part of the run again, until the next import. */
  takeBack(keys: readonly number[]): Promise<void>;
  /**
   * Saves tasks that answered their attempts late. A late answer settles an uncertain item; a superseded attempt keeps the
   * task itself. Returns the saved ones. Refuses a task that belongs to another attempt: two attempts with one task would
   * hide which was paid.
   */
  saveLateTasks(tasks: readonly AttemptTask[], at: number): Promise<readonly AttemptTask[]>;
  /** Superseded attempts with a known task and unknown points; up to `limit`. */
  unpricedAttempts(limit: number): Promise<readonly UnpricedAttempt[]>;
  /** Saves how the task of a superseded attempt ended. */
  savePoints(task: AttemptTask, end: AttemptEnd): Promise<void>;
}

/** The state of one row in numbers: enough to detect a change. */
export interface RowMark {
  readonly key: number;
  readonly row: number;
  /** 1 when the row is no longer in the input. */
  readonly gone: number;
  readonly status: Item['status'];
  readonly attempt: number;
}

/** All rows of one status, in numbers. */
export interface StatusSum {
  readonly status: Item['status'];
  readonly count: number;
  /** Of these, the rows shown in the reports. */
  readonly shown: number;
  /** Sums over `RowMark`, so that rows swapping places are noticed. */
  readonly rows: number;
  readonly gone: number;
  readonly attempts: number;
}

/** The cost of the run's attempts so far. */
export interface RunPrices {
  readonly points: number;
  /** Rows whose points are not known. */
  readonly unpriced: number;
  /** Attempts that made a video at known points, and those points. */
  readonly pricedVideos: number;
  readonly videoPoints: number;
}

/** Follows a run that another process writes. Only reads. */
export interface RunWatch {
  /**
   * A number that changes with every save; costs almost nothing. Throws `UsageError` once the checkpoint was removed or
   * replaced.
   */
  version(): Promise<number>;
  /** True while a process works in the folder. */
  isHeld(): Promise<boolean>;
  /** A number that changes when rows get another text or place, or leave the input. */
  inputVersion(): Promise<number>;
  /** In the order of `statuses`; only those that occur. */
  sums(): Promise<readonly StatusSum[]>;
  /** The cost of the run so far. */
  prices(): Promise<RunPrices>;
  /** Marks of all rows, in pages. */
  marks(): AsyncIterable<readonly RowMark[]>;
  marksOf(keys: readonly number[]): Promise<readonly RowMark[]>;
  /** Items in these statuses with their files. */
  items(statuses: readonly Item['status'][]): AsyncIterable<Item>;
  /** All rows for the page: input order, then the gone ones. */
  reportRows(): AsyncIterable<ReportRow>;
  /** The rows with these keys that are in the reports. */
  reportRowsOf(keys: readonly number[]): Promise<readonly ReportRow[]>;
  /** A number that changes when marks, preferences or corrections are saved. */
  reviewVersion(): Promise<number>;
  readonly reviews: Pick<Reviews, 'marks' | 'preferences'>;
  /** The item whose files are in this folder of the output tree. */
  itemInFolder(folder: string): Promise<Item | null>;
}

/** What the program needs of the world, as interfaces. Adapters implement them, tests fake them. */

import type { CreationEvent, Item, SavedFile } from './core/item.ts';
import type { Policy } from './core/policy.ts';
import type { Source } from './core/question.ts';
import type { PollEnd, ProbeAnswer } from './core/status-answer.ts';
import type { EndingReason, Ledger } from './core/summary.ts';
import type { UncertainPlace } from './core/tick.ts';

/** Time. Nothing else reads a clock or sets a timer. */
export interface Clock {
  /** Epoch ms, as the machine tells the time: it may be set, forward and back. */
  now(): number;
  /** Ms that have passed since some moment: never set, and not counted while the machine sleeps where the system does not. */
  steady(): number;
  /** Resolves after `ms`, or as soon as the signal aborts; never rejects. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The remote service. No request ever rejects: every ending is an answer. */
export interface TaskService {
  /**
   * Sends one creation: at most once on the wire, never redirected, never repeated. `body` is JSON. The fact says how it ended,
   * with an answer of the service or without one.
   */
  create(body: string, signal: AbortSignal): Promise<CreationEvent>;
  status(taskId: string, signal: AbortSignal): Promise<PollEnd>;
  /** Asks for a task that cannot exist. */
  probe(signal: AbortSignal): Promise<ProbeAnswer>;
  /** Drops idle connections; `force` cuts the ones in use. */
  close(force?: boolean): Promise<void>;
}

/** What the GET of a file link brought. */
export type FileAnswer =
  | {
      readonly outcome: 'content';
      /** Where `body` starts: the offset that was asked for, or 0 when the server starts again. */
      readonly offset: number;
      /** Length of the whole file; null where the server does not say. */
      readonly totalBytes: number | null;
      /** Strong ETag, quotes included; null where there is none to rely on. */
      readonly validator: string | null;
      readonly contentType: string | null;
      /** Throws when the connection is cut or stalls before the announced end. */
      readonly body: AsyncIterable<Uint8Array>;
    }
  /** 416 and the file is as long as what is already here. */
  | { readonly outcome: 'already-whole' }
  /** 416 and it is not: start again. */
  | { readonly outcome: 'out-of-range' }
  /** 400, 401, 403, 404, 410, or an address that must not be asked: only a new link can help. */
  | { readonly outcome: 'link-refused'; readonly failure: string }
  /** May pass: 429, 5xx, connection lost. */
  | { readonly outcome: 'unanswered'; readonly failure: string };

/** The hosts that signed links point at. Never sees the key. Never rejects. */
export interface FileHost {
  /** `validator` goes out as If-Range with a Range from `offset`; offset 0 asks for all. The link is sent byte for byte. */
  get(
    url: string,
    from: { readonly offset: number; readonly validator: string | null },
    signal: AbortSignal,
  ): Promise<FileAnswer>;
  close(force?: boolean): Promise<void>;
}

/**
 * A file on its way: `NAME.part` beside the target, kept when it is closed without `commit`, so that a
 * download goes on where it was. Methods throw `DiskError` or `ItemFilesError`.
 */
export interface PartFile extends AsyncDisposable {
  /** Bytes that are already there. */
  readonly sizeBytes: number;
  /** What the bytes were downloaded under: the strong ETag, or null. */
  readonly validator: string | null;
  /** Forgets what is there and remembers the validator of what comes now. */
  restart(validator: string | null): Promise<void>;
  append(bytes: Uint8Array): Promise<void>;
  /** The first bytes (4,096 at most), for telling what the file is. */
  head(): Promise<Uint8Array>;
  /** Syncs, renames to `path` (relative to the output folder, same folder as the part), syncs the folder. */
  commit(path: string): Promise<SavedFile>;
  /** Removes the part. */
  discard(): Promise<void>;
}

/** A report being written; nobody sees it before `commit`. */
export interface ReportFile extends AsyncDisposable {
  write(text: string): Promise<void>;
  /** Replaces the report whole. */
  commit(): Promise<void>;
}

/** The output folder. Paths are relative to it, with `/`; nothing outside it is ever written. */
export interface OutputTree {
  /** `path` is the target without extension: `ITEM/video` has its part at `ITEM/video.part`. */
  openPart(path: string): Promise<PartFile>;
  /** Writes a small file whole, over what was there. */
  writeWhole(path: string, text: string): Promise<void>;
  createReport(name: string): Promise<ReportFile>;
  /** What is on disk at `path`; null when there is no regular file. */
  inspect(path: string): Promise<{ readonly sizeBytes: number; readonly sha256: string } | null>;
  /** What stands in the place of the files of an item that never had any, as a path of the tree; null for nothing. */
  foreignFile(folder: string): Promise<string | null>;
  /**
   * Gives the files of an item's earlier attempt names in `FOLDER/attempt-N/`, beside those they have; there may be none, or some
   * of them there already. Returns the last part of that path; null where there is nothing. Only on a disk where no file can have
   * two names are they moved.
   */
  setAside(folder: string, attempt: number): Promise<string | null>;
  /** Takes their old names from files that were set aside. */
  clearAside(folder: string): Promise<void>;
}

/** Two states of one item; `after` replaces `before` only while the checkpoint still holds `before`. */
export interface Change {
  readonly before: Item;
  readonly after: Item;
}

/** One line of the reports. */
export interface ReportRow {
  readonly item: Item;
  /** True for a row that is no longer in the input but had been submitted. */
  readonly gone: boolean;
  /** The row as it was read: column -> value, in the input's own columns. */
  readonly input: Readonly<Record<string, unknown>>;
  /** How the row's file is to be read. */
  readonly source: Source;
  /** The row as it stands in the input now, where it was sent with another text; null where it is the same. */
  readonly edit: Pick<ReportRow, 'input' | 'source'> | null;
  /** Every creation request, oldest first. */
  readonly attempts: readonly Attempt[];
}

/** One creation request of one item, as the checkpoint keeps it. */
export interface Attempt {
  readonly attempt: number;
  readonly submittedAt: number | null;
  readonly endedAt: number | null;
  /** The item's status when the attempt was left or as it stands now. */
  readonly status: Item['status'];
  readonly taskId: string | null;
  /** null where unknown. */
  readonly points: number | null;
  readonly failure: string | null;
}

/** The saved life of all items. Asynchronous everywhere, so that a database across a network can stand behind it. */
export interface Checkpoint {
  /** One durable transaction for all changes. Throws `StaleItemError` when one no longer applies, and writes none. */
  commit(changes: readonly Change[]): Promise<void>;
  ledger(): Promise<Ledger>;
  /** All items in these statuses, read in pages; `inFile` leaves out those whose row is not in the input any more. */
  items(statuses: readonly Item['status'][], scope?: 'all' | 'inFile'): AsyncIterable<Item>;
  /** Up to `limit` pending items in input order; `only` names ids. */
  pendingItems(query: { readonly limit: number; readonly only: readonly string[] | null }): Promise<Item[]>;
  /** True while any of these rows is pending. */
  hasPending(only: readonly string[] | null): Promise<boolean>;
  /** Completed items whose points are not known, or none. */
  itemsWithoutPoints(): AsyncIterable<Item>;
  /** Latest `notBefore` of pending items (epoch ms): the pause that the service asked an earlier run for. */
  pausedUntil(): Promise<number>;
  /** The row as it was read, with how to read it. */
  input(key: number): Promise<{ readonly input: Readonly<Record<string, unknown>>; readonly source: Source }>;
  /** True where one of these texts is the content that the row was taken up with, local pictures included. */
  isContent(key: number, contents: readonly string[]): Promise<boolean>;
  itemWithKey(key: number): Promise<Item | null>;
  /** The items with these ids; ids that no row has are simply not among them. */
  itemsWithIds(ids: readonly string[], scope?: 'all' | 'inFile'): Promise<Item[]>;
  /** The item that holds this task, if any. */
  itemOfTask(taskId: string): Promise<Item | null>;
  /** All rows for the reports: input order, then the gone ones. */
  reportRows(): AsyncIterable<ReportRow>;
  /** The places of all uncertain items that were submitted. */
  uncertainPlaces(): Promise<UncertainPlace[]>;
}

/** The task of an attempt, by the attempt's token. */
export interface KeptId {
  readonly token: string;
  readonly taskId: string;
}

/** Where the ids of accepted tasks are kept when the checkpoint cannot take them. */
export interface IdJournal {
  /** True once it is on disk; false when it cannot be kept. Never throws. */
  keep(id: KeptId): boolean;
  /** They are in the checkpoint after all. */
  forget(ids: readonly KeptId[]): void;
}

/** Where a run's life is written down: one line per fact. Secrets are taken out behind it. */
export interface Log {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** Local images that rows point at. */
export interface ImageFiles {
  /** All bytes; rejects when the file cannot be read, is written meanwhile, or has more than `maxBytes` (any number unless said). */
  read(path: string, maxBytes?: number): Promise<Uint8Array>;
}

/** Who is told how the run goes, while it goes. */
export interface Reporter {
  /** Something worth a line. `row` is the one that it is about, where a row ended badly. */
  note(text: string, row?: Item): void;
  /** Something that may cost points or needs the user. */
  warn(text: string): void;
  /** A change of an item that is on disk now. */
  changed(before: Item, after: Item): void;
}

/** A run as one may look at it while it goes; always current, nothing of it is kept. */
export interface RunView {
  readonly ledger: Readonly<Ledger>;
  readonly policy: Policy;
  /** Pending rows that this run is going to submit; what the budget allows of them is not asked. */
  readonly toSubmit: number;
  /** What keeps the run from going on as it could; null while nothing does. */
  readonly hold: Hold | null;
  /** Items whose task is being made at the service, in no order. */
  openItems(): Iterable<Item>;
}

/** What keeps a run from going on as it could. `until` and `since` are epoch ms. */
export type Hold =
  /** Nothing more is submitted in this run. */
  | { readonly why: 'closed'; readonly reason: EndingReason }
  /** The whole run comes to its end. */
  | { readonly why: 'stopping'; readonly reason: EndingReason }
  /** No creation leaves before; `failure` is why, in the words of whoever said so. */
  | { readonly why: 'pause'; readonly until: number; readonly failure: string | null }
  /** The service is asked whether it is there, for free, before anything is sent. */
  | { readonly why: 'probe' }
  /** The service takes no more tasks at once. */
  | { readonly why: 'service'; readonly open: number }
  /** All places are held by rows that may be tasks at the service; `id` is one of them. */
  | { readonly why: 'uncertain'; readonly until: number; readonly id: string | null }
  /** No status is asked before. */
  | { readonly why: 'poll-pause'; readonly until: number }
  /** All else is done, and callbacks may settle the uncertain rows. */
  | { readonly why: 'callbacks'; readonly until: number }
  /** The budget has no room until open tasks have ended. */
  | { readonly why: 'budget' }
  /** Files come slower than tasks are made. */
  | { readonly why: 'downloads' }
  /** Status requests bring no answer. */
  | { readonly why: 'silence'; readonly since: number };

/** The built parts of the page, as texts. */
export interface PageAssets {
  readonly script: string;
  readonly style: string;
  /** For formulas: only in pages that have some. */
  readonly mathScript: string;
  readonly mathStyle: string;
}

/** Where one row stands, in numbers: enough to tell whether anything was done with it. */
export interface RowMark {
  readonly key: number;
  readonly row: number;
  /** 1 while the row is not in the input any more. */
  readonly gone: number;
  readonly status: Item['status'];
  readonly attempt: number;
}

/** All rows of one status, in numbers. */
export interface StatusSum {
  readonly status: Item['status'];
  readonly count: number;
  /** Those among them that stand in the reports. */
  readonly shown: number;
  /** Sums of what `RowMark` says: rows that changed places do not go unnoticed. */
  readonly rows: number;
  readonly gone: number;
  readonly attempts: number;
}

/** What the attempts of a run cost so far. */
export interface RunPrices {
  readonly points: number;
  /** Rows whose points are not known. */
  readonly unpriced: number;
  /** Attempts that made a video and whose points are known, and those points. */
  readonly pricedVideos: number;
  readonly videoPoints: number;
}

/** A run that another process writes, as it is seen from outside. Only reads. */
export interface RunWatch {
  /**
   * Another number once anything was saved since the last call; costs next to nothing. Throws `UsageError` once the
   * checkpoint was removed or another one is in its place.
   */
  version(): number;
  /** True while a process works in the folder. */
  isHeld(): boolean;
  /** Another number once rows were given other texts or places, or left the input. */
  inputVersion(): number;
  /** In the order of `statuses`; only those that occur. */
  sums(): readonly StatusSum[];
  /** Points charged so far, and what else `PageTotals` says of them. */
  prices(): RunPrices;
  /** Marks of all rows, in pages. */
  marks(): Iterable<readonly RowMark[]>;
  marksOf(keys: readonly number[]): readonly RowMark[];
  /** Items in these statuses with their files. */
  items(statuses: readonly Item['status'][]): AsyncIterable<Item>;
  /** All rows for the page: input order, then the gone ones. */
  reportRows(): AsyncIterable<ReportRow>;
  /** Those of these rows that stand in the reports. */
  reportRowsOf(keys: readonly number[]): Promise<readonly ReportRow[]>;
  /** The item whose files lie in this folder of the output tree. */
  itemInFolder(folder: string): Promise<Item | null>;
}

/** Somebody who follows a run over a connection. */
export interface Listener {
  readonly isOpen: boolean;
  /** Resolves when it can take more, or when it is gone; one that takes nothing for long is dropped. Never rejects. */
  send(event: { readonly name: string; readonly data: string; readonly id: number | null }): Promise<void>;
}

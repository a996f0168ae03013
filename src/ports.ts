/** The interfaces to the outside world. Adapters implement them; tests use fakes. */

import type { OutputLayout } from './files/output-paths.ts';
import type { Said } from './messages/message.ts';
import type { PollEnd, ProbeAnswer } from './money/answers/status-answer.ts';
import type { CreationEvent, Item, SavedFile, Status } from './money/item.ts';
import type { Policy } from './money/policy.ts';
import type { EndingReason, Ledger } from './money/summary.ts';
import type { HeldSlots } from './money/tick.ts';

/** Time. Nothing else reads a clock or sets a timer. */
export interface Clock {
  /** Epoch ms from the system clock, which can be set forward and back. */
  now(): number;
  /** Monotonic ms from an arbitrary start: never set. Time asleep counts only where the system counts it. */
  steady(): number;
  /** Resolves after `ms`, or as soon as the signal aborts; never rejects. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The remote service. No request ever rejects: every ending is an answer. */
export interface TaskService {
  /**
   * Sends one creation: at most once on the wire, never redirected, never repeated. `body` is JSON. The event says how
   * it ended, with or without an answer from the service. `mayLeave` is asked last, just before the first byte.
   */
  create(body: string, signal: AbortSignal, mayLeave?: () => boolean): Promise<CreationEvent>;
  status(taskId: string, signal: AbortSignal): Promise<PollEnd>;
  /** Asks for a task that cannot exist. */
  probe(signal: AbortSignal): Promise<ProbeAnswer>;
  /** Drops idle connections; `force` also cuts active ones. */
  close(force?: boolean): Promise<void>;
}

/** The result of a GET of a file link. */
export type FileAnswer =
  | {
      readonly outcome: 'content';
      /** Where `body` starts: the requested offset, or 0 when the server starts over. */
      readonly offset: number;
      /** Length of the whole file; null where the server does not say. */
      readonly totalBytes: number | null;
      /** The version of the file, as `fileVersion` writes it; null where the host tells none. */
      readonly validator: string | null;
      readonly contentType: string | null;
      /** Throws when the connection is cut or stalls before the announced end. */
      readonly body: AsyncIterable<Uint8Array>;
    }
  /** 416, and the file is as long as the part on disk. */
  | { readonly outcome: 'already-whole' }
  /** 416, and the file has another length: start over. */
  | { readonly outcome: 'out-of-range' }
  /** 400, 401, 403, 404, 410, or a forbidden address: only a new link can help. */
  | { readonly outcome: 'link-refused'; readonly failure: string }
  /** May pass: 429, 5xx, connection lost. */
  | { readonly outcome: 'unanswered'; readonly failure: string };

/** The hosts that signed links point at. Never sees the key. Never rejects. */
export interface FileHost {
  /**
   * With a `validator` a Range from `offset` is asked for, and comes only of that version; offset 0 asks for everything.
   * The link is sent byte for byte.
   */
  get(
    url: string,
    from: { readonly offset: number; readonly validator: string | null },
    signal: AbortSignal,
  ): Promise<FileAnswer>;
  close(force?: boolean): Promise<void>;
}

/**
 * An unfinished download: `NAME.part` beside the target. It stays on disk when closed without `commit`, so that the
 * download can be resumed. Methods throw `DiskError` or `ItemFilesError`.
 */
export interface PartFile extends AsyncDisposable {
  /** Bytes already on disk. */
  readonly sizeBytes: number;
  /** The version the bytes are of, or null. */
  readonly validator: string | null;
  /** Discards the bytes on disk and saves the validator of the bytes to come. */
  restart(validator: string | null): Promise<void>;
  append(bytes: Uint8Array): Promise<void>;
  /** The first bytes (4,096 at most), to detect the file format. */
  head(): Promise<Uint8Array>;
  /** The SHA-256 of all bytes, in lower-case hex. */
  digest(): Promise<string>;
  /** Syncs, renames to `path` (relative to the output folder, same folder as the part), syncs the folder. */
  commit(path: string): Promise<SavedFile>;
  /** Removes the part. */
  discard(): Promise<void>;
}

/** A report being written; invisible until `commit`. */
export interface ReportFile extends AsyncDisposable {
  write(content: string | Uint8Array): Promise<void>;
  /** Replaces the report whole. Throws `FileInUseError` where another program has the old one open. */
  commit(): Promise<void>;
  /** After that error: puts it beside the old one, under a free name that is returned. */
  commitBeside(): Promise<string>;
}

/** The output folder. Paths are relative to it, with `/`; nothing outside it is ever written. */
export interface OutputTree {
  readonly layout: OutputLayout;
  /** `path` is the target without extension: `ITEM/video` has its part at `ITEM/video.part`. */
  openPart(path: string): Promise<PartFile>;
  /**
   * Saves the file that an earlier try received whole for this target but could not put into the outputs: it needs no
   * second download. Null where there is none.
   */
  saveReceived(path: string): Promise<SavedFile | null>;
  /** Writes a small file whole, replacing an existing one. */
  writeWhole(path: string, text: string): Promise<void>;
  createReport(name: string): Promise<ReportFile>;
  /** The file at `path`; null when there is no regular file. */
  inspect(path: string): Promise<{ readonly sizeBytes: number; readonly sha256: string } | null>;
  /**
   * A file that already exists where an item that never had files will put its own, as a path of the tree; null for
   * none.
   */
  foreignFile(folder: string): Promise<string | null>;
  /**
   * Links the files of an item's earlier attempt into `FOLDER/attempt-N/`, besides their old names; there may be none,
   * or some may already be there. Returns the last part of that path; null where there are no files. On a disk without
   * hard links the files are moved instead.
   */
  setAside(folder: string, attempt: number): Promise<string | null>;
  /** Removes the old names of files that were set aside. */
  clearAside(folder: string): Promise<void>;
}

/** Length and digest of a file. */
export interface FileDigest {
  readonly sizeBytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

/** A part of a file: from `start` to before `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A file being read. */
interface ReadFile extends AsyncDisposable {
  readonly sizeBytes: number;
  /** Throws when the bytes end early. */
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Where the outputs of a run on several machines are: a folder that all of them see, or a bucket. Paths are relative,
 * with `/`. A refusal is a `DiskError`, or an `ItemFilesError` where it concerns only this path; no text contains
 * credentials.
 */
export interface Destination {
  /** As the user writes it: the folder, or `s3://bucket/prefix`. */
  readonly name: string;
  /** Rejects where no file can be written. */
  checkWritable(): Promise<void>;
  /** Throws `DiskError` once another folder is in its place. */
  check(): void;
  /**
   * Puts a local file there, replacing an existing one. Nothing is visible until all of it is there; resolves once the
   * destination itself confirms length and digest.
   */
  put(file: string, path: string, expected: FileDigest): Promise<void>;
  /** The file at `path`, without reading it; the digest is null where only reading can tell it. Null where there is none. */
  stat(path: string): Promise<{ readonly sizeBytes: number; readonly sha256: string | null } | null>;
  /** The same with the digest, reading the file where necessary. */
  inspect(path: string): Promise<FileDigest | null>;
  /** Opens a file for reading, or its bytes from `start` to before `end`; null where there is none. */
  read(path: string, range?: ByteRange): Promise<ReadFile | null>;
  /** All files whose path starts with `prefix`, which is empty or ends with `/`. */
  list(prefix: string): AsyncIterable<{ readonly path: string; readonly sizeBytes: number }>;
  /** A link by which anyone can read the file for this long; null where there are no links. */
  signedLink(path: string, seconds: number): Promise<string | null>;
  /** Removes what this worker left unfinished at this path when it was killed. */
  clearUnfinished(path: string): Promise<void>;
  close(): void;
}

/** The task of an attempt, by the attempt's token. */
export interface AttemptTask {
  readonly token: string;
  readonly taskId: string;
}

/** Where the ids of accepted tasks are kept when the checkpoint cannot take them. */
export interface IdJournal {
  /** True once it is on disk; false when it cannot be kept. Never throws. */
  keep(id: AttemptTask): boolean;
  /** They are in the checkpoint after all. */
  forget(ids: readonly AttemptTask[]): void;
}

/**
 * Which rows of a shared run this process works on: slices that the engine hands out and takes back. Disposing it gives
 * all of them back.
 */
export interface Placement extends AsyncDisposable {
  /**
   * The slices held now (`sliceCount` in `store/sharing.ts`). Empty as soon as the engine may have given them to another process:
   * read it again after every wait.
   */
  readonly slices: ReadonlySet<number>;
  /** Writes the reports and keeps house: one process of the run at a time. */
  readonly isKeeper: boolean;
  /** Calls `heard` after every change of the two. */
  onChange(heard: () => void): void;
}

/** The log of a run: one line per fact. The implementation redacts secrets. */
export interface Log {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** A file that is read in any order, such as a ZIP package. */
export interface FileAccess {
  readonly sizeBytes: number;
  /** Up to `length` bytes from there; fewer only at the end of the file. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

/** Local images that rows refer to. */
export interface ImageFiles {
  /**
   * All bytes. Rejects when the file cannot be read, changes while it is read, or exceeds `maxBytes` (unlimited by
   * default).
   */
  read(path: string, maxBytes?: number): Promise<Uint8Array>;
  /** All bytes of a picture that the run keeps. Rejects where it is missing, was changed, or exceeds `maxBytes`. */
  readKept(sha256: string, maxBytes?: number): Promise<Uint8Array>;
}

/** A file of the outputs, to be shown. */
export interface ShownFile extends AsyncDisposable {
  readonly sizeBytes: number;
  /** Changes with the file; in quotes. */
  readonly etag: string;
  /** The bytes from `start` to before `end`. */
  read(start: number, end: number): Promise<AsyncIterable<Uint8Array>>;
}

/** The pictures of workbooks, kept with the run by their digests (lower-case hex), so that it needs no workbook. */
export interface PictureStore {
  /** Bytes of a picture; null where it is not kept. */
  sizeOf(sha256: string): Promise<number | null>;
  /** All bytes. Rejects where the picture is missing or its bytes are not those of the digest. */
  read(sha256: string): Promise<Uint8Array>;
  /** Keeps a picture; durable when it resolves. Throws `DiskError`. */
  keep(sha256: string, bytes: Uint8Array): Promise<void>;
}

/** Receives the progress of a run. */
export interface Reporter {
  /** Worth a line. `row` is set where the line is about a row that ended badly. */
  note(said: Said, row?: Item): void;
  /** May cost points, or needs the user. */
  warn(said: Said): void;
  /** A change of an item, already on disk. */
  changed(before: Item, after: Item): void;
}

/** Takes lines for a program that reads them. */
export interface LineSink {
  /** `lines` are whole, each with its end. Rejects when not all of them arrived; those that did are whole. */
  write(lines: string): Promise<void>;
  close(): Promise<void>;
}

/** A dead man's switch. */
export interface Ping {
  /** Sends one signal, `start` or an exit code, with a text for people. Rejects when it was not taken; no message names the address. */
  send(signal: string, body: string): Promise<void>;
}

/** A command of the user. */
export interface HookCommand {
  /**
   * Runs it to its end, and ends whatever it started and left behind. Never rejects. `input` is its standard input. At the
   * deadline, or when the signal aborts, all of it is ended.
   */
  run(call: HookInput, signal: AbortSignal): Promise<HookEnd>;
}

export interface HookInput {
  readonly input: string;
  /** All of its environment. */
  readonly env: Readonly<Record<string, string>>;
}

/** How a call of a command ended. */
export interface HookEnd {
  /** Why it counts as failed; null where it did its work. */
  readonly failure: string | null;
  /** The beginning and the end of what it printed. */
  readonly output: string;
  /** How much it printed. */
  readonly outputBytes: number;
}

/** A live view of a run: always current, so do not keep what it returns. */
export interface RunView {
  readonly ledger: Readonly<Ledger>;
  readonly policy: Policy;
  /** Tasks that may be open at once now. */
  readonly concurrency: number;
  /** Pending rows this run will submit, regardless of the budget. */
  readonly toSubmit: number;
  /** What holds the run back; null while nothing does. */
  readonly hold: Hold | null;
  /** Items with an open task, in no particular order. */
  openItems(): Iterable<Item>;
  /** Rows that this process works on, by status. */
  heldRows(): Readonly<Partial<Record<Status, number>>>;
}

/** What holds a run back. `until` and `since` are epoch ms. */
export type Hold =
  /** This run submits nothing more. */
  | { readonly why: 'closed'; readonly reason: EndingReason }
  /** The whole run is ending. */
  | { readonly why: 'stopping'; readonly reason: EndingReason }
  /** No creation leaves before `until`; `failure` is the reason as reported, if any. */
  | { readonly why: 'pause'; readonly until: number; readonly failure: string | null }
  /** The user paused submitting; `until` is null for a pause without an end. */
  | { readonly why: 'paused'; readonly until: number | null }
  /** Before anything is sent, a free request probes the service. */
  | { readonly why: 'probe' }
  /** The service accepts no more tasks at once. */
  | { readonly why: 'service'; readonly open: number }
  /** Rows whose creation may have made a task hold most slots, and none is free; `id` is the one that is free first. */
  | ({ readonly why: 'uncertain' } & HeldSlots)
  /** No status request before `until`. */
  | { readonly why: 'poll-pause'; readonly until: number }
  /** Everything else is done; callbacks may still settle uncertain rows. */
  | { readonly why: 'callbacks'; readonly until: number }
  /** Nothing else goes on: tasks were completed without a video that can be had, and are asked about again. */
  | { readonly why: 'videos'; readonly count: number; readonly until: number }
  /** The budget has no room until open tasks have ended. */
  | { readonly why: 'budget' }
  /** Downloads are slower than the service makes tasks. */
  | { readonly why: 'downloads' }
  /** Status requests get no answer. */
  | { readonly why: 'silence'; readonly since: number }
  /** A worker of a shared run waits for more work. */
  | { readonly why: 'idle' };

/** The workers of a shared run, as one of them sees them. */
export interface CrewView {
  /** Those heard of lately, this one included. */
  readonly workers: number;
  /** Slices that this worker holds. */
  readonly slices: number;
  /** Since when the store does not answer (epoch ms); null while it does. */
  readonly awaySince: number | null;
}

/** The built parts of the page, as text. */
export interface PageAssets {
  readonly script: string;
  readonly style: string;
  /** Only for pages with formulas. */
  readonly mathScript: string;
  readonly mathStyle: string;
}

/** A client that follows a run over a connection. */
export interface Listener {
  readonly isOpen: boolean;
  /**
   * Resolves when it can take more, or when it is gone; a client that stalls for too long is dropped. Never rejects.
   */
  send(event: { readonly name: string; readonly data: string; readonly id: number | null }): Promise<void>;
}

/** What the program needs of the world, as interfaces. Adapters implement them, tests fake them. */

import type { CreationEvent, Item, SavedFile } from './core/item.ts';
import type { Policy } from './core/policy.ts';
import type { PollEnd, ProbeAnswer } from './core/status-answer.ts';
import type { EndingReason, Ledger } from './core/summary.ts';

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

/** Somebody who follows a run over a connection. */
export interface Listener {
  readonly isOpen: boolean;
  /** Resolves when it can take more, or when it is gone; one that takes nothing for long is dropped. Never rejects. */
  send(event: { readonly name: string; readonly data: string; readonly id: number | null }): Promise<void>;
}

/** The remote service, the hosts of its files, and the ids of its tasks. */

import type { PollEnd, ProbeAnswer } from '../money/answers/status-answer.ts';
import type { CreationEvent } from '../money/event.ts';

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
      /** The version of the file, as `fileVersion` writes it; null where the host names none. */
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

/** The task of an attempt, by the attempt's token. */
export interface AttemptTask {
  readonly token: string;
  readonly taskId: string;
}

/** Where the ids of accepted tasks are kept when they cannot be saved in the checkpoint. */
export interface IdJournal {
  /** True once it outlives this process; false when it cannot be kept. Never throws. */
  keep(id: AttemptTask): boolean;
  /** What is kept outlives the machine, too. Never throws. */
  sync(): void;
  /** They are in the checkpoint after all. */
  forget(ids: readonly AttemptTask[]): void;
}

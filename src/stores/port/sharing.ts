/** What the processes of a shared run need of each other. */

import type { Item } from '../../money/item.ts';
import type { Ledger } from '../../money/summary.ts';
import type { CreationFact } from './checkpoint.ts';
import type { Decision } from './decisions.ts';

/** What the processes of a shared run need of each other. */
export interface Sharing {
  /** The name of this process, unique in the run. */
  readonly worker: string;
  /** Names the run, wherever its store is: copies of it have the same, another run of the same name has another. */
  readonly runId: string;
  /**
   * Identifies the database, so that a copy of it is recognized, and says whether it is the one identified by `then`, or was restored in
   * its place; null where the server does not say.
   */
  database(then: string | null): Promise<{ readonly name: string; readonly isSame: boolean } | null>;
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
  /** As of when the terms are that a process reads next. */
  mark(): Promise<TermsMark>;
  /** Epoch ms by the clock of the store, which all machines share. */
  now(): Promise<number>;
  /** The task of each of these attempts (tokens), null where it has none; unknown attempts are left out. */
  tasksOf(tokens: readonly string[]): Promise<ReadonlyMap<string, string | null>>;
  /**
   * All that this process knows is in this server. Claims are accepted again once all processes have said so: those that
   * reported lately, and `crew`, which this one saw before, unless they stay away.
   */
  confirm(server: string, crew: readonly string[]): Promise<void>;
  /** This process knows of creations that the store does not: no claim is accepted until all have compared. */
  doubt(): Promise<void>;
  /** Reports that this process lives; one that does not report any more is silent. */
  noteWorker(note: WorkerNote): Promise<void>;
  /** The processes that did not leave in an orderly way, by name; forgotten a day after their last report. */
  workers(): Promise<readonly WorkerMark[]>;
}

/** Why a store takes no claims of a process. */
export interface StoreRefusal {
  readonly reason: 'older-store' | 'updated' | 'not-durable';
  /** More about it; null where the reason says all. */
  readonly failure: string | null;
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
  /**
   * Why the store takes no claims of this process: another version of the program brought the run up to date, or the server may
   * forget what it has saved. Null where it takes them.
   */
  readonly refusal: StoreRefusal | null;
  /** The workers that are not silent. */
  readonly crew: readonly string[];
}

/** A fact as saved. */
export interface SavedFact {
  /** Increases with every fact of the run. */
  readonly number: number;
  /** The process that saved it. */
  readonly worker: string;
  readonly fact: CreationFact;
}

/** What begins with a round. */
export interface RoundStart {
  /** Options to save with the run, over those saved before. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The value of the setting `round`; null for the terms of the last round. */
  readonly terms: string | null;
  /** What was decided with it. */
  readonly decisions?: readonly Decision[];
}

/** Which terms a process knows: the round, and the last change of the steering (`Steering`). Claims with earlier ones are refused. */
export interface TermsMark {
  readonly round: number;
  readonly steering: number;
}

/** What a process of a shared run is, and what it works on. */
export interface WorkerNote {
  readonly host: string;
  readonly pid: number;
  /** Slices whose rows it works on. */
  readonly slices: readonly number[];
  /** Rows it works on, by status. */
  readonly rows: Readonly<Partial<Record<Item['status'], number>>>;
  /** Of the program. */
  readonly version: string;
  /** Its folder for unfinished files; null where it has none. */
  readonly scratch: string | null;
}

/** The last report of a process of a shared run. Times are epoch ms by the clock of the store. */
export interface WorkerMark extends WorkerNote {
  readonly name: string;
  readonly startedAt: number;
  readonly lastSeenAt: number;
  /** False where it was silent for so long that others take over its slices. */
  readonly isAlive: boolean;
}

/** The number of slices of a shared run; an item is in slice `key % sliceCount`. */
export const sliceCount = 64;

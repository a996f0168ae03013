/** One process working on a run: how it is set up, who observes it, and what it works with. */

import type { Message, Said } from '../messages/message.ts';
import type { Item } from '../money/item.ts';
import type { StopOrder } from '../money/steering.ts';
import type { Clock, CrewView, ImageFiles, Log, OutputTree, Reporter, RunView } from '../ports.ts';
import type { SharedRunOptions } from '../runner/context.ts';
import type { FolderJournal } from '../stores/id-journal.ts';
import type { TermsMark, WorkerNote } from '../stores/port/sharing.ts';
import type { Store } from '../stores/port/store.ts';
import type { Invocation } from './options/invocation.ts';
import type { SessionOptions } from './rounds/round.ts';

/** The setup of a run session. */
export interface RunSetup {
  /** False when nothing may be sent that costs points. */
  readonly submits: boolean;
  readonly invocation: Invocation;
  /** Saved options included, and what applies to this round. */
  readonly options: SessionOptions;
  readonly store: Store;
  /** True for a worker of a shared run that waits for more work. */
  readonly stays?: boolean;
  /** True where the command has nothing to do, and waits for nothing that others began. */
  readonly isIdle?: boolean;
  /** Called once the rounds are over, before the last reports are written; not for a session that was stopped. */
  readonly settle?: (note: (said: Message) => void) => Promise<void>;
  /** The rows that a file made invalid just now: they end before the session begins. */
  readonly madeInvalid?: () => AsyncIterable<Item>;
  /** Which terms the options are, by default those as the session begins. */
  readonly mark?: TermsMark;
}

/** Observes a run: receives its messages and can read its state. Texts contain no secrets. */
export interface RunObserver extends Reporter {
  /** The run starts; `view` stays current. */
  started(view: RunView): void;
  /** In a shared run: the workers as they are now. */
  crewSeen?(crew: CrewView): void;
  /** Receives every line of the log. */
  logged?(line: string): void;
  /** The run has ended and its reports are written; no call follows. */
  ended(): void;
}

/** Ends the run in an orderly way. */
export type Stop = (reason: 'interrupted' | 'terminated') => void;

/** Carries out an order from elsewhere. */
export type Obey = (order: Pick<StopOrder, 'isNow'>) => void;

/** How a run is ended from outside. */
export interface Controls {
  readonly stop: Stop;
  /** The same for a failure outside the run's own calls: the session rejects with it, once everything is saved. */
  readonly fail: (error: unknown) => void;
  /** Takes over orders from elsewhere; without it the session stops, whatever the order. */
  readonly onOrder: (obey: Obey) => void;
}

/** Tables of failed rows in the output folder: what a user wrote into them is kept before reports replace them. */
export interface MendedTables {
  /** Copies such tables next to the originals. Returns what to say of each. */
  keep(run: Pick<RunSetup, 'store' | 'invocation' | 'options'>): Promise<readonly Message[]>;
  /** The reports of a session, which replace no table that a user has just changed. */
  reports(
    run: Pick<RunSetup, 'store' | 'invocation' | 'options'>,
    tree: Pick<OutputTree, 'createReport'>,
    say: (said: Message) => void,
  ): (isRunning: boolean) => Pick<OutputTree, 'createReport'>;
}

/** One process working on an output folder. */
export interface RunSession {
  readonly setup: RunSetup;
  readonly observer: RunObserver;
  readonly mended: MendedTables;
  /** Receives the controls of the run; returns what to do when they can no longer be used. */
  hook(controls: Controls): () => void;
  /** Asked every second: true once nobody waits for this process any more, which stops the session. */
  readonly isAbandoned?: () => boolean;
}

/** The session, as the part that it shares with other machines knows it. */
export interface CrewFollower {
  /** The rows this worker has. */
  rows(): WorkerNote['rows'];
  note(said: Said): void;
  warn(said: Said): void;
  seen(crew: CrewView): void;
}

/** What a session has to do with the others that work on the run. */
export interface CrewPart {
  /** The slices whose rows are its own; null for all rows. */
  slices(): readonly number[] | null;
  /** True while it does what one session of the run is enough for. */
  isKeeper(): boolean;
  /** Rows are given to others while this says no. */
  workWhile(isWorking: () => boolean): void;
  /** Says now and then that this worker lives, and reports to the session what becomes of the others. */
  follow(news: CrewFollower): void;
  /** The session ends: a store that is away is not waited for any longer. */
  hurry(): void;
}

/** That of a session that has its run alone. */
export const alone: CrewPart = {
  slices: () => null,
  isKeeper: () => true,
  workWhile() {},
  follow() {},
  hurry() {},
};

export interface RunParts extends AsyncDisposable {
  /** Of the machine, or set to the time of the store that machines share. */
  readonly clock: Clock;
  readonly tree: OutputTree;
  readonly images: ImageFiles;
  /** Null where nothing is submitted. */
  readonly journal: FolderJournal | null;
  readonly log: Log;
  /** Warnings about the place of the run. */
  readonly warnings: readonly Said[];
  /** Null for a run in a folder. */
  readonly shared: Omit<SharedRunOptions, 'stays' | 'round'> | null;
  readonly crew: CrewPart;
  /** Throws `DiskError` once the place of the run or of its outputs was moved or replaced. */
  checkPlace(): void;
}

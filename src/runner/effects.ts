/** Starts the effect of each order, one of a kind at a time for each item, and lets the item go when it has ended. */

import { hasVideo } from '../core/artifacts.ts';
import type { Effect, ItemEvent } from '../core/item.ts';
import { fixed, type Policy } from '../core/policy.ts';
import type { PollEnd, ProbeAnswer } from '../core/status-answer.ts';
import type { EndingReason } from '../core/summary.ts';
import { DiskError } from '../errors.ts';
import type { Clock, FileHost, Log, OutputTree, Reporter, TaskService } from '../ports.ts';
import { Creations } from './creations.ts';
import { Downloads } from './downloads.ts';
import { type Entry, noteEnded, noteStarted } from './entry.ts';
import { Polls } from './polls.ts';
import { Waits } from './waits.ts';

export interface EffectPorts {
  readonly clock: Clock;
  readonly service: TaskService;
  readonly host: FileHost;
  readonly tree: OutputTree;
  readonly log: Log;
  readonly reporter: Reporter;
}

/** What effects tell the runner. */
export interface EffectOutlet {
  /** `token`: of the end of a creation, the attempt that it belongs to. */
  post(entry: Entry, event: ItemEvent, token?: string | null): void;
  /** The service answered a poll, whatever it said; `knowsTask` is false where it does not know the task. */
  serviceAnswered(knowsTask: boolean): void;
  /** A poll brought no answer; the service may have asked not to be polled for this long (ms). */
  pollUnanswered(retryAfterMs: number | null, failure: string): void;
  stop(reason: EndingReason, failure: string): void;
  /** An effect ended; the entry may be let go. */
  released(entry: Entry): void;
  failed(error: unknown): void;
  isStopping(): boolean;
}

export class Effects {
  readonly #clock: Clock;
  readonly #outlet: EffectOutlet;
  readonly #creations: Creations;
  readonly #polls: Polls;
  readonly #downloads: Downloads;
  readonly #waits: Waits;
  /** Cuts polls and downloads: both can be had again. */
  readonly #resumable = new AbortController();

  constructor(ports: EffectPorts, policy: Policy, outlet: EffectOutlet) {
    const { signal } = this.#resumable;
    this.#clock = ports.clock;
    this.#outlet = outlet;
    this.#creations = new Creations(ports, outlet);
    this.#polls = new Polls(ports, policy, outlet, signal);
    this.#downloads = new Downloads(ports, outlet, (taskId) => this.#polls.ask(taskId), signal);
    this.#waits = new Waits(ports.clock);
  }

  start(entry: Entry, effect: Effect): void {
    switch (effect.type) {
      case 'create':
        this.#run(entry, 'create', () => this.#creations.send(entry));
        break;
      case 'poll':
        this.#run(entry, 'poll', () => this.#polls.poll(entry));
        break;
      case 'poll-later':
        this.#run(entry, 'pause', () => this.#pollLater(entry, effect.afterMs));
        break;
      case 'fetch-frame':
        // Also where it is on its way already: it has these links when it has its turn.
        this.#downloads.noteLinks(entry, effect.ordinal, [effect.url]);
        this.#run(entry, `frame ${effect.ordinal}`, () => this.#downloads.frame(entry, effect.ordinal));
        break;
      case 'fetch-video':
        this.#downloads.noteLinks(entry, 0, [effect.url, ...(effect.spareUrls ?? [])]);
        this.#run(entry, 'video', () => this.#downloads.video(entry));
        break;
      case 'limit-frames':
        void this.#limitFrames(entry);
        break;
      case 'write-task-file':
        this.#run(entry, 'task file', () => this.#downloads.taskFile(entry));
        break;
    }
  }

  /** Asks the status of one task with the shared tick, unless that is under way. */
  pollOnTick(entry: Entry): Promise<void> {
    return this.#run(entry, 'poll', () => this.#polls.pollOnTick(entry));
  }

  /** What the service says of a task that no row has. */
  askAbout(taskId: string): Promise<PollEnd> {
    return this.#polls.ask(taskId);
  }

  /** Finds out who is at the address of the service; null when the run is stopped meanwhile. */
  probe(): Promise<ProbeAnswer | null> {
    return this.#polls.probe();
  }

  /** The item is not downloading any more: what it waits for is of no use. */
  cutWaits(entry: Entry): void {
    this.#waits.cut(entry);
  }

  /** Lets creations end and cuts what can be had again. */
  cutResumable(): void {
    this.#resumable.abort();
    this.#waits.cutAll();
  }

  /** Resolves when no effect is running. */
  async idle(): Promise<void> {
    await Promise.all([this.#creations.idle(), this.#polls.idle(), this.#downloads.idle()]);
  }

  async #run(entry: Entry, name: string, work: () => Promise<void>): Promise<void> {
    if (!noteStarted(entry, name)) return;
    try {
      await work();
    } catch (error) {
      if (error instanceof DiskError) this.#outlet.stop('disk', error.message);
      else this.#outlet.failed(error);
    } finally {
      noteEnded(entry, name);
      this.#outlet.released(entry);
    }
  }

  /** Takes no place in any line while it waits, and the tick leaves the item alone. */
  async #pollLater(entry: Entry, afterMs: number): Promise<void> {
    if (!isDownloading(entry) || !(await this.#waits.pass(entry, 'pause', afterMs))) return;
    // With the video here it is about frames. Those that are on their way need no link, and ask again when they fail.
    if (!hasVideo(entry.item) || entry.busy.size === 1) this.start(entry, { type: 'poll' });
  }

  /** Keeps nobody busy: the row may be done, and the run over, long before. */
  async #limitFrames(entry: Entry): Promise<void> {
    const before = this.#downloads.framesHad;
    if (!isDownloading(entry) || !(await this.#waits.pass(entry, 'frames', fixed.frameWaitMs))) return;
    const isMoving = this.#downloads.framesHad > before;
    this.#outlet.post(entry, { type: 'frames-overdue', at: this.#clock.now(), isMoving });
  }
}

/** An order that was given with others may come when all is settled: then there is nothing to wait for. */
function isDownloading({ item }: Entry): boolean {
  return item.status === 'downloading';
}

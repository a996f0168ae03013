/** Starts the effect of each order, one of each kind at a time per item, and releases the item when it has ended. */

import { DiskError } from '../errors.ts';
import type { PollEnd, ProbeAnswer } from '../money/answers/status-answer.ts';
import { hasVideo } from '../money/artifacts.ts';
import type { Effect } from '../money/event.ts';
import { fixed } from '../money/policy.ts';
import { type Subject, subjectOf } from '../money/subject.ts';
import type { RunContext } from './context.ts';
import { Downloads } from './downloading/downloads.ts';
import { type Entry, noteEnded, noteStarted } from './entry.ts';
import { Polls } from './polling/polls.ts';
import { Waits } from './polling/waits.ts';
import { Creations } from './submitting/creations.ts';

export class Effects {
  readonly #run: RunContext;
  readonly #creations: Creations;
  readonly #polls: Polls;
  readonly #downloads: Downloads;
  readonly #waits: Waits;
  /** Aborts polls and downloads, which can both be repeated. */
  readonly #resumable = new AbortController();
  #inProgress = 0;
  #quiet = new AbortController();

  constructor(run: RunContext) {
    const { signal } = this.#resumable;
    this.#run = run;
    this.#creations = new Creations(run);
    this.#polls = new Polls(run, signal);
    this.#downloads = new Downloads(run, (taskId) => this.#polls.ask(taskId), signal);
    this.#waits = new Waits(run.ports.clock);
    this.#quiet.abort('quiet');
  }

  /** Aborted while no effect is in progress. */
  get quiet(): AbortSignal {
    return this.#quiet.signal;
  }

  start(entry: Entry, effect: Effect): void {
    const about = subjectOf(entry.item);
    switch (effect.type) {
      case 'create':
        this.#begin(entry, 'create', () => this.#creations.send(entry));
        break;
      case 'poll':
        this.#begin(entry, 'poll', () => this.#polls.poll(entry));
        break;
      case 'poll-later':
        this.#begin(entry, 'pause', () => this.#pollLater(entry, effect.afterMs));
        break;
      case 'fetch-frame':
        // Also for a download already queued: it then has these links at its turn.
        this.#downloads.noteLinks(entry, effect.ordinal, [effect.url]);
        this.#begin(entry, `frame ${effect.ordinal}`, () =>
          this.#downloads.frame(entry, about, effect.ordinal),
        );
        break;
      case 'fetch-video':
        this.#downloads.noteLinks(entry, 0, [effect.url, ...(effect.spareUrls ?? [])]);
        this.#begin(entry, 'video', () => this.#downloads.video(entry, about));
        break;
      case 'limit-frames':
        this.#limitFrames(entry, about).catch((error: unknown) => this.#run.fail(error));
        break;
      case 'write-task-file':
        this.#begin(entry, 'task file', () => this.#downloads.taskFile(entry));
        break;
    }
  }

  /** Polls one task in the shared tick, unless a poll is already in flight. */
  pollOnTick(entry: Entry): Promise<void> {
    return this.#carryOut(entry, 'poll', () => this.#polls.pollOnTick(entry));
  }

  /** Polls a task that no row has. */
  askAbout(taskId: string): Promise<PollEnd> {
    return this.#polls.ask(taskId);
  }

  /** Probes the address of the service; null when the run is stopped meanwhile. */
  probe(): Promise<ProbeAnswer | null> {
    return this.#polls.probe();
  }

  /** The item is no longer downloading, or this is no longer its entry. */
  cutWaits(entry: Entry): void {
    this.#waits.cut(entry);
  }

  /** Lets creations end and aborts what can be repeated. */
  cutResumable(): void {
    this.#resumable.abort();
    this.#waits.cutAll();
  }

  /** Resolves when no effect is running. */
  async idle(): Promise<void> {
    await Promise.all([this.#creations.idle(), this.#polls.idle(), this.#downloads.idle()]);
  }

  #begin(entry: Entry, name: string, work: () => Promise<void>): void {
    this.#carryOut(entry, name, work).catch((error: unknown) => this.#run.fail(error));
  }

  async #carryOut(entry: Entry, name: string, work: () => Promise<void>): Promise<void> {
    if (!noteStarted(entry, name)) return;
    if (this.#inProgress === 0) this.#quiet = new AbortController();
    this.#inProgress += 1;
    try {
      await work();
    } catch (error) {
      if (error instanceof DiskError) this.#run.stop('disk', error.message);
      else this.#run.fail(error);
    } finally {
      noteEnded(entry, name);
      this.#inProgress -= 1;
      if (this.#inProgress === 0) this.#quiet.abort('quiet');
      this.#run.release(entry);
    }
  }

  /** Occupies no slot while it waits, and the tick skips the item. */
  async #pollLater(entry: Entry, afterMs: number): Promise<void> {
    if (!isDownloading(entry) || !(await this.#waits.pass(entry, 'pause', afterMs))) return;
    // Once the video is saved, this is about frames. Those in flight need no link, and request one when they fail.
    if (!hasVideo(entry.item) || entry.busy.size === 1) this.start(entry, { type: 'poll' });
  }

  /** Does not keep the item busy: the row, and the run, may be done long before. */
  async #limitFrames(entry: Entry, about: Subject): Promise<void> {
    const before = this.#downloads.framesHad;
    if (!isDownloading(entry) || !(await this.#waits.pass(entry, 'frames', fixed.frameWaitMs))) return;
    const isMoving = this.#downloads.framesHad > before;
    this.#run.post(entry, { type: 'frames-overdue', at: this.#run.ports.clock.now(), isMoving }, about);
  }
}

/** An order given with others may start when everything is settled: then there is nothing to wait for. */
function isDownloading({ item }: Entry): boolean {
  return item.status === 'downloading';
}

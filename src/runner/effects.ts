/** Starts effects and turns their ends into events; never changes an item. p-queue says how many run at once. */

import PQueue from 'p-queue';
import { hasVideo } from '../core/artifacts.ts';
import type { Effect, ItemEvent } from '../core/item.ts';
import { fixed, type Policy } from '../core/policy.ts';
import type { EndingReason } from '../core/summary.ts';
import { DiskError } from '../errors.ts';
import { isPastTime, statusEvent } from '../journey/poll-task.ts';
import { creationEvent } from '../journey/submit-task.ts';
import type {
  Clock,
  FileHost,
  Log,
  OutputTree,
  ProbeAnswer,
  Reporter,
  StatusAnswer,
  TaskService,
} from '../ports.ts';
import { Downloads } from './downloads.ts';
import { ageOf, type Entry, noteEnded, noteStarted, noteTick } from './entry.ts';
import { Waits } from './waits.ts';

export interface EffectPorts {
  readonly clock: Clock;
  readonly service: TaskService;
  readonly host: FileHost;
  readonly tree: OutputTree;
  readonly log: Log;
  readonly reporter: Reporter;
}

/** A creation on its way is never cut: its outcome would be unknown. Its deadline ends it. */
const uncut = new AbortController().signal;

/** What effects tell the runner. */
export interface EffectOutlet {
  post(entry: Entry, event: ItemEvent): void;
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
  readonly #ports: EffectPorts;
  readonly #policy: Policy;
  readonly #outlet: EffectOutlet;
  readonly #creations = new PQueue({ concurrency: fixed.creationsInFlight });
  readonly #polls = new PQueue({ concurrency: fixed.pollConnections });
  readonly #downloads: Downloads;
  readonly #waits: Waits;
  /** Cuts polls and downloads: both can be had again. */
  readonly #resumable = new AbortController();
  /** What was said and need not be said again. */
  readonly #warnings = new Set<string>();

  constructor(ports: EffectPorts, policy: Policy, outlet: EffectOutlet) {
    this.#ports = ports;
    this.#policy = policy;
    this.#outlet = outlet;
    const askStatus = (taskId: string): Promise<StatusAnswer> =>
      this.#polls.add(() => ports.service.status(taskId, this.#resumable.signal));
    this.#downloads = new Downloads(ports, outlet, askStatus, this.#resumable.signal);
    this.#waits = new Waits(ports.clock);
  }

  start(entry: Entry, effect: Effect): void {
    switch (effect.type) {
      case 'create':
        this.#run(entry, 'create', () => this.#creations.add(() => this.#create(entry)));
        break;
      case 'poll':
        this.#run(entry, 'poll', () => this.#polls.add(() => this.#poll(entry, false)));
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

  /**
   * Asks the status of one task with the shared beat, unless that is under way. At once: a sweep orders no more polls than
   * there are connections, and a line of their own would cost a quarter of what the whole poll does.
   */
  pollOnBeat(entry: Entry): Promise<void> {
    return this.#run(entry, 'poll', () => this.#poll(entry, true));
  }

  /** What the service says of a task that no row has. */
  askAbout(taskId: string): Promise<StatusAnswer> {
    return this.#polls.add(() => this.#ports.service.status(taskId, this.#resumable.signal));
  }

  /** Finds out who is at the address of the service; null when the run is stopped meanwhile. */
  async probe(): Promise<ProbeAnswer | null> {
    const { signal } = this.#resumable;
    const answer = await this.#polls.add(() => this.#ports.service.probe(signal));
    return signal.aborted ? null : answer;
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
    await Promise.all([this.#creations.onIdle(), this.#polls.onIdle(), this.#downloads.idle()]);
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

  async #create(entry: Entry): Promise<void> {
    const { clock, service } = this.#ports;
    const request = entry.request;
    entry.request = null;
    if (request === null || this.#outlet.isStopping()) {
      const failure = 'the run was stopped before the creation was sent';
      this.#outlet.post(entry, { type: 'creation-not-sent', at: clock.now(), failure });
      return;
    }
    const answer = await service.create(request.body, uncut);
    if (answer.outcome === 'key-refused') this.#outlet.stop(answer.because ?? 'key-refused', answer.failure);
    if (answer.outcome === 'misconfigured') this.#outlet.stop(answer.outcome, answer.failure);
    if (answer.outcome === 'uncertain' && answer.isRedirect)
      this.#outlet.stop('misconfigured', answer.failure);
    this.#outlet.post(entry, creationEvent(answer, clock.now()));
  }

  /** Takes no place in any line while it waits, and the beat leaves the item alone. */
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
    this.#outlet.post(entry, { type: 'frames-overdue', at: this.#ports.clock.now(), isMoving });
  }

  async #poll(entry: Entry, isTick: boolean): Promise<void> {
    const { taskId } = entry.item;
    const { clock } = this.#ports;
    const { signal } = this.#resumable;
    if (taskId === null || signal.aborted) return;
    const ageMs = ageOf(entry, clock.steady());
    const answer = await this.#ports.service.status(taskId, signal);
    if (signal.aborted) return;
    this.#noteAnswer(entry, answer);
    const now = clock.steady();
    if (isTick) noteTick(entry, answer, { now, isPast: isPastTime({ ageMs }, this.#policy) });
    const { overdueTicks } = entry;
    const unknownMs = entry.unknownSince === null ? 0 : now - entry.unknownSince;
    const task = { at: clock.now(), ageMs, overdueTicks, unknownMs, isTick };
    const event = statusEvent(answer, entry.item, task, this.#policy);
    if (event !== null) this.#outlet.post(entry, event);
  }

  #noteAnswer(entry: Entry, answer: StatusAnswer): void {
    const { id, taskId } = entry.item;
    if (answer.outcome === 'unanswered') {
      this.#ports.log.warn({ id, taskId, failure: answer.failure }, 'a poll brought no answer');
      if (answer.isTooLong === true)
        this.#warnOnce(`the status of row ${id} (task ${taskId}) is not read: ${answer.failure}`);
      this.#outlet.pollUnanswered(answer.retryAfterMs, answer.failure);
      return;
    }
    if (answer.outcome === 'key-refused') {
      this.#outlet.stop(answer.because ?? 'key-refused', answer.failure);
      return;
    }
    this.#outlet.serviceAnswered(answer.outcome !== 'not-found');
    if (answer.outcome === 'progressed' && answer.unknownState !== null)
      this.#warnOnce(
        `the service reports a state that is not documented, "${answer.unknownState}"; it counts as open`,
      );
  }

  #warnOnce(text: string): void {
    if (this.#warnings.has(text)) return;
    this.#warnings.add(text);
    this.#ports.reporter.warn(text);
  }
}

/** An order that was given with others may come when all is settled: then there is nothing to wait for. */
function isDownloading({ item }: Entry): boolean {
  return item.status === 'downloading';
}

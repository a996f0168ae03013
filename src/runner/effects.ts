/** Starts effects and turns their ends into events; never changes an item. p-queue says how many run at once. */

import PQueue from 'p-queue';
import type { CreationEnd } from '../core/gate.ts';
import type { Effect, ItemEvent } from '../core/item.ts';
import { frameTarget, taskFilePath, videoTarget } from '../core/output-paths.ts';
import { fixed, type Policy } from '../core/policy.ts';
import type { EndingReason } from '../core/summary.ts';
import { DiskError, ItemFilesError } from '../errors.ts';
import {
  type Download,
  type DownloadEnd,
  downloadArtifact,
  type SaveEnd,
} from '../journey/download-artifact.ts';
import { judgeStatus } from '../journey/poll-task.ts';
import { judgeCreation } from '../journey/submit-task.ts';
import type { Clock, FileHost, Log, OutputTree, Reporter, StatusAnswer, TaskService } from '../ports.ts';
import { renderTaskFile } from '../report/task-file.ts';
import { type Entry, noteEnded, noteStarted } from './entry.ts';

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

/** A signed link and when it was given (epoch ms). */
interface Link {
  readonly url: string;
  readonly at: number;
}

/** A status answer that names files. */
type FilesAnswer = Extract<StatusAnswer, { readonly outcome: 'completed' | 'progressed' }>;

type WholeFile = Extract<DownloadEnd, { readonly outcome: 'whole' }>;

/** What effects tell the runner. */
export interface EffectOutlet {
  post(entry: Entry, event: ItemEvent): void;
  creationEnded(end: CreationEnd): void;
  /** The service answered a poll, whatever it said. */
  serviceAnswered(): void;
  /** A poll brought no answer; the service may have asked not to be polled for this long (ms). */
  pollUnanswered(retryAfterMs: number | null): void;
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
  readonly #downloads = new PQueue({ concurrency: fixed.downloadConnections });
  /** Whole files on their way to their names. */
  readonly #saves = new Set<Promise<unknown>>();
  /** Cuts polls and downloads: both can be had again. */
  readonly #resumable = new AbortController();
  readonly #unknownStates = new Set<string>();

  constructor(ports: EffectPorts, policy: Policy, outlet: EffectOutlet) {
    this.#ports = ports;
    this.#policy = policy;
    this.#outlet = outlet;
  }

  start(entry: Entry, effect: Effect): void {
    switch (effect.type) {
      case 'create':
        this.#run(entry, 'create', () => this.#creations.add(() => this.#create(entry)));
        break;
      case 'poll':
        this.#run(entry, 'poll', () => this.#polls.add(() => this.#poll(entry, false)));
        break;
      case 'fetch-frame': {
        const link = this.#linkOf(effect.url);
        const { ordinal } = effect;
        this.#run(entry, `frame ${ordinal}`, () => this.#fetchFrame(entry, ordinal, link));
        break;
      }
      case 'fetch-video': {
        const link = this.#linkOf(effect.url);
        this.#run(entry, 'video', () => this.#fetchVideo(entry, link));
        break;
      }
      case 'write-task-file':
        this.#run(entry, 'task file', () => this.#downloads.add(() => this.#writeTaskFile(entry)));
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

  /** True when the service says that it has this task. */
  async isKnownTask(taskId: string): Promise<boolean> {
    const answer = await this.#polls.add(() => this.#ports.service.status(taskId, this.#resumable.signal));
    return (
      answer?.outcome === 'progressed' || answer?.outcome === 'completed' || answer?.outcome === 'failed'
    );
  }

  /** Lets creations end and cuts what can be had again. */
  cutResumable(): void {
    this.#resumable.abort();
  }

  /** Resolves when no effect is running. */
  async idle(): Promise<void> {
    await Promise.all([this.#creations.onIdle(), this.#polls.onIdle(), this.#downloads.onIdle()]);
    await Promise.allSettled(this.#saves);
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
    const { event, end } = judgeCreation(answer, entry.item, clock.now());
    if (answer.outcome === 'key-refused' || answer.outcome === 'misconfigured') {
      this.#outlet.stop(answer.outcome, answer.failure);
    } else {
      this.#outlet.creationEnded(end);
      if (answer.outcome === 'uncertain' && answer.isRedirect)
        this.#outlet.stop('misconfigured', answer.failure);
    }
    this.#outlet.post(entry, event);
  }

  async #poll(entry: Entry, isTick: boolean): Promise<void> {
    const { taskId } = entry.item;
    const { signal } = this.#resumable;
    if (taskId === null || signal.aborted) return;
    const askedAt = this.#ports.clock.now();
    const answer = await this.#ports.service.status(taskId, signal);
    if (signal.aborted) return;
    this.#noteAnswer(entry, answer);
    const at = this.#ports.clock.now();
    const { silentPolls, watchedSince } = entry;
    const event = judgeStatus(answer, entry.item, {
      at,
      askedAt,
      policy: this.#policy,
      silentPolls,
      watchedSince,
      isTick,
    });
    if (event !== null) this.#outlet.post(entry, event);
  }

  #noteAnswer(entry: Entry, answer: StatusAnswer): void {
    const { id, taskId } = entry.item;
    if (answer.outcome === 'unanswered') {
      entry.silentPolls += 1;
      this.#ports.log.warn({ id, taskId, failure: answer.failure }, 'a poll brought no answer');
      this.#outlet.pollUnanswered(answer.retryAfterMs);
      return;
    }
    entry.silentPolls = 0;
    if (answer.outcome === 'key-refused') {
      this.#outlet.stop('key-refused', answer.failure);
      return;
    }
    this.#outlet.serviceAnswered();
    if (answer.outcome === 'progressed' && answer.unknownState !== null)
      this.#warnOfState(answer.unknownState);
  }

  #warnOfState(state: string): void {
    if (this.#unknownStates.has(state)) return;
    this.#unknownStates.add(state);
    this.#ports.reporter.warn(
      `the service reports a state that is not documented, "${state}"; it counts as open`,
    );
  }

  #linkOf(url: string): Link {
    return { url, at: this.#ports.clock.now() };
  }

  /** The link itself while it is fresh; after a wait for a turn the one that the service gives now, if it gives one. */
  async #freshUrl(
    entry: Entry,
    link: Link,
    find: (answer: FilesAnswer) => string | null | undefined,
  ): Promise<string> {
    const { clock, service } = this.#ports;
    const { taskId } = entry.item;
    if (taskId === null || clock.now() - link.at <= fixed.linkFreshMs) return link.url;
    const answer = await service.status(taskId, this.#resumable.signal);
    return (
      (answer.outcome === 'completed' || answer.outcome === 'progressed' ? find(answer) : null) ?? link.url
    );
  }

  /**
   * A file in its turn: `find` says which, when it has come, or null when it is not wanted any more. `beside` is done while it is
   * saved. A small file gives its turn to the next before that; to save a large one takes long, and nothing is shared.
   */
  async #fetch(
    find: () => Promise<Download | null>,
    beside?: () => Promise<void>,
  ): Promise<Exclude<DownloadEnd, WholeFile> | SaveEnd> {
    const { signal } = this.#resumable;
    const end = await this.#downloads.add(async () => {
      // Whole files that are not saved stay open: a slow disk holds the next ones back.
      while (this.#saves.size >= fixed.savesAtOnce) await Promise.race(this.#saves).catch(() => {});
      const wanted = signal.aborted ? null : await find();
      if (wanted === null) return { outcome: 'stopped' } as const;
      const received = await downloadArtifact(this.#ports, wanted, signal);
      const isLarge = received.outcome === 'whole' && received.sizeBytes > fixed.smallFileBytes;
      return isLarge ? this.#save(received, beside) : received;
    });
    return end.outcome === 'whole' ? this.#save(end, beside) : end;
  }

  async #save({ save }: WholeFile, beside: (() => Promise<void>) | undefined): Promise<SaveEnd> {
    const saved = bothDone(save(), beside?.());
    this.#saves.add(saved);
    try {
      return await saved;
    } finally {
      this.#saves.delete(saved);
    }
  }

  async #fetchFrame(entry: Entry, ordinal: number, link: Link): Promise<void> {
    const end = await this.#fetch(async () => {
      const frame = entry.item.artifacts.find((artifact) => artifact.ordinal === ordinal);
      // Given up while it waited for its turn: a row must not wait for what it does not want any more.
      if (frame?.state !== 'wanted') return null;
      const url = await this.#freshUrl(
        entry,
        link,
        ({ frames }) => frames.find(({ id }) => id === frame.remoteId)?.url,
      );
      return { url, target: frameTarget(entry.item, ordinal), kind: 'frame' };
    });
    const at = this.#ports.clock.now();
    if (end.outcome === 'saved')
      this.#outlet.post(entry, { type: 'frame-saved', at, ordinal, file: end.file });
    else if (end.outcome !== 'stopped') {
      this.#logDownload(entry, `frame ${ordinal}`, end.failure);
      this.#outlet.post(entry, { type: 'frame-not-had', at, ordinal, failure: end.failure });
    }
  }

  /** `task.json` is written before the video counts as saved, so that a completed item has it whatever happens. */
  async #fetchVideo(entry: Entry, link: Link): Promise<void> {
    const find = async (): Promise<Download> => {
      const url = await this.#freshUrl(entry, link, (answer) =>
        answer.outcome === 'completed' ? answer.videoUrl : null,
      );
      return { url, target: videoTarget(entry.item), kind: 'video' };
    };
    const end = await this.#fetch(find, () => this.#writeTaskFile(entry));
    if (end.outcome === 'stopped') return;
    const at = this.#ports.clock.now();
    if (end.outcome === 'saved') {
      this.#outlet.post(entry, { type: 'video-saved', at, file: end.file });
      return;
    }
    this.#logDownload(entry, 'video', end.failure);
    const newLink = end.outcome === 'link-refused';
    this.#outlet.post(entry, { type: 'video-not-had', at, failure: end.failure, newLink });
  }

  async #writeTaskFile(entry: Entry): Promise<void> {
    try {
      await this.#ports.tree.writeWhole(taskFilePath(entry.item), renderTaskFile(entry.item));
    } catch (error) {
      if (!(error instanceof ItemFilesError)) throw error;
      this.#ports.reporter.warn(error.message);
    }
  }

  #logDownload(entry: Entry, file: string, failure: string): void {
    const { id, taskId, attempt } = entry.item;
    this.#ports.log.warn({ id, taskId, attempt, file, failure }, 'a file could not be had');
  }
}

/** What the first one brings, once both have ended: no work on the disk goes on behind a refusal. */
async function bothDone<T>(work: Promise<T>, beside: Promise<void> | undefined): Promise<T> {
  const [done, other] = await Promise.allSettled([work, beside]);
  if (done.status === 'rejected') throw done.reason;
  if (other.status === 'rejected') throw other.reason;
  return done.value;
}

/**
 * The files of items: fetched in turns, few at a time, and saved when the next ones have theirs, so that no connection waits for
 * the disk. p-queue says whose turn it is.
 */

import PQueue from 'p-queue';
import { frameTarget, taskFilePath, videoTarget } from '../core/output-paths.ts';
import { fixed } from '../core/policy.ts';
import { ItemFilesError } from '../errors.ts';
import {
  type Download,
  type DownloadEnd,
  downloadArtifact,
  type SaveEnd,
} from '../journey/download-artifact.ts';
import type { StatusAnswer } from '../ports.ts';
import { renderTaskFile } from '../report/task-file.ts';
import type { EffectOutlet, EffectPorts } from './effects.ts';
import type { Entry } from './entry.ts';

/** A signed link and when it was given (epoch ms). */
interface Link {
  readonly url: string;
  readonly at: number;
}

/** A status answer that names files. */
type FilesAnswer = Extract<StatusAnswer, { readonly outcome: 'completed' | 'progressed' }>;

type WholeFile = Extract<DownloadEnd, { readonly outcome: 'whole' }>;

/** How a file ended that was fetched and saved, or not. */
type FileEnd = Exclude<DownloadEnd, WholeFile> | SaveEnd;

/** What is left to do when the next one has its turn. */
type Rest = () => Promise<void>;

const nothing: Rest = async () => {};
const finish = (rest: Rest): Promise<void> => rest();

export class Downloads {
  readonly #ports: EffectPorts;
  readonly #outlet: EffectOutlet;
  readonly #signal: AbortSignal;
  readonly #turns = new PQueue({ concurrency: fixed.downloadConnections });
  /** Files that take no connection wait for the disk alone. */
  readonly #taskFiles = new PQueue({ concurrency: fixed.savesAtOnce });
  /** Whole files on their way to their names. */
  readonly #saves = new Set<Promise<unknown>>();
  #saveEnds = Promise.withResolvers<void>();

  /** The signal cuts what can be had again. */
  constructor(ports: EffectPorts, outlet: EffectOutlet, signal: AbortSignal) {
    this.#ports = ports;
    this.#outlet = outlet;
    this.#signal = signal;
  }

  /** Fetches a frame and saves it, and posts what came of it. */
  frame(entry: Entry, ordinal: number, url: string): Promise<void> {
    const link = this.#linkOf(url);
    return this.#turns.add(() => this.#fetchFrame(entry, ordinal, link)).then(finish);
  }

  /**
   * Fetches the video by the first of these links that leads to it, saves it beside its `task.json`, and posts what came of it.
   * One that could not be had before lets the others go first: its host may hold a place for minutes.
   */
  video(entry: Entry, urls: readonly string[]): Promise<void> {
    const links = urls.map((url) => this.#linkOf(url));
    const priority = entry.item.renewals === 0 ? 1 : 0;
    return this.#turns.add(() => this.#fetchVideo(entry, links), { priority }).then(finish);
  }

  taskFile(entry: Entry): Promise<void> {
    return this.#taskFiles.add(() => this.#writeTaskFile(entry));
  }

  /** Resolves when nothing is fetched or saved. */
  async idle(): Promise<void> {
    await Promise.all([this.#turns.onIdle(), this.#taskFiles.onIdle()]);
    await Promise.allSettled(this.#saves);
  }

  #linkOf(url: string): Link {
    return { url, at: this.#ports.clock.now() };
  }

  async #fetchFrame(entry: Entry, ordinal: number, link: Link): Promise<Rest> {
    await this.#roomToSave();
    const frame = entry.item.artifacts.find((artifact) => artifact.ordinal === ordinal);
    // Given up while it waited for its turn: a row must not wait for what it does not want any more.
    if (this.#signal.aborted || frame?.state !== 'wanted') return nothing;
    const [url = ''] = await this.#freshUrls(entry, [link], ({ frames }) =>
      frames.filter(({ id }) => id === frame.remoteId).map((found) => found.url),
    );
    return this.#fetch(
      { url, target: frameTarget(entry.item, ordinal), kind: 'frame' },
      () => Promise.resolve(),
      (end) => this.#frameEnded(entry, ordinal, end),
    );
  }

  /** `task.json` is written before the video counts as saved, so that a completed item has it whatever happens. */
  async #fetchVideo(entry: Entry, links: readonly Link[]): Promise<Rest> {
    await this.#roomToSave();
    if (this.#signal.aborted) return nothing;
    const [url = '', ...spareUrls] = await this.#freshUrls(entry, links, (answer) =>
      answer.outcome === 'completed' && answer.videoUrl !== null
        ? [answer.videoUrl, ...(answer.spareUrls ?? [])]
        : [],
    );
    return this.#fetch(
      { url, spareUrls, target: videoTarget(entry.item), kind: 'video' },
      () => this.#writeTaskFile(entry),
      (end) => this.#videoEnded(entry, end),
    );
  }

  /** Whole files that are not saved stay open: a slow disk holds the next ones back. */
  async #roomToSave(): Promise<void> {
    while (this.#saves.size >= fixed.savesAtOnce) await this.#saveEnds.promise;
  }

  /** The links themselves while they are fresh; after a wait for a turn those that the service gives now, if it gives some. */
  async #freshUrls(
    entry: Entry,
    links: readonly Link[],
    find: (answer: FilesAnswer) => readonly string[],
  ): Promise<readonly string[]> {
    const { clock, service } = this.#ports;
    const { taskId } = entry.item;
    const known = links.map(({ url }) => url);
    if (taskId === null || links.every(({ at }) => clock.now() - at <= fixed.linkFreshMs)) return known;
    const answer = await service.status(taskId, this.#signal);
    const found = answer.outcome === 'completed' || answer.outcome === 'progressed' ? find(answer) : [];
    return found.length > 0 ? found : known;
  }

  /**
   * Fetches a file; `beside` is done while it is saved. A small one gives its turn to the next before that; to save a large one
   * takes long, and shares nothing with others.
   */
  async #fetch(wanted: Download, beside: () => Promise<void>, ended: (end: FileEnd) => void): Promise<Rest> {
    const end = await downloadArtifact(this.#ports, wanted, this.#signal);
    const rest = async (): Promise<void> =>
      ended(end.outcome === 'whole' ? await this.#save(end, beside) : end);
    if (end.outcome !== 'whole' || end.sizeBytes <= fixed.smallFileBytes) return rest;
    await rest();
    return nothing;
  }

  async #save({ save }: WholeFile, beside: () => Promise<void>): Promise<SaveEnd> {
    const saved = bothDone(save(), beside());
    this.#saves.add(saved);
    try {
      return await saved;
    } finally {
      this.#saves.delete(saved);
      this.#saveEnds.resolve();
      this.#saveEnds = Promise.withResolvers();
    }
  }

  #frameEnded(entry: Entry, ordinal: number, end: FileEnd): void {
    const at = this.#ports.clock.now();
    if (end.outcome === 'stopped') return;
    if (end.outcome === 'saved') {
      this.#outlet.post(entry, { type: 'frame-saved', at, ordinal, file: end.file });
      return;
    }
    this.#log(entry, `frame ${ordinal}`, end.failure);
    this.#outlet.post(entry, { type: 'frame-not-had', at, ordinal, failure: end.failure });
  }

  #videoEnded(entry: Entry, end: FileEnd): void {
    const at = this.#ports.clock.now();
    if (end.outcome === 'stopped') return;
    if (end.outcome === 'saved') {
      this.#outlet.post(entry, { type: 'video-saved', at, file: end.file });
      return;
    }
    this.#log(entry, 'video', end.failure);
    const newLink = end.outcome !== 'unfit';
    this.#outlet.post(entry, { type: 'video-not-had', at, failure: end.failure, newLink });
  }

  #log(entry: Entry, file: string, failure: string): void {
    const { id, taskId, attempt } = entry.item;
    this.#ports.log.warn({ id, taskId, attempt, file, failure }, 'a file could not be had');
  }

  async #writeTaskFile(entry: Entry): Promise<void> {
    try {
      await this.#ports.tree.writeWhole(taskFilePath(entry.item), renderTaskFile(entry.item));
    } catch (error) {
      if (!(error instanceof ItemFilesError)) throw error;
      this.#ports.reporter.warn(error.message);
    }
  }
}

/** What the first one brings, once both have ended: no work on the disk goes on behind a refusal. */
async function bothDone<T>(work: Promise<T>, beside: Promise<void>): Promise<T> {
  const [done, other] = await Promise.allSettled([work, beside]);
  if (done.status === 'rejected') throw done.reason;
  if (other.status === 'rejected') throw other.reason;
  return done.value;
}

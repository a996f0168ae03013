/**
 * Downloads the files of items, a few at a time. A small file gives up its turn before it is saved, so that no connection
 * waits for the disk: saved within its turn, each item of `npm run bench -- end-to-end` with 2,000 items takes 6.9 ms of
 * CPU time instead of 4.6 ms, and the run three times as long. p-queue assigns the turns. Frames have their own queue:
 * the video is what was paid for, so a slow or failing host of frames costs a video neither a slot nor time.
 */

import PQueue from 'p-queue';
import { ItemFilesError, raise, saidOf } from '../../errors.ts';
import { isUnknownVideo } from '../../files/file-kind.ts';
import { parseLink } from '../../files/file-link.ts';
import { type FrameHost, mayAskHost, noteHostAsked, noteHostEnd, wellHost } from '../../files/frame-hosts.ts';
import { frameTarget, taskFilePath, videoTarget } from '../../files/output-paths.ts';
import { message } from '../../messages/message.ts';
import type { PollEnd } from '../../money/answers/status-answer.ts';
import { frameWith } from '../../money/artifacts.ts';
import type { Artifact, SavedFile } from '../../money/item.ts';
import { fixed } from '../../money/policy.ts';
import { isSameSubject, type Subject } from '../../money/subject.ts';
import type { FileDigest } from '../../ports.ts';
import { renderTaskFile } from '../../reports/task-file.ts';
import type { RunContext, RunnerPorts } from '../context.ts';
import type { Entry } from '../entry.ts';
import { type Download, type DownloadEnd, downloadArtifact, type SaveEnd } from './download-artifact.ts';
import { findAgain, saveReceived } from './known-file.ts';
import { type Link, Links } from './links.ts';
import { Saves, type WholeFile } from './saves.ts';

/** How the download and saving of a file ended. */
type FileEnd = Exclude<DownloadEnd, WholeFile> | SaveEnd;

const tooLong = `it took longer than ${fixed.frameTimeMs / 1_000} s`;

export class Downloads {
  readonly #run: RunContext;
  readonly #ports: RunnerPorts;
  readonly #signal: AbortSignal;
  readonly #links: Links;
  readonly #videos = new PQueue({ concurrency: fixed.downloadConnections });
  readonly #frames = new PQueue({ concurrency: fixed.frameConnections });
  readonly #frameHosts = new Map<string, FrameHost>();
  /** Files without a connection wait only for the disk. */
  readonly #taskFiles = new PQueue({ concurrency: fixed.savesAtOnce });
  readonly #saves = new Saves();
  /** Frames saved so far. */
  framesHad = 0;
  /** Entries whose earlier files have lost their old names. */
  readonly #cleared = new WeakSet<Entry>();

  /** `askStatus` requests new links; the signal aborts what can be downloaded again. */
  constructor(run: RunContext, askStatus: (taskId: string) => Promise<PollEnd>, signal: AbortSignal) {
    this.#run = run;
    this.#ports = run.ports;
    this.#links = new Links(run.ports.clock, askStatus);
    this.#signal = signal;
  }

  /** The newest links of a file, best first; the video is 0. */
  noteLinks(entry: Entry, ordinal: number, urls: readonly string[]): void {
    this.#links.note(entry, ordinal, urls);
  }

  /** Downloads a frame, saves it and posts the result. Rows that wait only for frames go first. */
  async frame(entry: Entry, about: Subject, ordinal: number): Promise<void> {
    const priority = entry.item.status === 'downloading' ? 1 : 0;
    const fetch = () => this.#fetchFrame(entry, about, ordinal);
    const end = await this.#fetchAndSave(this.#frames, priority, fetch, async () => {});
    if (end !== null) this.#frameEnded(entry, about, ordinal, end);
  }

  /**
   * Downloads the video by the first link that works, saves it next to its `task.json`, and posts the result. A video
   * that failed before goes last: its host may occupy a slot for minutes.
   */
  async video(entry: Entry, about: Subject): Promise<void> {
    const priority = entry.item.renewals === 0 ? 1 : 0;
    const fetch = () => this.#fetchVideo(entry, about);
    // `task.json` is written before the video counts as saved, so that a completed item always has it.
    const writeTaskFile = (path: string) => this.#writeTaskFile(entry, isUnknownVideo(path));
    const end = await this.#fetchAndSave(this.#videos, priority, fetch, writeTaskFile);
    if (end !== null) this.#videoEnded(entry, about, end);
  }

  taskFile(entry: Entry): Promise<void> {
    return this.#taskFiles.add(() => this.#writeTaskFile(entry));
  }

  /** Resolves when nothing is being downloaded or saved. */
  async idle(): Promise<void> {
    await Promise.all([this.#videos.onIdle(), this.#frames.onIdle(), this.#taskFiles.onIdle()]);
    await this.#saves.idle();
  }

  /**
   * Fetches a file in its turn, then saves it, and what goes along with it; null where there is nothing to do. A small file gives up its
   * turn before it is saved; a large one keeps it, because saving takes long and shares nothing with others.
   */
  async #fetchAndSave(
    turns: PQueue,
    priority: number,
    fetch: () => Promise<FileEnd | WholeFile | null>,
    saveAlong: (path: string) => Promise<void>,
  ): Promise<FileEnd | null> {
    const inTurn = async () => {
      await this.#saves.room();
      const end = await fetch();
      const isLarge = end?.outcome === 'whole' && end.sizeBytes > fixed.smallFileBytes;
      return isLarge ? this.#saves.save(end, saveAlong) : end;
    };
    const end = await turns.add(inTurn, { priority });
    return end?.outcome === 'whole' ? this.#saves.save(end, saveAlong) : end;
  }

  async #fetchFrame(entry: Entry, about: Subject, ordinal: number): Promise<FileEnd | WholeFile | null> {
    const frame = entry.item.artifacts.find((one) => one.kind === 'frame' && one.ordinal === ordinal);
    // Given up while it was queued: a row must not wait for a file it no longer wants.
    if (this.#isIdle(entry, about) || frame?.state !== 'wanted') return null;
    const { tree } = this.#ports;
    const target = frameTarget(entry.item, ordinal, tree.layout);
    const file = (await this.#makeReady(entry, frame)) ?? (await saveReceived(tree, target));
    if (file !== null) return { outcome: 'saved', file };
    const link = await this.#links.current(entry, ordinal);
    const origin = parseLink(link.urls[0] ?? '')?.origin ?? '';
    const askedAt = this.#ports.clock.steady();
    const host = this.#frameHosts.get(origin) ?? wellHost;
    if (!mayAskHost(host, askedAt)) {
      this.#passOver(entry, about, ordinal, origin);
      return null;
    }
    this.#frameHosts.set(origin, noteHostAsked(host, askedAt));
    const end = await this.#inTime((signal) => this.#downloadFrame(entry, ordinal, link, signal));
    this.#noteHost(origin, askedAt, end);
    return end;
  }

  /** A refused link may have expired in the queue, so the frame is tried with a new one in the same turn. */
  async #downloadFrame(entry: Entry, ordinal: number, link: Link, signal: AbortSignal): Promise<DownloadEnd> {
    const target = frameTarget(entry.item, ordinal, this.#ports.tree.layout);
    const known = (file: FileDigest): SavedFile | null =>
      entry.hasNewFrameNames ? frameWith(entry.item, ordinal, file) : null;
    const by = ({ urls: [url = ''] }: Link): Promise<DownloadEnd> =>
      downloadArtifact(this.#ports, { url, target, kind: 'frame', known }, signal);
    const end = await by(link);
    if (end.outcome !== 'link-refused' || !this.#links.refuse(entry, link)) return end;
    return by(await this.#links.current(entry, ordinal));
  }

  /** Aborts a frame when its time is over, by the clock's timers. */
  async #inTime(work: (signal: AbortSignal) => Promise<DownloadEnd>): Promise<DownloadEnd> {
    const [late, done] = [new AbortController(), new AbortController()];
    const cutLate = async (): Promise<void> => {
      await this.#ports.clock.wait(fixed.frameTimeMs, done.signal);
      late.abort(new Error(tooLong));
    };
    cutLate().catch(raise);
    try {
      const end = await work(AbortSignal.any([this.#signal, late.signal]));
      return end.outcome === 'stopped' && !this.#signal.aborted
        ? { outcome: 'given-up', failure: tooLong }
        : end;
    } finally {
      done.abort('done');
    }
  }

  /**
   * Its host fails for all frames and is not asked now. While the task is open, the next tick names the frame again.
   */
  #passOver(entry: Entry, about: Subject, ordinal: number, origin: string): void {
    if (entry.item.status !== 'downloading') return;
    const failure = `${origin} fails for all frames`;
    this.#run.post(entry, { type: 'frame-not-had', at: this.#ports.clock.now(), ordinal, failure }, about);
  }

  /** A failure of the output folder, or an abort by the run, says nothing of the host. */
  #noteHost(origin: string, askedAt: number, end: DownloadEnd): void {
    if (end.outcome === 'stopped' || (end.outcome === 'unfit' && end.fault === 'folder')) return;
    const isHad = end.outcome === 'whole';
    const host = this.#frameHosts.get(origin) ?? wellHost;
    const now = this.#ports.clock.steady();
    const after = noteHostEnd(host, { isHad, askedAt, now });
    this.#frameHosts.set(origin, after);
    if (mayAskHost(host, now) && !mayAskHost(after, now))
      this.#ports.log.warn(
        { host: origin, pauseMs: after.askAt - now },
        'a host fails for all frames, and is asked rarely',
      );
  }

  async #fetchVideo(entry: Entry, about: Subject): Promise<FileEnd | WholeFile | null> {
    if (this.#isIdle(entry, about)) return null;
    const { tree } = this.#ports;
    const file = await this.#makeReady(
      entry,
      entry.item.artifacts.find(({ kind }) => kind === 'video'),
    );
    if (file !== null) return { outcome: 'saved', file };
    const target = videoTarget(entry.item, tree.layout);
    const received = await saveReceived(tree, target);
    if (received !== null)
      return { outcome: 'whole', ...received, save: async () => ({ outcome: 'saved', file: received }) };
    const link = await this.#links.current(entry, 0);
    const [url = '', ...spareUrls] = link.urls;
    const request: Download = { url, spareUrls, target, kind: 'video' };
    const end = await downloadArtifact(this.#ports, request, this.#signal);
    // Its frames have links of the same age.
    if (end.outcome === 'link-refused') this.#links.refuse(entry, link);
    return end;
  }

  /** True when nothing is to be downloaded: the run stops, or the item has another attempt by now. */
  #isIdle({ item }: Entry, about: Subject): boolean {
    return this.#signal.aborted || !isSameSubject(about, item);
  }

  /**
   * Makes room for the first file of a new attempt; returns this file if an earlier save of it has reappeared
   * unchanged.
   */
  async #makeReady(entry: Entry, artifact: Artifact | undefined): Promise<SavedFile | null> {
    const { tree } = this.#ports;
    if (entry.item.attempt > 1 && !this.#cleared.has(entry)) {
      this.#cleared.add(entry);
      await tree.clearAside(entry.item.folder).catch((error: unknown) => {
        // Old names do no harm: the new files replace them, or go next to them.
        if (!(error instanceof ItemFilesError)) throw error;
      });
    }
    return findAgain(tree, artifact);
  }

  #frameEnded(entry: Entry, about: Subject, ordinal: number, end: FileEnd): void {
    const at = this.#ports.clock.now();
    if (end.outcome === 'stopped') return;
    this.#links.forget(entry, ordinal);
    if (end.outcome === 'saved') {
      this.framesHad += 1;
      this.#run.post(entry, { type: 'frame-saved', at, ordinal, file: end.file }, about);
      return;
    }
    this.#log(entry, `frame ${ordinal}`, end.failure);
    const isFinal = end.outcome === 'unfit';
    this.#run.post(entry, { type: 'frame-not-had', at, ordinal, failure: end.failure, isFinal }, about);
  }

  #videoEnded(entry: Entry, about: Subject, end: FileEnd): void {
    const at = this.#ports.clock.now();
    if (end.outcome === 'stopped') return;
    if (end.outcome === 'saved') {
      if (isUnknownVideo(end.file.path))
        this.#ports.reporter.note(message('videos.unknown-format', { path: end.file.path }));
      this.#run.post(entry, { type: 'video-saved', at, file: end.file }, about);
      return;
    }
    this.#log(entry, 'video', end.failure);
    const newLink = end.outcome !== 'unfit';
    this.#run.post(entry, { type: 'video-not-had', at, failure: end.failure, newLink }, about);
  }

  #log(entry: Entry, file: string, failure: string): void {
    const { id, taskId, attempt } = entry.item;
    this.#ports.log.warn({ id, taskId, attempt, file, failure }, 'a file could not be downloaded');
  }

  async #writeTaskFile(entry: Entry, isUnknown = false): Promise<void> {
    try {
      const { tree } = this.#ports;
      const path = taskFilePath(entry.item, tree.layout);
      await tree.writeWhole(path, renderTaskFile(entry.item, isUnknown));
    } catch (error) {
      if (!(error instanceof ItemFilesError)) throw error;
      this.#ports.reporter.warn(saidOf(error));
    }
  }
}

/** What must hold of files that come late or never: a video is asked about long enough, and no frame holds it or the run up. */

import type { Item } from '../../src/money/item.ts';
import { fixed } from '../../src/money/policy.ts';
import type { Change } from '../../src/stores/port/checkpoint.ts';
import { BrokenPromise } from './oracle.ts';
import type { SimService } from './sim-service.ts';

/** Most requests of one frame in its turn: tries, or one by its link and one by a renewed one. */
const requestsATurn = fixed.frameRequests;

/** Failures in a row after which a host is surely known to fail, those on their way with the last ones included. */
const surelyFailing = fixed.frameHostFailures * requestsATurn + fixed.frameConnections * requestsATurn;

const hasVideo = ({ artifacts }: Item): boolean =>
  artifacts.some(({ kind, state }) => kind === 'video' && state === 'saved');

/** Follows the files of one process; times are those of its steady clock (ms). */
export class Deliveries {
  readonly #service: SimService;
  readonly #now: () => number;
  /** Since when an item waits for its video, and since when for its frames alone. */
  readonly #since = new Map<string, number>();
  /** While the process lived. */
  #sleeps = 0;
  /** When frames were asked for since one came. */
  #failing: number[] = [];

  constructor(service: SimService, now: () => number) {
    this.#service = service;
    this.#now = now;
  }

  /** Something was saved. */
  note({ before, after }: Change): void {
    const [video, frames] = [`${after.key} video`, `${after.key} frames`];
    if (before.status === 'downloading' || after.status === 'downloading') {
      if (after.status === 'undelivered') this.#checkAsked(after, this.#pass(video));
      if (hasVideo(before) && after.status !== 'downloading') this.#checkFrames(after, this.#pass(frames));
    }
    if (after.status !== 'downloading') {
      this.#since.delete(video);
      this.#since.delete(frames);
    } else {
      const key = hasVideo(after) ? frames : video;
      if (!this.#since.has(key)) this.#since.set(key, this.#now());
    }
  }

  /** A status was not answered: nobody can tell of frames before the next one is. */
  noteSilence(): void {
    for (const key of this.#since.keys()) if (key.endsWith('frames')) this.#since.set(key, this.#now());
  }

  /** The process is stopped for so long (ms): rows that wait for frames wait for it, too. */
  noteStop(ms: number): void {
    for (const [key, since] of this.#since) if (key.endsWith('frames')) this.#since.set(key, since + ms);
  }

  #pass(key: string): number {
    return this.#now() - (this.#since.get(key) ?? this.#now());
  }

  /** A pause that a sleep falls into is over when the computer wakes: then less time has passed than was waited. */
  noteSleep(): void {
    this.#sleeps += 1;
  }

  #checkAsked({ id, taskId, failure }: Item, askedMs: number): void {
    const isThere = this.#service.tasks.get(taskId ?? '')?.end === 'completed';
    if (!isThere || askedMs >= fixed.linkAskMs - this.#sleeps * fixed.linkPauseMaxMs) return;
    throw new BrokenPromise(`${id} is undelivered after ${Math.round(askedMs / 1_000)} s: ${failure}`);
  }

  /** Twice the time that a row may wait: its line may move once. And whoever waits for the next beat waits for that. */
  #checkFrames({ id }: Item, waitedMs: number): void {
    if (waitedMs > 3 * fixed.frameWaitMs)
      throw new BrokenPromise(`${id} has waited ${Math.round(waitedMs / 1_000)} s for frames`);
  }

  /** A frame is asked for; one that cannot be had comes never. */
  noteFrame(canBeHad: boolean): void {
    if (canBeHad) {
      this.#failing = [];
      return;
    }
    this.#failing.push(this.#now());
    const turn = this.#failing.slice(-(requestsATurn + 1));
    const [first = 0, last = 0] = [turn[0], turn.at(-1)];
    if (this.#failing.length > surelyFailing && last - first < fixed.frameHostPauseMs / 2)
      throw new BrokenPromise(`a host that failed for ${this.#failing.length} frames is still asked for all`);
  }
}

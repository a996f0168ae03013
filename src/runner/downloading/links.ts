/**
 * The newest links of files being downloaded. A link is trusted until its host refuses it or its expiry time has
 * passed; then one poll renews all links of its task for all who wait: a poll per file would be a flood. Kept in memory
 * only, because a signed link is never saved.
 */

import { spellingsOf } from '../../files/file-link.ts';
import { linkExpiry } from '../../files/link-expiry.ts';
import type { PollEnd } from '../../money/answers/status-answer.ts';
import { fixed } from '../../money/policy.ts';
import type { Clock } from '../../ports.ts';
import type { Entry } from '../entry.ts';

/** The links of one file, best first. */
export interface Link {
  readonly urls: readonly string[];
  /** When the service gave them (epoch ms). */
  readonly at: number;
  /** Number of the answer they came with: links of an older answer than the latest are not trusted. */
  readonly answer: number;
}

/** The links of one task. */
interface TaskLinks {
  readonly taskId: string | null;
  /** By ordinal; the video is 0. */
  readonly files: Map<number, Link>;
  answer: number;
  renewal: Promise<void> | null;
}

export class Links {
  readonly #clock: Clock;
  readonly #ask: (taskId: string) => Promise<PollEnd>;
  readonly #tasks = new WeakMap<Entry, TaskLinks>();

  constructor(clock: Clock, ask: (taskId: string) => Promise<PollEnd>) {
    this.#clock = clock;
    this.#ask = ask;
  }

  /** The service gave these links for a file. */
  note(entry: Entry, ordinal: number, urls: readonly string[]): void {
    this.#keep(this.#linksOf(entry), ordinal, urls);
  }

  /** The file is saved, or no longer wanted. */
  forget(entry: Entry, ordinal: number): void {
    this.#linksOf(entry).files.delete(ordinal);
  }

  /** The links to download this file by; renewed first if they are known to be useless. */
  async current(entry: Entry, ordinal: number): Promise<Link> {
    const task = this.#linksOf(entry);
    const known = task.files.get(ordinal);
    if (known === undefined || !this.#isSpent(task, known)) return known ?? noLink;
    task.renewal ??= this.#renew(entry, task).finally(() => {
      task.renewal = null;
    });
    await task.renewal;
    return task.files.get(ordinal) ?? known;
  }

  /**
   * A host refused this link, so links of the same answer are no longer trusted. True where a new link may work; false
   * if this one was new already.
   */
  refuse(entry: Entry, link: Link): boolean {
    const task = this.#linksOf(entry);
    if (link.answer !== task.answer) return true;
    // With the clock set back, the age is unknown.
    const ageMs = this.#clock.now() - link.at;
    if (ageMs >= 0 && ageMs <= fixed.linkFreshMs) return false;
    task.answer += 1;
    return true;
  }

  #keep(task: TaskLinks, ordinal: number, urls: readonly string[]): void {
    task.files.set(ordinal, { urls, at: this.#clock.now(), answer: task.answer });
  }

  #linksOf(entry: Entry): TaskLinks {
    const known = this.#tasks.get(entry);
    const { taskId } = entry.item;
    if (known?.taskId === taskId) return known;
    const task: TaskLinks = { taskId, files: new Map(), answer: 0, renewal: null };
    this.#tasks.set(entry, task);
    return task;
  }

  /** A link whose expiry had passed on arrival is trusted anyway: the clocks differ. */
  #isSpent(task: TaskLinks, { urls, at, answer }: Link): boolean {
    if (answer !== task.answer) return true;
    const expiry = linkExpiry(spellingsOf(urls[0] ?? '').at(-1) ?? '');
    return expiry !== null && at < expiry && this.#clock.now() >= expiry;
  }

  /** A file missing from the new answer keeps its old link, which is tried before another poll. */
  async #renew(entry: Entry, task: TaskLinks): Promise<void> {
    const { taskId } = task;
    const { artifacts } = entry.item;
    const found = new Map<number, readonly string[]>();
    const end = taskId === null ? null : await this.#ask(taskId);
    if (end?.type === 'task-completed' || end?.type === 'task-progressed') {
      const byName = new Map(end.frames.map(({ id, url }) => [id, url]));
      for (const { ordinal, remoteId } of artifacts) {
        const url = remoteId === null ? undefined : byName.get(remoteId);
        if (url !== undefined) found.set(ordinal, [url]);
      }
      if (end.type === 'task-completed' && end.videoUrl !== null)
        found.set(0, [end.videoUrl, ...(end.spareUrls ?? [])]);
    }
    for (const [ordinal, { urls }] of task.files) this.#keep(task, ordinal, found.get(ordinal) ?? urls);
  }
}

const noLink: Link = { urls: [''], at: 0, answer: -1 };

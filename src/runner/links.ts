/**
 * The newest links of the files that are on their way. A link is trusted until its host refuses it or its own expiry has come; then
 * one question renews all links of its task, whoever waits for them: a status query for each file would be a flood. Held in memory
 * alone, for a signed link is never saved.
 */

import { linkExpiry } from '../core/link-expiry.ts';
import { fixed } from '../core/policy.ts';
import type { PollEnd } from '../core/status-answer.ts';
import type { Clock } from '../ports.ts';
import type { Entry } from './entry.ts';

/** The links of one file, best first. */
export interface Link {
  readonly urls: readonly string[];
  /** When the service gave them (epoch ms). */
  readonly at: number;
  /** Answers of the service so far: links of an earlier one than the newest are not trusted. */
  readonly answer: number;
}

/** Of one task. */
interface TaskLinks {
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

  /** The service has given these links to a file. */
  note(entry: Entry, ordinal: number, urls: readonly string[]): void {
    const task = this.#linksOf(entry);
    task.files.set(ordinal, { urls, at: this.#clock.now(), answer: task.answer });
  }

  /** The file has come, or is not fetched any more. */
  forget(entry: Entry, ordinal: number): void {
    this.#linksOf(entry).files.delete(ordinal);
  }

  /** The links to fetch this file by; renewed first where they are known to be of no use. */
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
   * A host refused this link, so those that came with it are not trusted any more. True where a new one may do better; false for
   * one that is new, and was refused all the same.
   */
  refuse(entry: Entry, link: Link): boolean {
    const task = this.#linksOf(entry);
    if (link.answer !== task.answer) return true;
    // A clock that was put back says nothing of how long ago that was.
    const ageMs = this.#clock.now() - link.at;
    if (ageMs >= 0 && ageMs <= fixed.linkFreshMs) return false;
    task.answer += 1;
    return true;
  }

  #linksOf(entry: Entry): TaskLinks {
    const known = this.#tasks.get(entry);
    if (known !== undefined) return known;
    const task: TaskLinks = { files: new Map(), answer: 0, renewal: null };
    this.#tasks.set(entry, task);
    return task;
  }

  /** A link that had ended by its own word when it came is as good as any: the clocks differ. */
  #isSpent(task: TaskLinks, { urls, at, answer }: Link): boolean {
    if (answer !== task.answer) return true;
    const expiry = linkExpiry(urls[0] ?? '');
    return expiry !== null && at < expiry && this.#clock.now() >= expiry;
  }

  /** What the service does not name now is fetched by the link it had: nobody asks again before that was refused. */
  async #renew(entry: Entry, task: TaskLinks): Promise<void> {
    const { taskId, artifacts } = entry.item;
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
    for (const [ordinal, { urls }] of task.files) this.note(entry, ordinal, found.get(ordinal) ?? urls);
  }
}

const noLink: Link = { urls: [''], at: 0, answer: -1 };

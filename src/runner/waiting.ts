/** What a run waits for; that it has nothing else to do is announced once. */

import { message } from '../messages/message.ts';
import type { Obstacle } from '../ports.ts';
import type { RunContext } from './context.ts';
import { awaitedVideos } from './downloading/awaited-videos.ts';
import type { Sweeps } from './polling/sweeps.ts';
import type { Submissions } from './submitting/submissions.ts';

export class Waiting {
  readonly #run: RunContext;
  readonly #submissions: Submissions;
  readonly #sweeps: Sweeps;
  /** The user knows that the run waits for callbacks. */
  #areCallbacksAnnounced = false;
  /** The user knows that this worker waits for more work. */
  #isIdleAnnounced = false;

  constructor(run: RunContext, submissions: Submissions, sweeps: Sweeps) {
    this.#run = run;
    this.#submissions = submissions;
    this.#sweeps = sweeps;
  }

  /** What keeps back a run that is not stopped; null while nothing does. */
  get obstacle(): Obstacle | null {
    const { entries, ledger, ports } = this.#run;
    const obstacle = this.#sweeps.obstacle(ports.clock.steady()) ?? this.#submissions.obstacle(ledger);
    const until = this.#areCallbacksAnnounced ? this.callbacksUntil : null;
    if (until !== null) return { why: 'callbacks', until };
    // That no video can be had at all is worth more than how long they are asked for.
    const isWaiting =
      obstacle === null
        ? this.#submissions.toSubmit(ledger) === 0
        : obstacle.why === 'closed' && obstacle.reason !== 'delivery-breaker';
    const videos = isWaiting ? awaitedVideos(entries.all(), ports.clock) : null;
    if (videos !== null) return videos;
    return obstacle === null && this.#isIdleAnnounced ? { why: 'idle' } : obstacle;
  }

  /** Announces once that this worker has nothing to do, and once that it has. */
  announceIdle(isIdle: boolean): void {
    if (isIdle === this.#isIdleAnnounced) return;
    this.#isIdleAnnounced = isIdle;
    const { ledger, ports } = this.#run;
    const isDone = this.#submissions.ending(ledger).reason === 'done';
    const idle = isDone ? 'waiting.done' : 'waiting.round';
    ports.reporter.note(message(isIdle ? idle : 'waiting.over'));
  }

  /** True, and announced, while nothing else is to be done but a callback may come. */
  isForCallbacks(): boolean {
    const isWaiting = this.callbacksUntil !== null;
    if (isWaiting && !this.#areCallbacksAnnounced) {
      this.#areCallbacksAnnounced = true;
      this.#run.ports.reporter.note(message('waiting.for-callbacks'));
    }
    return isWaiting;
  }

  /** Until when a callback may name the task of an uncertain row (epoch ms), which is as long as a task may take; null for none. */
  get callbacksUntil(): number | null {
    return this.#run.options.listens ? this.#submissions.room.uncertainUntil(this.#run.ledger) : null;
  }
}

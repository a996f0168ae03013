/** What the log says of polls without an answer: with 100,000 open tasks, a line for each would fill the disk. */

import { fixed } from '../../money/policy.ts';
import type { RunnerPorts } from '../context.ts';

/** A poll that got no answer. */
interface Unanswered {
  readonly id: string;
  readonly taskId: string | null;
  readonly failure: string;
}

export class OutageLog {
  readonly #ports: Pick<RunnerPorts, 'clock' | 'log'>;
  /** When the last line was written (steady ms); null while polls are answered. */
  #reportedAt: number | null = null;
  /** Polls without an answer, and with one, since that line. */
  #failed = 0;
  #answered = 0;
  #latest: Unanswered | null = null;

  constructor(ports: Pick<RunnerPorts, 'clock' | 'log'>) {
    this.#ports = ports;
  }

  /** A line for the first of them, and from then on one a minute. */
  note(poll: Unanswered): void {
    this.#latest = poll;
    this.#failed += 1;
    if (this.#reportedAt === null) {
      this.#ports.log.warn({ ...poll }, 'a poll got no answer');
      this.#begin();
    } else this.#reportWhenDue(this.#reportedAt);
  }

  noteAnswer(): void {
    if (this.#reportedAt === null) return;
    this.#answered += 1;
    this.#reportWhenDue(this.#reportedAt);
  }

  #reportWhenDue(reportedAt: number): void {
    if (this.#ports.clock.steady() - reportedAt < fixed.outageLineMs) return;
    const [failed, answered] = [this.#failed, this.#answered];
    if (failed === 0) this.#ports.log.info({ answered }, 'polls are answered again');
    else this.#ports.log.warn({ ...this.#latest, failed, answered }, 'polls got no answer');
    this.#begin();
    if (failed === 0) this.#reportedAt = null;
  }

  #begin(): void {
    this.#reportedAt = this.#ports.clock.steady();
    this.#failed = 0;
    this.#answered = 0;
  }
}

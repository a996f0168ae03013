/** Turns pending rows into claims: chooses the rows, prepares their requests, and keeps the claims for the next commit. */

import type { Item } from '../../money/item.ts';
import type { Change } from '../../stores/port/checkpoint.ts';
import type { QueuedEvent, RunContext } from '../context.ts';
import type { Effects } from '../effects.ts';
import { type PreparedClaim, prepareClaim } from './prepare-claim.ts';
import type { Submissions } from './submissions.ts';

export class Claims {
  readonly #run: RunContext;
  readonly #submissions: Submissions;
  readonly #effects: Effects;
  /** Unsaved claims. */
  #waiting: QueuedEvent[] = [];
  #isProbing = false;

  constructor(run: RunContext, submissions: Submissions, effects: Effects) {
    this.#run = run;
    this.#submissions = submissions;
    this.#effects = effects;
  }

  /** Number of unsaved claims. */
  get count(): number {
    return this.#waiting.length;
  }

  /** True while claims wait for an answer, not for a time. */
  get waitForAnswer(): boolean {
    return this.#run.entries.lost.size > 0 || this.#isProbing;
  }

  /** Hands over the claims for the current commit. */
  drain(): readonly QueuedEvent[] {
    const claims = this.#waiting;
    this.#waiting = [];
    return claims;
  }

  /** Claims the rows that may be submitted now; returns how many. */
  async claim(): Promise<number> {
    const { entries, ledger, options, ports } = this.#run;
    if (entries.lost.size > 0) return 0;
    this.#submissions.noteTime(ledger);
    if (this.#submissions.wantsProbe) this.probe();
    const chosen = await this.#submissions.choose(ledger);
    const prepared = await Promise.all(
      chosen.map(async (item) => {
        const notifyUrl = options.notifyUrl(item);
        return { item, request: await prepareClaim(ports, item, options.policy, notifyUrl) };
      }),
    );
    if (this.#run.isStopping()) return 0;
    const at = ports.clock.now();
    for (const { item, request } of prepared) this.#claim(item, request, at);
    return prepared.length;
  }

  /** The claims that still have room next to these changes; the other rows stay pending. */
  admit(claims: readonly QueuedEvent[], changes: readonly Change[]): readonly QueuedEvent[] {
    if (this.#run.isStopping()) return [];
    const items = claims.map(({ entry }) => entry.item);
    return claims.slice(0, this.#submissions.admit(items, changes, this.#run.ledger));
  }

  #claim(item: Item, request: PreparedClaim, at: number): void {
    const { entries, options, ports } = this.#run;
    const entry = entries.add(item);
    if ('failure' in request) {
      const { failure } = request;
      this.#run.post(entry, { type: 'question-unsendable', at: ports.clock.now(), failure });
      return;
    }
    entry.request = request;
    entry.claimedAt = ports.clock.steady();
    const { hash, quality, aside } = request;
    const token = options.newToken();
    entry.uncommittedCount += 1;
    const event = { type: 'claimed', at, token, requestHash: hash, quality, aside } as const;
    this.#waiting.push({ entry, event, about: null });
  }

  /** The free probe goes before anything that costs points. */
  probe(): void {
    if (this.#isProbing) return;
    this.#isProbing = true;
    const { clock, log } = this.#run.ports;
    const startedAt = clock.steady();
    const probing = this.#effects.probe().then((answer) => {
      this.#isProbing = false;
      this.#run.wake();
      if (answer === null) return;
      log.info({ ...answer }, 'the service was probed');
      this.#run.health.noteProbe(answer);
      const end = this.#submissions.breaker.noteProbe(answer, startedAt);
      if (end !== null) this.#run.stop(end.reason, end.failure);
    });
    probing.catch((error: unknown) => this.#run.fail(error));
  }
}

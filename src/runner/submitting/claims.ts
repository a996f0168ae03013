/** Turns pending rows into claims: chooses the rows, prepares their requests, and keeps the claims for the next commit. */

import type { ProbeAnswer } from '../../money/answers/status-answer.ts';
import type { Item } from '../../money/item.ts';
import type { Policy } from '../../money/policy.ts';
import type { EndingReason, Ledger } from '../../money/summary.ts';
import type { Clock, ImageFiles, Log, OutputTree } from '../../ports.ts';
import type { Change, Checkpoint } from '../../stores/port/checkpoint.ts';
import type { Arrival } from '../commits.ts';
import type { Entries } from '../entries.ts';
import type { Entry } from '../entry.ts';
import { type PreparedClaim, prepareClaim } from './prepare-claim.ts';
import type { Submissions } from './submissions.ts';

export interface ClaimPorts {
  readonly clock: Clock;
  readonly checkpoint: Checkpoint;
  readonly images: ImageFiles;
  readonly tree: OutputTree;
  readonly log: Log;
}

export interface ClaimOptions {
  readonly policy: Policy;
  /** A new unguessable token for an attempt. */
  newToken(): string;
  /** Callback address for a row without its own; null when the run does not listen. */
  notifyUrl(item: Item): string | null;
}

/** What claims need from the runner. */
export interface ClaimOutlet {
  ledger(): Ledger;
  isStopping(): boolean;
  unsendable(entry: Entry, failure: string): void;
  /** Probes the service, for free; null when the run stops meanwhile. */
  probe(): Promise<ProbeAnswer | null>;
  probed(answer: ProbeAnswer): void;
  stop(reason: EndingReason, failure: string): void;
  wake(): void;
  failed(error: unknown): void;
}

export class Claims {
  readonly #ports: ClaimPorts;
  readonly #options: ClaimOptions;
  readonly #entries: Entries;
  readonly #submissions: Submissions;
  readonly #outlet: ClaimOutlet;
  /** Unsaved claims. */
  #waiting: Arrival[] = [];
  #isProbing = false;

  constructor(
    ports: ClaimPorts,
    options: ClaimOptions,
    { entries, submissions }: { readonly entries: Entries; readonly submissions: Submissions },
    outlet: ClaimOutlet,
  ) {
    this.#ports = ports;
    this.#options = options;
    this.#entries = entries;
    this.#submissions = submissions;
    this.#outlet = outlet;
  }

  /** Number of unsaved claims. */
  get count(): number {
    return this.#waiting.length;
  }

  /** True while claims wait for an answer, not for a time. */
  get isHeld(): boolean {
    return this.#entries.lost.size > 0 || this.#isProbing;
  }

  /** Hands over the claims for the current commit. */
  take(): readonly Arrival[] {
    const claims = this.#waiting;
    this.#waiting = [];
    return claims;
  }

  /** Claims the rows that may be submitted now; returns how many. */
  async claim(): Promise<number> {
    if (this.#entries.lost.size > 0) return 0;
    const ledger = this.#outlet.ledger();
    this.#submissions.noteTime(ledger);
    if (this.#submissions.wantsProbe) this.probe();
    const chosen = await this.#submissions.choose(ledger);
    const { policy } = this.#options;
    const prepared = await Promise.all(
      chosen.map(async (item) => {
        const notifyUrl = this.#options.notifyUrl(item);
        return { item, request: await prepareClaim(this.#ports, item, policy, notifyUrl) };
      }),
    );
    if (this.#outlet.isStopping()) return 0;
    const at = this.#ports.clock.now();
    for (const { item, request } of prepared) this.#claim(item, request, at);
    return prepared.length;
  }

  /** The claims that still have room beside these changes; the other rows stay pending. */
  admit(claims: readonly Arrival[], changes: readonly Change[]): readonly Arrival[] {
    if (this.#outlet.isStopping()) return [];
    const items = claims.map(({ entry }) => entry.item);
    return claims.slice(0, this.#submissions.admit(items, changes, this.#outlet.ledger()));
  }

  #claim(item: Item, request: PreparedClaim, at: number): void {
    const entry = this.#entries.take(item);
    if ('failure' in request) {
      this.#outlet.unsendable(entry, request.failure);
      return;
    }
    entry.request = request;
    entry.claimedAt = this.#ports.clock.steady();
    const { hash, quality, aside } = request;
    const token = this.#options.newToken();
    entry.uncommittedCount += 1;
    const event = { type: 'claimed', at, token, requestHash: hash, quality, aside } as const;
    this.#waiting.push({ entry, event, about: null });
  }

  /** The free probe goes before anything that costs points. */
  probe(): void {
    if (this.#isProbing) return;
    this.#isProbing = true;
    const startedAt = this.#ports.clock.steady();
    const probed = this.#outlet.probe().then((answer) => {
      this.#isProbing = false;
      this.#outlet.wake();
      if (answer === null) return;
      this.#ports.log.info({ ...answer }, 'the service was probed');
      this.#outlet.probed(answer);
      const end = this.#submissions.breaker.noteProbe(answer, startedAt);
      if (end !== null) this.#outlet.stop(end.reason, end.failure);
    });
    probed.catch((error: unknown) => this.#outlet.failed(error));
  }
}

/**
 * The circuit breaker of a run: receives how creations end and what else the service answers, and reports when it stops
 * submitting.
 */

import { message } from '../../messages/message.ts';
import type { ProbeAnswer } from '../../money/answers/status-answer.ts';
import { type Breaker, type CreationEnd, freshBreaker } from '../../money/breakers/breaker.ts';
import { busyUntil, passEarlierPause, passRest, passTime } from '../../money/breakers/busy-service.ts';
import {
  passCreation,
  passKeyRefused,
  passLastRows,
  passProbe,
  passTask,
} from '../../money/breakers/circuit-breaker.ts';
import { concurrencyNow, limitAfterTuned } from '../../money/breakers/open-limit.ts';
import { hasAnswered, passAnswer, passUnreachable, whoAnswered } from '../../money/breakers/outage.ts';
import type { Verdict } from '../../money/breakers/refused-rows.ts';
import type { CreationEvent } from '../../money/event.ts';
import type { Item } from '../../money/item.ts';
import type { Policy } from '../../money/policy.ts';
import type { EndingReason, Ledger } from '../../money/summary.ts';
import type { Clock, Reporter } from '../../ports.ts';
import type { CreationFact } from '../../stores/port/checkpoint.ts';

/** Why a whole run ends. */
export interface RunEnd {
  readonly reason: EndingReason;
  readonly failure: string;
}

/** Slots in use, as the ledger shows them. */
type Counts = Pick<Ledger, 'counts'>;

/** Who decides the concurrency that the search finds, and who receives it. */
export interface LimitOutlet {
  /** True in the one process of the run that decides it; the others adopt what it decided. */
  decides(): boolean;
  /** Receives every number that this process decided. */
  save(limit: number): void;
  /** Receives what became known of refused rows. */
  carryOut(verdicts: readonly Verdict[]): void;
}

/** All times are steady ms. */
export class CreationBreaker {
  readonly #clock: Clock;
  readonly #reporter: Reporter;
  readonly #policy: Policy;
  /** False where nothing is submitted: a stop is then not reported. */
  readonly #submits: boolean;
  readonly #limit: LimitOutlet;
  #state: Breaker = freshBreaker;

  constructor(
    { clock, reporter }: { readonly clock: Clock; readonly reporter: Reporter },
    { policy, submits }: { readonly policy: Policy; readonly submits: boolean },
    limit: LimitOutlet,
  ) {
    this.#clock = clock;
    this.#reporter = reporter;
    this.#policy = policy;
    this.#submits = submits;
    this.#limit = limit;
  }

  get state(): Breaker {
    return this.#state;
  }

  /** Sets the rest of a pause that the service asked of an earlier run. */
  resumePause(leftMs: number): void {
    this.#state = passEarlierPause(this.#state, this.#clock.steady(), leftMs);
  }

  /** The service made tasks for earlier runs at this address. */
  noteKnownBefore(): void {
    this.#state = { ...this.#state, wasKnown: true };
  }

  /** Earlier runs kept rows for a second chance. */
  noteAlike(): void {
    this.#state = { ...this.#state, hasAlike: true };
  }

  /** No other row waits, and none is on its way. */
  noteLastRows(): void {
    this.#pass(passLastRows(this.#state));
  }

  /** Begins with the number that another process of the run has found. */
  adoptLimit(openLimit: number): void {
    this.#pass({ ...this.#state, openLimit, isFirstClimb: false }, true);
  }

  /** A creation of this item, begun at `startedAt`, ended while so many other tasks were open, and slots in use. */
  noteCreation(
    event: CreationEvent,
    item: Item,
    { startedAt, open, used }: Pick<CreationEnd, 'startedAt' | 'open' | 'used'>,
  ): void {
    const names = [item.id, item.taskId ?? ''];
    const wasBusy = this.#state.passingInRow > 0;
    const end = { event, names, row: item, startedAt, at: this.#clock.steady(), open, used };
    const isAnnounced = this.#pass(passCreation(this.#state, end, this.#policy));
    if (this.#state.inQuestion.some(({ id, bar }) => id === item.id && bar !== 'gateway'))
      this.#reporter.warn(
        message('submitting.row-waits', {
          id: item.id,
          failure: this.#state.inQuestion.at(-1)?.failure ?? '',
        }),
      );
    if (this.#state.passingInRow > 0 && !wasBusy && !isAnnounced)
      this.#reporter.note(message('submitting.refused-for-now', { failure: this.#state.failure ?? '' }));
  }

  /** Another process of the run saw this, at times by a clock that all share (epoch ms). */
  noteFact(fact: CreationFact, { counts }: Counts): void {
    if (fact.type === 'lost') {
      this.noteLost(fact.failure);
      return;
    }
    const { event, names } = fact;
    const steadyAt = (time: number): number => this.#clock.steady() - Math.max(0, this.#clock.now() - time);
    const [startedAt, at] = [steadyAt(fact.startedAt), steadyAt(fact.at)];
    // The task of an accepted creation is among the open ones already.
    const open = Math.max(0, counts.open - (event.type === 'creation-accepted' ? 1 : 0));
    const used = counts.open + counts.submitting;
    this.#pass(passCreation(this.#state, { event, names, startedAt, at, open, used }, this.#policy));
  }

  /** The result of the probe begun at `startedAt`. Returns why it ends the whole run, or null. */
  noteProbe(answer: ProbeAnswer, startedAt: number): RunEnd | null {
    if (answer.outcome === 'refused') {
      const { endsRun: bar, failure } = answer;
      this.#pass(passKeyRefused(this.#state, { bar, failure }));
      return null;
    }
    const fact = whoAnswered(this.#state, answer);
    const { outcome, failure, obstacle = null } = fact;
    if (outcome === 'wrong-service') return { reason: outcome, failure };
    if (outcome === 'odd') this.#reporter.warn(message('submitting.first-alone', { failure }));
    const isFirst = !this.#state.isKnown && this.#state.unreachableInRow === 0;
    const isWrong = obstacle !== null && !hasAnswered(this.#state);
    if (outcome === 'unreachable' && !isWrong && isFirst && this.#submits)
      this.#reporter.warn(message('submitting.away', { failure }));
    this.#pass(
      outcome === 'unreachable'
        ? passUnreachable(
            this.#state,
            { failure, startedAt, at: this.#clock.steady(), obstacle },
            this.#policy,
          )
        : passProbe(this.#state, outcome),
    );
    return isWrong && this.#state.stopped === 'unreachable' ? { reason: 'wrong-service', failure } : null;
  }

  /** The service answered; `knowsTask` where it was asked about a task and knows it. */
  noteAnswer(knowsTask: boolean): void {
    this.#pass(passAnswer(this.#state));
    if (knowsTask) this.#pass(passTask(this.#state, 'known', null));
  }

  noteLost(failure: string | null): void {
    this.#pass(passTask(this.#state, 'lost', failure));
  }

  /** The user gave the run other numbers. */
  noteTuned(before: Policy): void {
    this.#pass({ ...this.#state, ...limitAfterTuned(this.#state, before, this.#policy) });
  }

  /** The user's pause of submitting has ended. */
  noteRest(): void {
    this.#pass(passRest(this.#state, this.#clock.steady()));
  }

  /** Time has passed. */
  noteTime({ counts }: Counts): void {
    const open = counts.open + counts.submitting;
    this.#pass(passTime(this.#state, this.#clock.steady(), open, this.#policy));
  }

  /** When patience with a service that refuses everything ends. */
  patientUntil({ counts }: Counts): number {
    return busyUntil(this.#state, this.#clock.steady(), counts.open + counts.submitting, this.#policy);
  }

  /** Returns true where it announced another concurrency. */
  #pass(next: Breaker, isAdopted = false): boolean {
    const last = this.#state;
    const isDecided = isAdopted || this.#policy.searchFrom === null || this.#limit.decides();
    this.#state = { ...next, verdicts: [], ...(isDecided ? {} : { openLimit: last.openLimit }) };
    if (next.verdicts.length > 0) this.#limit.carryOut(next.verdicts);
    this.#announceStop(last.stopped, next);
    const limit = concurrencyNow(this.#state, this.#policy);
    const before = concurrencyNow(last, this.#policy);
    if (limit === before) return false;
    const isRefused = limit < before && !isAdopted;
    this.#reporter.note(
      isRefused
        ? message('concurrency.refused', { count: limit, failure: next.failure ?? '' })
        : message('concurrency.now', { count: limit }),
    );
    if (!isAdopted) this.#limit.save(limit);
    return true;
  }

  #announceStop(before: Breaker['stopped'], next: Breaker): void {
    if (next.stopped === before || !this.#submits) return;
    const { stopped: why, failure } = next;
    if (why === null) this.#reporter.note(message('submitting.healed', { healed: healingOf(before) }));
    else this.#reporter.warn(message('submitting.stopped', { why, failure: failure ?? '' }));
  }
}

/** What ended a temporary stop. */
function healingOf(stopped: Breaker['stopped']): 'lost-breaker' | 'refusal-breaker' | 'unreachable' {
  return stopped === 'lost-breaker' || stopped === 'refusal-breaker' ? stopped : 'unreachable';
}

/** The hooks of one session: calls for rows while it goes, and the one at its end. */

import { saidOf } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import type { Clock, HookCommand, Log, Reporter } from '../../ports.ts';
import type { RunEnding } from '../../runner/ending.ts';
import { collectCalls } from '../../text/run-words.ts';
import { readSummary } from '../offers/offers.ts';
import { processEnvironment } from '../options/environment.ts';
import { reportedRunId } from '../run-id.ts';
import type { RunSetup } from '../session.ts';
import { callHook } from './call-hook.ts';
import type { Hooks } from './hook-options.ts';
import { gracePeriodMs, RowHooks } from './row-hooks.ts';

interface SessionParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly reporter: Reporter;
  /** What no hook may have. */
  readonly secrets: readonly string[];
  /** Whose rows are called for; null for all. */
  readonly slices: () => readonly number[] | null;
}

export class SessionHooks {
  readonly #setup: RunSetup;
  readonly #parts: SessionParts;
  readonly #end: HookCommand | null;
  readonly #rows: RowHooks | null;
  readonly #left = new AbortController();

  /** From now on each completed row is owed a call, if there is a command for it. A collection also repeats those that failed. */
  static async open(setup: RunSetup, hooks: Hooks, parts: SessionParts): Promise<SessionHooks> {
    if (hooks.row === null) return new SessionHooks(setup, hooks, parts, null);
    const { store, invocation } = setup;
    await store.hooks.begin();
    if (!setup.submits) await store.hooks.again();
    const rows = new RowHooks({
      calls: store.hooks,
      watch: await store.openWatch(),
      command: hooks.row,
      env: processEnvironment(),
      out: invocation.out,
      run: await reportedRunId(store.settings, invocation.out),
      clock: parts.clock,
      log: parts.log,
      secrets: parts.secrets,
      slices: parts.slices,
      warn: (said) => parts.reporter.warn(said),
    });
    return new SessionHooks(setup, hooks, parts, rows);
  }

  private constructor(setup: RunSetup, { end }: Hooks, parts: SessionParts, rows: RowHooks | null) {
    this.#setup = setup;
    this.#parts = parts;
    this.#end = end;
    this.#rows = rows;
  }

  /** A row was completed. */
  wake(): void {
    this.#rows?.wake();
  }

  /** The user does not want to wait. */
  leave(): void {
    this.#left.abort();
    this.#rows?.leave();
  }

  /** Makes the calls that are left. `ending` is null where the run failed without one. Never rejects. */
  async end(ending: RunEnding | null): Promise<void> {
    if (ending === null || ending.reason === 'disk') this.leave();
    try {
      await this.#endRows();
      if (ending !== null) await this.#callAtEnd(ending);
    } catch (error) {
      this.#parts.reporter.warn(message('hooks.not-called', { failure: saidOf(error) }));
    }
  }

  async #endRows(): Promise<void> {
    if (this.#rows === null) return;
    const { store, invocation } = this.#setup;
    const { reporter } = this.#parts;
    const before = await store.hooks.counts();
    if (before.owed > 0 && !this.#left.signal.aborted)
      reporter.note(message('hooks.to-make', { count: before.owed }));
    await this.#rows.drain();
    const { owed, failed } = await store.hooks.counts();
    if (owed > 0) reporter.note(message('hooks.next-start', { count: owed }));
    const command = collectCalls(invocation.words);
    if (failed > 0) reporter.warn(message('hooks.failed', { count: failed, command }));
  }

  async #callAtEnd(ending: RunEnding): Promise<void> {
    if (this.#end === null) return;
    const { log, reporter, secrets } = this.#parts;
    const summary = await readSummary(this.#setup, ending);
    const facts = {
      BATCH_REASON: summary.reason,
      BATCH_EXIT_CODE: summary.exitCode,
      BATCH_OUT: summary.out,
    };
    const caller = { env: processEnvironment(), secrets };
    const { signal } = this.#left;
    const stop = signal.aborted ? AbortSignal.timeout(gracePeriodMs) : signal;
    const input = `${JSON.stringify(summary)}\n`;
    const { failure, output, outputBytes } = await callHook(this.#end, caller, { input, facts }, stop);
    log.info({ failure, output, outputBytes }, 'the hook at the end was called');
    if (failure !== null) reporter.warn(message('hooks.end-failed', { failure }));
  }
}

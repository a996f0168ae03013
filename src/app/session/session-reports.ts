/** The reports of a session, and what is said of those that cannot be written. */

import { messageOf, saidOf } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import { fixed } from '../../money/policy.ts';
import type { Reporter } from '../../ports.ts';
import { inUseText, writeReports } from '../../reports/write-report.ts';
import { reportFacts } from '../report-facts.ts';
import type { RunParts, RunSetup } from '../session.ts';
import { systemClock } from '../system-clock.ts';
import type { Announced } from './announcement.ts';

/** Writes the reports of one session: now and then while it plays, and at its end. */
export class SessionReports {
  readonly #setup: RunSetup;
  readonly #parts: RunParts;
  readonly #reportsOf: Announced['reportsOf'];
  readonly #reporter: Reporter;
  /** Reports that another program had open when they were written last. */
  #inUse: readonly string[] = [];

  constructor(
    setup: RunSetup,
    parts: RunParts,
    { reportsOf, reporter }: Pick<Announced, 'reportsOf' | 'reporter'>,
  ) {
    this.#setup = setup;
    this.#parts = parts;
    this.#reportsOf = reportsOf;
    this.#reporter = reporter;
  }

  /** Writes them about once a minute, less often if writing would exceed its share of the time. */
  async writeNowAndThen(signal: AbortSignal): Promise<void> {
    let pauseMs: number = fixed.reportIntervalMs;
    while (true) {
      await systemClock.wait(pauseMs, signal);
      if (signal.aborted) return;
      const startedAt = systemClock.steady();
      try {
        // Of the workers of a shared run one is enough.
        if (this.#parts.crew.isKeeper()) await this.#write(true, signal);
      } catch (error) {
        if (!signal.aborted) this.#reporter.warn(message('reports.not-now', { failure: saidOf(error) }));
      }
      const takenMs = systemClock.steady() - startedAt;
      pauseMs = Math.max(fixed.reportIntervalMs, takenMs / fixed.reportTimeShare);
    }
  }

  /** Returns why they are not written; null where they are, or are left to others. */
  async writeLast(): Promise<string | null> {
    // A worker that is asked to leave leaves the reports to those that stay.
    if (this.#setup.stays === true && !this.#parts.crew.isKeeper()) return null;
    try {
      await this.#write(false);
      return null;
    } catch (error) {
      const unwritten = messageOf(error);
      this.#reporter.warn(message('reports.unwritten', { failure: unwritten }));
      return unwritten;
    }
  }

  async #write(running: boolean, signal?: AbortSignal): Promise<void> {
    const { checkpoint } = this.#setup.store;
    const { images } = this.#parts;
    const facts = await reportFacts(this.#setup, running);
    const readPicture = (sha256: string): Promise<Uint8Array> => images.readKept(sha256);
    const reports = this.#reportsOf(running);
    const inUse = await writeReports(checkpoint, reports, { ...facts, readPicture }, signal);
    for (const report of inUse)
      if (report.copyPath !== null || !this.#inUse.includes(report.name))
        this.#reporter.warn(inUseText(report));
    this.#inUse = inUse.map(({ name }) => name);
  }
}

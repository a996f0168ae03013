/** `--events`: one JSON line per event of a run, for a program that reads along. It never delays the run. */

import { EventQueue } from '../../app/events/event-queue.ts';
import type { BatchEvent, PlanEvent } from '../../app/events/events.ts';
import { planOfCheckpoint, queueEvents, queueInvalid } from '../../app/events/run-events.ts';
import { eventsPlace, eventsVersion, unwritable } from '../../app/files/followed-files.ts';
import { readSummary } from '../../app/offers/offers.ts';
import type { RunSetup } from '../../app/session.ts';
import { systemClock } from '../../app/system-clock.ts';
import { claimStandardOutput } from '../../cli/console.ts';
import { saidOf } from '../../errors.ts';
import { message, type Said } from '../../messages/message.ts';
import { openLineFile, openLineStream } from '../../outputs/line-file.ts';
import type { LineSink, Reporter } from '../../ports.ts';
import type { RunEnding } from '../../runner/ending.ts';

/** How long a reader that has fallen behind is waited for at the end of the run (ms). */
const lastWordsMs = 5_000;

/** A line of `--events`. */
export type EventLine = { readonly version: typeof eventsVersion; readonly at: string } & BatchEvent;

/** The events of one run on their way to a file or to standard output. */
export class EventLog {
  /** What it observes becomes events. */
  readonly reporter: Reporter;
  readonly #sink: LineSink;
  readonly #setup: RunSetup;
  readonly #warn: (said: Said) => void;
  readonly #queue = new EventQueue();
  readonly #writing: Promise<void>;
  #lost = 0;
  #hasWarned = false;

  /** Opens it with the plan as its first event. Throws `UsageError` where the lines cannot be written. */
  static async open(setup: RunSetup, plan: PlanEvent | null, warn: (said: Said) => void): Promise<EventLog> {
    const { options, store, submits } = setup;
    const place = await eventsPlace(options);
    const sink =
      place === null ? openLineStream(claimStandardOutput()) : await openFile(place, options.events ?? place);
    const log = new EventLog(sink, setup, warn);
    log.#queue.push(
      plan ?? (await planOfCheckpoint(store, await store.checkpoint.ledger(), options, submits)),
    );
    await queueInvalid(log.#queue, setup);
    return log;
  }

  private constructor(sink: LineSink, setup: RunSetup, warn: (said: Said) => void) {
    this.#sink = sink;
    this.#setup = setup;
    this.#warn = warn;
    this.reporter = queueEvents(this.#queue, setup.invocation.out);
    this.#writing = this.#write();
  }

  /** The last event. */
  async end(ending: RunEnding): Promise<void> {
    this.#queue.push({ type: 'end', summary: await readSummary(this.#setup, ending) });
  }

  /** Resolves when the lines are written, or the reader has been waited for. */
  async close(): Promise<void> {
    this.#queue.close();
    const isLate = new AbortController();
    await Promise.race([this.#writing, systemClock.wait(lastWordsMs, isLate.signal)]);
    isLate.abort();
    this.#queue.discard();
  }

  async #write(): Promise<void> {
    for (let events = await this.#queue.takeAll(); events.length > 0; events = await this.#queue.takeAll()) {
      const missed: BatchEvent[] = this.#lost > 0 ? [{ type: 'missed', count: this.#lost }] : [];
      try {
        await this.#sink.write([...missed, ...events].map(renderLine).join(''));
        this.#lost = 0;
      } catch (error) {
        this.#lost += events.length;
        if (!this.#hasWarned) this.#warn(message('hooks.no-events', { failure: saidOf(error) }));
        this.#hasWarned = true;
      }
    }
    await this.#sink.close().catch(() => {});
  }
}

function renderLine(event: BatchEvent): string {
  const line: EventLine = {
    version: eventsVersion,
    at: new Date(systemClock.now()).toISOString(),
    ...event,
  };
  return `${JSON.stringify(line)}\n`;
}

async function openFile(path: string, shown: string): Promise<LineSink> {
  try {
    return await openLineFile(path);
  } catch (error) {
    throw unwritable(`--events ${shown}`, error);
  }
}

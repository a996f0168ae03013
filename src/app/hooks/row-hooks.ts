/**
 * Calls the command of `--on-row` for each row that is owed a call: at least once, whatever process dies. What happens
 * here touches neither a row nor the run.
 */

import { messageOf, raise } from '../../errors.ts';
import { message, type Said } from '../../messages/message.ts';
import { asStanding } from '../../money/standing-attempt.ts';
import type { Clock, HookCommand, Log } from '../../ports.ts';
import { reportLine } from '../../reports/columns.ts';
import { renderJsonLines } from '../../reports/json-lines.ts';
import type { HookCall, HookCalls } from '../../stores/port/hooks.ts';
import type { ReportRow, RunWatch } from '../../stores/port/reading.ts';
import { placeIn } from '../files/bucket-address.ts';
import { callHook, type HookCaller, type HookNews } from './call-hook.ts';

export interface RowHooksParts extends HookCaller {
  readonly calls: HookCalls;
  readonly watch: Pick<RunWatch, 'reportRowsOf'>;
  readonly command: HookCommand;
  /** Whose rows are called for; null for all. */
  readonly slices: () => readonly number[] | null;
  /** Where the files of the rows are: absolute path of a folder, or address of a bucket. */
  readonly out: string;
  /** Id of the run. */
  readonly run: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Called for the first call that fails. */
  readonly warn: (said: Said) => void;
}

/** How long a call that was begun may take once the run is to be left, and the one at its end then (ms). */
export const gracePeriodMs = 5_000;

const callsAtOnce = 2;

/** How often a process looks for rows that others have completed (ms). */
const lookMs = 30_000;

export class RowHooks {
  readonly #parts: RowHooksParts;
  /** Keys of the rows that are called for now, or whose end could not be saved. */
  readonly #taken = new Set<number>();
  readonly #going = new Set<Promise<void>>();
  readonly #cut = new AbortController();
  #wake = Promise.withResolvers<void>();
  #state: 'going' | 'draining' | 'left' = 'going';
  #failedCount = 0;
  readonly #work: Promise<void>;

  /** Begins with what earlier processes left. */
  constructor(parts: RowHooksParts) {
    this.#parts = parts;
    this.#work = this.#loop();
  }

  /** There may be a row to call for. */
  wake(): void {
    this.#wake.resolve();
  }

  /** Begins no call any more; those that go on have a few seconds. */
  leave(): void {
    if (this.#state === 'left') return;
    this.#state = 'left';
    this.wake();
    this.#cutLater().catch(raise);
  }

  async #cutLater(): Promise<void> {
    await this.#parts.clock.wait(gracePeriodMs, this.#cut.signal);
    this.#cut.abort();
  }

  /** Resolves when every call was made, or the run was left. Returns how many failed. */
  async drain(): Promise<number> {
    if (this.#state === 'going') this.#state = 'draining';
    this.wake();
    await this.#work;
    this.#cut.abort();
    return this.#failedCount;
  }

  async #loop(): Promise<void> {
    while (this.#state !== 'left') {
      this.#wake = Promise.withResolvers();
      const calls = await this.#next();
      for (const call of calls) this.#begin(call);
      if (calls.length > 0) continue;
      if (this.#state === 'draining' && this.#going.size === 0) break;
      const isOver = new AbortController();
      await Promise.race([this.#wake.promise, this.#parts.clock.wait(lookMs, isOver.signal)]);
      isOver.abort();
    }
    await Promise.all(this.#going);
  }

  /** As many calls as there is room for. */
  async #next(): Promise<readonly HookCall[]> {
    const { calls, slices, log } = this.#parts;
    const room = callsAtOnce - this.#going.size;
    if (room <= 0) return [];
    try {
      // The store may answer after the end of a call as it was before it.
      const taken = new Set(this.#taken);
      const limit = room + taken.size;
      const left = await calls.left({ states: ['owed'], after: -1, limit, slices: slices() });
      return left.filter(({ key }) => !taken.has(key)).slice(0, room);
    } catch (error) {
      log.warn({ failure: messageOf(error) }, 'the rows to call for could not be read');
      return [];
    }
  }

  #begin(call: HookCall): void {
    this.#taken.add(call.key);
    const going = this.#call(call).finally(() => {
      this.#going.delete(going);
      this.wake();
    });
    this.#going.add(going);
  }

  async #call(call: HookCall): Promise<void> {
    const { clock, log, warn } = this.#parts;
    try {
      const failure = await callForRow(this.#parts, call, this.#cut.signal);
      // What was cut counts as not made.
      if (this.#cut.signal.aborted && failure !== null) return;
      await this.#parts.calls.ended(call, clock.now(), failure);
      this.#taken.delete(call.key);
      if (failure === null) return;
      this.#failedCount += 1;
      if (this.#failedCount === 1) warn(message('hooks.row-failed', { id: call.id, failure }));
    } catch (error) {
      // The row stays owed, for the next start.
      log.warn({ id: call.id, failure: messageOf(error) }, 'a call for a row was not saved');
    }
  }
}

type CallParts = Pick<
  RowHooksParts,
  'watch' | 'command' | 'env' | 'secrets' | 'out' | 'run' | 'log' | 'clock'
>;

/** Makes one call. Returns why it failed; null where it did its work. */
async function callForRow(
  parts: CallParts,
  { key, attempt }: HookCall,
  signal: AbortSignal,
): Promise<string | null> {
  const { watch, command, log, clock } = parts;
  const [row] = await watch.reportRowsOf([key]);
  if (row === undefined) return message('hook.no-row').text;
  const startedAt = clock.steady();
  const { failure, output, outputBytes } = await callHook(command, parts, newsOf(row, parts), signal);
  const seconds = Math.round((clock.steady() - startedAt) / 100) / 10;
  const fields = { id: row.item.id, attempt, failure, seconds, output, outputBytes };
  if (failure === null) log.info(fields, 'a hook was called');
  else log.warn(fields, 'a hook failed');
  return failure;
}

function newsOf(row: ReportRow, { out, run }: CallParts): HookNews {
  const line = reportLine(row);
  const input = renderJsonLines([row], [line], run);
  const video = line.video === null ? null : placeIn(out, line.video);
  return {
    input,
    facts: {
      BATCH_ROW: input.trimEnd(),
      BATCH_ROW_ID: line.id,
      BATCH_ROW_NUMBER: line.row,
      BATCH_ROW_STATUS: line.status,
      BATCH_ROW_ATTEMPT: asStanding(row).item.attempt,
      BATCH_ROW_TITLE: line.title,
      BATCH_ROW_POINTS: line.points,
      BATCH_ROW_TASK_ID: line.task_id,
      BATCH_ROW_VIDEO: video,
      BATCH_OUT: out,
    },
  };
}

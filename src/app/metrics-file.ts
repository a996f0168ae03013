/** Writes the numbers of a run to a file for a node exporter (`--metrics-file`), whole each time. */

import { dirname } from 'node:path';
import { messageOf } from '../errors.ts';
import { createLedger } from '../money/summary.ts';
import { replaceWhole } from '../outputs/made-files.ts';
import { makeFolders } from '../outputs/make-folders.ts';
import type { FileHost, RunView, TaskService } from '../ports.ts';
import { type Metrics, renderMetrics } from '../reports/metrics-text.ts';
import { metricsPlace, unwritable } from './files/followed-files.ts';
import type { Invocation } from './options/invocation.ts';
import { systemClock } from './system-clock.ts';

const intervalMs = 10_000;

/** Counts what a process does, and writes it now and then. */
export class MetricsFile {
  readonly #path: string;
  readonly #run: Pick<Metrics, 'run' | 'id'>;
  readonly #ended = new AbortController();
  #writing: Promise<void> | null = null;
  #polls = 0;
  #downloads = 0;
  #workers = 1;
  #view: Pick<RunView, 'ledger' | 'heldRows'> | null = null;

  /** Null without the option. `id` is that of the run. Throws `UsageError` where the file cannot be written. */
  static async open(
    path: string | undefined,
    invocation: Pick<Invocation, 'shared' | 'out'>,
    id: string,
  ): Promise<MetricsFile | null> {
    if (path === undefined) return null;
    const run = { run: invocation.shared?.run ?? invocation.out, id };
    const place = await metricsPlace(path, id);
    try {
      makeFolders(dirname(place));
      const metrics = new MetricsFile(place, run);
      await metrics.#write();
      return metrics;
    } catch (error) {
      throw unwritable(`--metrics-file ${path}`, error);
    }
  }

  private constructor(path: string, run: Pick<Metrics, 'run' | 'id'>) {
    this.#path = path;
    this.#run = run;
  }

  countPolls(service: TaskService): TaskService {
    return {
      create: (...words) => service.create(...words),
      probe: (...words) => service.probe(...words),
      close: (...words) => service.close(...words),
      status: (...words) => {
        this.#polls += 1;
        return service.status(...words);
      },
    };
  }

  countDownloads(host: FileHost): FileHost {
    return {
      close: (...words) => host.close(...words),
      get: (...words) => {
        this.#downloads += 1;
        return host.get(...words);
      },
    };
  }

  noteWorkers(workers: number): void {
    this.#workers = workers;
  }

  /** The numbers come from this run from now on; `warn` receives why a file could not be written, once. */
  follow(view: Pick<RunView, 'ledger' | 'heldRows'>, warn: (text: string) => void): void {
    this.#view = view;
    this.#writing ??= this.#writeNowAndThen(warn);
  }

  /** Writes the last numbers. */
  async end(): Promise<void> {
    this.#ended.abort();
    await this.#writing;
  }

  async #writeNowAndThen(warn: (text: string) => void): Promise<void> {
    let hasWarned = false;
    for (let isLast = false; !isLast; ) {
      isLast = this.#ended.signal.aborted;
      try {
        await this.#write();
      } catch (error) {
        if (!hasWarned) warn(`--metrics-file ${this.#path} could not be written: ${messageOf(error)}`);
        hasWarned = true;
      }
      if (!isLast) await systemClock.wait(intervalMs, this.#ended.signal);
    }
  }

  /** An exporter that reads meanwhile sees the old file or the new one, and no other name that ends in `.prom`. */
  #write(): Promise<void> {
    const metrics: Metrics = {
      ...this.#run,
      ledger: this.#view?.ledger ?? createLedger(),
      held: this.#view?.heldRows() ?? {},
      polls: this.#polls,
      downloads: this.#downloads,
      workers: this.#workers,
    };
    return replaceWhole(this.#path, renderMetrics(metrics));
  }
}

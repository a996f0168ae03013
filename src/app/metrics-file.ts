/** Writes the numbers of a run to a file for a node exporter (`--metrics-file`), whole each time. */

import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { systemClock } from '../adapters/system-clock.ts';
import { createLedger } from '../core/summary.ts';
import { messageOf, UsageError } from '../errors.ts';
import type { FileHost, RunView, TaskService } from '../ports.ts';
import { type Metrics, renderMetrics } from '../report/metrics-text.ts';
import { processId } from './program.ts';
import type { Invocation } from './settings.ts';

const intervalMs = 10_000;

/** Counts what a process does, and writes it now and then. */
export class MetricsFile {
  readonly #path: string;
  readonly #run: string;
  readonly #ended = new AbortController();
  #writing: Promise<void> | null = null;
  #polls = 0;
  #downloads = 0;
  #workers = 1;
  #view: Pick<RunView, 'ledger' | 'heldRows'> | null = null;

  /** Null without the option. Throws `UsageError` where the file cannot be written. */
  static open(
    path: string | undefined,
    { shared, out }: Pick<Invocation, 'shared' | 'out'>,
  ): MetricsFile | null {
    if (path === undefined) return null;
    const metrics = new MetricsFile(resolve(path), shared?.run ?? out);
    try {
      mkdirSync(dirname(metrics.#path), { recursive: true });
      metrics.#write();
    } catch (error) {
      throw new UsageError(`--metrics-file ${path} cannot be written (${messageOf(error)})`, error);
    }
    return metrics;
  }

  private constructor(path: string, run: string) {
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
        this.#write();
      } catch (error) {
        if (!hasWarned) warn(`--metrics-file ${this.#path} could not be written: ${messageOf(error)}`);
        hasWarned = true;
      }
      if (!isLast) await systemClock.wait(intervalMs, this.#ended.signal);
    }
  }

  #write(): void {
    const metrics: Metrics = {
      run: this.#run,
      ledger: this.#view?.ledger ?? createLedger(),
      held: this.#view?.heldRows() ?? {},
      polls: this.#polls,
      downloads: this.#downloads,
      workers: this.#workers,
    };
    // An exporter that reads meanwhile sees the old file or the new one, and no name that ends in `.prom` but this one.
    const temporary = join(dirname(this.#path), `.${basename(this.#path)}.${processId()}.tmp`);
    try {
      writeFileSync(temporary, renderMetrics(metrics));
      renameSync(temporary, this.#path);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  }
}

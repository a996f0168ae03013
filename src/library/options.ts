/** The options of a run started by a program: those of a job file, in camel case. */

import type { ProgramOptionsFor } from '../app/options/options.ts';

/** Options of every run. Options saved with a run apply to later runs too, until they are given again. */
export interface CommonOptions extends ProgramOptionsFor<'each'> {
  /** The API key; by default `apiKeyFile`, then `BATCH_API_KEY` in the environment. Never saved, logged or shown. */
  readonly apiKey?: string;
  /** Stops the run in good order, like the first Ctrl-C of the command. */
  readonly signal?: AbortSignal;
}

/** Options of a run that may submit rows, which may cost points. */
export interface ResumeOptions extends CommonOptions, ProgramOptionsFor<'submitting'> {}

/** Options of a run of a file. */
export interface RunOptions extends ResumeOptions, ProgramOptionsFor<'file'> {
  /** Path of the questions: an Excel, CSV, JSONL or Parquet file. */
  readonly input: string;
}

/** The options of a run that a program starts: those of a job file, in a program's spelling. */

import type { ProgramOptionsFor } from '../app/options.ts';

/** Options of every run. Those that are saved with a run hold for its later runs too, until they are given anew. */
export interface CommonOptions extends ProgramOptionsFor<'each'> {
  /** The API key; `apiKeyFile`, then `BATCH_API_KEY` of the environment unless said. Never saved, logged or shown. */
  readonly apiKey?: string;
  /** Ends the run in good order, as the first Ctrl-C does for the command. */
  readonly signal?: AbortSignal;
}

/** Options of a run that may submit rows: that may cost points. */
export interface ResumeOptions extends CommonOptions, ProgramOptionsFor<'submitting'> {}

/** Options of a run of a file. */
export interface RunOptions extends ResumeOptions, ProgramOptionsFor<'file'> {
  /** Path of the questions: a CSV or JSONL file. */
  readonly input: string;
}

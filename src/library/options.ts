/** The options of a run that a program starts: those of a job file, in a program's spelling. */

import type { FrameChoice, Quality } from '../core/item.ts';
import type { Field } from '../core/question.ts';
import type { FaultName } from '../simulator/faults.ts';

/** A time with its unit: `'250ms'`, `'30s'`, `'5m'`, `'2h'`. A bare number would leave open of what. */
export type Duration = `${number}${'ms' | 's' | 'm' | 'h'}`;

/** A share: `0.02` or `'2%'`. */
export type Share = number | `${number}%`;

/** A number of bytes, or a size with its unit: `'20MB'`, `'500kB'`, `'16MiB'`. */
export type ByteSize = number | `${number}${'kB' | 'MB' | 'GB' | 'KiB' | 'MiB' | 'GiB'}`;

/** Options of every run. Those that are saved with a run hold for its later runs too, until they are given anew. */
export interface CommonOptions {
  /** Output folder and checkpoint; `./videos` unless said. */
  readonly out?: string;
  /** Address of the service; `BATCH_BASE_URL` of the environment unless said. Saved with the run. */
  readonly baseUrl?: string;
  /** The API key; `apiKeyFile`, then `BATCH_API_KEY` of the environment unless said. Never saved, logged or shown. */
  readonly apiKey?: string;
  /** Path of a file that holds the API key. The path is saved with the run. */
  readonly apiKeyFile?: string;
  /** Use the embedded service: no account, no points. Saved with the run. */
  readonly simulate?: boolean;
  /** Total deadline of one API request; 60 s unless said. Saved with the run. */
  readonly requestTimeout?: Duration;
  /** Tasks open at the service at once; 10 unless said. Saved with the run. */
  readonly concurrency?: number;
  /** The shared tick; 30 s unless said, 1 s with `simulate`. Saved with the run. */
  readonly pollInterval?: Duration;
  /** Progress frames to keep; all unless said. Saved with the run. */
  readonly frames?: FrameChoice;
  /** Stop waiting for a task after this; 6 h unless said. Saved with the run. */
  readonly taskTimeout?: Duration;
  /** Listen for completion callbacks at `HOST:PORT`. Saved with the run. */
  readonly listen?: string;
  /** Address under which the service reaches `listen`. Saved with the run. */
  readonly publicUrl?: string;
  /** Embedded service: typical length of a task; 3 s unless said. Saved with the run. */
  readonly duration?: Duration;
  /** Embedded service: share of tasks that fail; none unless said. Saved with the run. */
  readonly failRate?: Share;
  /** Embedded service: share of requests with a fault. Saved with the run. */
  readonly fault?: Readonly<Partial<Record<FaultName, Share>>>;
  /** Embedded service: the same seed, the same run; 1 unless said. Saved with the run. */
  readonly seed?: number;
  /** Ends the run in good order, as the first Ctrl-C does for the command. */
  readonly signal?: AbortSignal;
}

/** Options of a run that may submit rows: that may cost points. */
export interface ResumeOptions extends CommonOptions {
  /** Quality of rows without one of their own; the service's (`m`) unless said. Saved with the run. */
  readonly quality?: Quality;
  /** Submit at most this many more rows now. */
  readonly limit?: number;
  /** The largest image that is sent; 20 MB unless said, and two and a half times as much for all of one row. Saved with the run. */
  readonly maxImageBytes?: ByteSize;
  /** Submit only the rows with these ids now. */
  readonly only?: readonly string[];
  /** Cap on spent and reserved points; none unless said, `'none'` takes it away. Saved with the run. */
  readonly maxPoints?: number | 'none';
  /** Go on in a folder that was copied or moved since its last run: no run goes on in the other one. Refused unless said. */
  readonly moved?: boolean;
  /** Stop submitting after this many rows, or this share, ended badly. Saved with the run. */
  readonly halt?: number | `${number}%`;
}

/** Options of a run of a file. */
export interface RunOptions extends ResumeOptions {
  /** Path of the questions: a CSV or JSONL file. */
  readonly input: string;
  /** How to read the file; found out unless said. */
  readonly format?: 'csv' | 'jsonl';
  /** One character, or `tab`; found out unless said. */
  readonly delimiter?: string;
  /** Such as `utf-8` or `gb18030`; found out unless said. */
  readonly encoding?: string;
  /** Which column is which field, where the header does not say. */
  readonly map?: Readonly<Partial<Record<Field, string>>>;
  /** Add the rows to those of another file. */
  readonly add?: boolean;
  /** Pay again for changed rows that had been submitted. */
  readonly rerunChanged?: boolean;
}

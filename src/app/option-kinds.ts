/** What the table of options is made of: the kinds of values, and what it says of an option. */

import type { FrameChoice, Quality } from '../core/item.ts';
import type { Field } from '../core/question.ts';
import type { FaultName } from '../simulator/faults.ts';

/** A time with its unit: `'250ms'`, `'30s'`, `'5m'`, `'2h'`. A bare number would leave open of what. */
export type Duration = `${number}${'ms' | 's' | 'm' | 'h'}`;

/** A share: `0.02` or `'2%'`. */
export type Share = number | `${number}%`;

/** A number of bytes, or a size with its unit: `'20MB'`, `'500kB'`, `'16MiB'`. */
export type ByteSize = number | `${number}${'kB' | 'MB' | 'GB' | 'KiB' | 'MiB' | 'GiB'}`;

/** Kinds of files. */
export const formats = ['csv', 'jsonl'] as const;

/** What an option may be: the value that it is parsed to, and what a program writes. `job-file.ts` reads each. */
export interface ValueTypes {
  /** True and false; on the command line it takes no value. */
  switch: { parsed: boolean; program: boolean };
  /** A path, which in a job file starts from its folder. */
  file: { parsed: string; program: string };
  folder: { parsed: string; program: string };
  /** `http://` or `https://`. */
  address: { parsed: string; program: string };
  /** `HOST:PORT`. */
  listen: { parsed: { readonly host: string; readonly port: number }; program: string };
  /** A whole number, of at least `least`. */
  count: { parsed: number; program: number };
  /** Parsed to milliseconds. */
  duration: { parsed: number; program: Duration };
  /** Parsed to bytes. */
  size: { parsed: number; program: ByteSize };
  /** Parsed to a number from 0 to 1. */
  share: { parsed: number; program: Share };
  /** Parsed to null for `none`. */
  points: { parsed: number | null; program: number | 'none' };
  /** Rows, or a share of them. */
  halt: {
    parsed: { readonly amount: number; readonly isPercent: boolean };
    program: number | `${number}%`;
  };
  quality: { parsed: Quality; program: Quality };
  frames: { parsed: FrameChoice; program: FrameChoice };
  format: { parsed: (typeof formats)[number]; program: (typeof formats)[number] };
  character: { parsed: string; program: string };
  encoding: { parsed: string; program: string };
  ids: { parsed: string[]; program: readonly string[] };
  columns: { parsed: Record<string, string>; program: Readonly<Partial<Record<Field, string>>> };
  faults: { parsed: Map<FaultName, number>; program: Readonly<Partial<Record<FaultName, Share>>> };
}

export type ValueKind = keyof ValueTypes;

/** True where an option of this kind may be given more than once. */
export function isRepeatable(kind: ValueKind): boolean {
  return kind === 'ids' || kind === 'columns' || kind === 'faults';
}

/** Kinds that leave something to say of what may be written. */
type ToldKind =
  | 'file'
  | 'folder'
  | 'address'
  | 'duration'
  | 'size'
  | 'share'
  | 'character'
  | 'encoding'
  | 'ids';

/** What stands behind "write" where something else was given; of times and sizes an example. */
type Written =
  | { readonly kind: 'count'; readonly write: string; readonly least: number }
  | { readonly kind: ToldKind; readonly write: string }
  | { readonly kind: Exclude<ValueKind, ToldKind | 'count'> };

/** One option. */
export type Option = Written & {
  /** One phrase, for people. */
  readonly help: string;
  /** The sentence of the job file's schema, where `help` does not fit there. */
  readonly inJobFile?: string;
  /** The one letter that means the same. */
  readonly letter?: string;
  /** What holds without the option, in words. */
  readonly otherwise?: string;
  /**
   * How far it reaches. `run`: saved with the run, for its later commands too. `rows`: this command alone, but it decides which rows
   * are submitted. `manner`: this command alone, and the same rows are submitted without it.
   */
  readonly reach: 'run' | 'rows' | 'manner';
  /** Runs of a program that take it: each, those that may submit, those of a file; none where it is not named. */
  readonly program?: 'each' | 'submitting' | 'file';
};

/** The types of the table of options: the kinds of values, and the description of an option. */

import type { OddMode } from '../../input/doubts/odd-modes.ts';
import type { Choices } from '../../messages/choices.ts';
import type { FrameChoice, Quality } from '../../money/item.ts';
import type { Field } from '../../money/question.ts';
import type { FaultName } from '../../service/simulator/faults.ts';
import type { HtmlMode } from '../../text/cell-kinds.ts';
import type { Language } from '../../text/languages.ts';

/** A time with its unit: `'250ms'`, `'30s'`, `'5m'`, `'2h'`. A number without a unit would be ambiguous. */
export type Duration = `${number}${'ms' | 's' | 'm' | 'h'}`;

/** A share: `0.02` or `'2%'`. */
export type Share = number | `${number}%`;

/** A number of bytes, or a size with its unit: `'20MB'`, `'500kB'`, `'16MiB'`. */
export type ByteSize = number | `${number}${'kB' | 'MB' | 'GB' | 'KiB' | 'MiB' | 'GiB'}`;

/** Kinds of files. */
export const formats = ['csv', 'jsonl', 'xlsx', 'parquet'] as const;

/** Further reports. */
export const reportChoices = ['xlsx', 'none'] as const;

/** The values of an option: as parsed, and as a program writes it. `option-schemas.ts` parses each. */
export interface ValueTypes {
  /** True or false; on the command line it takes no value. */
  switch: { parsed: boolean; program: boolean };
  /** A path, in a job file relative to its folder. */
  file: { parsed: string; program: string };
  folder: { parsed: string; program: string };
  /** Paths of folders; parsed to none for `none`. */
  folders: { parsed: readonly string[]; program: readonly string[] };
  /** Any text. */
  text: { parsed: string; program: string };
  /** `http://` or `https://`. */
  address: { parsed: string; program: string };
  /** `http://` or `https://`, with what identifies a check, so it is never shown. */
  ping: { parsed: string; program: string };
  /** `HOST:PORT`. */
  listen: { parsed: { readonly host: string; readonly port: number }; program: string };
  /** A whole number, of at least `least`. */
  count: { parsed: number; program: number };
  /** A number of tasks, a range of it, or `auto` for the usual range. Parsed `from` is null where there is no range. */
  concurrency: {
    parsed: { readonly from: number | null; readonly most: number };
    program: number | `${number}-${number}` | 'auto';
  };
  /** Parsed to milliseconds. */
  duration: { parsed: number; program: Duration };
  /** Parsed to bytes. */
  size: { parsed: number; program: ByteSize };
  /** Parsed to a number from 0 to 1. */
  share: { parsed: number; program: Share };
  /** Parsed to null for `none`. */
  points: { parsed: number | null; program: number | 'none' };
  /** A number of rows; parsed to null for `none`. */
  rows: { parsed: number | null; program: number | 'none' };
  /** Rows, or a share of them. */
  halt: {
    parsed: { readonly amount: number; readonly isPercent: boolean };
    program: number | `${number}%`;
  };
  quality: { parsed: Quality; program: Quality };
  frames: { parsed: FrameChoice; program: FrameChoice };
  format: { parsed: (typeof formats)[number]; program: (typeof formats)[number] };
  report: { parsed: (typeof reportChoices)[number]; program: (typeof reportChoices)[number] };
  html: { parsed: HtmlMode; program: HtmlMode };
  odd: { parsed: OddMode; program: OddMode };
  language: { parsed: Language; program: Language };
  character: { parsed: string; program: string };
  encoding: { parsed: string; program: string };
  /** A command line, or its words. */
  command: { parsed: string | readonly string[]; program: string | readonly string[] };
  /** Any text that is not blank. */
  name: { parsed: string; program: string };
  ids: { parsed: string[]; program: readonly string[] };
  columns: { parsed: Record<string, string>; program: Readonly<Partial<Record<Field, string>>> };
  faults: { parsed: Map<FaultName, number>; program: Readonly<Partial<Record<FaultName, Share>>> };
}

export type ValueKind = keyof ValueTypes;

/** True when an option of this kind may be given more than once. */
export function isRepeatable(kind: ValueKind): boolean {
  return kind === 'ids' || kind === 'folders' || kind === 'columns' || kind === 'faults';
}

/** Kinds whose valid values need an example. */
type ExampleKind = 'duration' | 'size';

/** Kinds whose valid values need a description. */
type NamedKind =
  | 'text'
  | 'file'
  | 'folder'
  | 'folders'
  | 'address'
  | 'share'
  | 'character'
  | 'encoding'
  | 'name'
  | 'ids';

/** Describes a valid value in the message about an invalid one. */
type Written =
  | { readonly kind: 'count'; readonly least: number }
  | { readonly kind: NamedKind; readonly write: Choices }
  | { readonly kind: ExampleKind; readonly example: string }
  | { readonly kind: Exclude<ValueKind, NamedKind | ExampleKind | 'count'> };

/** One option. */
export type Option = Written & {
  /** One phrase, for people. */
  readonly help: string;
  /** The sentence in the job file's schema, if `help` does not fit there. */
  readonly inJobFile?: string;
  /** Its one-letter form. */
  readonly letter?: string;
  /** The default, in words. */
  readonly otherwise?: string;
  /**
   * Its scope. `run`: saved with the run and valid for later commands. `rows`: this command only, and it decides which rows
   * are submitted. `manner`: this command only, and it does not change which rows are submitted.
   */
  readonly reach: 'run' | 'rows' | 'manner';
  /** Library runs that accept it: each, those that may submit, or those of a file. None when absent. */
  readonly program?: 'each' | 'submitting' | 'file';
  /** True where `batch tune` changes it while a run goes. */
  readonly isTuned?: true;
};

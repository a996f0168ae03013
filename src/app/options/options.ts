/**
 * Derives from the table of options their names, and their types as parsed, as saved with a run, and as a program gives
 * them. Flags, help and the schema of job files are derived from the table too.
 */

import type { Option, ValueTypes } from './option-kinds.ts';
import { optionTable } from './option-table.ts';

type Table = typeof optionTable;

/** The name of an option in programs: `maxPoints`. */
export type OptionName = keyof Table;

/** The same on the command line and in job files: `max-points`. */
export type LongName<Name extends string = OptionName> = Name extends `${infer Letter}${infer Rest}`
  ? `${Letter extends Lowercase<Letter> ? Letter : `-${Lowercase<Letter>}`}${LongName<Rest>}`
  : '';

/** Parsed options by long name; only those given. */
export type Options = {
  readonly [Name in OptionName as LongName<Name>]?: ValueTypes[Table[Name]['kind']]['parsed'] | undefined;
};

/** Options as they were written, by long name. */
export type RawOptions = Readonly<Record<string, unknown>>;

type ProgramOptions = {
  readonly [Name in OptionName]?: ValueTypes[Table[Name]['kind']]['program'];
};

type NamesFor<Run> = {
  [Name in OptionName]: Table[Name] extends { readonly program: Run } ? Name : never;
}[OptionName];

/** The options of a program for these runs, as it writes them. */
export type ProgramOptionsFor<Run extends NonNullable<Option['program']>> = Pick<
  ProgramOptions,
  NamesFor<Run>
>;

/** All options, in the order of the job file's schema. */
export const optionNames: readonly OptionName[] = Object.keys(optionTable) as OptionName[];

/** The table's entry of an option. */
export function optionOf(name: OptionName): Option {
  return optionTable[name];
}

/** As a flag and in a job file: `maxPoints` is `max-points`. */
export function longName(name: OptionName): LongName {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`) as LongName;
}

/** The long names of the options that pass this test. */
export function longNamesWhere(isLike: (option: Option) => boolean): ReadonlySet<string> {
  return new Set(optionNames.filter((name) => isLike(optionOf(name))).map(longName));
}

/**
 * What a flag is, and what was given with it. Most are options; the schema in `job-file.ts` validates their values later.
 */

import { formats, isRepeatable, reportChoices, type ValueKind } from '../../app/options/option-kinds.ts';
import { longName, type OptionName, optionOf, type RawOptions } from '../../app/options/options.ts';
import { UsageError } from '../../errors.ts';
import { oddModes } from '../../input/doubts/odd-modes.ts';
import { message } from '../../messages/message.ts';
import { frameChoices, qualities } from '../../money/item.ts';
import { faultNames } from '../../service/simulator/faults.ts';
import { htmlModes } from '../../text/cell-kinds.ts';
import { languages } from '../../text/languages.ts';

/** One flag, for the parser, the help and shell completion. */
export interface Flag {
  /** One phrase, for people. */
  readonly describe: string;
  /** The placeholder of its value (`N`, `DIR`), or the words to choose from. Absent for a switch. */
  readonly value?: string | readonly string[];
  /** Its one-letter form. */
  readonly letter?: string;
  /** The default, in words. */
  readonly otherwise?: string;
  /** True when it may be repeated. */
  readonly repeats?: boolean;
  /** The beginnings of its values, which the shell completes. */
  readonly starts?: readonly string[];
}

/** A group of flags, by long name. */
export interface FlagGroup {
  readonly title: string;
  readonly flags: Readonly<Record<string, Flag>>;
}

/** The placeholder for a value of each kind; null for none. */
const valueWords: Readonly<Record<ValueKind, NonNullable<Flag['value']> | null>> = {
  switch: null,
  text: 'TEXT',
  file: 'FILE',
  folder: 'DIR',
  folders: 'DIR',
  address: 'URL',
  ping: 'URL',
  listen: 'ADDR',
  count: 'N',
  concurrency: 'N|auto',
  duration: 'D',
  size: 'SIZE',
  share: 'RATE',
  points: 'N|none',
  rows: 'N|none',
  halt: 'FAIL',
  quality: qualities,
  frames: frameChoices,
  format: formats,
  report: reportChoices,
  html: htmlModes,
  odd: oddModes,
  language: languages,
  character: 'C',
  encoding: 'E',
  name: 'NAME',
  command: 'CMD',
  ids: 'IDS',
  columns: 'FIELD=COLUMN',
  faults: 'NAME=RATE',
};

/** An option as a flag. */
function flagOf(name: OptionName): Flag {
  const { kind, help, letter, otherwise } = optionOf(name);
  const value = valueWords[kind];
  return {
    describe: help,
    ...(value === null ? {} : { value }),
    ...(letter === undefined ? {} : { letter }),
    ...(otherwise === undefined ? {} : { otherwise }),
    ...(isRepeatable(kind) ? { repeats: true } : {}),
    ...(kind === 'faults' ? { starts: faultNames.map((fault) => `${fault}=`) } : {}),
  };
}

/** The flags of these options. */
export function flagsFor(...names: readonly OptionName[]): FlagGroup['flags'] {
  return Object.fromEntries(names.map((name) => [longName(name), flagOf(name)]));
}

/** The group without these flags. */
export function without({ title, flags }: FlagGroup, ...names: readonly string[]): FlagGroup {
  return {
    title,
    flags: Object.fromEntries(Object.entries(flags).filter(([name]) => !names.includes(name))),
  };
}

/** All flags of these groups, by their long names. */
export function flagsOf(groups: readonly FlagGroup[]): Readonly<Record<string, Flag>> {
  return Object.assign({}, ...groups.map(({ flags }) => flags));
}

/** The parsed flags of these groups, without the letters, arguments and command that the parser adds. */
export function givenOptions(
  argv: Readonly<Record<string, unknown>>,
  groups: readonly FlagGroup[],
): RawOptions {
  const flags = flagsOf(groups);
  for (const [name, { value }] of Object.entries(flags)) {
    // In a job file a list is the words of one command.
    if (value === valueWords.command && Array.isArray(argv[name]))
      throw new UsageError(message('option.repeated', { option: `--${name}`, times: argv[name].length }));
  }
  return Object.fromEntries(Object.keys(flags).map((name) => [name, argv[name]]));
}

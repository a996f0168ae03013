/**
 * Which command takes which options as flags, in the groups that the help shows. Their values are validated afterwards, by the
 * schema of `job-file.ts`.
 */

import { formats, isRepeatable, type ValueKind } from '../app/option-kinds.ts';
import { longName, type OptionName, optionOf, type RawOptions } from '../app/options.ts';
import { frameChoices, qualities } from '../core/item.ts';

/** One flag, as the parser, the help and the completion of a shell need it. */
export interface Flag {
  /** One phrase, for people. */
  readonly describe: string;
  /** What stands for its value: `N`, `DIR`, or the words to choose from. Without one it is a switch. */
  readonly value?: string | readonly string[];
  /** The one letter that means the same. */
  readonly letter?: string;
  /** What holds without the flag, in words. */
  readonly otherwise?: string;
  /** May be given more than once. */
  readonly repeats?: boolean;
}

/** Flags that belong together, by their long names. */
export interface FlagGroup {
  readonly title: string;
  readonly flags: Readonly<Record<string, Flag>>;
}

/** What stands for a value of each kind; null for none. */
const valueWords: Readonly<Record<ValueKind, NonNullable<Flag['value']> | null>> = {
  switch: null,
  file: 'FILE',
  folder: 'DIR',
  address: 'URL',
  listen: 'ADDR',
  count: 'N',
  duration: 'D',
  size: 'SIZE',
  share: 'RATE',
  points: 'N|none',
  halt: 'FAIL',
  quality: qualities,
  frames: frameChoices,
  format: formats,
  character: 'C',
  encoding: 'E',
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
  };
}

/** The flags of these options. */
function flagsFor(...names: readonly OptionName[]): FlagGroup['flags'] {
  return Object.fromEntries(names.map((name) => [longName(name), flagOf(name)]));
}

/** What a run is made of. */
const fileGroup: FlagGroup = {
  title: 'Input and output',
  flags: {
    ...flagsFor('out'),
    job: { describe: 'job file: these options by their long names, plus input', value: 'FILE' },
    ...flagsFor('dryRun'),
  },
};

const submitGroup: FlagGroup = {
  title: 'What to submit',
  flags: flagsFor('limit', 'only', 'maxPoints', 'halt', 'quality', 'yes', 'moved'),
};

const waitGroup: FlagGroup = {
  title: 'Pace and files',
  flags: flagsFor('concurrency', 'pollInterval', 'taskTimeout', 'frames', 'listen', 'publicUrl'),
};

const serviceGroup: FlagGroup = {
  title: 'The service',
  flags: flagsFor('baseUrl', 'apiKeyFile', 'requestTimeout', 'outageTimeout'),
};

const inputGroup: FlagGroup = {
  title: 'Reading the input',
  flags: flagsFor('format', 'delimiter', 'encoding', 'map', 'maxImageBytes', 'add', 'rerunChanged'),
};

/** How the embedded service behaves. */
export const simulatorGroup: FlagGroup = {
  title: 'The embedded service',
  flags: flagsFor('duration', 'failRate', 'fault', 'seed'),
};

const rehearsalGroup: FlagGroup = {
  title: 'Rehearsal',
  flags: { ...flagsFor('simulate'), ...simulatorGroup.flags },
};

const speechGroup: FlagGroup = {
  title: 'Output',
  flags: flagsFor('json', 'quiet', 'verbose', 'noColor'),
};

/** Of commands that start a run. */
export const runGroups: readonly FlagGroup[] = [
  fileGroup,
  submitGroup,
  waitGroup,
  inputGroup,
  serviceGroup,
  rehearsalGroup,
  speechGroup,
];

/** Of commands that only read the input. */
export const checkGroups: readonly FlagGroup[] = [
  { title: fileGroup.title, flags: flagsFor('out') },
  inputGroup,
  speechGroup,
];

/** Of commands that go on with a run. */
export const goOnGroups: readonly FlagGroup[] = [
  submitGroup,
  waitGroup,
  { title: inputGroup.title, flags: flagsFor('maxImageBytes') },
  serviceGroup,
  rehearsalGroup,
  speechGroup,
];

/** Of those that pay for what they go on with. */
export const payOnGroups: readonly FlagGroup[] = [
  { ...submitGroup, flags: { ...submitGroup.flags, ...flagsFor('dryRun') } },
  ...goOnGroups.slice(1),
];

const whichRows: FlagGroup = {
  title: 'Which rows',
  flags: {
    failed: { describe: 'rows whose task FAILED at the service' },
    rejected: { describe: 'rows whose creation was refused' },
    lost: { describe: 'rows whose task is lost (pays again)' },
    failure: {
      describe: 'of these, only rows whose failure contains TEXT; \'"TEXT"\' matches the whole failure',
      value: 'TEXT',
    },
    only: {
      describe: 'these rows, even completed ones: ID,ID, or @FILE (a CSV file)',
      value: 'IDS',
      repeats: true,
    },
    gone: { describe: 'include rows that are no longer in the file' },
  },
};

/** Of the command that makes new attempts. */
export const retryGroups: readonly FlagGroup[] = [
  whichRows,
  ...payOnGroups.map((group) => without(group, 'only')),
];

/** Of the command that settles rows. */
export const resolveGroups: readonly FlagGroup[] = [serviceGroup];

function without({ title, flags }: FlagGroup, name: string): FlagGroup {
  return { title, flags: Object.fromEntries(Object.entries(flags).filter(([other]) => other !== name)) };
}

/** All flags of these groups, by their long names. */
export function flagsOf(groups: readonly FlagGroup[]): Readonly<Record<string, Flag>> {
  return Object.assign({}, ...groups.map(({ flags }) => flags));
}

/** The parsed flags of these groups without what the parser adds: letters, arguments, the command itself. */
export function givenOptions(
  argv: Readonly<Record<string, unknown>>,
  groups: readonly FlagGroup[],
): RawOptions {
  return Object.fromEntries(Object.keys(flagsOf(groups)).map((name) => [name, argv[name]]));
}

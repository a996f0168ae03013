/**
 * Which command has which options as flags, in the groups of the help. The schema in `job-file.ts` validates their values
 * later.
 */

import { formats, isRepeatable, reportChoices, type ValueKind } from '../app/options/option-kinds.ts';
import { longName, type OptionName, optionNames, optionOf, type RawOptions } from '../app/options/options.ts';
import { UsageError } from '../errors.ts';
import { oddModes } from '../input/doubts/odd-modes.ts';
import { message } from '../messages/message.ts';
import { frameChoices, qualities } from '../money/item.ts';
import { faultNames } from '../service/simulator/faults.ts';
import { htmlModes } from '../text/cell-kinds.ts';
import { languages } from '../text/languages.ts';

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
function flagsFor(...names: readonly OptionName[]): FlagGroup['flags'] {
  return Object.fromEntries(names.map((name) => [longName(name), flagOf(name)]));
}

/** Where a run of several machines is. */
const placeGroup: FlagGroup = {
  title: 'On several machines',
  flags: flagsFor('store', 'run'),
};

/** For commands that only speak. */
const languageGroup: FlagGroup = { title: 'Output', flags: flagsFor('lang') };

/** For commands that only look. */
export const lookGroups: readonly FlagGroup[] = [placeGroup, languageGroup];

/** For the command that looks into the videos. */
export const deepGroups: readonly FlagGroup[] = [
  ...lookGroups,
  { title: 'Output', flags: flagsFor('json', 'quiet') },
];

/** For the command that writes the reports again. */
export const reportGroups: readonly FlagGroup[] = [
  { title: 'Which reports', flags: flagsFor('report') },
  ...lookGroups,
];

/** For the command that exports videos. */
export const exportGroups: readonly FlagGroup[] = [
  {
    title: 'Where to, and which',
    flags: {
      to: { describe: 'folder for the videos, created if needed', value: 'DIR' },
      name: {
        describe:
          'of each video: {COLUMN}, {id}, {row}, {title}, {quality}, {attempt} and text; / between folders',
        value: 'NAME',
        otherwise: '{id}',
      },
      only: {
        describe:
          'completed, good (by marks that are saved), ID,ID, or @FILE (a CSV file; with marks, the good ones)',
        value: 'IDS',
        otherwise: 'completed',
        repeats: true,
      },
    },
  },
  {
    title: 'How',
    flags: {
      link: {
        describe: 'only hard links; stop where they are impossible',
        otherwise: 'links where possible, else copies',
      },
      copy: { describe: 'only copies: what is changed there does not change in the run' },
      'url-base': {
        describe: 'the address that the folder will have: the manifests say that of each video',
        value: 'URL',
      },
      delete: { describe: 'remove what an earlier export put there and this one does not' },
      json: { describe: 'one JSON object' },
    },
  },
  ...lookGroups,
];

/** For the command that changes a run while it goes. */
export const tuneGroups: readonly FlagGroup[] = [
  {
    title: 'What to change',
    flags: flagsFor(...optionNames.filter((name) => optionOf(name).isTuned === true)),
  },
  placeGroup,
  languageGroup,
];

/** For the command that pauses submitting. */
export const pauseGroups: readonly FlagGroup[] = [
  {
    title: 'How long',
    flags: {
      for: { describe: 'a time such as 2h', value: 'D', otherwise: 'until `batch continue`' },
      until: { describe: 'the next time the clock of this machine shows it', value: 'HH:MM' },
    },
  },
  placeGroup,
  languageGroup,
];

/** For the command that ends what works on a run. */
export const stopGroups: readonly FlagGroup[] = [
  {
    title: 'How',
    flags: {
      now: { describe: 'leave at once, as at a second Ctrl-C: creations without an answer become uncertain' },
    },
  },
  {
    title: placeGroup.title,
    flags: {
      ...placeGroup.flags,
      worker: {
        describe: 'only this worker, as `batch status` names it',
        value: 'NAME',
        otherwise: 'all that work on the run now',
      },
    },
  },
  languageGroup,
];

/** For commands that work on such a run. */
const sharedGroup: FlagGroup = {
  title: placeGroup.title,
  flags: flagsFor('store', 'run'),
};

const submitGroup: FlagGroup = {
  title: 'What to submit',
  flags: flagsFor('limit', 'only', 'maxPoints', 'halt', 'quality', 'odd', 'yes', 'moved'),
};

/** For commands that submit rows for the first time. */
const firstSubmitGroup: FlagGroup = {
  title: submitGroup.title,
  flags: { ...flagsFor('sample'), ...submitGroup.flags },
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
  title: 'Input and output',
  flags: flagsFor(
    'out',
    'format',
    'sheet',
    'headerRow',
    'delimiter',
    'encoding',
    'map',
    'html',
    'maxImageBytes',
    'add',
    'rerunChanged',
  ),
};

/** The flags of the embedded service. */
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
  flags: flagsFor('json', 'quiet', 'verbose', 'lang', 'noColor'),
};

/** For commands that work on a run. */
const workGroup: FlagGroup = {
  title: speechGroup.title,
  flags: {
    ...speechGroup.flags,
    ...flagsFor('report', 'inspect', 'events', 'ping', 'logMax'),
  },
};

/** For commands that work on a run, and may call commands of the user. */
const hookGroup: FlagGroup = {
  title: 'Hooks',
  flags: flagsFor('onRow', 'onEnd'),
};

/** These flags first, and the groups without them. */
function withFirst(first: FlagGroup['flags'], groups: readonly FlagGroup[]): readonly FlagGroup[] {
  const names = Object.keys(first);
  return [{ title: 'Used most', flags: first }, ...groups.map((group) => without(group, ...names))];
}

/** For commands that start a run. */
export const runGroups: readonly FlagGroup[] = withFirst(
  flagsFor(
    'out',
    'baseUrl',
    'apiKeyFile',
    'sample',
    'limit',
    'maxPoints',
    'concurrency',
    'quality',
    'simulate',
    'dryRun',
  ),
  [
    submitGroup,
    waitGroup,
    {
      title: inputGroup.title,
      flags: {
        job: { describe: 'job file: these options by their long names, plus input', value: 'FILE' },
        ...inputGroup.flags,
      },
    },
    serviceGroup,
    rehearsalGroup,
    { title: sharedGroup.title, flags: { ...sharedGroup.flags, ...flagsFor('detach') } },
    hookGroup,
    workGroup,
  ],
);

/** For commands that only read the input. */
export const checkGroups: readonly FlagGroup[] = withFirst(
  {
    ...flagsFor('out', 'sheet', 'map', 'html', 'odd'),
    online: { describe: 'ask the service one free question: are address and key right?' },
    ...flagsFor('baseUrl', 'apiKeyFile', 'yes'),
  },
  [
    inputGroup,
    { title: serviceGroup.title, flags: flagsFor('baseUrl', 'apiKeyFile', 'requestTimeout') },
    placeGroup,
    speechGroup,
  ],
);

/** For the command that lists what a run needs. */
export const doctorGroups: readonly FlagGroup[] = [
  {
    title: serviceGroup.title,
    flags: flagsFor('baseUrl', 'apiKeyFile', 'requestTimeout', 'simulate'),
  },
  { title: speechGroup.title, flags: flagsFor('json', 'lang') },
];

/** For commands that continue a run. */
export const goOnGroups: readonly FlagGroup[] = [
  // Of these commands none submits.
  { ...submitGroup, title: 'Rows and terms' },
  waitGroup,
  { title: inputGroup.title, flags: flagsFor('maxImageBytes') },
  serviceGroup,
  rehearsalGroup,
  sharedGroup,
  hookGroup,
  workGroup,
];

/** A worker may say only what is its own. */
export const workerGroups: readonly FlagGroup[] = [
  {
    title: sharedGroup.title,
    flags: {
      ...flagsFor('store', 'run'),
      drain: { describe: 'end when nothing is left to do' },
      ...flagsFor('moved'),
    },
  },
  { title: serviceGroup.title, flags: flagsFor('baseUrl', 'apiKeyFile', 'requestTimeout') },
  hookGroup,
  workGroup,
];

/** For those of them that pay for rows. */
export const payOnGroups: readonly FlagGroup[] = [
  { ...firstSubmitGroup, flags: { ...firstSubmitGroup.flags, ...flagsFor('dryRun') } },
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
    marked: { describe: 'rows whose mark that is saved with the run is bad' },
    attempt: {
      describe: 'of the rows of --only, those whose last attempt this is: typed again, it pays nothing',
      value: 'N',
    },
    until: {
      describe:
        'of rows that failed, were rejected or lost, those of round N and before; the proposed commands say it',
      value: 'N',
    },
    unsent: {
      describe: 'the rows that the retry of round N ordered and did not send, and no others',
      value: 'N',
    },
    gone: { describe: 'include rows that are no longer in the file' },
  },
};

/** For the command that orders new attempts. */
export const retryGroups: readonly FlagGroup[] = [
  whichRows,
  ...payOnGroups.map((group) => without(group, 'only', 'sample')),
];

/** For the command that asks for fresh links. */
export const linksGroups: readonly FlagGroup[] = [
  {
    title: 'Which rows',
    flags: {
      only: { describe: 'these rows: ID,ID, or @FILE with a column id', value: 'IDS', repeats: true },
    },
  },
  {
    title: serviceGroup.title,
    flags: flagsFor('baseUrl', 'apiKeyFile', 'requestTimeout', 'yes'),
  },
  placeGroup,
  { title: speechGroup.title, flags: flagsFor('json', 'lang') },
];

/** For the command that settles rows. */
export const resolveGroups: readonly FlagGroup[] = [
  { ...serviceGroup, flags: { ...serviceGroup.flags, ...flagsFor('yes') } },
  placeGroup,
  languageGroup,
];

/** For the command that moves a run. */
export const moveGroups: readonly FlagGroup[] = [
  {
    title: sharedGroup.title,
    flags: {
      ...sharedGroup.flags,
      out: {
        describe: 'folder or s3://BUCKET/PREFIX for the files',
        letter: 'o',
        value: 'DIR',
        otherwise: 'DIR itself',
      },
      ...flagsFor('moved'),
    },
  },
];

function without({ title, flags }: FlagGroup, ...names: readonly string[]): FlagGroup {
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

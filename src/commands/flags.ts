/**
 * The flags of the commands, in the groups that the help shows. Their values are validated afterwards, by the schema of
 * `job-file.ts`.
 */

import { frameChoices, qualities } from '../core/item.ts';
import type { RawOptions } from '../job-file.ts';

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

const out: Flag = {
  describe: 'output folder and checkpoint',
  value: 'DIR',
  letter: 'o',
  otherwise: './videos',
};

const dryRun: FlagGroup['flags'] = {
  'dry-run': { describe: 'show the plan and the estimate, and stop before the first request' },
};

/** What a run is made of. */
const fileGroup: FlagGroup = {
  title: 'Input and output',
  flags: {
    out,
    job: { describe: 'job file: these options by their long names, plus input', value: 'FILE' },
    ...dryRun,
  },
};

const submitGroup: FlagGroup = {
  title: 'What to submit',
  flags: {
    limit: { describe: 'submit at most N more rows now', value: 'N' },
    only: {
      describe: 'submit only these rows: ID,ID, or @FILE with a column id',
      value: 'IDS',
      repeats: true,
    },
    'max-points': {
      describe: 'cap on spent and reserved points; none removes it',
      value: 'N|none',
      otherwise: 'none',
    },
    halt: { describe: 'stop submitting once 20 rows, or 10%, have ended badly', value: 'FAIL' },
    quality: {
      describe: 'quality of rows that do not set their own',
      value: qualities,
      otherwise: "m, the service's",
    },
    yes: { describe: 'answer yes to every question', letter: 'y' },
    moved: {
      describe: 'continue in a folder that was copied or moved; make sure no run is going in the other one',
    },
  },
};

const waitGroup: FlagGroup = {
  title: 'Pace and files',
  flags: {
    concurrency: {
      describe: 'most tasks open at the service at once',
      value: 'N',
      letter: 'j',
      otherwise: '10',
    },
    'poll-interval': {
      describe: 'time between status requests (the tick)',
      value: 'D',
      otherwise: '30s, 1s with --simulate',
    },
    'task-timeout': { describe: 'give up waiting for a task after this', value: 'D', otherwise: '6h' },
    frames: { describe: 'which progress frames to keep', value: frameChoices, otherwise: 'all' },
    listen: { describe: 'listen for completion callbacks on HOST:PORT', value: 'ADDR' },
    'public-url': { describe: 'address at which the service reaches --listen', value: 'URL' },
  },
};

const serviceGroup: FlagGroup = {
  title: 'The service',
  flags: {
    'base-url': { describe: 'address of the service', value: 'URL', otherwise: 'BATCH_BASE_URL' },
    'api-key-file': {
      describe: 'file that holds the API key',
      value: 'FILE',
      otherwise: 'BATCH_API_KEY in the environment',
    },
    'request-timeout': { describe: 'total deadline for one API request', value: 'D', otherwise: '60s' },
    'outage-timeout': {
      describe: 'how long submitting waits for a service that is unreachable or too busy',
      value: 'D',
      otherwise: '10m',
    },
  },
};

const maxImageBytes: Flag = {
  describe: 'largest image that is sent; all images of a row may have 2.5 times that',
  value: 'SIZE',
  otherwise: '20MB',
};

const inputGroup: FlagGroup = {
  title: 'Reading the input',
  flags: {
    format: { describe: 'kind of file', value: ['csv', 'jsonl'], otherwise: 'detected, and printed' },
    delimiter: { describe: 'one character, or tab', value: 'C', otherwise: 'detected, and printed' },
    encoding: { describe: 'utf-8, gb18030, ...', value: 'E', otherwise: 'detected, and printed' },
    map: {
      describe: 'which column is which field; FIELD=none for no column',
      value: 'FIELD=COLUMN',
      repeats: true,
    },
    'max-image-bytes': maxImageBytes,
    add: { describe: 'add these rows to those of another file' },
    'rerun-changed': { describe: 'pay again for rows that changed after they were submitted' },
  },
};

/** How the embedded service behaves. */
export const simulatorGroup: FlagGroup = {
  title: 'The embedded service',
  flags: {
    duration: { describe: 'typical length of a task', value: 'D', otherwise: '3s' },
    'fail-rate': { describe: 'share of tasks that fail', value: 'RATE', otherwise: '0' },
    fault: {
      describe: 'share of requests with a fault; `batch simulate --help` lists the names',
      value: 'NAME=RATE',
      repeats: true,
    },
    seed: { describe: 'the same seed, the same run', value: 'N', otherwise: '1' },
  },
};

const rehearsalGroup: FlagGroup = {
  title: 'Rehearsal',
  flags: {
    simulate: { describe: 'use the embedded service in this process: no account, no points' },
    ...simulatorGroup.flags,
  },
};

const speechGroup: FlagGroup = {
  title: 'Output',
  flags: {
    json: { describe: 'print the summary as one JSON object on standard output' },
    quiet: { describe: 'print only warnings and the summary' },
    verbose: { describe: 'print every change of every row' },
    'no-color': { describe: 'no colours' },
  },
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
  { title: fileGroup.title, flags: { out } },
  inputGroup,
  speechGroup,
];

/** Of commands that go on with a run. */
export const goOnGroups: readonly FlagGroup[] = [
  submitGroup,
  waitGroup,
  { title: inputGroup.title, flags: { 'max-image-bytes': maxImageBytes } },
  serviceGroup,
  rehearsalGroup,
  speechGroup,
];

/** Of those that pay for what they go on with. */
export const payOnGroups: readonly FlagGroup[] = [
  { ...submitGroup, flags: { ...submitGroup.flags, ...dryRun } },
  ...goOnGroups.slice(1),
];

/** Of the command that settles rows. */
export const resolveGroups: readonly FlagGroup[] = [serviceGroup];

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

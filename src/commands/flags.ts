/** The flags of the commands, as yargs is told. Their values are validated afterwards, by the schema of `job-file.ts`. */

import type { Options as YargsOptions } from 'yargs';
import type { RawOptions } from '../job-file.ts';

type Flags = Readonly<Record<string, YargsOptions>>;

const text = (describe: string, more: YargsOptions = {}): YargsOptions => ({
  type: 'string',
  describe,
  ...more,
});
const flag = (describe: string, more: YargsOptions = {}): YargsOptions => ({
  type: 'boolean',
  describe,
  ...more,
});

/** Where the service is and how it is asked. */
export const serviceFlags: Flags = {
  'base-url': text('address of the service (or BATCH_BASE_URL)'),
  'api-key-file': text('file that holds the API key (or BATCH_API_KEY in the environment)'),
  simulate: flag('use the embedded service in this process: no account, no points'),
  'request-timeout': text('total deadline of one API request (60s)'),
};

/** How a run is tuned. */
export const runFlags: Flags = {
  concurrency: text('tasks open at the service at once (10)', { alias: 'j' }),
  'poll-interval': text('the shared tick (30s)'),
  quality: text('h, m or l, for rows without a quality of their own (the service: m)'),
  frames: text('progress frames to keep: all, last or none (all)'),
  limit: text('submit at most N more rows now'),
  only: text('submit these rows only: ID,ID'),
  'max-points': text('cap on spent and reserved points'),
  halt: text('stop submitting after 20 rows, or 10%, ended badly'),
  'task-timeout': text('stop waiting for a task after this (6h)'),
  yes: flag('ask no question', { alias: 'y' }),
  listen: text('listen for completion callbacks at HOST:PORT'),
  'public-url': text('address under which the service reaches --listen'),
};

/** How the input is read. */
export const inputFlags: Flags = {
  format: text('csv or jsonl (found out, and said)'),
  delimiter: text('one character, or tab (found out, and said)'),
  encoding: text('utf-8, gb18030, ... (found out, and said)'),
  map: text('FIELD=COLUMN where the header does not say; repeat for more'),
  add: flag('add the rows to those of another file'),
  'rerun-changed': flag('pay again for changed rows that had been submitted'),
};

/** The embedded service, with --simulate. */
export const simulatorFlags: Flags = {
  duration: text('embedded service: typical length of a task (3s)'),
  'fail-rate': text('embedded service: share of tasks that fail (0)'),
  fault: text('embedded service: NAME=RATE; repeat for more (names: batch simulate --help)'),
  seed: text('embedded service: the same seed, the same run (1)'),
};

/** How the program speaks. */
export const speechFlags: Flags = {
  json: flag('print one JSON object, the summary, on standard output'),
  quiet: flag('print warnings and the end only'),
  verbose: flag('print every change of a row'),
  'no-color': flag('no colours'),
};

/** The parsed flags of a command without what yargs adds: aliases, positionals, the command itself. */
export function givenOptions(
  argv: Readonly<Record<string, unknown>>,
  ...groups: readonly Flags[]
): RawOptions {
  const names = groups.flatMap((group) => Object.keys(group));
  return Object.fromEntries(names.map((name) => [name, argv[name]]));
}

/** Flags that are there or not, and take no value. */
export const switchNames: ReadonlySet<string> = new Set([
  ...['dry-run', 'fix', 'failed', 'rejected', 'lost', 'not-created'],
  ...[serviceFlags, runFlags, inputFlags, speechFlags].flatMap((group) =>
    Object.keys(group).filter((name) => group[name]?.type === 'boolean'),
  ),
]);

/** Every flag's name, for guessing at mistyped ones. */
export const flagNames: readonly string[] = [
  ...[
    'out',
    'job',
    'dry-run',
    'fix',
    'failed',
    'rejected',
    'lost',
    'task-id',
    'not-created',
    'port',
    'api-key',
  ],
  ...[serviceFlags, runFlags, inputFlags, simulatorFlags, speechFlags].flatMap((group) => Object.keys(group)),
];

/** The flags of commands that work on a run, in the groups of their help. */

import { placeGroup, serviceGroup, speechGroup } from './common-flags.ts';
import { type FlagGroup, flagsFor, without } from './flag.ts';

const submitGroup: FlagGroup = {
  title: 'What to submit',
  flags: flagsFor('limit', 'only', 'maxPoints', 'halt', 'quality', 'odd', 'yes', 'moved'),
};

/** For commands that submit rows for the first time. */
const firstSubmitGroup: FlagGroup = {
  title: submitGroup.title,
  flags: { ...flagsFor('sample', 'reuse'), ...submitGroup.flags },
};

const waitGroup: FlagGroup = {
  title: 'Pace and files',
  flags: flagsFor('concurrency', 'pollInterval', 'taskTimeout', 'frames', 'listen', 'publicUrl'),
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
    'reuse',
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
    { title: placeGroup.title, flags: { ...placeGroup.flags, ...flagsFor('detach') } },
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

/** For commands that continue a run. */
export const goOnGroups: readonly FlagGroup[] = [
  // Of these commands none submits.
  {
    title: 'Rows and terms',
    flags: {
      ...submitGroup.flags,
      limit: {
        describe: 'for commands that submit, which this is not; none removes a limit that was tuned',
        value: 'N|none',
      },
    },
  },
  waitGroup,
  { title: inputGroup.title, flags: flagsFor('maxImageBytes') },
  serviceGroup,
  rehearsalGroup,
  placeGroup,
  hookGroup,
  workGroup,
];

/** For those of them that pay for rows. */
export const payOnGroups: readonly FlagGroup[] = [
  { ...firstSubmitGroup, flags: { ...firstSubmitGroup.flags, ...flagsFor('dryRun') } },
  ...goOnGroups.slice(1),
];

/** A worker may say only what is its own. */
export const workerGroups: readonly FlagGroup[] = [
  {
    title: placeGroup.title,
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
    good: { describe: 'rows marked good: one attempt in --quality each, once' },
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

/** Exit codes that several commands share, and their meanings. */

import type { Command } from './command.ts';

type ExitCodes = Command['exitCodes'];

/** For all commands with arguments. */
export const wrongUse = ['2', 'wrong use or unreadable input; nothing was sent'] as const;
/** For commands that read or write a run and end well or not at all. */
export const refused = ['4', 'the disk refused a write, or the store does not answer'] as const;
/** For commands that work in the folder. */
export const held = ['6', 'another process holds the folder'] as const;
/** For every command. */
export const bug = ['70', 'a bug in batch'] as const;

/** For a run, and for the program as a whole. */
export const runExitCodes: ExitCodes = [
  ['0', 'every row has its video'],
  ['1', 'finished, but some rows have none (failed, rejected, undelivered, lost or invalid)'],
  wrongUse,
  ['3', 'the service refused the key'],
  [
    '4',
    'stopped with work left (points cap, --halt, --limit, --sample, --only, service out of reach, disk full)',
  ],
  ['5', 'uncertain rows wait for `batch resolve`'],
  held,
  bug,
  ['130, 143', 'interrupted (SIGINT, SIGTERM or `batch stop`); the same command resumes'],
];

/** For commands that only read. */
export const lookExitCodes: ExitCodes = [
  ['0', 'shown'],
  ['2', 'wrong use, or there is no run in DIR'],
  refused,
  bug,
];

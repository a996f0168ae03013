/** Exit codes of more than one command, and what each means. */

import type { Command } from './command.ts';

type ExitCodes = Command['exitCodes'];

/** Of all that read what was typed. */
export const wrongUse = ['2', 'wrong use or unreadable input; nothing was sent'] as const;
/** Of commands that work in the folder. */
export const held = ['6', 'another process holds the folder'] as const;
/** Of every command. */
export const bug = ['70', 'a bug in batch'] as const;

/** Exit codes of a run, and so of the program. */
export const runExitCodes: ExitCodes = [
  ['0', 'every row has its video'],
  ['1', 'finished; some rows are failed, rejected, undelivered, lost or invalid'],
  wrongUse,
  ['3', 'the service refused the key'],
  ['4', 'stopped with work left: points cap, --halt, --limit, --only, service out of reach, disk full'],
  ['5', 'uncertain rows wait for `batch resolve`'],
  held,
  bug,
  ['130, 143', 'interrupted by SIGINT, SIGTERM; the same command resumes'],
];

/** Of commands that only look. */
export const lookExitCodes: ExitCodes = [['0', 'shown'], ['2', 'wrong use, or there is no run in DIR'], bug];

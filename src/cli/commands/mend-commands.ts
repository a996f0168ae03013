/** Commands for rows that ended badly, and files that are not as they should be. */

import type { Command } from '../command.ts';
import { bug, held, refused, runExitCodes } from '../exit-codes.ts';
import { lookGroups } from '../flags/common-flags.ts';
import { goOnGroups, retryGroups } from '../flags/run-flags.ts';
import { resolveGroups } from '../flags/step-flags.ts';
import { dir, dirAndRow } from './arguments.ts';

export const retry: Command = {
  name: 'retry',
  synopsis: '[DIR] (--failed|--rejected|--lost|--only IDS|--marked|--good)',
  summary: 'make a new, paid attempt for rows that ended badly; continues like resume',
  argument: dir,
  groups: retryGroups,
  begins: true,
  examples: [
    ['retry --failed', 'all rows that failed'],
    ['retry --only q-7,q-9', 'these two, whatever their status'],
    ['retry --lost --dry-run', 'show which rows, and what they may cost; send nothing'],
    ['retry --only @marks.csv', 'rows marked as bad on the page, from the exported marks'],
    ['retry --marked', 'the same, from the marks that `batch view --review` has saved'],
    ['retry --good --quality h', 'finals of the good drafts'],
  ],
  // Not "the same command resumes": it would order rows again that have ended meanwhile.
  exitCodes: [
    ...runExitCodes.slice(0, -1),
    ['130, 143', 'interrupted (SIGINT, SIGTERM or `batch stop`); `batch resume` continues'],
  ],
  load: () => import('../../features/retry/retry-command.ts'),
};

export const resolve: Command = {
  name: 'resolve',
  synopsis: '[DIR] (ID (--task-id T | --not-created) | --from FILE | --list [--to FILE])',
  summary: 'settle uncertain or lost rows: adopt tasks, or return to pending',
  argument: dirAndRow,
  groups: [
    {
      title: 'What you found',
      flags: {
        'task-id': { describe: 'id of the task you found at the service', value: 'T' },
        'not-created': { describe: 'the service has no task for this row' },
        from: {
          describe:
            'all uncertain rows in FILE, a CSV file with the columns id and task_id; - for standard input',
          value: 'FILE',
        },
        list: { describe: 'print the uncertain rows as such a file, to be filled in' },
        to: { describe: 'with --list: write it to FILE, for spreadsheets on Windows too', value: 'FILE' },
        'accept-store': { describe: 'with --store: it is an older copy, and what it forgot is settled' },
      },
    },
    ...resolveGroups,
  ],
  examples: [
    ['resolve q-0017 --task-id 6f1c...', 'your account shows the task'],
    ['resolve q-0017 --not-created', 'it shows none; the next run sends the row again and pays for it'],
    ['resolve --list --to uncertain.csv', 'all uncertain rows, and when their tasks would have been created'],
    [
      'resolve --from uncertain.csv',
      'with task_id filled in: a task, not-created, or nothing to leave the row',
    ],
    ['resolve ./videos --not-created -- -7', 'an id that starts with - comes last, after --'],
  ],
  exitCodes: [
    ['0', 'settled, or listed'],
    [
      '2',
      'wrong use, a row that is neither uncertain nor lost, a task the service does not know, or a row whose task may still appear, without --yes; nothing was changed',
    ],
    refused,
    ['5', 'settled but for rows about whose tasks the service did not answer; the same command asks again'],
    held,
    bug,
  ],
  load: () => import('../../features/resolve/resolve-command.ts'),
};

export const verify: Command = {
  name: 'verify',
  synopsis: '[DIR] [--fix|--deep]',
  summary:
    'compare the files with the checkpoint; --fix downloads damaged ones again, --deep looks into the videos',
  argument: dir,
  groups: [
    {
      title: 'What to do',
      flags: {
        fix: { describe: 'download damaged or missing files again, free of charge' },
        deep: { describe: 'look into each video once, and name those worth a look' },
      },
    },
    ...goOnGroups,
  ],
  examples: [
    ['verify --fix', 'after a disk failure, or a deleted file'],
    ['verify --deep', 'which videos to look at first'],
  ],
  exitCodes: [
    ['0', 'every file is whole, whatever --deep names'],
    ['1', 'some files are damaged or missing'],
    ['2', 'wrong use, or there is no run in DIR'],
    ['3', 'the service refused the key'],
    refused,
    held,
    bug,
    ['130, 143', 'interrupted by SIGINT, SIGTERM'],
  ],
  load: () => import('../../features/verify/verify-command.ts'),
};

export const prefer: Command = {
  name: 'prefer',
  synopsis: '[DIR] (ID (--attempt N | --latest) | --from FILE)',
  summary: 'choose which attempt has the video of a row',
  argument: dirAndRow,
  groups: [
    {
      title: 'Which video',
      flags: {
        attempt: { describe: 'the one of this attempt, from 1; later attempts change nothing', value: 'N' },
        latest: { describe: 'the latest one, as without a choice' },
        from: { describe: 'of all rows in FILE, a CSV file with the columns id and prefer', value: 'FILE' },
      },
    },
    ...lookGroups,
  ],
  examples: [
    ['prefer q-0017 --attempt 1', 'the first attempt was better; the other video stays on the disk'],
    ['prefer --from marks.csv', 'as chosen on the page, from the exported marks'],
  ],
  exitCodes: [
    ['0', 'saved with the run'],
    ['2', 'wrong use, there is no run in DIR, or no such row or video; nothing was changed'],
    refused,
    bug,
  ],
  load: () => import('../../features/review/prefer-command.ts'),
};

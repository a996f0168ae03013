/** The commands for what reviewers decide. */

import type { Command } from '../../cli/command.ts';
import { bug } from '../../cli/exit-codes.ts';
import { lookGroups } from '../../cli/flags.ts';

export const prefer: Command = {
  name: 'prefer',
  synopsis: '[DIR] (ID (--attempt N | --latest) | --from FILE)',
  summary: 'choose which attempt has the video of a row',
  argument: {
    name: 'words',
    describe: 'output folder (default: ./videos) and id of the row',
    isList: true,
    value: 'DIR',
  },
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
    ['4', 'the disk refused a write, or the store does not answer'],
    bug,
  ],
  load: () => import('./prefer-command.ts'),
};

export const marks: Command = {
  name: 'marks',
  synopsis: 'merge FILE... | export [DIR]',
  summary: 'merge the marks of several reviewers, or export those saved with a run',
  argument: {
    name: 'words',
    describe: 'CSV files of marks, or output folder (default: ./videos)',
    isNeeded: true,
    isList: true,
    value: 'FILE',
  },
  groups: [
    {
      title: 'Where to',
      flags: { to: { describe: 'write the table there', value: 'FILE', otherwise: 'standard output' } },
    },
    ...lookGroups,
  ],
  examples: [
    [
      'marks merge anna.csv ben.csv --to marks.csv',
      'one table; where they contradict each other, you decide',
    ],
    ['marks export --to marks.csv', 'the marks that `batch view --review` has saved'],
  ],
  exitCodes: [
    ['0', 'written'],
    ['1', 'written, and reviewers contradict each other'],
    ['2', 'wrong use, a file that is no table of marks, or there is no run in DIR'],
    ['4', 'the disk refused a write'],
    bug,
  ],
  load: () => import('./marks-command.ts'),
};

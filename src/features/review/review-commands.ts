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

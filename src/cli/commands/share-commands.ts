/** Commands that take videos, or a whole run, somewhere else. */

import type { Command } from '../command.ts';
import { bug, held } from '../exit-codes.ts';
import { exportGroups, moveGroups } from '../flags/step-flags.ts';
import { dir } from './arguments.ts';

export const exportVideos: Command = {
  name: 'export',
  synopsis: '[DIR] --to OUT',
  summary: 'put the videos into a folder, under names of your choice; with a manifest',
  argument: dir,
  groups: exportGroups,
  examples: [
    ['export --to course', 'all completed videos, as ID.mp4'],
    ['export --to course --name "{chapter}/{id} {title}"', 'in a folder for each chapter'],
    ['export --to course --only good', 'those marked as good in `batch view --review`'],
    ['export --to course --only @marks.csv', 'those marked as good in a file of marks'],
    ['export --to course --page --chapters chapter', 'with a page for pupils, in chapters'],
    ['export --to course --delete', 'again: adds what is new, and removes what no longer belongs there'],
  ],
  exitCodes: [
    ['0', 'exported'],
    ['1', 'exported, but for rows without a video and files that are in the way of others'],
    ['2', 'wrong use, or there is no run in DIR'],
    ['4', 'the disk refused a write, or the store or bucket does not answer; the same command goes on'],
    ['6', 'another export writes there'],
    bug,
  ],
  load: () => import('../../features/export/export-command.ts'),
};

export const move: Command = {
  name: 'move',
  synopsis: 'DIR --store URL --run NAME [--out DIR]',
  summary: 'take the run in DIR to several machines',
  argument: {
    name: 'dir',
    describe: 'output folder to move into the store',
    value: 'DIR',
  },
  groups: moveGroups,
  examples: [
    [
      'move ./videos --store postgres://db/batch --run algebra',
      'rows, attempts and files; the folder stays as it is',
    ],
  ],
  exitCodes: [
    ['0', 'moved'],
    ['2', 'wrong use, other processes work on the run, or another run is there'],
    ['4', 'the store does not answer, or the disk or bucket refused a write; the same command goes on'],
    held,
    bug,
  ],
  load: () => import('../../features/move/move-command.ts'),
};

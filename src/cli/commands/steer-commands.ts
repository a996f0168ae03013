/** Commands that change what a run does while it goes. */

import type { Command } from '../command.ts';
import { bug, refused } from '../exit-codes.ts';
import { lookGroups } from '../flags/common-flags.ts';
import { pauseGroups, stopGroups, tuneGroups } from '../flags/step-flags.ts';
import { dir } from './arguments.ts';

const steerExitCodes: Command['exitCodes'] = [
  ['0', 'saved with the run'],
  ['2', 'wrong use, or there is no run in DIR'],
  refused,
  bug,
];

export const tune: Command = {
  name: 'tune',
  synopsis: '[DIR] [--concurrency N] [--max-points N] [--limit N] [--poll-interval D]',
  summary: 'change a run while it goes, within two seconds; saved for later runs',
  argument: dir,
  groups: tuneGroups,
  examples: [
    ['tune -j 30 --max-points 9000', 'more at once, with a larger budget'],
    ['tune --max-points none', 'without a cap'],
    ['tune --run algebra --limit 100', 'a shared run: 100 more rows, all workers together'],
  ],
  exitCodes: steerExitCodes,
  load: () => import('../../features/steering/tune-command.ts'),
};

export const pause: Command = {
  name: 'pause',
  synopsis: '[DIR] [--for D | --until HH:MM]',
  summary: 'submit nothing for a while; polls and downloads go on',
  argument: dir,
  groups: pauseGroups,
  examples: [
    ['pause', 'until `batch continue`'],
    ['pause --until 22:00', 'the run waits, and goes on by itself'],
  ],
  exitCodes: steerExitCodes,
  load: async () => ({ handle: (await import('../../features/steering/pause-command.ts')).handlePause }),
};

export const goOn: Command = {
  name: 'continue',
  synopsis: '[DIR]',
  summary: 'end the pause of a run',
  argument: dir,
  groups: lookGroups,
  examples: [['continue', 'the run in ./videos submits again']],
  exitCodes: steerExitCodes,
  load: async () => ({ handle: (await import('../../features/steering/pause-command.ts')).handleContinue }),
};

export const stop: Command = {
  name: 'stop',
  synopsis: '[DIR] [--now] [--worker NAME]',
  summary: 'end the run that goes, as Ctrl-C does, from anywhere; then show where it stands',
  argument: dir,
  groups: stopGroups,
  examples: [
    ['stop', 'waits for creations on their way, and until the run in ./videos has ended'],
    ['stop videos/algebra --now', 'as a second Ctrl-C'],
    ['stop --run algebra', 'all workers of a shared run'],
    ['stop --run algebra --worker render-3-4711-0f9c2a', 'only this one; the others take over its rows'],
  ],
  exitCodes: [
    ['0', 'what worked on the run has ended, or nothing did'],
    ['2', 'wrong use, or there is no run in DIR'],
    refused,
    bug,
  ],
  load: () => import('../../features/steering/stop-command.ts'),
};

/** Commands that make videos, and what is done before the first one. */

import type { Command } from '../command.ts';
import { bug, runExitCodes, wrongUse } from '../exit-codes.ts';
import {
  checkGroups,
  goOnGroups,
  payOnGroups,
  runGroups,
  simulatorGroup,
  workerGroups,
} from '../flags/run-flags.ts';
import { dir, file } from './arguments.ts';

export const check: Command = {
  name: 'check',
  synopsis: 'FILE [--out DIR] [--online]',
  summary: 'validate FILE and show the plan; --online asks whether the account is right',
  argument: file,
  groups: checkGroups,
  examples: [
    ['check questions.csv', 'every problem with its line, and the plan'],
    ['check questions.csv --map question=Aufgabe', 'with a column whose header is not recognized'],
    ['check --online', 'without a file: are address and key right? One free question'],
  ],
  exitCodes: [
    ['0', 'every row can be sent; with --online, address and key are right'],
    ['1', 'some rows cannot be sent, or it is not sure that the service answered'],
    ['2', 'wrong use, unreadable input, DIR holds another run, or the address is not the service'],
    ['3', 'the service refused the key'],
    ['4', 'the service cannot be reached'],
    bug,
  ],
  load: () => import('../../features/check/check-command.ts'),
};

export const run: Command = {
  name: 'run',
  synopsis: 'FILE [--out DIR]',
  summary: 'make a video of every question in FILE; the same command resumes',
  argument: file,
  groups: runGroups,
  begins: true,
  examples: [
    ['run questions.csv --sample 20', 'a pilot: what does a video cost?'],
    ['run questions.csv --max-points 5000', 'the rest, within a budget'],
    ['run questions.csv --simulate --out videos/rehearsal', 'a rehearsal: no account, no points'],
    ['run --job jobs/rehearsal.json', 'with the options of a job file'],
  ],
  exitCodes: runExitCodes,
  load: () => import('../../features/run/run-command.ts'),
};

export const resume: Command = {
  name: 'resume',
  synopsis: '[DIR]',
  summary: 'continue from the checkpoint alone, with the options of the run',
  argument: dir,
  groups: payOnGroups,
  begins: true,
  examples: [
    ['resume', 'continue the run in ./videos'],
    ['resume videos/algebra --max-points 8000', 'with a larger budget; saved for later runs'],
  ],
  exitCodes: runExitCodes,
  load: async () => ({ handle: (await import('../../features/run/resume-command.ts')).handleResume }),
};

export const collect: Command = {
  name: 'collect',
  synopsis: '[DIR]',
  summary: 'poll and download what is already paid for, submit nothing',
  argument: dir,
  groups: goOnGroups,
  begins: true,
  examples: [
    ['collect', 'fetch what the service has made since'],
    [
      'collect --on-row ./upload.sh',
      'also make the calls that failed or were never made, as `status` lists them',
    ],
  ],
  exitCodes: runExitCodes,
  load: async () => ({ handle: (await import('../../features/run/resume-command.ts')).handleCollect }),
};

export const worker: Command = {
  name: 'worker',
  synopsis: '--store URL --run NAME',
  summary: 'work on a run that several machines share',
  groups: workerGroups,
  examples: [
    ['worker --store postgres://db/batch --run algebra', 'one of any number of workers'],
    ['worker --run algebra --drain', 'with BATCH_STORE set; ends when nothing is left'],
  ],
  exitCodes: runExitCodes,
  load: () => import('../../features/fleet/worker-command.ts'),
};

export const simulate: Command = {
  name: 'simulate',
  synopsis: '[--port N]',
  summary: 'run the embedded service on loopback: no account, no points',
  groups: [
    {
      title: 'Address',
      flags: {
        port: { describe: 'port on 127.0.0.1; 0 picks a free one', value: 'N', otherwise: '4010' },
        'api-key': { describe: 'the only key it accepts', value: 'KEY', otherwise: 'simulated-key' },
      },
    },
    simulatorGroup,
  ],
  examples: [['simulate --fail-rate 2% --fault reset-after=5%', 'a service with bad days']],
  exitCodes: [['0', 'interrupted'], wrongUse, bug],
  appendix: async () => {
    const { faultMeaning, faultNames } = await import('../../service/simulator/faults.ts');
    return { title: 'Faults', rows: faultNames.map((name) => [name, faultMeaning[name]] as const) };
  },
  load: () => import('../simulate.ts'),
};

/** Commands that show something and change nothing of the run. */

import type { Command } from '../command.ts';
import { bug, lookExitCodes, refused } from '../exit-codes.ts';
import { lookGroups } from '../flags/common-flags.ts';
import type { Flag } from '../flags/flag.ts';
import { auditGroups, doctorGroups, linksGroups, reportGroups } from '../flags/step-flags.ts';
import { dir, statementAndDirs } from './arguments.ts';

const confidence: Flag = {
  describe: 'how sure to be of what a sample of watched rows says, 50% to 99.9%',
  value: 'P',
  otherwise: '95%',
};

export const doctor: Command = {
  name: 'doctor',
  synopsis: '[DIR] [--json]',
  summary: 'list what a run needs, and what to do about what is missing; changes nothing',
  argument: dir,
  groups: doctorGroups,
  examples: [
    ['doctor', 'before the first run: folder, address, key, clock and programs'],
    ['doctor videos/algebra --json', 'of another folder, for a script or a report of a fault'],
  ],
  exitCodes: [['0', 'nothing is missing that a run needs'], ['1', 'something is'], ['2', 'wrong use'], bug],
  load: () => import('../../features/doctor/doctor-command.ts'),
};

export const status: Command = {
  name: 'status',
  synopsis: '[DIR] [--json]',
  summary: 'show where the run stands, also while it is going; --decisions: who decided about money',
  argument: dir,
  groups: [
    {
      title: 'Output',
      flags: {
        decisions: { describe: 'who decided what about money, when, and by which command' },
        confidence,
        json: { describe: 'one JSON object' },
      },
    },
    ...lookGroups,
  ],
  examples: [
    ['status --json', 'for a script'],
    ['status --decisions', 'who paid for rows again, and who changed the cap'],
  ],
  exitCodes: lookExitCodes,
  load: () => import('../../features/view/status-command.ts'),
};

export const view: Command = {
  name: 'view',
  synopsis: '[DIR]',
  summary: 'show the run as a page, also while it is going; --open opens it in your browser',
  argument: dir,
  groups: [
    {
      title: 'The page',
      flags: {
        port: {
          describe: 'port on 127.0.0.1; 0 picks a free one',
          value: 'N',
          otherwise: 'depends on the folder',
        },
        open: { describe: 'open the page in the browser' },
        review: { describe: 'save the marks made on the page with the run' },
        reviewer: {
          describe: 'the name they are saved under; implies --review',
          value: 'NAME',
          otherwise: 'your name on this machine',
        },
        confidence,
        json: { describe: 'print {"url":...} on standard output' },
      },
    },
    ...lookGroups,
  ],
  examples: [
    ['view --open', 'the page of ./videos, live, in your browser'],
    ['view --reviewer Anna', 'marks are saved with the run, and everybody sees them'],
  ],
  exitCodes: lookExitCodes,
  load: () => import('../../features/view/view-command.ts'),
};

export const report: Command = {
  name: 'report',
  synopsis: '[DIR]',
  summary: 'rebuild the reports from the checkpoint',
  argument: dir,
  groups: [
    {
      title: 'Where to',
      flags: { to: { describe: 'write them into DIR, with links that work from there', value: 'DIR' } },
    },
    ...reportGroups,
  ],
  examples: [['report', 'reports as of now, while a run is going']],
  exitCodes: [['0', 'written'], ['2', 'wrong use, or there is no run in DIR'], refused, bug],
  load: () => import('../../features/report/report-command.ts'),
};

export const links: Command = {
  name: 'links',
  synopsis: '[DIR] --only IDS',
  summary: 'print fresh links of the files of these rows, free of charge; changes nothing',
  argument: dir,
  groups: linksGroups,
  examples: [
    ['links --only q-17', 'a video that batch could not fetch: open its link in a browser'],
    ['links --only q-17,q-18 --json', 'for a script'],
  ],
  exitCodes: [
    ['0', 'every row has a link to its video'],
    ['1', 'some rows have none'],
    ['2', 'wrong use, or there is no run in DIR'],
    ['3', 'the service refused the key'],
    ['4', 'the service did not answer'],
    bug,
  ],
  load: () => import('../../features/links/links-command.ts'),
};

export const audit: Command = {
  name: 'audit',
  synopsis: 'STATEMENT [DIR...] [--by COLUMN] [--to FILE] [--json]',
  summary: 'compare the statement of the account with the run, task by task; changes nothing',
  argument: statementAndDirs,
  groups: [
    {
      title: 'What to compare',
      flags: {
        map: {
          describe: 'a column of the statement, as task_id, amount, time, question or kind',
          value: 'FIELD=COLUMN',
          otherwise: 'found by their names',
          repeats: true,
        },
        zone: {
          describe: 'the zone of its times that name none: UTC, or hours such as +08:00',
          value: 'ZONE',
          otherwise: 'that of this machine',
        },
        decimals: {
          describe: 'what its amounts have before the decimals, where that is not sure',
          value: ['point', 'comma'],
        },
        by: { describe: 'also sum by this column of the input', value: 'COLUMN' },
        to: {
          describe: 'write the tasks that may be those of uncertain rows to FILE, for `resolve --from`',
          value: 'FILE',
        },
      },
    },
    ...auditGroups,
  ],
  examples: [
    ['audit statement.csv', 'against the run in ./videos'],
    ['audit statement.xlsx algebra geometry --by chapter', 'against two runs, with the sums of each chapter'],
    ['audit statement.csv --map amount=Credits', 'with a column whose name is not recognized'],
    ['audit statement.csv --to found.csv', 'and propose tasks for uncertain rows'],
  ],
  exitCodes: [
    ['0', 'something matched, and no difference is left'],
    ['1', 'there are differences, or nothing matched'],
    ['2', 'wrong use, a statement that cannot be read, or there is no run in DIR'],
    refused,
    bug,
  ],
  load: () => import('../../features/audit/audit-command.ts'),
};

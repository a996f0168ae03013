/**
 * Every command, by purpose. The parser, the help, shell completion and `docs/options.md` are derived from this list; the
 * code of a command is loaded when it runs.
 */

import { prefer } from '../features/review/review-commands.ts';
import type { Argument, Chapter, Command } from './command.ts';
import { bug, held, lookExitCodes, runExitCodes, wrongUse } from './exit-codes.ts';
import {
  checkGroups,
  doctorGroups,
  exportGroups,
  goOnGroups,
  linksGroups,
  lookGroups,
  moveGroups,
  pauseGroups,
  payOnGroups,
  reportGroups,
  resolveGroups,
  retryGroups,
  runGroups,
  simulatorGroup,
  stopGroups,
  tuneGroups,
  workerGroups,
} from './flags.ts';

const dir: Argument = {
  name: 'dir',
  describe: 'output folder of the run',
  otherwise: './videos',
  value: 'DIR',
};
const file: Argument = {
  name: 'file',
  describe: 'Excel, CSV or JSONL file, or - for standard input',
  value: 'FILE',
};

const run: Command = {
  name: 'run',
  synopsis: 'FILE [--out DIR]',
  summary: 'make a video of every question in FILE; the same command resumes',
  argument: file,
  groups: runGroups,
  examples: [
    ['run questions.csv --sample 20', 'a pilot: what does a video cost?'],
    ['run questions.csv --max-points 5000', 'the rest, within a budget'],
    ['run questions.csv --simulate --out videos/rehearsal', 'a rehearsal: no account, no points'],
    ['run --job jobs/rehearsal.json', 'with the options of a job file'],
  ],
  exitCodes: runExitCodes,
  load: () => import('../features/run/run-command.ts'),
};

const resume: Command = {
  name: 'resume',
  synopsis: '[DIR]',
  summary: 'continue from the checkpoint alone, with the options of the run',
  argument: dir,
  groups: payOnGroups,
  examples: [
    ['resume', 'continue the run in ./videos'],
    ['resume videos/algebra --max-points 8000', 'with a larger budget; saved for later runs'],
  ],
  exitCodes: runExitCodes,
  load: async () => ({ handle: (await import('../features/run/resume-command.ts')).handleResume }),
};

const collect: Command = {
  name: 'collect',
  synopsis: '[DIR]',
  summary: 'poll and download what is already paid for, submit nothing',
  argument: dir,
  groups: goOnGroups,
  examples: [
    ['collect', 'fetch what the service has made since'],
    [
      'collect --on-row ./upload.sh',
      'also make the calls that failed or were never made, as `status` lists them',
    ],
  ],
  exitCodes: runExitCodes,
  load: async () => ({ handle: (await import('../features/run/resume-command.ts')).handleCollect }),
};

const worker: Command = {
  name: 'worker',
  synopsis: '--store URL --run NAME',
  summary: 'work on a run that several machines share',
  groups: workerGroups,
  examples: [
    ['worker --store postgres://db/batch --run algebra', 'one of any number of workers'],
    ['worker --run algebra --drain', 'with BATCH_STORE set; ends when nothing is left'],
  ],
  exitCodes: runExitCodes,
  load: () => import('../features/fleet/worker-command.ts'),
};

const check: Command = {
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
  load: () => import('../features/check/check-command.ts'),
};

const doctor: Command = {
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
  load: () => import('../features/doctor/doctor-command.ts'),
};

const status: Command = {
  name: 'status',
  synopsis: '[DIR] [--json]',
  summary: 'show where the run stands, also while it is going',
  argument: dir,
  groups: [{ title: 'Output', flags: { json: { describe: 'one JSON object' } } }, ...lookGroups],
  examples: [['status --json', 'for a script']],
  exitCodes: lookExitCodes,
  load: () => import('../features/view/status-command.ts'),
};

const view: Command = {
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
  load: () => import('../features/view/view-command.ts'),
};

const report: Command = {
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
  exitCodes: [
    ['0', 'written'],
    ['2', 'wrong use, or there is no run in DIR'],
    ['4', 'the disk refused a write'],
    bug,
  ],
  load: () => import('../features/report/report-command.ts'),
};

const exportVideos: Command = {
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
  load: () => import('../features/export/export-command.ts'),
};

const steerExitCodes: Command['exitCodes'] = [
  ['0', 'saved with the run'],
  ['2', 'wrong use, or there is no run in DIR'],
  ['4', 'the disk refused a write, or the store does not answer'],
  bug,
];

const tune: Command = {
  name: 'tune',
  synopsis: '[DIR] [--concurrency N] [--max-points N] [--limit N] [--poll-interval D]',
  summary: 'change a run while it goes, within two seconds; saved for later runs',
  argument: dir,
  groups: tuneGroups,
  examples: [
    ['tune -j 30 --max-points 9000', 'more at once, with a larger budget'],
    ['tune --max-points none', 'without a cap'],
    ['tune --run algebra --limit 100', 'a run on several machines: 100 more rows, all workers together'],
  ],
  exitCodes: steerExitCodes,
  load: () => import('../features/steering/tune-command.ts'),
};

const pause: Command = {
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
  load: async () => ({ handle: (await import('../features/steering/pause-command.ts')).handlePause }),
};

const goOn: Command = {
  name: 'continue',
  synopsis: '[DIR]',
  summary: 'end the pause of a run',
  argument: dir,
  groups: lookGroups,
  examples: [['continue', 'the run in ./videos submits again']],
  exitCodes: steerExitCodes,
  load: async () => ({ handle: (await import('../features/steering/pause-command.ts')).handleContinue }),
};

const stop: Command = {
  name: 'stop',
  synopsis: '[DIR] [--now] [--worker NAME]',
  summary: 'end the run that goes, as Ctrl-C does, from anywhere; then show where it stands',
  argument: dir,
  groups: stopGroups,
  examples: [
    ['stop', 'waits for creations on their way, and until the run in ./videos has ended'],
    ['stop videos/algebra --now', 'as a second Ctrl-C'],
    ['stop --run algebra', 'all workers of a run on several machines'],
    ['stop --run algebra --worker render-3-4711-0f9c2a', 'only this one; the others take over its rows'],
  ],
  exitCodes: [
    ['0', 'what worked on the run has ended, or nothing did'],
    ['2', 'wrong use, or there is no run in DIR'],
    ['4', 'the disk refused a write, or the store does not answer'],
    bug,
  ],
  load: () => import('../features/steering/stop-command.ts'),
};

const retry: Command = {
  name: 'retry',
  synopsis: '[DIR] (--failed | --rejected | --lost | --only IDS | --marked) [--failure TEXT] [--gone]',
  summary: 'make a new, paid attempt for rows that ended badly; continues like resume',
  argument: dir,
  groups: retryGroups,
  examples: [
    ['retry --failed', 'all rows that failed'],
    ['retry --only q-7,q-9', 'these two, whatever their status'],
    ['retry --lost --dry-run', 'show which rows, and what they may cost; send nothing'],
    ['retry --only @marks.csv', 'rows marked as bad on the page, from the exported marks'],
    ['retry --marked', 'the same, from the marks that `batch view --review` has saved'],
  ],
  // Not "the same command resumes": it would order rows again that have ended meanwhile.
  exitCodes: [
    ...runExitCodes.slice(0, -1),
    ['130, 143', 'interrupted (SIGINT, SIGTERM or `batch stop`); `batch resume` continues'],
  ],
  load: () => import('../features/retry/retry-command.ts'),
};

const resolve: Command = {
  name: 'resolve',
  synopsis: '[DIR] (ID (--task-id T | --not-created) | --from FILE | --list [--to FILE])',
  summary: 'settle uncertain or lost rows: adopt tasks, or return to pending',
  argument: {
    name: 'words',
    describe: 'output folder (default: ./videos) and id of the row',
    isList: true,
    value: 'DIR',
  },
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
    held,
    bug,
  ],
  load: () => import('../features/resolve/resolve-command.ts'),
};

const links: Command = {
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
  load: () => import('../features/links/links-command.ts'),
};

const verify: Command = {
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
    held,
    bug,
    ['130, 143', 'interrupted by SIGINT, SIGTERM'],
  ],
  load: () => import('../features/verify/verify-command.ts'),
};

const move: Command = {
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
  load: () => import('../features/move/move-command.ts'),
};

const simulate: Command = {
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
    const { faultMeaning, faultNames } = await import('../service/simulator/faults.ts');
    return { title: 'Faults', rows: faultNames.map((name) => [name, faultMeaning[name]] as const) };
  },
  load: () => import('./simulate.ts'),
};

const completion: Command = {
  name: 'completion',
  synopsis: '(bash | zsh | fish)',
  summary: 'print a script that completes commands and options in your shell',
  argument: {
    name: 'shell',
    describe: 'your shell',
    isNeeded: true,
    value: ['bash', 'zsh', 'fish'],
  },
  groups: [],
  examples: [
    [
      'completion bash > ~/.local/share/bash-completion/completions/batch',
      'for bash, from the next session on',
    ],
    [
      'completion zsh > ~/.zfunc/_batch',
      'for zsh; ~/.zshrc has: fpath+=~/.zfunc; autoload -U compinit; compinit',
    ],
    ['completion fish > ~/.config/fish/completions/batch.fish', 'for fish'],
  ],
  exitCodes: [['0', 'printed'], ['2', 'wrong use'], bug],
  load: async () => (await import('./completion.ts')).completionOf(commands),
};

/** The commands in the order of the help. */
export const chapters: readonly Chapter[] = [
  {
    title: 'Every day',
    commands: [check, doctor, run, status, view, resume, collect, retry, resolve, exportVideos],
  },
  {
    title: 'More',
    commands: [tune, pause, goOn, stop, report, verify, links, prefer, worker, move, simulate, completion],
  },
];

/** All commands. */
export const commands: readonly Command[] = chapters.flatMap((chapter) => chapter.commands);

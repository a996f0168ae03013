/**
 * Every command, by purpose. The parser, the help, the completion of shells and `docs/options.md` are made from this list; the
 * work of a command is loaded when it is called.
 */

import type { Argument, Chapter, Command } from './command.ts';
import {
  checkGroups,
  type FlagGroup,
  goOnGroups,
  payOnGroups,
  resolveGroups,
  runGroups,
  simulatorGroup,
} from './flags.ts';

const dir: Argument = {
  name: 'dir',
  describe: 'output folder of the run',
  otherwise: './videos',
  value: 'DIR',
};
const file: Argument = {
  name: 'file',
  describe: 'CSV or JSONL file, or - for standard input',
  value: 'FILE',
};

const wrongUse = ['2', 'wrong use or unreadable input; nothing was sent'] as const;
const held = ['6', 'another process holds the folder'] as const;
const bug = ['70', 'a bug in batch'] as const;

/** Exit codes of a run, and so of the program. */
export const runExitCodes: Command['exitCodes'] = [
  ['0', 'every row has its video'],
  ['1', 'finished; some rows are failed, rejected, undelivered, lost or invalid'],
  wrongUse,
  ['3', 'the service refused the key'],
  ['4', 'stopped with work left: points cap, --halt, --limit, --only, service out of reach, disk full'],
  ['5', 'uncertain rows wait for `batch resolve`'],
  held,
  bug,
  ['130, 143', 'interrupted by SIGINT, SIGTERM; the same line again resumes'],
];

const lookExitCodes: Command['exitCodes'] = [
  ['0', 'shown'],
  ['2', 'wrong use, or there is no run in DIR'],
  bug,
];

const run: Command = {
  name: 'run',
  synopsis: 'FILE [--out DIR]',
  summary: 'make a video of every question in FILE; the same line again resumes',
  argument: file,
  groups: runGroups,
  examples: [
    ['run questions.csv --limit 5', 'a pilot: what does a video cost, how does it look?'],
    ['run questions.csv --max-points 5000', 'the rest, within a budget'],
    ['run questions.csv --simulate --out videos/rehearsal', 'a rehearsal: no account, no points'],
    ['run --job jobs/rehearsal.json', 'with the options of a job file'],
  ],
  exitCodes: runExitCodes,
  load: () => import('./run.ts'),
};

const resume: Command = {
  name: 'resume',
  synopsis: '[DIR]',
  summary: 'go on from the checkpoint alone, with the options of the run',
  argument: dir,
  groups: payOnGroups,
  examples: [
    ['resume', 'go on with the run in ./videos'],
    ['resume videos/algebra --max-points 8000', 'with a larger budget, which is kept for later runs'],
  ],
  exitCodes: runExitCodes,
  load: async () => ({ handle: (await import('./resume.ts')).handleResume }),
};

const collect: Command = {
  name: 'collect',
  synopsis: '[DIR]',
  summary: 'poll and download what is already paid; submits nothing',
  argument: dir,
  groups: goOnGroups,
  examples: [['collect', 'fetch what the service has made meanwhile']],
  exitCodes: runExitCodes,
  load: async () => ({ handle: (await import('./resume.ts')).handleCollect }),
};

const check: Command = {
  name: 'check',
  synopsis: 'FILE [--out DIR]',
  summary: 'validate FILE and show the plan; no network, nothing written',
  argument: { ...file, isNeeded: true },
  groups: checkGroups,
  examples: [
    ['check questions.csv', 'every problem with its line, and the plan'],
    ['check questions.csv --map question=Aufgabe', 'a column that the header does not name'],
  ],
  exitCodes: [
    ['0', 'every row can be sent'],
    ['1', 'some rows cannot be sent'],
    ['2', 'wrong use, unreadable input, or DIR holds another run'],
    bug,
  ],
  load: () => import('./check.ts'),
};

const status: Command = {
  name: 'status',
  synopsis: '[DIR] [--json]',
  summary: 'where the run stands; also while it goes on',
  argument: dir,
  groups: [{ title: 'How it speaks', flags: { json: { describe: 'one JSON object' } } }],
  examples: [['status --json', 'for a script']],
  exitCodes: lookExitCodes,
  load: () => import('./status.ts'),
};

const view: Command = {
  name: 'view',
  synopsis: '[DIR]',
  summary: 'look at the run in a browser, also while it goes on',
  argument: dir,
  groups: [
    {
      title: 'How it is shown',
      flags: {
        port: {
          describe: 'port on 127.0.0.1; 0 for any that is free',
          value: 'N',
          otherwise: "the folder's own",
        },
        open: { describe: 'open the page in the browser' },
        json: { describe: 'print {"url":...} on standard output' },
      },
    },
  ],
  examples: [['view --open', 'the page of ./videos, live, in your browser']],
  exitCodes: lookExitCodes,
  load: () => import('./view.ts'),
};

const report: Command = {
  name: 'report',
  synopsis: '[DIR]',
  summary: 'write the reports again from the checkpoint',
  argument: dir,
  groups: [],
  examples: [['report', 'the reports as of now, while a run goes on']],
  exitCodes: [
    ['0', 'written'],
    ['2', 'wrong use, or there is no run in DIR'],
    ['4', 'the disk refused'],
    bug,
  ],
  load: () => import('./report.ts'),
};

const whichRows: FlagGroup = {
  title: 'Which rows',
  flags: {
    failed: { describe: 'rows that the service says FAILED of' },
    rejected: { describe: 'rows whose creation was refused' },
    lost: { describe: 'rows whose task is lost; pays again' },
    failure: {
      describe: 'of these, the rows whose failure has TEXT in it; \'"TEXT"\' means the whole failure',
      value: 'TEXT',
    },
    only: {
      describe: 'these rows, completed ones too: ID,ID, or @FILE: a CSV file',
      value: 'IDS',
      repeats: true,
    },
    gone: { describe: 'of these, the rows that have left the file, too' },
  },
};

const retry: Command = {
  name: 'retry',
  synopsis: '[DIR] (--failed | --rejected | --lost | --only IDS) [--failure TEXT] [--gone]',
  summary: 'a new, paid attempt for rows that ended badly, then goes on as resume',
  argument: dir,
  groups: [whichRows, ...payOnGroups.map((group) => without(group, 'only'))],
  examples: [
    ['retry --failed', 'all rows that failed'],
    ['retry --only q-7,q-9', 'these two, whatever became of them'],
    ['retry --lost --dry-run', 'which rows, and what they may cost; nothing is sent'],
    ['retry --only @marks.csv', 'the rows marked bad on the page, whose marks were exported'],
  ],
  // The same line would order again what has ended meanwhile.
  exitCodes: [
    ...runExitCodes.slice(0, -1),
    ['130, 143', 'interrupted by SIGINT, SIGTERM; `batch resume` goes on with it'],
  ],
  load: () => import('./retry.ts'),
};

const resolve: Command = {
  name: 'resolve',
  synopsis: '[DIR] ID (--task-id T | --not-created)',
  summary: 'settle an uncertain or lost row: adopt its task, or put the row back',
  argument: {
    name: 'words',
    describe: 'output folder (default: ./videos) and id of the row',
    isNeeded: true,
    isList: true,
    value: 'DIR',
  },
  groups: [
    {
      title: 'How it was',
      flags: {
        'task-id': { describe: 'the task that was found at the service', value: 'T' },
        'not-created': { describe: 'the service has no task of this row' },
      },
    },
    ...resolveGroups,
  ],
  examples: [
    ['resolve q-0017 --task-id 6f1c...', 'the task stands in your account'],
    ['resolve q-0017 --not-created', 'it does not; the next run pays for the row'],
    ['resolve ./videos --not-created -- -7', 'an id that begins with - comes last, after --'],
  ],
  exitCodes: [
    ['0', 'settled'],
    ['2', 'wrong use, a row that is neither uncertain nor lost, or a task the service does not know'],
    held,
    bug,
  ],
  load: () => import('./resolve.ts'),
};

const verify: Command = {
  name: 'verify',
  synopsis: '[DIR] [--fix]',
  summary: 'compare the files with the checkpoint; --fix downloads damaged ones again',
  argument: dir,
  groups: [
    {
      title: 'What is done',
      flags: { fix: { describe: 'download damaged or missing files again; costs nothing' } },
    },
    ...goOnGroups,
  ],
  examples: [['verify --fix', 'after a disk failed, or a file was deleted']],
  exitCodes: [
    ['0', 'every file is whole'],
    ['1', 'some files are damaged or missing'],
    ['2', 'wrong use, or there is no run in DIR'],
    ['3', 'the service refused the key'],
    held,
    bug,
    ['130, 143', 'interrupted by SIGINT, SIGTERM'],
  ],
  load: () => import('./verify.ts'),
};

const simulate: Command = {
  name: 'simulate',
  synopsis: '[--port N]',
  summary: 'run the embedded service on loopback: no account, no points',
  groups: [
    {
      title: 'Where it listens',
      flags: {
        port: { describe: 'port on 127.0.0.1; 0 for any that is free', value: 'N', otherwise: '4010' },
        'api-key': { describe: 'the only key that is let in', value: 'KEY', otherwise: 'simulated-key' },
      },
    },
    simulatorGroup,
  ],
  examples: [['simulate --fail-rate 2% --fault reset-after=5%', 'a service with bad days']],
  exitCodes: [['0', 'interrupted'], wrongUse, bug],
  appendix: async () => {
    const { faultMeaning, faultNames } = await import('../simulator/faults.ts');
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
    describe: 'the shell that reads the script',
    isNeeded: true,
    value: ['bash', 'zsh', 'fish'],
  },
  groups: [],
  examples: [
    [
      'completion bash > ~/.local/share/bash-completion/completions/batch',
      'for bash, from the next shell on',
    ],
    [
      'completion zsh > ~/.zfunc/_batch',
      'for zsh; ~/.zshrc has: fpath+=~/.zfunc; autoload -U compinit; compinit',
    ],
    ['completion fish > ~/.config/fish/completions/batch.fish', 'for fish'],
  ],
  exitCodes: [['0', 'printed'], ['2', 'wrong use'], bug],
  load: () => import('./completion.ts'),
};

/** The commands in the order of the help. */
export const chapters: readonly Chapter[] = [
  { title: 'Make videos', commands: [run, resume, collect, check] },
  { title: 'Look', commands: [status, view, report] },
  { title: 'Mend', commands: [retry, resolve, verify] },
  { title: 'Rehearse', commands: [simulate] },
  { title: 'Set up', commands: [completion] },
];

/** All commands. */
export const commands: readonly Command[] = chapters.flatMap((chapter) => chapter.commands);

function without({ title, flags }: FlagGroup, name: string): FlagGroup {
  return { title, flags: Object.fromEntries(Object.entries(flags).filter(([other]) => other !== name)) };
}

/**
 * Every command, by purpose. The parser, the help, shell completion and `docs/options.md` are derived from this list; the
 * code of a command is loaded when it runs.
 */

import type { Chapter, Command } from './command.ts';
import { audit, doctor, links, report, status, view } from './commands/look-commands.ts';
import { prefer, resolve, retry, verify } from './commands/mend-commands.ts';
import { check, collect, resume, run, simulate, worker } from './commands/run-commands.ts';
import { exportVideos, move } from './commands/share-commands.ts';
import { goOn, pause, stop, tune } from './commands/steer-commands.ts';
import { bug } from './exit-codes.ts';

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
    commands: [
      tune,
      pause,
      goOn,
      stop,
      report,
      verify,
      audit,
      links,
      prefer,
      worker,
      move,
      simulate,
      completion,
    ],
  },
];

/** All commands. */
export const commands: readonly Command[] = chapters.flatMap((chapter) => chapter.commands);

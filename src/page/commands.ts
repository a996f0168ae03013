/** What to type in a terminal, as one line each. */

import type { PageHeading } from '../reports/page.ts';
import { shellOption, shellPath, shellWord } from '../text/shell-word.ts';

/** How a command names the run. */
type RunNames = Pick<PageHeading, 'out' | 'shared' | 'program'>;

function runWords({ out, shared }: RunNames): string {
  return shared === undefined ? shellPath(out) : `--run ${shellWord(shared)}`;
}

/** The program as the user types it. */
function start({ program = 'batch' }: RunNames): string {
  return program;
}

/** The name under which marks are exported. */
export const marksFile = 'marks.csv';

/** A longer command is impractical to copy. */
const commandMaxLength = 1_000;

/**
 * The command that makes these rows again, once however often it is pasted: it names their last attempt. It uses the exported
 * file, which names the attempt of each row, where there are many rows, a list cannot name one of them, or no `attempt` is that
 * of all.
 */
export function retryCommand(run: RunNames, ids: readonly string[], attempt: number | null): string {
  const list = ids.map((id) => (id.startsWith('@') ? `@${id}` : id)).join(',');
  const isNameable = ids.every((id) => !/[,\r\n]|^\s|\s$|^$/.test(id));
  const isListed = attempt !== null && isNameable && list.length <= commandMaxLength;
  const command = `${start(run)} retry ${runWords(run)} ${shellOption('only', isListed ? list : `@${marksFile}`)}`;
  return isListed ? `${command} --attempt ${attempt}` : command;
}

/** The command that ends what works on the run. */
export function stopCommand(run: RunNames): string {
  return `batch stop ${runWords(run)}`;
}

/** The commands that settle an uncertain row: its task was found, it has none, and a table of all such rows. */
export function resolveCommands(run: RunNames, id: string) {
  const words = runWords(run);
  // An id that looks like an option comes after all options.
  const command = (end: string): string =>
    id.startsWith('-')
      ? `${start(run)} resolve ${words} ${end} -- ${shellWord(id)}`
      : `${start(run)} resolve ${words} ${shellWord(id)} ${end}`;
  return {
    found: command('--task-id TASK_ID'),
    notCreated: command('--not-created'),
    list: `${start(run)} resolve ${words} --list`,
  };
}

/** What to type in a terminal, as one line each. */

import { shellOption, shellPath, shellWord } from '../core/text/shell-word.ts';
import type { PageHeading } from '../report/page.ts';

/** How a command names the run. */
type RunNames = Pick<PageHeading, 'out' | 'shared'>;

function runWords({ out, shared }: RunNames): string {
  return shared === undefined ? shellPath(out) : `--run ${shellWord(shared)}`;
}

/** The name under which marks are exported. */
export const marksFile = 'marks.csv';

/** A longer command is impractical to copy. */
const commandMaxLength = 1_000;

/**
 * The command that makes these rows again; it uses the exported file where there are many, a list cannot name one of
 * them, or a text `isCorrected`.
 */
export function retryCommand(run: RunNames, ids: readonly string[], isCorrected = false): string {
  const list = ids.map((id) => (id.startsWith('@') ? `@${id}` : id)).join(',');
  const isNameable = ids.every((id) => !/[,\r\n]|^\s|\s$|^$/.test(id));
  const isListed = !isCorrected && isNameable && list.length <= commandMaxLength;
  return `batch retry ${runWords(run)} ${shellOption('only', isListed ? list : `@${marksFile}`)}`;
}

/** The commands that settle an uncertain row: its task was found, it has none, and a table of all such rows. */
export function resolveCommands(run: RunNames, id: string) {
  const words = runWords(run);
  // An id that looks like an option comes after all options.
  const command = (end: string): string =>
    id.startsWith('-')
      ? `batch resolve ${words} ${end} -- ${shellWord(id)}`
      : `batch resolve ${words} ${shellWord(id)} ${end}`;
  return {
    found: command('--task-id TASK_ID'),
    notCreated: command('--not-created'),
    list: `batch resolve ${words} --list`,
  };
}

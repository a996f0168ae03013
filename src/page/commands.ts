/** What to type in a terminal, as one line each. */

import { isUnread } from '../money/answers/unread-answer.ts';
import type { Status } from '../money/item.ts';
import { isTwinHeld } from '../money/reused.ts';
import type { PageHeading } from '../reports/page.ts';
import { readingWords } from '../text/run-words.ts';
import { shellOption, shellPath, shellWord } from '../text/shell-word.ts';

/** How a command names the run. */
type RunNames = Pick<PageHeading, 'out' | 'shared' | 'program' | 'input'>;

function runWords({ out, shared }: RunNames): string {
  return shared === undefined ? shellPath(out) : `--run ${shellWord(shared)}`;
}

/** Names the run to a command that reads a file into it. */
function fileWords(run: RunNames): string {
  return run.shared === undefined ? `--out ${runWords(run)}` : runWords(run);
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
  const isListed = attempt !== null && ids.every(isNameable) && list.length <= commandMaxLength;
  const command = `${start(run)} retry ${runWords(run)} ${shellOption('only', isListed ? list : `@${marksFile}`)}`;
  return isListed ? `${command} --attempt ${attempt}` : command;
}

/** True for an id that can be in a list of them. */
function isNameable(id: string): boolean {
  return !/[,\r\n]|^\s|\s$|^$/.test(id);
}

/** The command that ends what works on the run. */
export function stopCommand(run: RunNames): string {
  return `batch stop ${runWords(run)}`;
}

/** What a command for a stuck row does. */
export type Step = 'again' | 'found' | 'notCreated' | 'list' | 'fetch' | 'ask' | 'links' | 'mend' | 'take';

interface StuckRow {
  readonly row: number | null;
  readonly id: string;
  readonly status: Status;
  readonly attempts: number;
  readonly failure: string | null;
}

/** The commands that help a stuck row, in the order to try them; what is free comes first. None for any other row. */
export function stepsFor(
  run: RunNames,
  { row, id, status, attempts, failure }: StuckRow,
): readonly { readonly step: Step; readonly command: string }[] {
  const command = (words: string): string => `${start(run)} ${words}`;
  // A row that is no longer in the file gets no new attempt.
  const isRetried = row !== null && isNameable(id);
  const again = !isRetried ? [] : [{ step: 'again', command: retryCommand(run, [id], attempts) } as const];
  const collect = command(`collect ${runWords(run)}`);
  switch (status) {
    case 'failed':
    case 'rejected':
      return again;
    case 'uncertain': {
      const { found, notCreated, list } = resolveCommands(run, id);
      return [
        { step: 'found', command: found },
        { step: 'notCreated', command: notCreated },
        { step: 'list', command: list },
      ];
    }
    case 'undelivered':
      return [{ step: 'fetch', command: collect }];
    case 'lost':
      return isUnread(failure ?? '')
        ? [{ step: 'links', command: command(`links ${runWords(run)} ${shellOption('only', id)}`) }, ...again]
        : [{ step: 'ask', command: collect }, ...again];
    case 'invalid':
      if (isTwinHeld(failure)) return [{ step: 'take', command: command(`resume ${runWords(run)}`) }];
      return [{ step: 'mend', command: command(readingWords(run.input, { file: fileWords(run) })) }];
    default:
      return [];
  }
}

/** The commands that settle an uncertain row: its task was found, it has none, and a table of all such rows. */
function resolveCommands(run: RunNames, id: string) {
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

/** `batch links`: prints fresh links of the files of some rows. Asks the service once, and changes nothing. */

import { askForLinks, type RowLinks } from '../app/ask-links.ts';
import { readInvocation } from '../app/settings.ts';
import { phrasesOf } from '../terminal/phrases/phrases.ts';
import { toTerminalText } from '../terminal/terminal-text.ts';
import type { Handle } from './command.ts';
import { printJson, printNotice, printResult } from './console.ts';
import { givenOptions, linksGroups } from './flags.ts';
import { agreesToService } from './run-in-terminal.ts';

export const handle: Handle = async (argv) => {
  const invocation = readInvocation(givenOptions(argv, linksGroups), { out: String(argv.dir) });
  const say = phrasesOf(invocation.language);
  const rows = await askForLinks(invocation, (run, options) =>
    agreesToService({ ...run, options }, say, true),
  );
  if (rows === null) {
    process.exitCode = 2;
    return;
  }
  if (invocation.options.json) printJson({ rows: rows.map(({ trouble: _, ...row }) => row) });
  else {
    const { told } = say;
    for (const { id, links, failure } of rows) {
      for (const { kind, number, link } of links)
        printResult(`${toTerminalText(id)} ${kind} ${number} ${link}`);
      if (failure !== null)
        printNotice(toTerminalText(told(`row ${id} has no link to a video: ${told(failure)}`)));
    }
  }
  process.exitCode = exitCodeOf(rows);
};

function exitCodeOf(rows: readonly RowLinks[]): number {
  if (rows.some(({ trouble }) => trouble === 'refused')) return 3;
  if (rows.some(({ trouble }) => trouble === 'unanswered')) return 4;
  return rows.some(({ failure }) => failure !== null) ? 1 : 0;
}

/** `batch links`: prints fresh links of the files of some rows. Asks the service once, and changes nothing. */

import { readInvocation } from '../../app/options/settings.ts';
import type { Handle } from '../../cli/command.ts';
import { agreesToService } from '../../cli/confirm.ts';
import { printJson, printNotice, printResult } from '../../cli/console.ts';
import { givenOptions } from '../../cli/flags/flag.ts';
import { linksGroups } from '../../cli/flags/step-flags.ts';
import { inEnglish, message } from '../../messages/message.ts';
import { type Phrases, phrasesOf } from '../../terminal/phrases/phrases.ts';
import { toTerminalText } from '../../terminal/terminal-text.ts';
import { renderByteSize } from '../../text/byte-size.ts';
import { askForLinks, inlineLink, type RowLinks } from './ask-links.ts';

export const handle: Handle = async (argv) => {
  const invocation = readInvocation(givenOptions(argv, linksGroups), { out: String(argv.dir) });
  const say = phrasesOf(invocation.language);
  const rows = await askForLinks(
    invocation,
    (run, options) => agreesToService({ ...run, options }, say),
    (said) => printNotice(say.render(said)),
  );
  if (rows === null) {
    process.exitCode = 2;
    return;
  }
  if (invocation.options.json) printJson({ rows: rows.map(jsonOf) });
  else {
    const { render } = say;
    for (const { id, links, failure } of rows) {
      for (const { kind, number, link } of links)
        printResult(`${toTerminalText(id)} ${kind} ${number} ${shown(link, render)}`);
      if (failure !== null)
        printNotice(toTerminalText(render(message('links.none', { id, why: render(failure) }))));
    }
  }
  process.exitCode = exitCodeOf(rows);
};

function shown(link: string, render: Phrases['render']): string {
  const inline = inlineLink(link);
  if (inline === null) return link;
  const size = renderByteSize(inline.bytes);
  return `${inline.start}… ${render(message('links.inline', { size }))}`;
}

function jsonOf({ trouble: _, failure, ...row }: RowLinks): object {
  return { ...row, failure: failure === null ? null : inEnglish(failure) };
}

function exitCodeOf(rows: readonly RowLinks[]): number {
  if (rows.some(({ trouble }) => trouble === 'refused')) return 3;
  if (rows.some(({ trouble }) => trouble === 'unanswered')) return 4;
  return rows.some(({ failure }) => failure !== null) ? 1 : 0;
}

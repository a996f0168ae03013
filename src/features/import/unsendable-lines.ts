/** The rows of a file that cannot be sent, each with its place and the reason. */

import { message } from '../../messages/message.ts';
import type { Phrases } from '../../terminal/phrases/phrases.ts';
import { toTerminalText } from '../../terminal/terminal-text.ts';
import type { StagedFile } from './stage-file.ts';

type Staged = Pick<StagedFile, 'ingest' | 'placeOf'>;

/** All of them; `name` is the file's. */
export async function* unsendableLines(
  name: string,
  { ingest, placeOf }: Staged,
  say: Phrases,
): AsyncGenerator<string> {
  for await (const { line, failure } of ingest.unsendable()) {
    const place = placeOf(line);
    const why = say.render(failure);
    const what = { en: failure, zh: why };
    const isPlace = place.line === null || place.row === null;
    const said = isPlace ? why : say.render(message('rows.at', { row: place.row, what }));
    yield toTerminalText(`${name}:${line}: ${said}`);
  }
}

/** A plan names so many: more would hide what it says. */
const namedRows = 5;

/** The first of them, and where all will stand. */
export async function firstUnsendable(
  name: string,
  staged: Staged & Pick<StagedFile, 'plan'>,
  folder: string,
  say: Phrases,
): Promise<readonly string[]> {
  if (staged.plan.unsendable === 0) return [];
  const lines: string[] = [];
  for await (const line of unsendableLines(name, staged, say)) {
    lines.push(`  ${line}`);
    if (lines.length === namedRows) break;
  }
  const count = staged.plan.invalid - lines.length;
  return count === 0
    ? lines
    : [...lines, `  ${say.render(message('rows.more-unsendable', { count, folder }))}`];
}

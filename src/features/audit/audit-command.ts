/** `batch audit`: the account's statement against the books of one or more runs, task by task. Changes and asks nothing. */

import type { Invocation } from '../../app/options/invocation.ts';
import type { RawOptions } from '../../app/options/options.ts';
import { readInvocation } from '../../app/options/settings.ts';
import { standardInput } from '../../app/options/standard-input.ts';
import { type Handle, wordsOf } from '../../cli/command.ts';
import { printJson, printNotice, printResult } from '../../cli/console.ts';
import { givenOptions } from '../../cli/flags/flag.ts';
import { auditGroups } from '../../cli/flags/step-flags.ts';
import { longLook } from '../../cli/long-work.ts';
import { UsageError } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import { phrasesOf } from '../../terminal/phrases/phrases.ts';
import { toTerminalText } from '../../terminal/terminal-text.ts';
import { shellPath } from '../../text/shell-word.ts';
import { type Audit, type AuditRequest, auditRuns } from './audit-runs.ts';
import { auditJson, auditLines, endLine, proposalLines, shownTasks, statementLines } from './audit-text.ts';
import { type DecimalMark, decimalMarks } from './read-amount.ts';
import { type StatementColumns, statementFields } from './statement-columns.ts';
import { readZone } from './statement-times.ts';
import { writeProposals } from './write-proposals.ts';

/** Prints the comparison. Returns the exit code: 1 where a difference is left, or nothing matched. */
async function auditStatement(request: AuditRequest, to: string | null): Promise<0 | 1> {
  const { runs, by } = request;
  const [{ language, options }] = runs;
  const say = phrasesOf(language);
  const audit = await auditAloud(request);
  const files = to === null ? [] : await writeProposals(to, audit);
  const print = options.json ? printNotice : printResult;
  if (options.json) printJson(auditJson(audit, by));
  else {
    const names = runs.map(({ words }) => words.run).join(', ');
    for (const said of statementLines(audit)) printNotice(toTerminalText(say.render(said)));
    for (const { said, isPart } of [
      ...auditLines(audit, names, by),
      ...(files.length > 0 ? [] : proposalLines(audit)),
    ])
      printResult(`${isPart ? '  ' : ''}${toTerminalText(say.render(said))}`);
  }
  for (const { count, path, run } of files) {
    const command = `batch resolve ${run.words.run} --from ${shellPath(path)}`;
    print(say.render(message('audit.proposed', { count, command })));
  }
  if (to !== null && files.length === 0) print(say.render(message('audit.none-proposed', { path: to })));
  print(say.render(endLine(audit)));
  return audit.tally.isClean ? 0 : 1;
}

async function auditAloud(request: AuditRequest): Promise<Audit> {
  using _ = longLook(message('work.audit'), request.runs[0]);
  return await auditRuns(request);
}

/** The columns that `--map` names. Throws `UsageError` for another field. */
function readMap(given: unknown): StatementColumns {
  const columns: Record<string, string> = {};
  for (const value of [given ?? []].flat().map(String)) {
    const [, name = '', column = ''] = /^([^=]+)=(.+)$/s.exec(value) ?? [];
    const field = statementFields.find((each) => each === name.trim());
    if (field === undefined) {
      const fields = statementFields.join(', ');
      throw new UsageError(message('audit.map', { value, fields }));
    }
    columns[field] = column.trim();
  }
  return columns;
}

function textOf(argv: Parameters<Handle>[0], name: 'by' | 'to' | 'zone' | 'decimals'): string | null {
  const value = argv[name];
  if (value === undefined) return null;
  if (typeof value === 'string' && value.trim() !== '') return value.trim();
  throw new UsageError(message('audit.text', { option: `--${name}` }));
}

function zoneOf(written: string | null): number | null {
  const zone = written === null ? null : readZone(written);
  if (written === null || zone !== null) return zone;
  throw new UsageError(message('audit.zone', { zone: written }));
}

function decimalsOf(written: string | null): DecimalMark | null {
  const mark = decimalMarks.find((each) => each === written);
  if (written === null || mark !== undefined) return mark ?? null;
  throw new UsageError(message('audit.marks', { mark: written }));
}

/** The runs in a store that are named, and those in folders. */
function runsOf(flags: RawOptions, folders: readonly string[]): [Invocation, ...Invocation[]] {
  const { store, run, ...local } = flags;
  const names = [run ?? []].flat();
  const [firstFolder = './videos', ...otherFolders] = folders;
  const inFolder = (out: string): Invocation => at(local, out);
  if (store === undefined && names.length === 0)
    return [inFolder(firstFolder), ...otherFolders.map(inFolder)];
  const [first, ...others] = names;
  const inStore = (name: unknown): Invocation => readInvocation({ ...flags, run: name }, {});
  return [inStore(first), ...others.map(inStore), ...folders.map(inFolder)];
}

function at(flags: RawOptions, out: string): Invocation {
  return readInvocation(flags, { out });
}

export const handle: Handle = async (argv) => {
  const [file, ...folders] = wordsOf(argv);
  if (file === undefined) throw new UsageError(message('audit.no-statement'));
  const request = {
    file: file === '-' ? standardInput : file,
    runs: runsOf(givenOptions(argv, auditGroups), folders),
    given: readMap(argv.map),
    zone: zoneOf(textOf(argv, 'zone')),
    decimals: decimalsOf(textOf(argv, 'decimals')),
    by: textOf(argv, 'by'),
    most: argv.json === true ? Number.POSITIVE_INFINITY : shownTasks,
  };
  process.exitCode = await auditStatement(request, textOf(argv, 'to'));
};

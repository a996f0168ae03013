/** Why rows ended badly, one line per group: how many, the failure, and the command for exactly these rows. */

import {
  type FailureGroup,
  type FailureGroups,
  plainFailure,
  wantedFailure,
} from '../core/failure-groups.ts';
import type { RunWords } from '../core/text/run-words.ts';
import { shellOption, shellPath, shellWord } from '../core/text/shell-word.ts';
import { renderNumber } from './numbers.ts';
import type { Phrases } from './phrases/phrases.ts';
import { toTerminalText } from './terminal-text.ts';
import { cutText, fitText, textWidth } from './text-width.ts';

/** Groups shown; the report has the rest. */
const shownGroups = 5;

/** Columns of the longest failure shown in full. */
const widestFailure = 60;

/** One group of bad rows and the command for them. */
export interface FailureLine {
  readonly status: FailureGroup['status'];
  /** With `…` for the parts that differ from row to row; '' where no failure was given. */
  readonly failure: string;
  readonly count: number;
  /** Of these, the rows still in the file: only they can get a new attempt. */
  readonly inFile: number;
  /** To paste into a shell; null where no command helps. */
  readonly command: string | null;
}

/** The groups with their commands. */
export function failureLines(failures: FailureGroups, words: RunWords): readonly FailureLine[] {
  return failures.groups.map((group) => ({
    status: group.status,
    failure: group.failure === null ? group.kind : plainFailure(group.failure),
    count: group.count,
    inFile: group.inFile,
    command: commandFor(group, failures, words),
  }));
}

/** The lines to print; none where nothing ended badly. */
export function renderFailures(
  lines: readonly FailureLine[],
  areAll: boolean,
  out: string,
  say: Phrases,
): readonly string[] {
  if (lines.length === 0) return [];
  const shown = lines
    .slice(0, shownGroups)
    .map((line) => ({ ...line, status: say.status[line.status], said: renderFailure(line, say) }));
  const width = {
    count: Math.max(...shown.map(({ count }) => renderNumber(count).length)),
    status: Math.max(...shown.map(({ status }) => textWidth(status))),
    said: Math.max(...shown.map(({ said }) => textWidth(said))),
  };
  const rows = shown.map(({ count, status, said, command }) => {
    const start = `  ${renderNumber(count).padStart(width.count)} ${fitText(status, width.status)}`;
    return `${start}  ${fitText(said, width.said)}   ${command ?? say.ending.noLongerInFile}`;
  });
  return [say.ending.whyBadly, ...rows, ...renderRest(lines.slice(shownGroups), areAll, out, say)];
}

function renderFailure({ status, failure, count, inFile }: FailureLine, say: Phrases): string {
  // Only what is wrong with the row itself is not in the words of the service.
  const text = toTerminalText(status === 'invalid' ? say.told(failure) : failure);
  const said = text === '' ? say.ending.noReason : say.quoted(cutText(text, widestFailure));
  return inFile > 0 && inFile < count ? say.ending.stillInFile(said, inFile) : said;
}

function renderRest(
  rest: readonly FailureLine[],
  areAll: boolean,
  out: string,
  { ending: say }: Phrases,
): readonly string[] {
  if (rest.length === 0) return [];
  const count = rest.reduce((sum, line) => sum + line.count, 0);
  return [`  ${say.moreKinds(rest.length, areAll ? count : null, reportPath(out, 'report.csv'))}`];
}

function commandFor(group: FailureGroup, failures: FailureGroups, { run, file }: RunWords): string | null {
  switch (group.status) {
    case 'failed':
    case 'rejected': {
      if (group.inFile === 0) return null;
      const wanted = wantedFailure(group, failures);
      const some = wanted === null ? '' : ` ${shellOption('failure', wanted)}`;
      return `batch retry ${run} --${group.status}${some}`;
    }
    case 'uncertain':
      return `batch ${group.count > 1 ? listWords(run) : resolveWords(run, group.someId)}`;
    // What is free comes first: a lost task may still exist.
    case 'lost':
    case 'undelivered':
      return `batch collect ${run}`;
    default:
      return `batch run FILE ${file}`;
  }
}

/**
 * The arguments that settle an uncertain row; an id that looks like an option comes after all options. `run` names the
 * run in shell words.
 */
export function resolveWords(run: string, id: string): string {
  return id.startsWith('-')
    ? `resolve ${run} --task-id T -- ${shellWord(id)}`
    : `resolve ${run} ${shellWord(id)} --task-id T`;
}

/** The arguments that list all uncertain rows in a file, to be filled in and given back with `--from`. */
export function listWords(run: string): string {
  return `resolve ${run} --list > uncertain.csv`;
}

/** A file at the top of the output folder, under the user's name for the folder. */
export function pathIn(out: string, name: string): string {
  return `${out.replace(/\/+$/, '')}/${name}`;
}

/** A report as one word of a command or sentence. */
export function reportPath(out: string, name: string): string {
  return shellPath(pathIn(out, name));
}

/** One row in words: question, answer, failure, and every fact. */

import type { PageHeading } from '../reports/page.ts';
import type { PageRow } from '../reports/page-wire.ts';
import { stepsFor } from './commands.ts';
import { failureText } from './list/reasons.ts';
import { ownCell } from './list/rows.ts';
import { suspectReasons } from './list/suspects.ts';
import type { Mark } from './marks/mark.ts';
import { copyButton } from './shared/copy.ts';
import { type Child, element } from './shared/elements.ts';
import { formatDuration, formatNumber, formatTime } from './shared/formats.ts';
import { showText } from './shared/formulas.ts';
import { imagesOf } from './shared/images.ts';
import { currentLanguage } from './shared/words.ts';
import { statusLabel } from './status.ts';
import { words } from './words.ts';

/** What went wrong and what to type, or why the video is worth a look. */
export function whySections(row: PageRow, heading: PageHeading | null): HTMLElement[] {
  const sections = [
    failureSection(row),
    heading === null ? null : settleSection(row, heading),
    suspectSection(row),
  ];
  return sections.filter((one) => one !== null);
}

/** Question, answer and their images. */
export function textSections(row: PageRow, mark: Mark | null): HTMLElement[] {
  const w = words();
  const before = row.corrected ?? {};
  return [
    mark?.question === undefined ? null : section(w.correctedByYou.question, textOf(mark.question)),
    section(
      w.question,
      textOf(row.question),
      imagesOf(row.questionImages, w.questionImages),
      textBefore(before.question),
    ),
    mark?.answer === undefined ? null : section(w.correctedByYou.answer, textOf(mark.answer)),
    row.answer === '' && row.answerImages.length === 0
      ? null
      : section(
          w.answer,
          textOf(row.answer),
          imagesOf(row.answerImages, w.answerImages),
          textBefore(before.answer),
        ),
  ].filter((one) => one !== null);
}

function failureSection(row: PageRow): HTMLElement | null {
  const failure = failureText(row, currentLanguage());
  if (failure === null) return null;
  return element(
    'section',
    { class: 'failure-box' },
    element('h3', {}, words().failure),
    element('p', { class: 'whole' }, failure),
    element('p', { class: 'hint' }, words().meaning[row.status]),
  );
}

function suspectSection(row: PageRow): HTMLElement | null {
  const reasons = suspectReasons(row);
  if (reasons.length === 0) return null;
  return element(
    'section',
    { class: 'failure-box suspect-box' },
    element('h3', {}, words().worthALook),
    ...reasons.map((reason) => element('p', {}, reason)),
  );
}

/** The commands that help this row; none where it is not stuck. */
function settleSection(row: PageRow, heading: PageHeading): HTMLElement | null {
  const w = words();
  const line = (name: string, text: string): HTMLElement => {
    const command = element('code', { class: 'command' }, text);
    return element('div', { class: 'settle' }, element('p', {}, name), command, copyButton(command));
  };
  const lines = stepsFor(heading, row).map(({ step, command }) => line(w.steps[step], command));
  return lines.length === 0 ? null : section(w.settle, ...lines);
}

function section(name: string, ...children: readonly Child[]): HTMLElement {
  return element('section', {}, element('h3', {}, name), ...children);
}

function textOf(text: string): HTMLElement | null {
  if (text === '') return null;
  const shown = element('div', { class: 'whole' });
  showText(shown, text);
  return shown;
}

/** The text of the file, where another one was sent. */
function textBefore(text: string | undefined): HTMLElement | null {
  if (text === undefined) return null;
  return element('details', { class: 'before' }, element('summary', {}, words().inFile), textOf(text));
}

/** Attempts that were refused and sent again: marks and videos are numbered with them. */
function sentAgain({ attempts, counted }: PageRow): Child {
  const count = attempts - counted;
  return count === 0 ? null : element('small', {}, words().sentAgain(formatNumber(count)));
}

/** Points, times, task id, and links to the files. */
export function factList(row: PageRow): HTMLElement {
  const w = words();
  const taskId = element('code', {}, row.taskId ?? '');
  const title = element('span', {});
  if (row.title !== null) showText(title, row.title);
  const entries: [string, Child[]][] = [
    [w.factStatus, [statusLabel(row.status), element('small', {}, w.meaning[row.status])]],
    ...(row.title === null ? [] : ([[w.factTitle, [title]]] satisfies [string, Child[]][])),
    [w.factPoints, [row.points === null ? w.unknown : formatNumber(row.points)]],
    [w.factSeconds, [row.seconds === null ? null : formatDuration(row.seconds)]],
    [w.factPlays, [row.secondsVideo === null ? null : formatDuration(row.secondsVideo)]],
    [w.factSubmitted, [row.submittedAt === null ? null : formatTime(row.submittedAt)]],
    [w.factEnded, [row.endedAt === null ? null : formatTime(row.endedAt)]],
    [w.factAttempts, [formatNumber(row.attempts), sentAgain(row)]],
    [w.factQuality, [w.quality[row.quality] ?? row.quality]],
    [w.factTask, row.taskId === null ? [] : [taskId, copyButton(taskId)]],
    [w.factFiles, fileLinks(row)],
  ];
  const shown = entries.filter(([, values]) => values.some((value) => value !== null));
  return section(w.facts, listOf(shown));
}

/** The user's own columns; null where all are empty. */
export function ownSection(row: PageRow, columns: readonly string[]): HTMLElement | null {
  const cells = columns.map((column, at): [string, Child[]] => [column, [ownCell(row, at)]]);
  const shown = cells.filter(([, [text]]) => text !== '');
  return shown.length === 0 ? null : section(words().ownColumns, listOf(shown));
}

function listOf(entries: readonly (readonly [name: string, values: readonly Child[]])[]): HTMLElement {
  const lines = entries.map(([name, values]) =>
    element('div', {}, element('dt', {}, name), element('dd', {}, ...values)),
  );
  return element('dl', { class: 'facts' }, ...lines);
}

function fileLinks({ video, videos, captions }: PageRow): Child[] {
  const w = words();
  const link = (address: string, name: string) => element('a', { href: address, target: '_blank' }, name);
  const links = videos.map(([attempt, address]) => link(address, w.attempt(formatNumber(attempt))));
  if (links.length === 0 && video !== null) links.push(link(video, w.openVideo));
  if (captions !== null) links.push(link(captions, w.captions));
  return links.flatMap((one, at) => (at === 0 ? [one] : [', ', one]));
}

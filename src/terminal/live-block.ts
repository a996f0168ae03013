/** The live block of a run, as lines narrower than the terminal. Pure. */

import { styleText } from 'node:util';
import { withoutRepeats } from '../money/artifacts.ts';
import { type Forecast, rowsForLater, rowsOfRun } from '../money/forecast/progress.ts';
import type { Item, Status } from '../money/item.ts';
import { statusesWith } from '../money/statuses.ts';
import { type Ledger, reservedPoints } from '../money/summary.ts';
import type { CrewView, Obstacle, RunView } from '../ports.ts';
import type { RunWords } from '../text/run-words.ts';
import { renderCrewView } from './crew-lines.ts';
import { sayFailure } from './failure-lines.ts';
import { renderObstacle } from './obstacle-text.ts';
import type { Phrases } from './phrases/phrases.ts';
import { renderEnd } from './plain-lines.ts';
import { renderBar, renderPercent } from './progress-bar.ts';
import { toTerminalText } from './terminal-text.ts';
import { textParts } from './text-parts.ts';
import { commandParts, cutText, fitText, textWidth } from './text-width.ts';

/** The content of the block. Times are epoch ms. */
export interface LiveFacts {
  readonly view: Pick<RunView, 'ledger' | 'policy' | 'concurrency' | 'toSubmit'> & {
    readonly obstacle: Obstacle | null;
  };
  readonly forecast: Forecast;
  /** Open items, the oldest first. */
  readonly slowest: readonly Item[];
  /** The latest items that ended badly, the newest at the end. */
  readonly failures: readonly Item[];
  readonly startedAt: number;
  readonly now: number;
  readonly words: RunWords;
  readonly say: Phrases;
  /** Null for a run in a folder. */
  readonly crew: CrewView | null;
}

/** The space available. */
export interface Room {
  readonly columns: number;
  readonly rows: number;
  readonly isColor: boolean;
}

type Style = 'green' | 'cyan' | 'red' | 'yellow' | 'dim';

/** Text that is not wrapped; `gap` precedes it unless it is the first of its line. */
interface Piece {
  readonly text: string;
  readonly style?: Style;
  readonly gap?: string;
  /** Stays on one line with the next piece. */
  readonly isMark?: boolean;
}

type Line = readonly Piece[];

/** What a row can be, in few words. Each group has a mark that identifies it without colour. */
interface Group {
  readonly mark: string;
  readonly style: Style;
  readonly statuses: readonly Status[];
}

const done: Group = { mark: '█', style: 'green', statuses: ['completed'] };
const going: Group = { mark: '▓', style: 'cyan', statuses: ['open', 'downloading', 'submitting'] };
const bad: Group = { mark: '▒', style: 'red', statuses: statusesWith('bad') };
const waiting: Group = { mark: '░', style: 'dim', statuses: ['pending'] };
const groups = [done, going, bad, waiting] as const;

/** A smaller terminal has room for one line only. */
const smallest = { columns: 20, rows: 5 } as const;

/** Lines of each list, at most. */
export const listLength = 3;

/** A longer bar shows no more. */
const longestBar = 60;

/** The lines of the block, fewer than the terminal's rows and one column narrower. */
export function renderLiveBlock(facts: LiveFacts, { columns, rows, isColor }: Room): string[] {
  // Terminals disagree about the cursor position after a letter in the last column.
  const width = columns - 1;
  const { ledger, toSubmit } = facts.view;
  const { say } = facts;
  const paint = (line: Line): string => paintLine(line, width, isColor);
  if (columns < smallest.columns || rows < smallest.rows) return [paint([{ text: renderShort(facts) }])];
  const head = [
    barLine(ledger, width, toSubmit),
    ...obstacleLines(facts, width),
    ...flow(countPieces(facts), width),
    ...crewLines(facts, width),
    ...flow(timePieces(facts), width),
    ...flow(pointPieces(facts), width),
  ].slice(0, rows - 1);
  const labels = labelWidth(say);
  const lists = shareRoom(rows - 1 - head.length, [
    listLines(say.progress.latest, failureLines(facts, width - labels), labels),
    listLines(say.progress.slowest, slowestLines(facts, width - labels), labels),
  ]);
  return [...head, ...lists].map(paint);
}

function renderShort({ view: { ledger, toSubmit }, say }: LiveFacts): string {
  return say.progress.doneShort(ledger.counts.completed, rowsOfRun(ledger, toSubmit));
}

/** Without the rows that are left to a later run. */
function countsOfRun(ledger: Readonly<Ledger>, toSubmit: number): Ledger['counts'] {
  return { ...ledger.counts, pending: ledger.counts.pending - rowsForLater(ledger, toSubmit) };
}

function barLine(ledger: Readonly<Ledger>, width: number, toSubmit: number): Line {
  const counts = countsOfRun(ledger, toSubmit);
  const shares = groups.map(({ statuses }) => statuses.reduce((sum, status) => sum + counts[status], 0));
  const rowCount = shares.reduce((sum, share) => sum + share, 0);
  const percent = `  ${renderPercent(counts.completed, rowCount)}`;
  const cells = renderBar(shares, Math.min(longestBar, width - '  100 %'.length));
  return [
    ...groups.map(({ mark, style }, at) => ({ text: mark.repeat(cells[at] ?? 0), style, gap: '' })),
    { text: percent, gap: '' },
  ];
}

/** The bar of all rows alone, without colours. */
export function renderPlainBar(ledger: Readonly<Ledger>, width: number): string {
  return paintLine(barLine(ledger, width, ledger.counts.pending), width, false);
}

function obstacleLines({ view, now, words, say }: LiveFacts, width: number): Line[] {
  const style = { style: 'yellow' } as const;
  return renderObstacle(view.obstacle, now, words, say).flatMap((text) =>
    flow(
      commandParts(text, width).map((part) => ({ ...part, ...style })),
      width,
    ),
  );
}

function crewLines({ crew, now, say }: LiveFacts, width: number): Line[] {
  if (crew === null) return [];
  const style = crew.awaySince === null ? {} : { style: 'yellow' as const };
  return flow(
    textParts(renderCrewView(crew, now, say)).map((part) => ({ ...part, ...style })),
    width,
  );
}

function countPieces({ view, say }: LiveFacts): Piece[] {
  const { ledger, concurrency, toSubmit } = view;
  const counts = countsOfRun(ledger, toSubmit);
  const later = rowsForLater(ledger, toSubmit);
  const name = (status: Status): string => {
    if (status === 'completed') return say.progress.done(counts[status], rowsOfRun(ledger, toSubmit));
    return status === 'open'
      ? say.progress.open(counts[status], concurrency)
      : say.countOf(counts[status], say.status[status]);
  };
  const isShown = (status: Status): boolean =>
    counts[status] > 0 || status === 'completed' || (status === 'open' && toSubmit > 0);
  const pieces = groups.flatMap(({ mark, style, statuses }) =>
    joinList(statuses.filter(isShown).map(name), say).flatMap((piece, at) =>
      at === 0
        ? [
            { text: mark, style, gap: '  ', isMark: true },
            { ...piece, gap: ' ' },
          ]
        : [piece],
    ),
  );
  return later === 0 ? pieces : [...pieces, { text: say.progress.later(later), gap: '  ' }];
}

function timePieces({ view, forecast, startedAt, now, say }: LiveFacts): Piece[] {
  const { progress } = say;
  const { taskMs, leftMs, hasOwnTasks, stop } = forecast;
  const { counts } = view.ledger;
  const pace = taskMs === null ? [] : [progress.pace(Math.max(1_000, taskMs))];
  const left = (): string[] => {
    if (leftMs !== null && leftMs > 0) return [progress.left(leftMs), renderEnd({ leftMs, stop }, now, say)];
    if (leftMs === 0) return counts.downloading > 0 ? [progress.lastFiles] : [];
    if (taskMs !== null) return [progress.lastAreSlow];
    return [hasOwnTasks ? progress.leftLater : progress.leftUnknown];
  };
  return joinList([...left(), ...pace, progress.running(now - startedAt)], say);
}

function pointPieces({ view, forecast, say }: LiveFacts): Piece[] {
  const { ledger, policy } = view;
  const { progress } = say;
  const texts = [
    progress.spent(say.points(ledger.spent)),
    progress.reserved(reservedPoints(ledger)),
    progress.inAll(forecast.totalPoints),
    ...(ledger.unpriced > 0 ? [progress.unpriced(ledger.unpriced)] : []),
    ...(policy.maxPoints === null ? [] : [progress.cap(policy.maxPoints)]),
  ];
  return joinList(texts, say);
}

function joinList(texts: readonly string[], { comma, between }: Phrases): Piece[] {
  const gap = between.slice(comma.length);
  return texts.map((text, at) => ({ text: at < texts.length - 1 ? `${text}${comma}` : text, gap }));
}

/** Pieces in order, in as many lines as they need. */
function flow(pieces: readonly Piece[], width: number): Line[] {
  const lines: Piece[][] = [];
  let used = 0;
  for (const [at, piece] of pieces.entries()) {
    const { gap = ' ' } = piece;
    const next = piece.isMark ? pieces[at + 1] : undefined;
    const together = next === undefined ? 0 : 1 + textWidth(next.text);
    const line = lines.at(-1);
    const needed = textWidth(gap) + textWidth(piece.text);
    if (line === undefined || used + needed + together > width) {
      lines.push([piece]);
      used = textWidth(piece.text);
    } else {
      line.push(piece);
      used += needed;
    }
  }
  return lines;
}

function labelWidth({ progress }: Phrases): number {
  return Math.max(textWidth(progress.latest), textWidth(progress.slowest)) + 2;
}

function listLines(name: string, texts: readonly string[], width: number): Line[] {
  return texts.map((text, at) => [
    { text: fitText(at === 0 ? name : '', width), style: 'dim' },
    { text, gap: '' },
  ]);
}

/** The reason matters more than the end of a long id. */
function failureLines({ failures, say }: LiveFacts, width: number): string[] {
  return failures.slice(-listLength).map(({ id, status, failure }) => {
    const name = cutText(toTerminalText(id), Math.floor(width / 3));
    const why = failure === null ? null : sayFailure(status, failure, say);
    return say.progress.ended(name, say.status[status], why);
  });
}

/** Columns reserved for an id before anything else goes next to it. */
const leastIdWidth = 4;

function slowestLines({ slowest, view, now, say }: LiveFacts, width: number): string[] {
  const items = slowest.slice(0, listLength);
  const ids = items.map(({ id }) => toTerminalText(id));
  const ages = items.map(({ submittedAt }) => `  ${say.span(now - (submittedAt ?? now))}`);
  const frames = items.map((item) => (view.policy.frames === 'all' ? `  ${renderFrames(item, say)}` : ''));
  const ageWidth = longest(ages);
  const whole = items.map((_, at) => `${fitText(ages[at] ?? '', ageWidth)}${frames[at]}`);
  // A line without its id is useless; without the other facts it still helps.
  const facts = [whole, ages].find((each) => width - longest(each) >= leastIdWidth) ?? items.map(() => '');
  const idWidth = Math.min(width - longest(facts), Math.max(...ids.map(textWidth)));
  return ids.map((id, at) => `${fitText(id, idWidth)}${facts[at]}`);
}

function longest(texts: readonly string[]): number {
  return Math.max(...texts.map(textWidth));
}

function renderFrames({ artifacts }: Item, { progress }: Phrases): string {
  return progress.frames(withoutRepeats(artifacts).filter(({ kind }) => kind === 'frame').length);
}

/** As many lines of each list as fit; the first list has priority, but leaves one line to each of the others. */
function shareRoom(room: number, lists: readonly (readonly Line[])[]): Line[] {
  let left = room;
  return lists.flatMap((lines, at) => {
    const others = lists.slice(at + 1).filter((other) => other.length > 0).length;
    const count = Math.max(0, Math.min(lines.length, left - others));
    left -= count;
    return lines.slice(0, count);
  });
}

function paintLine(line: Line, width: number, isColor: boolean): string {
  let left = width;
  const runs: { text: string; readonly style: Style | undefined }[] = [];
  for (const [at, { text, style, gap = ' ' }] of line.entries()) {
    const shown = cutText(`${at === 0 ? '' : gap}${text}`, left);
    left -= textWidth(shown);
    const last = runs.at(-1);
    if (last !== undefined && last.style === style) last.text += shown;
    else runs.push({ text: shown, style });
  }
  const paint = ({ text, style }: (typeof runs)[number]): string =>
    isColor && style !== undefined && text !== '' ? styleText(style, text, { validateStream: false }) : text;
  return runs.map(paint).join('').trimEnd();
}

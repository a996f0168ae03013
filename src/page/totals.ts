/** The top of the page: the run, its totals, the rows by status, and small charts. */

import { leftOfRun } from '../money/forecast/outside-forecast.ts';
import { type PriceRange, predictPoints, sumPaid, sumRest } from '../money/forecast/price-range.ts';
import { type Status, statuses } from '../money/item.ts';
import type { PageHeading, PageTotals } from '../reports/page.ts';
import type { PageRow } from '../reports/page-wire.ts';
import { toggled } from './address.ts';
import { concurrencyChart, durationsChart, pointsChart } from './charts.ts';
import { stopCommand } from './commands.ts';
import { arrange, drawing, element, setAttribute, setText } from './elements.ts';
import { formatMoment, formatNumber, formatRough, formatShortTime, formatTime } from './formats.ts';
import type { Go, Part, Shown } from './list/shown.ts';
import type { Unsaved } from './marks/review.ts';
import { statusParts } from './status.ts';
import { words } from './words.ts';

export function createTotals(go: Go): Part {
  const figures = element('dl', { class: 'figures' });
  const bar = drawing('svg', { class: 'bar', viewBox: '0 0 1000 10', preserveAspectRatio: 'none' });
  const chips = element('div', { class: 'chips', role: 'group', 'aria-label': words().states });
  const states = element('div', { class: 'states' }, bar, chips);
  setAttribute(bar, 'aria-hidden', 'true');
  const charts = element('div', { class: 'charts' });
  const whole = element(
    'section',
    { class: 'totals', 'aria-label': words().totals },
    figures,
    charts,
    states,
  );
  const known = new Map<Status, HTMLButtonElement>();
  let drawn: unknown[] = [];
  let chosen: ReadonlySet<Status> = new Set();
  const choose = (status: Status) => go({ statuses: toggled(chosen, status), page: 1 });

  return {
    element: whole,
    update(shown) {
      chosen = shown.address.statuses;
      const { rows, heading, isRead } = shown;
      const left = leftOf(shown);
      const state = [rows.version, heading, isRead, left?.join()];
      if (state.some((one, at) => one !== drawn[at])) {
        drawn = state;
        const totals = heading ?? sumsOf(rows.all());
        const rest = isRead ? restOf(rows.all()) : null;
        figures.replaceChildren(...figuresOf(totals, heading, rest, left));
        showBar(bar, totals, choose);
        showChips(chips, totals, known, choose);
        if (isRead) showCharts(charts, shown);
      }
      for (const [status, chip] of known) setAttribute(chip, 'aria-pressed', `${chosen.has(status)}`);
      for (const part of bar.children) {
        const isQuiet = chosen.size > 0 && !chosen.has(part.getAttribute('data-status') as Status);
        part.classList.toggle('quiet', isQuiet);
      }
    },
  };
}

function showCharts(charts: HTMLElement, { rows, heading }: Shown): void {
  const all = rows.all();
  const endedAt = all.reduce((last, row) => Math.max(last, row.endedAt ?? 0), 0);
  const search = concurrencyChart(heading?.concurrency, heading?.running ? heading.writtenAt : endedAt);
  const drawn = [pointsChart(all), durationsChart(all), search];
  charts.replaceChildren(...drawn.filter((chart) => chart !== null));
}

/** The totals of the rows read so far, until those of the page are known. */
function sumsOf(rows: readonly PageRow[]): PageTotals {
  const counts: Partial<Record<Status, number>> = {};
  let points = 0;
  let unpriced = 0;
  for (const row of rows) {
    counts[row.status] = (counts[row.status] ?? 0) + 1;
    points += row.points ?? 0;
    if (row.points === null) unpriced += 1;
  }
  return { counts, points, unpriced, pricedVideos: 0, videoPoints: 0 };
}

/**
 * What the waiting rows will cost; null where none waits, or too little was paid for to know. The points of a row are those
 * of all its attempts: only the first one tells a price.
 */
function restOf(rows: readonly PageRow[]): PriceRange | null {
  const paid = rows.filter(
    ({ status, points, counted }) => status !== 'failed' && (points ?? 0) > 0 && counted === 1,
  );
  const waiting = rows.filter(({ status, row }) => status === 'pending' && row !== null);
  const sums = sumPaid(
    paid.map(({ quality, points, question }) => ({
      quality,
      points: points ?? 0,
      characters: question.length,
    })),
  );
  const rest = waiting.map(({ quality, question }) => ({ quality, rows: 1, characters: question.length }));
  return predictPoints(sums, sumRest(rest));
}

function restFigure({ low, high, videos, byQuality, byLength }: PriceRange): HTMLElement {
  const w = words();
  const value = low === high ? formatNumber(low) : `${formatNumber(low)}–${formatNumber(high)}`;
  return figure(value, w.figureRest, w.restBasis(formatNumber(videos), byQuality, byLength));
}

/** The time left of a run that goes, and when it ends; null where unknown. A pause says nothing of its end. */
function leftOf({ heading, rows, isRead }: Shown): readonly [left: string, end: string] | null {
  if (!isRead || heading === null || !heading.live || !heading.running || heading.pause !== undefined)
    return null;
  const { cap = null, points, pricedVideos, videoPoints } = heading;
  const now = Date.now();
  const each = pricedVideos > 0 ? videoPoints / pricedVideos : null;
  const ms = leftOfRun(rows.all(), { cap, spent: points, each }, now);
  return ms === null || ms === 0 ? null : [formatRough(ms / 1_000), formatMoment(now + ms, now)];
}

function figuresOf(
  totals: PageTotals,
  heading: PageHeading | null,
  rest: PriceRange | null,
  left: readonly [left: string, end: string] | null,
): HTMLElement[] {
  const { counts, points, unpriced, pricedVideos, videoPoints } = totals;
  const count = sum(Object.values(counts));
  const videos = counts.completed ?? 0;
  const w = words();
  const ofPoints = [
    heading?.cap === undefined ? '' : w.cap(formatNumber(heading.cap)),
    unpriced > 0 ? w.unpriced(formatNumber(unpriced), unpriced === 1) : '',
  ].filter((text) => text !== '');
  const each = pricedVideos > 0 ? formatNumber(Math.round((videoPoints / pricedVideos) * 100) / 100) : '–';
  return [
    figure(formatNumber(count), w.figureRows),
    figure(formatNumber(videos), w.figureVideos, count > 0 ? shareOf(videos, count) : null),
    figure(
      formatNumber(points),
      heading?.rehearsal ? w.figurePlayPoints : w.figurePoints,
      ofPoints.length > 0 ? ofPoints.join(' · ') : null,
    ),
    figure(each, w.figureEach),
    ...(rest === null ? [] : [restFigure(rest)]),
    ...(left === null ? [] : [figure(left[0], w.figureLeft, w.doneAt(left[1]))]),
  ];
}

function figure(value: string, name: string, more: string | null = null): HTMLElement {
  return element(
    'div',
    {},
    element('dt', {}, name),
    element(
      'dd',
      {},
      element('b', { class: 'value' }, value),
      more === null ? null : element('small', {}, more),
    ),
  );
}

/** A part never shows as 100 %, nor a non-empty one as 0 %. */
function shareOf(part: number, whole: number): string {
  const percent = (part / whole) * 100;
  if (part === 0 || part === whole) return `${percent} %`;
  return `${formatNumber(Math.min(99.9, Math.max(0.1, Math.round(percent * 10) / 10)))} %`;
}

/** From the left: what is done, what is on its way, what ended badly, what waits; as in the live block of a terminal. */
const early: readonly Status[] = ['completed', 'downloading', 'open', 'submitting'];
const late: readonly Status[] = ['pending'];
const between = statuses.filter((status) => !early.includes(status) && !late.includes(status));
const shownOrder = [...early, ...between, ...late];

const barWidth = 1000;
/** Keeps one row among thousands visible. */
const leastWidth = 4;

function showBar(bar: SVGSVGElement, { counts }: PageTotals, choose: (status: Status) => void): void {
  const present = shownOrder.filter((status) => (counts[status] ?? 0) > 0);
  const whole = sum(Object.values(counts));
  const widths = present.map((status) => Math.max(leastWidth, ((counts[status] ?? 0) / whole) * barWidth));
  const scale = barWidth / sum(widths);
  let x = 0;
  const parts = present.map((status, index) => {
    const width = (widths[index] ?? 0) * scale;
    const title = `${words().status[status]}: ${formatNumber(counts[status] ?? 0)}`;
    const part = drawing(
      'rect',
      { class: status, 'data-status': status, x, y: 0, width, height: 10, click: () => choose(status) },
      drawing('title', {}, title),
    );
    x += width;
    return part;
  });
  bar.replaceChildren(...parts);
}

function showChips(
  chips: HTMLElement,
  { counts }: PageTotals,
  known: Map<Status, HTMLButtonElement>,
  choose: (status: Status) => void,
): void {
  for (const status of shownOrder) {
    if ((counts[status] ?? 0) === 0 || known.has(status)) continue;
    const attributes = { type: 'button', class: `chip status ${status}`, title: words().meaning[status] };
    const click = () => choose(status);
    const chip = element('button', { ...attributes, click }, ...statusParts(status), element('b'));
    known.set(status, chip);
  }
  for (const [status, chip] of known) {
    const count = chip.querySelector('b');
    if (count) setText(count, formatNumber(counts[status] ?? 0));
  }
  arrange(
    chips,
    shownOrder.flatMap((status) => known.get(status) ?? []),
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0);
}

/** The line that names the run and its state. */
export function createHeading(controls: HTMLElement): Part {
  const name = element('h1');
  const state = element('span', { class: 'run-state' });
  const hint = words().rehearsalHint;
  const play = element('span', { class: 'rehearsal', title: hint, hidden: true }, words().rehearsal);
  const time = element('span', { class: 'written' });
  const notice = element('p', { class: 'notice', hidden: true });
  const line = element('div', { class: 'title-line' }, name, state, play, time, controls);
  return {
    element: element('div', {}, line, notice),
    update(shown) {
      const { heading } = shown;
      const w = words();
      const title = heading?.title ?? heading?.out;
      document.title = w.pageTitle(title ?? 'batch');
      setText(name, title ?? '');
      play.hidden = heading?.rehearsal !== true;
      setText(time, heading === null || heading.live ? '' : w.writtenAt(formatTime(heading.writtenAt)));
      const isLost = heading?.live === true && !shown.isConnected;
      setText(state, runState(shown));
      state.title = heading?.live && heading.running ? w.ends(stopCommand(heading)) : '';
      state.className = `run-state${isLost ? ' is-lost' : ''}`;
      const told = noticeOf(shown);
      notice.hidden = told === '';
      setText(notice, told);
    },
  };
}

function runState({ heading, isConnected }: Shown): string {
  if (heading === null) return '';
  if (heading.live && !isConnected) return words().liveLost;
  const { live, running, workers, pause } = heading;
  const state = live ? (running ? words().live : words().liveEnded) : running ? words().goesOn : '';
  const parts = [
    state,
    workers === undefined || !running ? '' : words().workers(workers),
    pause === undefined ? '' : words().paused(pause.until === null ? null : formatShortTime(pause.until)),
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

/** Marks that are not saved with the run; '' where all are. */
export function unsavedText({ count, isRefused }: Unsaved): string {
  if (count === 0) return '';
  return isRefused ? words().refused(formatNumber(count)) : words().unsaved(formatNumber(count));
}

function noticeOf({ heading, isRead, rows, unsaved }: Shown): string {
  if (!isRead) return words().reading(formatNumber(rows.count));
  if (rows.count === 0) return words().noRows;
  const leftOut = heading?.leftOut ?? 0;
  const said = [
    unsavedText(unsaved),
    unsaved.endsWithPage ? words().notKept : '',
    heading?.running === true && !heading.live ? words().goesOnHint : '',
    leftOut > 0 ? words().leftOut(formatNumber(leftOut)) : '',
  ];
  return said.filter((text) => text !== '').join(' ');
}

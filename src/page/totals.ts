/** The totals of the run, the rows by status, and small charts. */

import { courseOfRun } from '../money/forecast/outside-forecast.ts';
import { type PriceRange, predictPoints, sumPaid, sumRest } from '../money/forecast/price-range.ts';
import type { Status } from '../money/item.ts';
import type { PageHeading, PageTotals } from '../reports/page.ts';
import type { PageRow } from '../reports/page-wire.ts';
import { concurrencyChart, durationsChart, pointsChart } from './charts.ts';
import { createChips } from './list/chips.ts';
import type { Go, Part, Shown } from './list/shown.ts';
import { element } from './shared/elements.ts';
import { formatMoment, formatNumber, formatRough } from './shared/formats.ts';
import { words } from './words.ts';

export function createTotals(go: Go): Part {
  const figures = element('dl', { class: 'figures' });
  const charts = element('div', { class: 'charts' });
  const fold = createFold(charts);
  const chips = createChips(go);
  const whole = element(
    'section',
    { class: 'totals', 'aria-label': words().totals },
    figures,
    fold,
    chips.element,
  );
  let drawn: unknown[] = [];

  return {
    element: whole,
    update(shown) {
      const { rows, heading, isRead } = shown;
      const left = leftOf(shown);
      const state = [rows.version, heading, isRead, left?.join()];
      if (state.some((one, at) => one !== drawn[at])) {
        drawn = state;
        const totals = heading ?? sumsOf(rows.all());
        const rest = isRead ? restOf(rows.all()) : null;
        figures.replaceChildren(...figuresOf(totals, heading, rest, left));
        chips.draw(totals, shown);
        if (isRead) showCharts(charts, shown);
      }
      chips.choose(shown);
    },
  };
}

/** On a phone the charts would push the rows off the screen: there they are folded. */
const phone = matchMedia('(max-width: 45rem)');

function createFold(charts: HTMLElement): HTMLDetailsElement {
  const summary = element('summary', {}, words().charts);
  const fold = element('details', { class: 'charts-fold', open: !phone.matches }, summary, charts);
  phone.onchange = () => {
    fold.open = !phone.matches;
  };
  return fold;
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
 * of all its attempts: only the first one has a price.
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
  const { cap = null, ordered = null, points, pricedVideos, videoPoints } = heading;
  const now = Date.now();
  const each = pricedVideos > 0 ? videoPoints / pricedVideos : null;
  const { leftMs: ms } = courseOfRun(rows.all(), { cap, spent: points, each, limit: null, ordered }, now);
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

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0);
}

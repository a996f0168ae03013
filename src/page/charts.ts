/** Small charts, each with its content in words below. */

import type { LimitStep } from '../money/breakers/limit-steps.ts';
import type { PageRow } from '../reports/page-wire.ts';
import { drawing, element } from './shared/elements.ts';
import { formatDuration, formatEnds, formatNumber } from './shared/formats.ts';
import { words } from './words.ts';

const width = 320;
const height = 56;
/** The resolution of the chart. */
const mostPoints = 240;
const barCount = 32;

/** Points spent, by the time tasks ended. */
export function pointsChart(rows: readonly PageRow[]): HTMLElement {
  const spent = rows
    .flatMap(({ endedAt, points }) => (endedAt === null || !points ? [] : [{ at: endedAt, points }]))
    .sort((a, b) => a.at - b.at);
  const first = spent[0];
  const last = spent.at(-1);
  const title = words().pointsOverTime;
  if (first === undefined || last === undefined) return chart(title, words().nothingYet, []);
  const total = spent.reduce((sum, { points }) => sum + points, 0);
  const ms = Math.max(1, last.at - first.at);
  const every = Math.ceil(spent.length / mostPoints);
  let sum = 0;
  const steps = spent.flatMap(({ at, points }, index) => {
    sum += points;
    if (index % every !== 0 && index !== spent.length - 1) return [];
    const x = ((at - first.at) / ms) * width;
    return [`H${x.toFixed(1)}V${(height - (sum / total) * (height - 2)).toFixed(1)}`];
  });
  const line = `M0 ${height}${steps.join('')}`;
  const [from, to] = formatEnds(first.at, last.at);
  const said = words().pointsText(formatNumber(total), from, to);
  return chart(
    title,
    said,
    [
      drawing('path', { class: 'area', d: `${line}H${width}V${height}Z` }),
      drawing('path', { class: 'line', d: `${line}H${width}` }),
    ],
    { top: words().pointsAxis(formatNumber(total)), from, to },
  );
}

/** How many tasks took how long; the last bar contains the few longest. */
export function durationsChart(rows: readonly PageRow[]): HTMLElement {
  const title = words().durations;
  const durations = Float64Array.from(
    rows.flatMap(({ seconds }) => (seconds === null ? [] : [seconds])),
  ).sort();
  if (durations.length === 0) return chart(title, words().nothingYet, []);
  const at = (share: number): number => durations[Math.floor(share * (durations.length - 1))] ?? 0;
  const step = niceStep(Math.max(at(0.99), 0.1) / barCount);
  const counts = new Array<number>(barCount).fill(0);
  for (const seconds of durations) {
    const place = Math.min(barCount - 1, Math.floor(seconds / step));
    counts[place] = (counts[place] ?? 0) + 1;
  }
  const said = words().durationsText(
    formatDuration(at(0.5)),
    formatDuration(at(0.95)),
    formatDuration(at(1)),
  );
  return chart(title, said, histogram(counts, step), {
    top: words().tasksAxis(formatNumber(Math.max(...counts))),
    from: formatDuration(0),
    to: words().andMore(formatDuration((barCount - 1) * step)),
  });
}

/** How many tasks could be open at once, until `endedAt` (epoch ms); null where nothing searched for the number. */
export function concurrencyChart(
  steps: readonly LimitStep[] | undefined,
  endedAt: number,
): HTMLElement | null {
  const first = steps?.[0];
  const last = steps?.at(-1);
  if (steps === undefined || first === undefined || last === undefined) return null;
  const most = Math.max(...steps.map(([, limit]) => limit));
  const ms = Math.max(1, endedAt - first[0], last[0] - first[0]);
  const y = (limit: number): string => (height - (limit / most) * (height - 2)).toFixed(1);
  const line = steps.map(([at, limit]) => `H${(((at - first[0]) / ms) * width).toFixed(1)}V${y(limit)}`);
  const path = `M0 ${height}${line.join('')}H${width}`;
  const [from, to] = formatEnds(first[0], first[0] + ms);
  const said = words().concurrencyText(formatNumber(last[1]), formatNumber(most));
  return chart(
    words().concurrency,
    said,
    [
      drawing('path', { class: 'area', d: `${path}V${height}Z` }),
      drawing('path', { class: 'line', d: path }),
    ],
    { top: words().tasksAxis(formatNumber(most)), from, to },
  );
}

function histogram(counts: readonly number[], step: number): SVGElement[] {
  const most = Math.max(...counts);
  const barWidth = width / counts.length;
  return counts.flatMap((count, index) => {
    if (count === 0) return [];
    const tall = Math.max(2, (count / most) * (height - 2));
    const from = formatDuration(index * step);
    const said =
      index === counts.length - 1
        ? words().durationsLastBar(from, formatNumber(count))
        : words().durationsBar(from, formatDuration((index + 1) * step), formatNumber(count));
    const place = { x: index * barWidth + 0.5, y: height - tall, width: barWidth - 1, height: tall };
    return [drawing('rect', { class: 'column', ...place }, drawing('title', {}, said))];
  });
}

/** The next of 1, 2, 5, 10, ... tenths of a second. */
function niceStep(seconds: number): number {
  const power = 10 ** Math.floor(Math.log10(seconds));
  return Math.max(0.1, power * ([1, 2, 5, 10].find((factor) => factor * power >= seconds) ?? 10));
}

/** What stands at the ends of the axes. */
interface Axes {
  /** At the top of the upright one, with its unit; its foot is 0. */
  readonly top: string;
  readonly from: string;
  readonly to: string;
}

function chart(
  title: string,
  said: string,
  shapes: readonly SVGElement[],
  axes: Axes | null = null,
): HTMLElement {
  const name = `${title}: ${said}`;
  return element(
    'figure',
    { class: 'chart' },
    element('figcaption', {}, element('b', {}, title), ' ', element('span', {}, said)),
    ...(axes === null ? [] : [element('div', { class: 'axis', 'aria-hidden': 'true' }, axes.top)]),
    drawing(
      'svg',
      { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': name },
      ...shapes,
    ),
    ...(axes === null
      ? []
      : [
          element(
            'div',
            { class: 'axis', 'aria-hidden': 'true' },
            element('span', {}, axes.from),
            element('span', {}, axes.to),
          ),
        ]),
  );
}

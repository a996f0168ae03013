/**
 * `report.html`: one offline file to look at. It is written as it goes: a head, one data island per batch of
 * rows, and a tail with the totals and the script that shows them. Data reaches the page as text only: it stands
 * in islands the browser does not run, is shown with `textContent`, and no other script or style may run.
 */

import { createHash } from 'node:crypto';
import { type Status, statuses } from '../core/item.ts';
import { roundPoints, statusMeaning } from '../core/summary.ts';
import { isoTime, type ReportLine } from './columns.ts';
import { pageScript } from './page-script.ts';
import { pageStyle } from './page-style.ts';

/** What the page says about itself. */
export interface PageFacts {
  /** The output folder, as the user named it. */
  readonly out: string;
  /** Epoch ms. */
  readonly writtenAt: number;
  /** True while the run goes on and the page will be written again. */
  readonly running: boolean;
}

/** The sums of the rows on the page. */
export interface PageTotals {
  readonly counts: Readonly<Partial<Record<Status, number>>>;
  readonly points: number;
  /** Rows whose points are not known. */
  readonly unpriced: number;
}

/** Totals of a page without rows. */
export const noTotals: PageTotals = { counts: {}, points: 0, unpriced: 0 };

/** The totals with the rows of one more batch. */
export function addTotals(totals: PageTotals, lines: readonly ReportLine[]): PageTotals {
  const counts = { ...totals.counts };
  for (const { status } of lines) counts[status] = (counts[status] ?? 0) + 1;
  const points = lines.reduce((sum, line) => sum + (line.points ?? 0), totals.points);
  const unpriced = lines.filter((line) => line.points === null).length;
  return { counts, points: roundPoints(points), unpriced: totals.unpriced + unpriced };
}

/** Everything before the rows. A file link may play only what lies beside the page, or what its server gives. */
export function renderPageHead(): string {
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(pageScript)}'`,
    `style-src '${hashOf(pageStyle)}'`,
    "media-src 'self' file:",
    "connect-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>Report</title>
<style>${pageStyle}</style>
</head>
<body>
${pageBody}`;
}

const pageBody = `<header>
<h1>Report</h1>
<p id="written"></p>
<ul id="totals"></ul>
<noscript><p>This page shows its rows with a small script of its own. The same rows are in report.csv.</p></noscript>
</header>
<main>
<div id="controls">
<label>Search <input id="search" type="search" placeholder="id, question, title, failure" autocomplete="off"></label>
<label>Status <select id="status"><option value="">all</option></select></label>
<p id="shown" role="status"></p>
</div>
<table>
<thead><tr>
<th scope="col" class="number">Row</th>
<th scope="col">Id</th>
<th scope="col">Status</th>
<th scope="col" class="number">Points</th>
<th scope="col">Question</th>
<th scope="col" class="number">Frames</th>
<th scope="col">Video</th>
</tr></thead>
<tbody id="rows"></tbody>
</table>
<p id="more"><button type="button" id="next">Show more</button> <button type="button" id="all">Show all</button></p>
</main>
`;

/** One batch of rows. */
export function renderPageRows(lines: readonly ReportLine[]): string {
  return lines.length === 0 ? '' : renderIsland('class="rows"', lines.map(pageRow));
}

/** Everything after the rows. */
export function renderPageTail(facts: PageFacts, totals: PageTotals): string {
  const island = renderIsland('id="facts"', {
    out: facts.out,
    writtenAt: isoTime(facts.writtenAt),
    running: facts.running,
    points: totals.points,
    unpriced: totals.unpriced,
    statuses: statuses
      .filter((status) => totals.counts[status] !== undefined)
      .map((status) => ({ status, count: totals.counts[status], meaning: statusMeaning[status] })),
  });
  return `${island}<script>${pageScript}</script>\n</body>\n</html>\n`;
}

/** A row as the page's script takes it: a list, because names would be written once per row. */
function pageRow(line: ReportLine): readonly (string | number | null)[] {
  const { row, id, status, points, question, title, failure, frames, video } = line;
  return [row, id, status, points, question, title, failure, frames, video === null ? null : linkTo(video)];
}

/** A relative path as a relative link. */
function linkTo(path: string): string {
  return path.toWellFormed().split('/').map(encodeURIComponent).join('/');
}

/** Without a `<` nothing in the data can end the island or open a comment in it. */
function renderIsland(attribute: string, data: unknown): string {
  const json = JSON.stringify(data).replace(/[<\u2028\u2029]/g, escapeCharacter);
  return `<script type="application/json" ${attribute}>${json}</script>\n`;
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

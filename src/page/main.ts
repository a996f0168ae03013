/** The script of `report.html`: assembles the parts and follows the reader. */

import type { PageHeading } from '../reports/page.ts';
import { type PackedRow, type PageRow, unpackRow } from '../reports/page-wire.ts';
import type { Language } from '../text/languages.ts';
import { writeForSystem } from '../text/shell-word.ts';
import { type Address, changed, parseAddress, renderAddress } from './address.ts';
import { createDetail, type Detail } from './detail/detail.ts';
import { createHeading } from './heading.ts';
import { keyOrders } from './keyboard.ts';
import { createList, type List, pageOf } from './list/list.ts';
import { createRows } from './list/rows.ts';
import { markOf, marksOn, type Part, type Shown } from './list/shown.ts';
import { createToolbar, type Toolbar } from './list/toolbar.ts';
import { follow } from './live.ts';
import { judged, type Mark, standingAttempt } from './marks/mark.ts';
import { createMarksMenu } from './marks/marks-menu.ts';
import { allSaved, openReview } from './marks/review.ts';
import { fillPaper } from './printing.ts';
import { createPageSample } from './sample/page-sample.ts';
import { createSamplePanel } from './sample/panel.ts';
import { applyTheme, createControls, preferredLanguage } from './shared/controls.ts';
import { element } from './shared/elements.ts';
import { hideUntilFailure } from './shared/failure.ts';
import { readIsland, readIslands } from './shared/islands.ts';
import { createKeyList, listenToKeys } from './shared/keys.ts';
import { recall, remember } from './shared/settings.ts';
import { speak } from './shared/words.ts';
import { createTotals } from './totals.ts';
import { words } from './words.ts';

interface Parts {
  readonly all: readonly Part[];
  readonly list: List;
  readonly detail: Detail;
  readonly toolbar: Toolbar;
  readonly keys: HTMLDialogElement;
  readonly paper: HTMLElement;
}

const timeLeftEveryMs = 5_000;

// The commands on the page are typed where it is read.
writeForSystem(navigator.userAgent.includes('Windows') ? 'win32' : '');

const rows = createRows();
let shown: Shown = {
  address: readAddress(),
  rows,
  found: [],
  sample: null,
  heading: null,
  marks: null,
  isRead: false,
  isConnected: false,
  others: new Map(),
  unsaved: allSaved,
};
let parts: Parts;
const sample = createPageSample(rows, refresh);
/** The query behind the matching rows: most changes keep it. */
let foundBy = '';
/** The detail was opened from the list, so going back closes it. */
let isOpenedHere = false;
/** The detail was closed, and the browser is going back to the list. */
let isGoingBack = false;
/** Index of the open row in the matching rows, even after it has left them. */
let lastPlace = 0;
let frame = 0;
/** Number of rows at the last refresh. */
let lookedAt = 0;
/** The part after `#` as this page last wrote or read it. */
let written = location.hash;
let addressTimer = 0;

function readAddress(): Address {
  const address = parseAddress(location.hash);
  const isBare = location.hash.length < 2;
  return isBare && recall('view') === 'gallery' ? { ...address, view: 'gallery' } : address;
}

/** Shows the current state, once before the browser next paints. */
function refresh(): void {
  if (frame === 0) frame = requestAnimationFrame(update);
}

function update(): void {
  cancelAnimationFrame(frame);
  frame = 0;
  lookedAt = rows.count;
  const { address } = shown;
  const { row, page, view, ...query } = address;
  shown = { ...shown, sample: sample.shownIn(shown) };
  const drawn = shown.sample;
  const name = `${rows.version} ${drawn?.name} ${renderAddress({ ...query, row: null, page: 1, view: 'table' })}`;
  if (name !== foundBy || query.mark !== null) {
    const found = rows.select(query, (id) => marksOn(shown, id), drawn?.rows);
    shown = { ...shown, found };
    foundBy = name;
  }
  if (row !== null) {
    const place = shown.found.findIndex(({ id }) => id === row);
    if (place >= 0) lastPlace = place;
  }
  for (const part of parts.all) part.update(shown);
}

/** Changes what is shown, and the address: at once, or after a pause while the reader types. */
function go(change: Partial<Address>): void {
  shown = { ...shown, address: changed(shown.address, change) };
  if (change.view !== undefined) remember('view', change.view);
  clearTimeout(addressTimer);
  if (change.text === undefined) writeAddress();
  else addressTimer = window.setTimeout(writeAddress, 400);
  update();
}

function writeAddress(): void {
  if (isGoingBack) return;
  const hash = renderAddress(shown.address);
  written = hash === '#' ? '' : hash;
  if (location.hash !== written) location.replace(hash);
}

/** Follows links and the browser's back and forward buttons. */
function followAddress(): void {
  const address = parseAddress(location.hash);
  if (isGoingBack && address.row === null) {
    // The list is already shown, and the reader may have moved on.
    isGoingBack = false;
    writeAddress();
    return;
  }
  isGoingBack = false;
  if (location.hash === written) return;
  written = location.hash;
  const before = shown.address.row;
  if (before === null && address.row !== null) isOpenedHere = true;
  if (before !== null && address.row === null) showList(before, address);
  else {
    shown = { ...shown, address };
    update();
  }
}

function close(): void {
  const before = shown.address.row;
  // Closed by the page itself: the list is already shown.
  if (before === null) return;
  if (isOpenedHere) {
    isGoingBack = true;
    history.back();
  }
  showList(before, { ...shown.address, row: null });
}

/** Back in the list, on the page of the row that was open. */
function showList(before: string, address: Address): void {
  isOpenedHere = false;
  const page = shown.found.length > 0 ? pageOf(lastPlace, address.view) : address.page;
  shown = { ...shown, address: { ...address, page } };
  writeAddress();
  update();
  parts.list.focus(before);
}

/** A row that no longer matches leaves its place to the next one. */
function step(by: number): void {
  const { found, address } = shown;
  const isFound = found[lastPlace]?.id === address.row;
  const next = found[isFound || by < 0 ? lastPlace + by : lastPlace];
  if (next !== undefined) go({ row: next.id });
}

function stepInList(by: number): boolean {
  if (parts.list.step(by)) return true;
  const page = Math.min(shown.address.page, pageOf(shown.found.length - 1, shown.address.view)) + by;
  if (page < 1 || page > pageOf(shown.found.length - 1, shown.address.view)) return true;
  (document.activeElement as HTMLElement | null)?.blur();
  go({ page });
  return parts.list.step(by);
}

function mark(id: string, noted: Mark): void {
  shown.marks?.set(id, noted);
  update();
}

/** In the list, marks the focused row. */
function judge(verdict: Mark['verdict']): boolean {
  if (parts.detail.isOpen) {
    parts.detail.judge(verdict);
    return true;
  }
  const id = (document.activeElement as HTMLElement | null)?.dataset.id;
  if (id === undefined) return false;
  const row = rows.find(id);
  const before = markOf(shown, id);
  if (row !== null) mark(id, judged(before, verdict, standingAttempt(row, before)));
  return true;
}

function writeNote(): boolean {
  const link = document.activeElement;
  if (!(link instanceof HTMLAnchorElement) || link.dataset.id === undefined) return false;
  link.click();
  // A link changes the address.
  addEventListener('hashchange', () => requestAnimationFrame(() => parts.detail.focusNote()), { once: true });
  return true;
}

/** Builds the page in one language. */
function build(language: Language): void {
  speak(language);
  const w = words();
  const keys = createKeyList(w.keyList);
  const detail = createDetail({ step, close, mark });
  const menu = createMarksMenu();
  const openFirst = () => document.querySelector<HTMLElement>('a.open')?.click();
  const toolbar = createToolbar(go, openFirst, menu.element);
  const heading = createHeading(createControls(build, () => keys.showModal()));
  const totals = createTotals(go);
  const list = createList(go);
  const panel = createSamplePanel(sample.sampling, go);
  const paper = element('ol', { class: 'paper' });
  parts = { all: [heading, totals, toolbar, menu, panel, list, detail], list, detail, toolbar, keys, paper };
  const top = element('header', { class: 'top' }, heading.element, totals.element);
  const main = element(
    'main',
    { 'aria-label': w.rowsLabel },
    toolbar.element,
    panel.element,
    list.element,
    paper,
  );
  document.getElementById('app')?.replaceChildren(top, main, detail.element, keys);
  update();
}

/** When everything is read, the marks are known and formulas can be rendered. */
function finish(heading: PageHeading): void {
  const review = openReview(heading, rows, () => showMarks());
  const showMarks = () => show({ others: review.others, unsaved: review.unsaved });
  const { marks, others, unsaved } = review;
  rows.name(heading.columns ?? []);
  shown = { ...shown, heading, marks, others, unsaved, isRead: true };
  parts.list.forget();
  parts.detail.forget();
  refresh();
  if (!heading.live) return;
  // The time left goes down while nothing else changes.
  setInterval(refresh, timeLeftEveryMs);
  follow(heading.inputVersion, {
    rows: addRows,
    heading: (heading) => {
      rows.name(heading.columns ?? []);
      review.look(heading.reviewVersion);
      show({ heading });
    },
    connection: (isConnected) => show({ isConnected }),
  });
}

function addRows(more: readonly PageRow[]): void {
  rows.put(more);
  // While a large page loads, refresh ever less often: each refresh takes longer than the one before.
  if (shown.isRead || rows.count >= 2 * lookedAt) refresh();
}

function show(news: Partial<Shown>): void {
  shown = { ...shown, ...news };
  refresh();
}

applyTheme();
build(preferredLanguage());
readIslands<PackedRow>('rows', {
  batch: (packed) => addRows(packed.map(unpackRow)),
  end: () => finish(readIsland('heading') as PageHeading),
});
listenToKeys(() => keyOrders(parts, { go, step, stepInList, judge, writeNote }));
addEventListener('hashchange', followAddress);
addEventListener('beforeprint', () => fillPaper(parts.paper, shown));
addEventListener('afterprint', () => parts.paper.replaceChildren());
hideUntilFailure();

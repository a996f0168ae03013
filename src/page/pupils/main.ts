/** The script of the page for pupils: a list of videos, or one of them, whose link is the part of the address after `#`. */

import { type PackedVideo, type PupilPage, type PupilVideo, unpackVideo } from '../../reports/pupil-wire.ts';
import type { Language } from '../../text/languages.ts';
import { applyTheme, createControls, preferredLanguage } from '../shared/controls.ts';
import { element } from '../shared/elements.ts';
import { hideUntilFailure } from '../shared/failure.ts';
import { formatNumber } from '../shared/formats.ts';
import { awaitIsland, readIslands } from '../shared/islands.ts';
import { createKeyList, type KeyOrders, listenToKeys } from '../shared/keys.ts';
import { speak } from '../shared/words.ts';
import { createBrowse } from './browse.ts';
import { fillPaper } from './paper.ts';
import { createVideos } from './videos.ts';
import { createWatch } from './watch.ts';
import { words } from './words.ts';

let title = '';
let chapters: readonly string[] = [];
let videos = createVideos(chapters);
/** Read before the page is known. */
const early: PupilVideo[] = [];
let isKnown = false;

/** What is searched for. */
let text = '';
let found: readonly PupilVideo[] = [];
let open: PupilVideo | null = null;
/** It was opened from the list, so going back closes it. */
let isOpenedHere = false;
/** Where the list was scrolled to. */
let scrolled = 0;
let isRead = false;
let parts: ReturnType<typeof assemble>;

/** The parts of the page, in the language that is spoken. */
function assemble() {
  const w = words();
  const keys = createKeyList(w.keyList);
  const controls = createControls(build, () => keys.showModal());
  const heading = element('h1', {}, title);
  const top = element('header', { class: 'top' }, element('div', { class: 'title-line' }, heading, controls));
  const browse = createBrowse(chapters, { text, find, openLink, placeOf });
  const watch = createWatch(step, back);
  const paper = element('div', { class: 'paper' });
  const main = element('main', { 'aria-label': w.listLabel }, browse.element, watch.element, paper);
  document.getElementById('app')?.replaceChildren(top, main, keys);
  return { keys, browse, watch, paper };
}

function build(language: Language): void {
  speak(language);
  parts = assemble();
  parts.browse.add(videos.all());
  find(text);
  if (open !== null) show(open);
}

function placeOf(video: PupilVideo): number {
  return videos.all().indexOf(video) + 1;
}

function find(wanted: string): void {
  text = wanted;
  found = videos.search(text);
  parts.browse.show(found, videos.count, text.trim() !== '', isRead);
}

function show(video: PupilVideo): void {
  const { browse, watch } = parts;
  if (open === null) scrolled = scrollY;
  open = video;
  browse.element.hidden = true;
  watch.element.hidden = false;
  const list = found.includes(video) ? found : videos.all();
  const chapter = video.chapter === null ? null : (chapters[video.chapter] ?? null);
  watch.show(video, chapter, {
    at: list.indexOf(video) + 1,
    of: list.length,
    number: placeOf(video),
  });
  document.title = words().pageTitle(video.title || words().untitled(formatNumber(placeOf(video))), title);
  scrollTo({ top: 0 });
  watch.focus();
}

function showList(): void {
  const { browse, watch } = parts;
  const before = open;
  open = null;
  isOpenedHere = false;
  document.title = title;
  watch.leave();
  watch.element.hidden = true;
  browse.element.hidden = false;
  if (before === null) return;
  scrollTo({ top: scrolled });
  browse.focus(before);
}

/** A click on a link plays the video at once, as far as the browser allows. */
function openLink(link: string): void {
  const video = videos.find(link);
  if (video === null) return;
  isOpenedHere = true;
  show(video);
  location.hash = link;
  parts.watch.play();
}

/** Follows links and the browser's back and forward buttons. */
function followAddress(): void {
  const link = location.hash.slice(1);
  const video = videos.find(link);
  if (video !== null && video !== open) show(video);
  if (video === null && open !== null) showList();
  if (isRead) parts.browse.say(video === null && link !== '' ? words().noSuchVideo : '');
}

function step(by: number): void {
  if (open === null) return;
  const list = found.includes(open) ? found : videos.all();
  const next = list[list.indexOf(open) + by];
  if (next !== undefined) location.replace(`#${next.anchor}`);
}

function back(): void {
  if (isOpenedHere) history.back();
  else location.replace('#');
}

function keyOrders(): KeyOrders {
  const { keys, browse, watch } = parts;
  if (keys.open) return {};
  const did = (order: () => void) => () => {
    order();
    return true;
  };
  const explain = { '?': did(() => keys.showModal()) };
  if (open === null)
    return {
      ...explain,
      '/': did(() => browse.search.focus()),
      j: () => browse.step(1),
      k: () => browse.step(-1),
    };
  return {
    ...explain,
    j: did(() => step(1)),
    k: did(() => step(-1)),
    ' ': did(watch.play),
    Escape: did(back),
  };
}

function add(more: readonly PupilVideo[]): void {
  if (!isKnown) {
    early.push(...more);
    return;
  }
  videos.put(more);
  parts.browse.add(more);
  find(text);
  if (open === null) followAddress();
}

/** The page is known, but the browser may still read videos, and what formulas are drawn with. */
function start(page: PupilPage): void {
  ({ title, chapters } = page);
  isKnown = true;
  videos = createVideos(chapters);
  document.title = title;
  build(preferredLanguage(page.language));
  add(early);
}

function finish(): void {
  isRead = true;
  find(text);
  followAddress();
  parts.browse.showFormulas();
  parts.watch.showFormulas();
}

applyTheme();
awaitIsland('page', (page) => start(page as PupilPage));
readIslands<PackedVideo>('videos', { batch: (packed) => add(packed.map(unpackVideo)), end: finish });
addEventListener('DOMContentLoaded', () => {
  listenToKeys(keyOrders);
  addEventListener('hashchange', followAddress);
  addEventListener('beforeprint', () => fillPaper(parts.paper, open === null ? found : [open], chapters));
  addEventListener('afterprint', () => parts.paper.replaceChildren());
});
hideUntilFailure();

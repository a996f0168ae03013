/** Two attempts of the open row side by side: their videos, points, and texts where they differ. */

import type { PageRow, PageVideo } from '../../reports/page-wire.ts';
import { type Child, element, keySign } from '../shared/elements.ts';
import { formatNumber } from '../shared/formats.ts';
import { showText } from '../shared/formulas.ts';
import { words } from '../words.ts';
import { type Difference, differenceOf } from './text-difference.ts';

/** A comparison; closed until `open`. */
export interface Comparison {
  readonly element: HTMLElement;
  readonly isOpen: boolean;
  /** Compares the attempt on the screen with the one before it, or with the next. */
  open(row: PageRow, attempt: number, standing: number): void;
  /** Shows which attempt stands for the row now. */
  stand(standing: number): void;
  /** Plays both videos, or pauses them. */
  play(): void;
  close(): void;
}

/** True where there is another attempt to compare with. */
export function isComparable({ videos }: PageRow): boolean {
  return videos.length > 1;
}

/** The row and the two attempts that are compared. */
interface Compared {
  readonly row: PageRow;
  readonly pair: readonly [number, number];
  readonly standing: number;
}

/** `prefer` lets an attempt stand for the row; `close` goes back to one video. */
export function createComparison(prefer: (attempt: number) => void, close: () => void): Comparison {
  const w = words();
  const columns = element('div', { class: 'compared' });
  const play = () => togglePlaying([...columns.querySelectorAll('video')]);
  const back = element('button', { type: 'button', click: close }, `${w.compareEnd} `, keySign('a'));
  const both = element('button', { type: 'button', click: play }, `${w.playBoth} `, keySign('Space'));
  const head = element('div', { class: 'compared-head' }, back, both);
  const whole = element(
    'section',
    { class: 'comparison', 'aria-label': w.compare, tabindex: -1, hidden: true },
    head,
    columns,
  );
  let seen: Compared | null = null;
  const titleOf = ({ row, standing }: Compared, video: PageVideo, at: number) =>
    createTitle(row, video, standing, { prefer, choose: (attempt) => choose(at, attempt) });
  const draw = (compared: Compared): void => {
    seen = compared;
    const [left, right] = videosOf(compared);
    if (left === undefined || right === undefined) return;
    const texts = textsOf(compared.row, left, right);
    const sides = [left, right].map((video, at) =>
      element(
        'article',
        { 'aria-label': w.attempt(formatNumber(video[0])) },
        titleOf(compared, video, at),
        playerOf(video),
        ...(texts[at] ?? []),
      ),
    );
    columns.replaceChildren(...sides);
  };
  const choose = (at: number, attempt: number): void => {
    if (seen === null) return;
    const [left, right] = seen.pair;
    draw({ ...seen, pair: at === 0 ? [attempt, right] : [left, attempt] });
  };

  return {
    element: whole,
    get isOpen() {
      return seen !== null;
    },
    open(row, attempt, standing) {
      const attempts = row.videos.map(([one]) => one);
      const at = Math.max(1, attempts.indexOf(attempt));
      whole.hidden = false;
      draw({ row, pair: [attempts[at - 1] ?? attempt, attempts[at] ?? attempt], standing });
      // A button would take the key that plays.
      whole.focus();
    },
    stand(standing) {
      if (seen === null || seen.standing === standing) return;
      seen = { ...seen, standing };
      for (const [at, video] of videosOf(seen).entries())
        if (video !== undefined)
          columns.children[at]?.firstElementChild?.replaceWith(titleOf(seen, video, at));
    },
    play,
    close() {
      seen = null;
      whole.hidden = true;
      columns.replaceChildren();
    },
  };
}

/** Of both attempts; undefined where one has none. */
function videosOf({ row, pair }: Compared): readonly (PageVideo | undefined)[] {
  return pair.map((attempt) => row.videos.find(([one]) => one === attempt));
}

/** The head of one side: which attempt it is, its price, and whether it stands for the row. */
function createTitle(
  { videos, quality }: PageRow,
  [attempt, , points, apart]: PageVideo,
  standing: number,
  { prefer, choose }: Readonly<Record<'prefer' | 'choose', (attempt: number) => void>>,
): HTMLElement {
  const w = words();
  const option = ([one]: PageVideo) =>
    element('option', { value: one, selected: one === attempt }, w.attempt(formatNumber(one)));
  const select = element(
    'select',
    { 'aria-label': w.attempts, change: () => choose(Number(select.value)) },
    ...videos.map(option),
  );
  const isMixed = videos.some(([, , , { quality: other }]) => other !== undefined);
  const price = [
    points === null ? w.unknownPoints : w.points(formatNumber(points), points === 1),
    ...(isMixed ? [w.inQuality(apart.quality ?? quality)] : []),
  ].join(' · ');
  const choice =
    attempt === standing
      ? element('span', { class: 'preferred' }, `★ ${w.standing}`)
      : element('button', { type: 'button', class: 'prefer', click: () => prefer(attempt) }, w.prefer);
  return element(
    'div',
    { class: 'compared-title' },
    videos.length > 2 ? select : element('h3', {}, w.attempt(formatNumber(attempt))),
    element('span', { class: 'price' }, price),
    choice,
  );
}

/** Plays all of them, or pauses them where one plays. */
function togglePlaying(videos: readonly HTMLVideoElement[]): void {
  const isPlaying = videos.some(({ paused }) => !paused);
  for (const video of videos) {
    if (isPlaying) video.pause();
    // A video that cannot be played reports this by an error event.
    else video.play().catch(() => undefined);
  }
}

function playerOf([attempt, source]: PageVideo): HTMLElement {
  const w = words();
  const label = `${w.video}, ${w.attempt(formatNumber(attempt))}`;
  const video = element('video', {
    src: source,
    preload: 'metadata',
    controls: true,
    playsinline: true,
    'aria-label': label,
  });
  video.addEventListener('error', () => video.replaceWith(element('p', { class: 'absent' }, w.videoMissing)));
  return video;
}

/** The texts of both: with the difference marked, or once where there is none. */
function textsOf(row: PageRow, left: PageVideo, right: PageVideo): readonly (readonly HTMLElement[])[] {
  const w = words();
  const both = (['question', 'answer'] as const).map((field) => {
    const [one, other] = [left, right].map(([, , , texts]) => texts[field] ?? row[field]);
    const found = differenceOf(one ?? '', other ?? '');
    if (found !== null) return found.map((text) => section(w[field], marked(text)));
    if (!one) return [];
    const text = element('div', { class: 'whole' });
    showText(text, one);
    return [section(w.sameText[field], text)];
  });
  return [0, 1].map((at) => both.flatMap((sides) => sides[at] ?? []));
}

function marked({ before, own, after }: Difference): HTMLElement {
  return element('div', { class: 'whole' }, before, own === '' ? null : element('mark', {}, own), after);
}

function section(name: string, child: Child): HTMLElement {
  return element('section', {}, element('h4', {}, name), child);
}

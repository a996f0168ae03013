/** The screen: shows the video or one of the frames. */

import type { PageRow } from '../../reports/page-wire.ts';
import { element, setAttribute, setText } from './elements.ts';
import { formatNumber } from './formats.ts';
import { sharedWords } from './words.ts';

/** Browsers refuse captions to a page that was opened from the disk, even where its policy allows them. */
const isOffline = location.protocol === 'file:';

/** What a screen shows of a row. */
export type Pictures = Pick<PageRow, 'video' | 'captions' | 'frames'>;

/** A screen; it plays at `speed`. */
export interface Screen {
  readonly element: HTMLElement;
  /** Sets the video of a row. Where frames show what is in it, it is not loaded before it is played: a reviewer skips many. */
  put(row: Pictures): void;
  /** The same for another video of the same row; one that was played continues where the previous one was. */
  swap(row: Pictures): void;
  /** Shows the frame at this place (from 0), or the video for null. */
  show(row: Pictures, frame: number | null): void;
  say(text: string): void;
  /** Plays, or pauses. */
  toggle(): void;
  pause(): void;
  setSpeed(speed: number): void;
  /** Releases what it shows. */
  clear(): void;
}

/** An empty screen. `play` is called on a click. */
export function createScreen(play: () => void): Screen {
  const w = sharedWords();
  const notice = element('p', { class: 'missing', role: 'status', hidden: true });
  const say = (text: string) => {
    setText(notice, text);
    notice.hidden = text === '';
  };
  const player = createPlayer(play, say);
  const { video } = player;
  const picture = element('img', { class: 'frame', alt: '' });
  const start = element('button', { type: 'button', class: 'start', 'aria-label': w.play, click: play }, '▶');
  picture.addEventListener('error', () => say(w.frameMissing));
  return {
    ...player,
    element: element('div', { class: 'screen' }, video, picture, start, notice),
    show(row, frame) {
      const source = frame === null ? undefined : row.frames[frame];
      const count = formatNumber(row.frames.length);
      picture.hidden = source === undefined;
      video.hidden = source !== undefined || row.video === null;
      // Controls would cover the picture before the video is played.
      start.hidden = video.hidden || video.controls;
      if (source !== undefined && picture.getAttribute('src') !== source) picture.src = source;
      picture.alt = frame === null ? '' : w.frameOf(formatNumber(frame + 1), count);
    },
    say,
    clear() {
      player.clear();
      picture.removeAttribute('src');
    },
  };
}

/** The video of a screen, without controls before it is played. */
function createPlayer(play: () => void, say: (text: string) => void) {
  const w = sharedWords();
  const video = element('video', { playsinline: true, 'aria-label': w.video });
  let speed = 1;
  video.addEventListener('click', () => {
    if (!video.controls) play();
  });
  video.addEventListener('error', () => {
    if (video.hasAttribute('src')) say(w.videoMissing);
  });
  const put = ({ video: source, frames, captions }: Pictures): void => {
    video.pause();
    video.controls = false;
    setAttribute(video, 'poster', frames.at(-1) ?? null);
    video.preload = frames.length === 0 ? 'metadata' : 'none';
    video.replaceChildren(...(captions === null || isOffline ? [] : [captionsOf(captions)]));
    setAttribute(video, 'src', source);
    if (source === null) video.load();
  };
  return {
    video,
    put,
    swap(row: Pictures): void {
      const { controls, currentTime, paused } = video;
      put(row);
      if (!controls || row.video === null) return;
      video.controls = true;
      video.currentTime = currentTime;
      video.playbackRate = speed;
      if (!paused) video.play().catch(() => undefined);
    },
    toggle(): void {
      video.controls = true;
      video.playbackRate = speed;
      // A video that cannot be played reports this by an error event.
      if (video.paused) video.play().catch(() => undefined);
      else video.pause();
    },
    pause: () => video.pause(),
    setSpeed(wanted: number): void {
      speed = wanted;
      video.playbackRate = wanted;
    },
    clear(): void {
      for (const name of ['src', 'poster']) video.removeAttribute(name);
      video.replaceChildren();
      video.load();
    },
  };
}

function captionsOf(source: string): HTMLTrackElement {
  return element('track', { kind: 'captions', src: source, label: sharedWords().captions, default: true });
}

/** The screen of the detail: shows the video or one of the frames. */

import type { PageRow } from '../../reports/page-wire.ts';
import { element, setAttribute, setText } from '../elements.ts';
import { formatNumber } from '../formats.ts';
import { words } from '../words.ts';

/** Browsers refuse captions to a page that was opened from the disk, whatever its policy. */
const isOffline = location.protocol === 'file:';

/** A screen; it plays at `speed`. */
export interface Screen {
  readonly element: HTMLElement;
  /** Sets the video of a row, without loading it before it is played: a reviewer skips many. */
  put(row: PageRow): void;
  /** The same for another video of the same row; one that was played goes on where the one before was. */
  swap(row: PageRow): void;
  /** Shows the frame at this place (from 0), or the video for null. */
  show(row: PageRow, frame: number | null): void;
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
  const w = words();
  const video = element('video', { preload: 'none', playsinline: true, 'aria-label': w.video });
  const picture = element('img', { class: 'frame', alt: '' });
  const start = element('button', { type: 'button', class: 'start', 'aria-label': w.play, click: play }, '▶');
  const said = element('p', { class: 'missing', role: 'status', hidden: true });
  const say = (text: string) => {
    setText(said, text);
    said.hidden = text === '';
  };
  let speed = 1;
  video.addEventListener('click', () => {
    if (!video.controls) play();
  });
  video.addEventListener('error', () => {
    if (video.hasAttribute('src')) say(w.videoMissing);
  });
  picture.addEventListener('error', () => say(w.frameMissing));

  const put = ({ video: source, frames, captions }: PageRow) => {
    video.pause();
    video.controls = false;
    setAttribute(video, 'poster', frames.at(-1) ?? null);
    video.replaceChildren(...(captions === null || isOffline ? [] : [captionsOf(captions)]));
    setAttribute(video, 'src', source);
    if (source === null) video.load();
  };

  return {
    element: element('div', { class: 'screen' }, video, picture, start, said),
    put,
    swap(row) {
      const { controls, currentTime, paused } = video;
      put(row);
      if (!controls || row.video === null) return;
      video.controls = true;
      video.currentTime = currentTime;
      video.playbackRate = speed;
      if (!paused) video.play().catch(() => undefined);
    },
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
    toggle() {
      video.controls = true;
      video.playbackRate = speed;
      // A video that cannot be played reports this by an error event.
      if (video.paused) video.play().catch(() => undefined);
      else video.pause();
    },
    pause: () => video.pause(),
    setSpeed(wanted) {
      speed = wanted;
      video.playbackRate = wanted;
    },
    clear() {
      video.removeAttribute('src');
      video.removeAttribute('poster');
      video.replaceChildren();
      video.load();
      picture.removeAttribute('src');
    },
  };
}

function captionsOf(source: string): HTMLTrackElement {
  return element('track', { kind: 'captions', src: source, label: words().captions, default: true });
}

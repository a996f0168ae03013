/** The screen of the detail: shows the video, or one of the frames. */

import { element, setAttribute, setText } from './elements.ts';
import { formatNumber } from './formats.ts';
import type { Row } from './rows.ts';
import { words } from './words.ts';

/** A screen; what plays on it plays at `speed`. */
export interface Screen {
  readonly element: HTMLElement;
  /** Takes the video of a row, and reads nothing of it before it is played: a reviewer passes many. */
  put(row: Row): void;
  /** Shows the frame at this place from 0, or the video where it is null. */
  show(row: Row, frame: number | null): void;
  say(text: string): void;
  /** Plays, or pauses. */
  toggle(): void;
  pause(): void;
  setSpeed(speed: number): void;
  /** Lets go of what it shows. */
  clear(): void;
}

/** An empty screen. `play` is what a click on it asks for. */
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

  return {
    element: element('div', { class: 'screen' }, video, picture, start, said),
    put({ video: source, frames }) {
      video.pause();
      video.controls = false;
      setAttribute(video, 'poster', frames.at(-1) ?? null);
      setAttribute(video, 'src', source);
      if (source === null) video.load();
    },
    show(row, frame) {
      const source = frame === null ? undefined : row.frames[frame];
      const count = formatNumber(row.frames.length);
      picture.hidden = source === undefined;
      video.hidden = source !== undefined || row.video === null;
      // Controls of a video nobody asked for yet would only be in the way of the picture.
      start.hidden = video.hidden || video.controls;
      if (source !== undefined && picture.getAttribute('src') !== source) picture.src = source;
      picture.alt = frame === null ? '' : w.frameOf(formatNumber(frame + 1), count);
    },
    say,
    toggle() {
      video.controls = true;
      video.playbackRate = speed;
      // What cannot be played says so by the event of an error.
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
      video.load();
      picture.removeAttribute('src');
    },
  };
}

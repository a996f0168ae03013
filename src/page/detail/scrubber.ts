/** Scrubs through the frames: a slider, and a strip of small pictures. */

import { element, setAttribute, setText } from '../shared/elements.ts';
import { formatNumber } from '../shared/formats.ts';
import { words } from '../words.ts';

/** A slider and a strip for the frames of one row. */
export interface Scrubber {
  readonly elements: readonly HTMLElement[];
  /** Sets the frames; does nothing where they are the same. */
  put(frames: readonly string[]): void;
  /**
   * Marks the frame on the screen (from 0); null while the video is shown. `isVideoThere`: there is a video to return
   * to.
   */
  show(frame: number | null, isVideoThere: boolean): void;
}

/** More pictures would be too small to recognize. */
const stripLength = 48;

export function createScrubber(turnTo: (frame: number) => void, play: () => void): Scrubber {
  const w = words();
  const slider = element('input', {
    type: 'range',
    min: 1,
    step: 1,
    class: 'slider',
    'aria-label': w.frames,
    input: () => turnTo(Number(slider.value) - 1),
  });
  const place = element('span', { class: 'place-of' });
  const back = element('button', { type: 'button', class: 'back', click: play }, `▶ ${w.play}`);
  const line = element('div', { class: 'scrub', hidden: true }, slider, place, back);
  const strip = element('div', { class: 'strip', hidden: true });
  let frames: readonly string[] = [];

  return {
    elements: [line, strip],
    put(wanted) {
      if (wanted.join('\n') === frames.join('\n') && strip.isConnected) return;
      frames = wanted;
      slider.max = String(Math.max(1, frames.length));
      line.hidden = frames.length === 0;
      strip.hidden = frames.length < 2;
      strip.replaceChildren(...thumbnails(frames, turnTo));
    },
    show(frame, isVideoThere) {
      const at = frame ?? frames.length - 1;
      slider.value = String(at + 1);
      setText(place, w.frameOf(formatNumber(at + 1), formatNumber(frames.length)));
      back.hidden = frame === null || !isVideoThere;
      const current = frame === null ? null : nearestThumbnail(frame, frames.length);
      for (const [index, one] of [...strip.children].entries()) {
        setAttribute(one, 'aria-current', index === current ? 'true' : null);
        if (index === current) one.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      }
    },
  };
}

function nearestThumbnail(frame: number, frameCount: number): number {
  if (frameCount <= stripLength) return frame;
  return Math.round((frame * (stripLength - 1)) / (frameCount - 1));
}

function thumbnails(frames: readonly string[], turnTo: (frame: number) => void): HTMLElement[] {
  if (frames.length < 2) return [];
  const count = Math.min(frames.length, stripLength);
  return Array.from({ length: count }, (_, index) => {
    const at = Math.round((index * (frames.length - 1)) / (count - 1));
    const name = words().showFrame(formatNumber(at + 1));
    const image = element('img', { src: frames[at] ?? '', alt: '', loading: 'lazy', decoding: 'async' });
    image.addEventListener('error', () => {
      image.hidden = true;
    });
    const attributes = { type: 'button', 'aria-label': name, title: name };
    return element('button', { ...attributes, click: () => turnTo(at) }, image);
  });
}

/** The stage of the detail: plays the video in place, or shows the frames to scrub through. */

import type { PageRow } from '../../reports/page-wire.ts';
import { element } from '../shared/elements.ts';
import { createScreen, type Screen } from '../shared/screen.ts';
import { recall, remember } from '../shared/settings.ts';
import { createSpeed } from '../shared/speed.ts';
import { words } from '../words.ts';
import { createScrubber } from './scrubber.ts';

/** The pictures of the open row. */
export interface Stage {
  readonly element: HTMLElement;
  /** `isNew` where another row is shown than before. */
  show(row: PageRow, isNew: boolean): void;
  /** Shows another video of the same row, from where the one before is. */
  swap(row: PageRow): void;
  /** Plays or pauses. */
  play(): void;
  /** Steps through the frames. */
  step(by: number): void;
  /** Stops and releases the files. */
  leave(): void;
}

/** An empty stage. */
export function createStage(): Stage {
  let row: PageRow | null = null;
  /** Index (from 0) of the frame on the screen; null while the video is shown. */
  let frame: number | null = null;

  const display = () => {
    if (row === null) return;
    screen.show(row, frame);
    scrubber.show(frame, row.video !== null);
  };
  const turnTo = (at: number) => {
    if (row === null || row.frames.length === 0) return;
    frame = Math.min(row.frames.length - 1, Math.max(0, at));
    screen.pause();
    screen.say('');
    display();
  };
  const play = () => {
    if (row === null || row.video === null) return;
    frame = null;
    screen.say('');
    screen.toggle();
    display();
  };
  const screen = createScreen(play);
  const scrubber = createScrubber(turnTo, play);
  const options = createOptions(screen);

  return {
    element: element('div', { class: 'stage' }, screen.element, ...scrubber.elements, options.element),
    show(next, isNew) {
      frame = isNew ? firstFrame(next) : nextFrame(frame, row, next);
      if (isNew || row?.video !== next.video) screen.put(next);
      row = next;
      scrubber.put(next.frames);
      if (isNew || next.frames.length > 0 || next.video !== null) {
        screen.say('');
      }
      display();
      if (isNew && options.isPlayedAtOnce()) play();
    },
    swap(next) {
      row = next;
      frame = firstFrame(next);
      screen.swap(next);
      scrubber.put(next.frames);
      screen.say('');
      display();
    },
    play,
    step(by) {
      const count = row?.frames.length ?? 0;
      turnTo(frame === null ? (by > 0 ? 0 : count - 1) : frame + by);
    },
    leave() {
      row = null;
      screen.clear();
      scrubber.put([]);
    },
  };
}

/** A row without a video shows its last frame. */
function firstFrame({ video, frames }: PageRow): number | null {
  return video === null && frames.length > 0 ? frames.length - 1 : null;
}

/** A reader at the last frame of an unfinished row moves on to each new frame, and then to the video. */
function nextFrame(frame: number | null, before: PageRow | null, next: PageRow): number | null {
  if (before?.video === null && next.video !== null) return null;
  const isAtEnd = frame === null || frame === (before?.frames.length ?? 0) - 1;
  return next.video === null && isAtEnd ? firstFrame(next) : frame;
}

/** Playback options, saved for the next video and the next visit. */
function createOptions(screen: Screen) {
  const w = words();
  const atOnce = element('input', { type: 'checkbox', checked: recall('play-at-once') === 'yes' });
  atOnce.addEventListener('change', () => remember('play-at-once', atOnce.checked ? 'yes' : 'no'));
  const lines = [createSpeed(screen), element('label', {}, atOnce, ` ${w.playAtOnce}`)];
  return {
    element: element('div', { class: 'options' }, ...lines),
    isPlayedAtOnce: () => atOnce.checked,
  };
}

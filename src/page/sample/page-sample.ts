/** The sample of this page: drawn with the browser's chance, and followed as marks and rows come in. */

import type { Rows } from '../list/rows.ts';
import { markOf, marksOn, type Shown } from '../list/shown.ts';
import { createSampleView, keysToDraw, type ShownSample } from './drawn.ts';
import { confidenceOf, createSampling, type Sampling, sendSample } from './sampling.ts';

export interface PageSample {
  readonly sampling: Sampling;
  /** The sample whose rows are to be shown; null where all are, or none is drawn yet. */
  shownIn(shown: Shown): ShownSample | null;
}

/** `changed` is called when one was drawn. */
export function createPageSample(rows: Rows, changed: () => void): PageSample {
  const sampling = createSampling({
    keys: () => keysToDraw(rows.all()),
    send: sendSample,
    seed: () => crypto.getRandomValues(new Uint32Array(1))[0] ?? 0,
    now: Date.now,
    changed,
  });
  const view = createSampleView(rows.get, rows.all);
  return {
    sampling,
    shownIn(shown) {
      const { address, heading, isRead } = shown;
      if (heading === null || !isRead) return null;
      sampling.look(heading);
      const sample = address.sample ? sampling.current() : null;
      if (sample === null) return null;
      return view(sample, confidenceOf(heading), (id) => ({
        own: markOf(shown, id),
        all: marksOn(shown, id),
      }));
    },
  };
}

/** A display that counts notes of the same kind instead of saying each of them. */

import { createRepeats } from '../messages/repeats.ts';
import type { Display } from './plain-lines.ts';

/** A note about a row that ended badly is always said: it reports the row. `now` is epoch ms. */
export function withoutRepeats(display: Display, now: () => number): Display {
  const [notes, warnings] = [createRepeats(), createRepeats()];
  return {
    note(said, row) {
      const fresh = row === undefined ? notes.pass(said, now()) : said;
      if (fresh !== null) display.note(fresh, row);
    },
    warn(said) {
      const fresh = warnings.pass(said, now());
      if (fresh !== null) display.warn(fresh);
    },
    say: (text) => display.say(text),
    changed: (before, after) => display.changed(before, after),
    crewSeen: (crew) => display.crewSeen(crew),
    started: (view) => display.started(view),
    suspended: () => display.suspended(),
    ended() {
      for (const said of notes.rest()) display.note(said);
      for (const said of warnings.rest()) display.warn(said);
      display.ended();
    },
  };
}

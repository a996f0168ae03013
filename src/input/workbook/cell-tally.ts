/** What a plan tells of cells: how many, and the first of them. */

import { andMore } from '../../messages/both.ts';
import { type Message, message } from '../../messages/message.ts';

/** The end of the name of a message. */
type Told =
  | 'above'
  | 'hidden-read'
  | 'hidden-unsent'
  | 'header-again'
  | 'stray'
  | 'linked'
  | 'unseen'
  | 'moved'
  | 'tall'
  | 'cropped';

export const shownPlaces = 5;

export class CellTally {
  readonly #found = new Map<Told, { count: number; readonly places: string[] }>();

  note(told: Told, place: string): void {
    const found = this.#found.get(told) ?? { count: 0, places: [] };
    this.#found.set(told, found);
    found.count += 1;
    if (found.places.length < shownPlaces) found.places.push(place);
  }

  /** None where nothing was noted. */
  messages(...all: readonly Told[]): Message[] {
    return all.flatMap((told) => {
      const { count, places } = this.#found.get(told) ?? { count: 0, places: [] };
      const shown = { count, places: andMore(places.join(', '), count - places.length) };
      return count === 0 ? [] : [message(`workbook.${told}`, shown)];
    });
  }
}

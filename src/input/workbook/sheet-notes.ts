/** What a plan says of a sheet. */

import { andMore } from '../../messages/both.ts';
import { type Message, message } from '../../messages/message.ts';
import type { SheetFacts } from './sheet.ts';

/** What is noted of cells: the end of the name of a message. */
type Note =
  | 'above'
  | 'hidden-read'
  | 'hidden-unsent'
  | 'header-again'
  | 'stray'
  | 'linked'
  | 'unseen'
  | 'moved'
  | 'tall'
  | 'cropped'
  | 'unshown';

export const shownPlaces = 5;

/** How many cells have each note, and the first of them. */
export class CellTally {
  readonly #found = new Map<Note, { count: number; readonly places: string[] }>();

  note(note: Note, place: string): void {
    const found = this.#found.get(note) ?? { count: 0, places: [] };
    this.#found.set(note, found);
    found.count += 1;
    if (found.places.length < shownPlaces) found.places.push(place);
  }

  /** None where nothing was noted. */
  messages(...all: readonly Note[]): Message[] {
    return all.flatMap((note) => {
      const { count, places } = this.#found.get(note) ?? { count: 0, places: [] };
      const shown = { count, places: andMore(places.join(', '), count - places.length) };
      return count === 0 ? [] : [message(`workbook.${note}`, shown)];
    });
  }
}

/** How many rows and cells of a sheet are not read as they stand. */
interface SheetCounts extends Pick<SheetFacts, 'raisedCount' | 'symbolCount'> {
  /** Hidden rows. */
  readonly hiddenCount: number;
  readonly mergedCount: number;
  readonly totals: { readonly count: number; readonly lines: readonly number[] };
}

export function sheetNotes(
  tally: CellTally,
  { raisedCount, symbolCount, hiddenCount, mergedCount, totals }: SheetCounts,
): Message[] {
  return [
    ...tally.messages('above'),
    ...(hiddenCount > 0 ? [message('workbook.hidden', { count: hiddenCount })] : []),
    ...tally.messages('hidden-read', 'hidden-unsent', 'unshown'),
    ...(mergedCount > 0 ? [message('workbook.merged', { count: mergedCount })] : []),
    ...(raisedCount > 0 ? [message('workbook.raised', { count: raisedCount })] : []),
    ...(symbolCount > 0 ? [message('workbook.symbol', { count: symbolCount })] : []),
    ...tally.messages('header-again'),
    ...(totals.count > 0 ? [message('workbook.totals', { lines: totals })] : []),
    ...tally.messages('stray', 'linked', 'unseen', 'moved', 'tall', 'cropped'),
  ];
}

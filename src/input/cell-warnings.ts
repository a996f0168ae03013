/** One warning for each kind of cell that is probably not what its writer meant, with its number and first place. */

import type { Place } from '../messages/input.ts';
import { type Message, message } from '../messages/message.ts';
import { type CellKind, cellKinds, kindsOfCell } from '../text/cell-kinds.ts';

/** Counts such cells. */
export interface CellWarnings {
  /** `place` is that of the row. */
  look(text: string, column: string, place: () => Place): void;
  notes(): Message[];
}

export function createCellWarnings(): CellWarnings {
  const seen = new Map<CellKind, { count: number; readonly place: Place; readonly column: string }>();
  return {
    look(text, column, place) {
      for (const kind of kindsOfCell(text)) {
        const known = seen.get(kind);
        if (known === undefined) seen.set(kind, { count: 1, place: place(), column: JSON.stringify(column) });
        else known.count += 1;
      }
    },
    notes: () =>
      cellKinds.flatMap((cell) => {
        const found = seen.get(cell);
        return found === undefined ? [] : [message('rows.odd-cells', { cell, ...found })];
      }),
  };
}

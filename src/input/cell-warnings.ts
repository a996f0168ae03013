/** One warning for each kind of cell that is probably not what its writer meant, with its number and first place. */

import { type CellKind, cellKinds, kindsOfCell } from '../core/cell-kinds.ts';
import { counted } from './read-rows.ts';

/** Counts such cells. */
export interface CellWarnings {
  /** `place` names the row, such as `line 7`. */
  look(text: string, column: string, place: () => string): void;
  notes(): string[];
}

const words: Readonly<Record<CellKind, { readonly what: string; readonly so: string }>> = {
  error: {
    what: 'with an error of a spreadsheet such as #NAME? or #REF!',
    so: 'sent as it is; mend it in the spreadsheet',
  },
  formula: {
    what: 'with a formula of a spreadsheet',
    so: 'sent as it is, not calculated; save its value',
  },
  html: {
    what: 'with HTML',
    so: 'sent as it is; --html text turns it into text, and takes its images along',
  },
  'markdown-image': {
    what: 'with an image of Markdown, ![](...)',
    so: 'sent as text; list the image in a column questionImages',
  },
};

export function createCellWarnings(): CellWarnings {
  const seen = new Map<CellKind, { count: number; readonly first: string }>();
  return {
    look(text, column, place) {
      for (const kind of kindsOfCell(text)) {
        const known = seen.get(kind);
        if (known === undefined)
          seen.set(kind, { count: 1, first: `${place()}, column ${JSON.stringify(column)}` });
        else known.count += 1;
      }
    },
    notes: () =>
      cellKinds.flatMap((kind) => {
        const found = seen.get(kind);
        if (found === undefined) return [];
        const { what, so } = words[kind];
        const first = found.count === 1 ? found.first : `first: ${found.first}`;
        return [`warning: ${counted(found.count, 'cell')} ${what} (${first}): ${so}`];
      }),
  };
}

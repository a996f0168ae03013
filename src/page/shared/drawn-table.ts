/** Tables that a text brings along, drawn. */

import type { LatexCell, LatexTable } from '../../text/latex-table.ts';
import { element } from './elements.ts';

/** Appends the content of a cell. */
type Fill = (element: HTMLElement, cell: LatexCell) => void;

/** The table, in a box that scrolls where it is too wide. */
export function drawTable({ rows }: LatexTable, fill: Fill): HTMLElement {
  const lines = rows.map((cells) => element('tr', {}, ...cells.map((cell) => drawCell(cell, fill))));
  return element('div', { class: 'drawn-table' }, element('table', {}, element('tbody', {}, ...lines)));
}

function drawCell(cell: LatexCell, fill: Fill): HTMLElement {
  const lines = [
    cell.isLineBefore ? 'line-before' : '',
    cell.isLineAfter ? 'line-after' : '',
    cell.isLineAbove ? 'line-above' : '',
    cell.isLineBelow ? 'line-below' : '',
  ];
  const name = ['cell', cell.align, ...lines].filter((word) => word !== '').join(' ');
  const drawn = element('td', { class: name, colspan: cell.span > 1 ? cell.span : null });
  fill(drawn, cell);
  return drawn;
}

/** The table on one line, for a list. */
export function writeTable({ rows }: LatexTable, fill: Fill): HTMLElement {
  const line = element('span', {});
  for (const [at, cells] of rows.entries()) {
    if (at > 0) line.append(' / ');
    for (const [place, cell] of cells.entries()) {
      if (place > 0) line.append(' | ');
      fill(line, cell);
    }
  }
  return line;
}

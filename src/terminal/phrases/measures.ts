/** Counts, lists, statuses and times, in English. */

import { renderNames, renderNumber, renderPoints, renderRows } from '../../messages/numbers.ts';
import { statusNames } from '../../text/status-names.ts';
import { renderMoment, renderRough, renderSpan } from '../times.ts';

/** One of them, or several. */
export function counted(count: number, one: string, several: string): string {
  return `${renderNumber(count)} ${count === 1 ? one : several}`;
}

/** `a, b and c`. */
export function listed(words: readonly string[]): string {
  return [words.slice(0, -1).join(', '), ...words.slice(-1)].filter((word) => word !== '').join(' and ');
}

export const english = {
  status: statusNames.en,
  rows: renderRows,
  points: renderPoints,
  tasks: (count: number) => counted(count, 'task', 'tasks'),
  names: renderNames,
  /** A count with the word that it is of. */
  countOf: (count: number, word: string) => `${renderNumber(count)} ${word}`,
  quoted: (text: string) => `"${text}"`,
  /** Between the parts of a list, without the space that the language puts there. */
  comma: ',',
  /** Between the parts of a list. */
  between: ', ',
  /** Between two sentences of one line. */
  semicolon: '; ',
  span: renderSpan,
  rough: renderRough,
  moment: (at: number, now: number) => renderMoment(at, now),
};

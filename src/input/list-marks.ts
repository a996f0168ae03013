/** Pure. What stands before the items of a list of HTML, as browsers show it: `A.`, `iv.`, `3.`, `-`. */

import { columnLetters } from '../text/cells/column-letters.ts';

type Attributes = Readonly<Record<string, string>>;
type Mark = (number: number) => string;

const decimal: Mark = (number) => `${number}. `;
const none: Mark = () => '';

/** By the attribute `type`, which knows letter case, and by the style. */
const marks: Readonly<Record<string, Mark>> = {
  A: lettered,
  a: (number) => lettered(number).toLowerCase(),
  I: (number) => roman(number).toUpperCase(),
  i: (number) => roman(number),
  'upper-alpha': lettered,
  'upper-latin': lettered,
  'lower-alpha': (number) => lettered(number).toLowerCase(),
  'lower-latin': (number) => lettered(number).toLowerCase(),
  'upper-roman': (number) => roman(number).toUpperCase(),
  'lower-roman': (number) => roman(number),
  none,
};

/** A list while its items are read. */
export class ListMarks {
  readonly #mark: Mark;
  readonly #step: number;
  #next: number;

  constructor(name: 'ul' | 'ol', attributes: Attributes) {
    const [, style = ''] = /list-style(?:-type)?\s*:\s*([a-z-]+)/i.exec(attributes.style ?? '') ?? [];
    const named = Object.hasOwn(marks, style.toLowerCase()) ? style.toLowerCase() : (attributes.type ?? '');
    const found = Object.hasOwn(marks, named) ? marks[named] : undefined;
    this.#mark = name === 'ol' ? (found ?? decimal) : found === none ? none : () => '- ';
    this.#step = 'reversed' in attributes ? -1 : 1;
    this.#next = wholeNumber(attributes.start) ?? 1;
  }

  /** The mark of the next item. */
  next({ value }: Attributes): string {
    const number = wholeNumber(value) ?? this.#next;
    this.#next = number + this.#step;
    return this.#mark(number);
  }
}

/** True for a list that is counted down to its end, which nobody knows at its start. */
export function isCountedDown(attributes: Attributes): boolean {
  return 'reversed' in attributes && wholeNumber(attributes.start) === null;
}

function wholeNumber(text = ''): number | null {
  const [found] = /^\s*[+-]?\d{1,9}/.exec(text) ?? [];
  return found === undefined ? null : Number(found);
}

/** A number that no letters stand for stays one. */
function lettered(number: number): string {
  return number < 1 ? decimal(number) : `${columnLetters(number - 1)}. `;
}

const romans = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
] as const;

function roman(number: number): string {
  if (number < 1 || number > 3999) return decimal(number);
  let left = number;
  const letters = romans.map(([value, sign]) => {
    const count = Math.floor(left / value);
    left -= count * value;
    return sign.repeat(count);
  });
  return `${letters.join('')}. `;
}

/** What an option can have, in the languages of its message: it stands after "use". */

import type { Words } from './both.ts';

export type Choices = Words;

/** One of these words. */
export function oneOfThese(words: readonly string[]): Choices {
  const [first, last] = [words.slice(0, -1), words.at(-1)];
  return { en: `${first.join(', ')} or ${last}`, zh: `${first.join('、')} 或 ${last}` };
}

export function wholeNumber(least: number): Choices {
  return least === 0
    ? { en: 'a whole number', zh: '整数' }
    : { en: `a whole number of at least ${least}`, zh: `不小于 ${least} 的整数` };
}

export const portNumber: Choices = { en: 'a number from 0 to 65535', zh: '0 至 65535 之间的数' };

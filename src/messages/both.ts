/** One sentence in both languages, side by side: the compiler demands the Chinese, of the same values. */

import { renderNumber } from './numbers.ts';

interface Both<Values extends readonly unknown[]> {
  readonly en: (...values: Values) => string;
  readonly zh: (...values: Values) => string;
}

/** What stands inside a sentence, in the language of the sentence. */
export interface Words {
  readonly en: string;
  readonly zh: string;
}

export function both<Values extends readonly unknown[]>(
  en: (...values: Values) => string,
  zh: (...values: NoInfer<Values>) => string,
): Both<Values> {
  return { en, zh };
}

/** `1 row`, `2 rows`. */
export function counted(count: number, noun: string): string {
  return `${renderNumber(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** The first of some names, and how many more there are. */
export function andMore(shown: string, more: number): Words {
  if (more <= 0) return { en: shown, zh: shown };
  return { en: `${shown} and ${renderNumber(more)} more`, zh: `${shown} 等，另有 ${renderNumber(more)} 个` };
}

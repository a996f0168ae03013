/** The columns of a text, by a library that takes as long to load as a small command: it waits for the first text that needs it. */

import { createRequire } from 'node:module';

type StringWidth = (text: string) => number;

const require = createRequire(import.meta.url);
let library: StringWidth | null = null;

/** Letters of one column each. */
export const plain = /^[ -~]*$/;

export default function stringWidth(text: string): number {
  if (plain.test(text)) return text.length;
  library ??= (require('string-width') as { readonly default: StringWidth }).default;
  return library(text);
}

/** Distinguishes CSV from JSONL: by option, by name, by how the text begins. */

import type { Source } from '../money/question.ts';
import type { TextBlock } from './encoding/read-text.ts';
import { parseLine } from './read-jsonl.ts';

/** The format that a file name shows; null for none. */
export function formatOfName(file: string): 'csv' | 'jsonl' | null {
  if (/\.(csv|tsv|txt)$/i.test(file)) return 'csv';
  return /\.(jsonl|ndjson|json)$/i.test(file) ? 'jsonl' : null;
}

/** Blocks whose first text is known before they are read. */
interface PeekedBlocks {
  /** Whole lines; '' for an empty file. */
  readonly start: string;
  /** All of them, the first with this text; none for null. */
  from(text: string | null): AsyncIterable<TextBlock>;
}

export async function peek(blocks: AsyncIterable<TextBlock>): Promise<PeekedBlocks> {
  const iterator = blocks[Symbol.asyncIterator]();
  const first = await iterator.next();
  async function* from(text: string | null): AsyncGenerator<TextBlock> {
    try {
      if (first.done === true || text === null) return;
      yield { ...first.value, text };
      yield* { [Symbol.asyncIterator]: () => iterator };
    } finally {
      // A reader that stops at the first block must still close the file.
      await iterator.return?.();
    }
  }
  return { start: first.done === true ? '' : first.value.text, from };
}

/**
 * The format by option, by name, else by the first character. A text (.txt) is JSONL only where its first line is a whole
 * object, which no header of a table is.
 */
export function findFormat(
  start: string,
  options: { readonly file: string; readonly format: Source['format'] | null },
): { readonly format: 'csv' | 'jsonl'; readonly isFound: boolean } {
  const isText = options.format === null && textName.test(options.file);
  const format = options.format ?? formatOfName(options.file);
  if (!isText && (format === 'csv' || format === 'jsonl')) return { format, isFound: false };
  const isJson = isText ? startsWithObject(start) : /^\s*[{[]/.test(start);
  return { format: isJson ? 'jsonl' : 'csv', isFound: isText && isJson };
}

const textName = /\.txt$/i;

/** True where the first line of whole lines is a JSON object. */
function startsWithObject(text: string): boolean {
  const [line = ''] = text.trimStart().split(/[\r\n]/, 1);
  return line.startsWith('{') && parseLine(line) !== null;
}

/** Reads a file that a test made up, in the chunks it wants. */

import { InputError, type Problem } from '../../src/errors.ts';
import { type ReadOptions, readQuestions } from '../../src/input/read-questions.ts';
import type { IncomingRow, Source } from '../../src/money/question.ts';
import { type Heard, heard } from './in-chinese.ts';

/** `problems` is empty for a file that could be read. */
export interface ReadResult extends Heard {
  readonly source: Source;
}

/** As a file is read whose user chose nothing. */
export const plainOptions: Omit<ReadOptions, 'file'> = {
  folder: '/data',
  format: null,
  delimiter: null,
  encoding: null,
  columns: {},
  lookAtPicture: async () => null,
  maxImageBytes: 20_000_000,
};

/** All rows of a file, and its problems. Text is UTF-8; `chunkBytes` says how the bytes arrive. */
export async function readFile(
  content: string | Uint8Array,
  options: Partial<ReadOptions> & { readonly chunkBytes?: number } = {},
): Promise<ReadResult> {
  const { chunkBytes = 64 * 1024, ...given } = options;
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (let start = 0; start < bytes.length; start += chunkBytes)
      yield bytes.subarray(start, start + chunkBytes);
  }
  const file = readQuestions(chunks(), {
    file: 'questions.csv',
    ...plainOptions,
    ...given,
  });
  const rows: IncomingRow[] = [];
  let problems: readonly Problem[] = [];
  try {
    await collect(file.rows, rows);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    problems = error.problems;
  }
  return { ...heard(rows, problems, file.found()), source: file.source() };
}

/** The rows of all pages, put into `rows` as they come. */
export async function collect(
  pages: AsyncIterable<readonly IncomingRow[]>,
  rows: IncomingRow[] = [],
): Promise<IncomingRow[]> {
  for await (const page of pages) rows.push(...page);
  return rows;
}

/** The text in GB18030, as Chinese programs write it. */
export function encodeGb18030(text: string): Uint8Array {
  return encodeAs('gb18030', text);
}

/** The text in an encoding that `TextDecoder` knows: its characters of one and two bytes, found by decoding all of them. */
export function encodeAs(label: string, text: string): Uint8Array {
  const bytesOf = tables.get(label) ?? tableOf(label);
  tables.set(label, bytesOf);
  return Uint8Array.from(
    Array.from(text).flatMap((letter) => {
      const code = letter.charCodeAt(0);
      const bytes = code < 0x80 ? [code] : bytesOf.get(letter);
      if (bytes === undefined) throw new Error(`${letter} has no two bytes in ${label}`);
      return bytes;
    }),
  );
}

const tables = new Map<string, ReadonlyMap<string, readonly number[]>>();

function tableOf(label: string): ReadonlyMap<string, readonly number[]> {
  const decoder = new TextDecoder(label);
  const bytesOf = new Map<string, readonly number[]>();
  const add = (bytes: readonly number[]): void => {
    const letters = Array.from(decoder.decode(Uint8Array.from(bytes)));
    const [letter = ''] = letters;
    if (letters.length === 1 && letter !== '\ufffd' && !bytesOf.has(letter)) bytesOf.set(letter, bytes);
  };
  for (let byte = 0x80; byte <= 0xff; byte++) add([byte]);
  for (let lead = 0x81; lead <= 0xfe; lead++)
    for (let trail = 0x40; trail <= 0xfe; trail++) if (trail !== 0x7f) add([lead, trail]);
  return bytesOf;
}

/** The text in UTF-16, without a byte order mark of its own. */
export function encodeUtf16(text: string, byteOrder: 'low-first' | 'high-first'): Uint8Array {
  const bytes = Buffer.from(text, 'utf16le');
  return byteOrder === 'low-first' ? bytes : bytes.swap16();
}

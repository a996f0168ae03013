import { describe, expect, it } from 'vitest';
import type { Field } from '../../src/money/question.ts';
import { type ReadResult, readFile } from '../input/read-file.ts';
import { encodings } from './encodings.ts';
import { delimiters, lineEnds, type Row, shapes, writeFile } from './good-files.ts';

/** What the rows of a file say, by field. */
function rowsOf({ rows, source }: ReadResult): Row[] {
  return rows.map(({ input }) =>
    Object.fromEntries(
      Object.entries(source.fields).map(([field, column]) => [field as Field, String(input[column])]),
    ),
  );
}

/** Small enough to cut every character, odd, and as large as a disk gives them. */
const chunkSizes = [1, 3, 64 * 1024];

describe.each(encodings)('a file in $name', ({ name, encode }) => {
  it.for(shapes)('with $name gives exactly its rows, whatever its delimiter and line ends', async (shape) => {
    for (const delimiter of delimiters) {
      for (const { name: ends, ends: lineEnds_ } of lineEnds) {
        const { text, rows } = writeFile(shape, { delimiter, lineEnds: lineEnds_ });
        for (const chunkBytes of chunkSizes) {
          const place = JSON.stringify({ delimiter, ends, chunkBytes });
          const result = await readFile(encode(text), { chunkBytes });
          expect(result.problems, place).toEqual([]);
          expect(rowsOf(result), place).toEqual(rows);
          expect(
            result.rows.filter((row) => row.failure !== null),
            place,
          ).toEqual([]);
          const isAscii = /^\p{ASCII}*$/u.test(text);
          expect(result.found.encoding, place).toBe(isAscii && name === 'GB18030' ? 'UTF-8' : name);
        }
      }
    }
  });
});

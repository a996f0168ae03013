import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createQuoteMender } from '../../src/input/bare-quotes.ts';
import { readFile } from './read-file.ts';

test('a quote inside an unquoted cell is taken as it is, with a note', async () => {
  for (const end of ['\n', '\r\n', '\r']) {
    const text = ['id,question', `a,37°36'37.8"N`, 'b,"two', 'lines"', 'c,5" x 7" ("A5"),', 'd,plain'].join(
      end,
    );
    const { rows, problems, found } = await readFile(text, { chunkBytes: 9 });
    expect(problems).toEqual([]);
    expect(rows.map(({ input }) => input.question)).toEqual([
      `37°36'37.8"N`,
      `two${end}lines`,
      '5" x 7" ("A5")',
      'plain',
    ]);
    expect(found.notes).toContain(
      '2 lines with a quote inside a cell without quotes around it (lines 2, 5): taken as it is',
    );
  }
});

test('with tabs, semicolons, full-width commas and in the header as well', async () => {
  for (const delimiter of ['\t', ';', '，']) {
    const { rows, problems } = await readFile(
      [
        ['id', 'question', 'size in "'],
        ['a', 'One', '5"'],
      ]
        .map((row) => row.join(delimiter))
        .join('\n'),
    );
    expect(problems).toEqual([]);
    expect(rows[0]?.input).toEqual({ id: 'a', question: 'One', 'size in "': '5"' });
  }
});

test('a cell written as ="..." is the text within the quotes, whatever stands beside it', async () => {
  const { rows, problems, found } = await readFile(
    [
      '="id",question,="answer"',
      '="007","What is, 1/4 + 1/4?",="1/2"',
      '="008",5" x 7",="say ""yes"""',
      '="009","a',
      'b","=""x"""',
      `'="010",="a"&"b",="`,
    ].join('\n'),
    { chunkBytes: 9 },
  );
  expect(problems).toEqual([]);
  expect(rows.map(({ input }) => Object.values(input))).toEqual([
    ['007', 'What is, 1/4 + 1/4?', '1/2'],
    ['008', '5" x 7"', 'say "yes"'],
    ['009', 'a\nb', 'x'],
    [`'="010"`, '="a"&"b"', '="'],
  ]);
  // As it was read once.
  expect(rows.map(({ otherwise }) => otherwise && JSON.parse(otherwise)[2])).toEqual([
    '="1/2"',
    '="say ""yes"""',
    '="x"',
    null,
  ]);
  expect(found.notes).toEqual(
    expect.arrayContaining([
      '3 rows with cells written as ="..." (lines 2, 3, 4): read as the text within the quotes',
      '2 lines with a quote inside a cell without quotes around it (lines 3, 6): taken as it is',
    ]),
  );
});

test('beside a cell that begins with a quote it is still a problem', async () => {
  for (const line of ['"a",x "y" z', 'a, "One"', '"a"b,One', 'a,"b', 'a,5","b']) {
    const { problems } = await readFile(`id,question\n${line}\nb,Two\n`);
    expect(problems.length, line).toBeGreaterThan(0);
  }
});

test('valid CSV is never touched', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', '题') });
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 1, maxLength: 3 })), fc.boolean(), (records, quoted) => {
      const text = stringify(records as string[][], { quoted });
      const mender = createQuoteMender(',');
      expect(mender.mend(text, 1)).toBe(text);
      expect(mender.lines).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

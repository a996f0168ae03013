import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderCsv } from '../../src/reports/csv-text.ts';
import { defuse, undoDefuse } from '../../src/text/spreadsheet-text.ts';

test('records end with CRLF, null is an empty cell, numbers stay numbers', () => {
  expect(
    renderCsv([
      ['a', null, -1.5],
      ['b', 'c', 0],
    ]),
  ).toBe('a,,-1.5\r\nb,c,0\r\n');
});

test.each(['a\nb', 'a\rb', 'a\r\nb', 'a,b', 'a"b', ' a ', '', '题目'])('the cell %j is read back', (cell) => {
  const text = renderCsv([[cell, 'end']]);
  expect(parse(text, { record_delimiter: ['\r\n', '\n', '\r'] })).toEqual([[cell, 'end']]);
});

test.each(['=1+1', '+1', '-1', '@sum', ' =1', '\u00a0=1', 'text\n=1', '\t=1', '=HYPERLINK("http://x","y")'])(
  'the cell %j is not run by a spreadsheet, and comes back',
  (cell) => {
    const [[written = ''] = []] = parse(renderCsv([[cell, 'end']]), {
      record_delimiter: '\r\n',
    }) as string[][];
    expect(written).toMatch(/^'/);
    expect(undoDefuse(written)).toBe(cell);
  },
);

test('an empty cell that stands alone does not become an empty line', () => {
  expect(renderCsv([['question'], ['']])).toBe('question\r\n""\r\n');
});

test('every record is as the library writes it', () => {
  const letter = fc.constantFrom('a', '题', '"', ',', ';', '\t', '\r', '\n', '\0', '=', "'", ' ', '-');
  const cell = fc.oneof(fc.string({ unit: letter, maxLength: 6 }), fc.integer(), fc.constant(null));
  const records = fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { maxLength: 4 });
  fc.assert(
    fc.property(records, (made) => {
      const cells = made.map((record) => record.map((one) => (typeof one === 'string' ? defuse(one) : one)));
      expect(renderCsv(made)).toBe(
        stringify(cells, {
          record_delimiter: '\r\n',
          quote_record_delimiter: true,
          quoted_match: [';', '\t'],
        }),
      );
    }),
    { numRuns: 2_000 },
  );
});

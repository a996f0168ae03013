/** Workbooks that are damaged, hostile or something else: one line each, and nothing is read beyond it. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { pictures, type TestBook, workbook } from '../../support/workbook.ts';
import { zip } from '../../support/zip.ts';
import { readBook } from './read-book.ts';

const sheets = [
  {
    rows: [
      ['id', 'question'],
      ['1', 'a'],
    ],
  },
];
const part = (name: string, content: string | Uint8Array, more = {}): TestBook => ({
  sheets,
  more: [{ name, content, ...more }],
});
const sheet = (xml: string): TestBook =>
  part('xl/worksheets/sheet1.xml', `<worksheet><sheetData>${xml}</sheetData></worksheet>`);
const cells = '<c r="A1" t="inlineStr"><is><t>question</t></is></c>';
const zeros = Buffer.alloc(70 * 1024 * 1024);

const books: readonly [string, () => TestBook | Uint8Array, RegExp][] = [
  ['a workbook cut off', () => workbook({ sheets }).subarray(0, 900), /damaged: its end is missing/],
  ['an empty package', () => zip([]), /ZIP file and not a workbook/],
  ['text', () => Buffer.from('id,question\n1,a\n'), /damaged: its end is missing/],
  [
    'a part with another checksum',
    () => part('xl/styles.xml', '<styleSheet/>', { crc: 1 }),
    /damaged: "xl\/styles.xml" is not whole/,
  ],
  [
    'a part that is longer than it says',
    () => part('xl/styles.xml', '<styleSheet/>', { sizeBytes: 3 }),
    /unpacks to more/,
  ],
  ['an encrypted part', () => part('xl/styles.xml', '<styleSheet/>', { flags: 1 }), /encrypted/],
  ['an unknown packing', () => part('xl/styles.xml', '<styleSheet/>', { method: 99 }), /unknown way/],
  ['a bomb', () => part('xl/sharedStrings.xml', zeros), /unpacks to more than a workbook can hold/],
  [
    'two parts of one name',
    () =>
      zip([
        { name: 'a.xml', content: '1' },
        { name: '/A.XML', content: '2' },
      ]),
    /two parts named/,
  ],
  [
    'an external entity',
    () =>
      part(
        'xl/sharedStrings.xml',
        '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><sst><si><t>&e;</t></si></sst>',
      ),
    /declares a document type/,
  ],
  [
    'an unknown entity',
    () => part('xl/sharedStrings.xml', '<sst><si><t>&e;</t></si></sst>'),
    /refers to something/,
  ],
  ['XML that ends early', () => part('xl/sharedStrings.xml', '<sst><si><t>a'), /ends in the middle/],
  [
    'XML that is nested deeply',
    () => part('xl/sharedStrings.xml', '<a>'.repeat(100_000)),
    /nested too deeply/,
  ],
  [
    'a tag without end',
    () => part('xl/sharedStrings.xml', `<sst ${'x'.repeat(1_200_000)}`),
    /tag that never ends/,
  ],
  [
    'XML that is not text',
    () => part('xl/sharedStrings.xml', Buffer.from([60, 0xff, 0xfe, 0xff])),
    /is not text/,
  ],
  [
    'a text that is missing',
    () => sheet(`<row r="1">${cells}</row><row r="2"><c r="A2" t="s"><v>99</v></c></row>`),
    /refers to a text that is missing/,
  ],
  [
    'rows out of order',
    () => sheet(`<row r="5">${cells}</row><row r="5"/>`),
    /the row after row 5 has no valid number/,
  ],
  ['a row beyond the last', () => sheet(`<row r="1048577">${cells}</row>`), /no valid number/],
  ['a column beyond the last', () => sheet('<row r="1"><c r="XFE1"/></row>'), /has no valid place/],
  [
    'ten thousand columns',
    () => sheet(`<row r="1">${cells}${'<c t="inlineStr"><is><t>c</t></is></c>'.repeat(10_000)}</row>`),
    /at most 1,000/,
  ],
  [
    'a sheet that is missing',
    () => ({ sheets, without: ['xl/worksheets/sheet1.xml'] }),
    /"xl\/worksheets\/sheet1.xml" is missing/,
  ],
  ['a workbook without sheets', () => ({ sheets: [] }), /no sheet with cells/],
  ['a workbook without rows', () => ({ sheets: [{ rows: [] }] }), /the workbook is empty/],
  [
    'parts with names that lead out',
    () =>
      part(
        'xl/_rels/workbook.xml.rels',
        '<Relationships><Relationship Id="rId1" Type="x/worksheet" Target="../../../../etc/passwd"/></Relationships>',
      ),
    /"etc\/passwd" is missing/,
  ],
  ['a Word document', () => zip([{ name: 'word/document.xml', content: '' }]), /Word document \(\.docx\)/],
  ['a presentation', () => zip([{ name: 'ppt/presentation.xml', content: '' }]), /presentation/],
  [
    'an OpenDocument sheet',
    () => zip([{ name: 'mimetype', content: 'application/vnd.oasis.opendocument.spreadsheet', store: true }]),
    /OpenDocument sheet \(\.ods\)/,
  ],
  ['a document of Numbers', () => zip([{ name: 'Index/Document.iwa', content: '' }]), /Numbers/],
  ['a binary workbook', () => zip([{ name: 'xl/workbook.bin', content: '' }]), /\.xlsb/],
];

it.each(books)('says in one line what is wrong with %s', async (_, book, message) => {
  const { problems, rows } = await readBook(book());
  expect(problems).toHaveLength(1);
  expect(problems[0]?.message).toMatch(message);
  expect(problems[0]?.message).not.toContain('\n');
  expect(rows).toEqual([]);
});

it('ends in rows or in problems, whatever bytes are changed', async () => {
  const whole = workbook({
    sheets: [
      {
        rows: [
          ['id', 'question'],
          ['1', 'a'],
        ],
        anchors: [],
      },
    ],
    media: [{ name: 'a.png', bytes: pictures.png }],
    cellImages: ['ID_A'],
    placed: [1],
    formats: ['0.00'],
  });
  const change = fc.tuple(fc.nat(whole.length - 1), fc.nat(255));
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (changes) => {
      const bytes = Buffer.from(whole);
      for (const [at, value] of changes) bytes[at] = value;
      const { rows, problems } = await readBook(bytes);
      expect(rows.length + problems.length).toBeGreaterThan(0);
    }),
    { numRuns: 80 },
  );
});

it('ends in rows or in problems, whatever is cut from the XML of a part', async () => {
  const names = [
    'xl/workbook.xml',
    'xl/worksheets/sheet1.xml',
    'xl/sharedStrings.xml',
    'xl/drawings/drawing1.xml',
    'xl/metadata.xml',
  ];
  const xml =
    '<row r="2"><c r="A2" t="s" vm="1"><f>x</f><v>0</v></c></row><mergeCell/><xdr:from><xdr:col>1</xdr:col></xdr:from><bk/>';
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...names),
      fc.nat(xml.length),
      fc.nat(xml.length),
      async (name, from, to) => {
        const content = `<worksheet xmlns:r="r"><sheetData>${xml.slice(from, to)}</sheetData></worksheet>`;
        const { problems } = await readBook({
          ...part(name, content),
          placed: [1],
          media: [{ name: 'a.png', bytes: pictures.png }],
        });
        expect(problems.filter(({ message }) => message.includes('\n'))).toEqual([]);
      },
    ),
    { numRuns: 60 },
  );
});

/** Which row a drawing above the sheet belongs to, and which drawings count as not there. */

import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  anchor,
  corner,
  pictures,
  pictureXml,
  sizedAnchor,
  type TestBook,
  type TestRow,
} from '../../support/workbook.ts';
import { readBook } from './read-book.ts';

const media = ['a', 'b'].map((mark) => ({ name: `image-${mark}.png`, bytes: pictures.other(mark) }));
const marks = new Map(
  ['a', 'b'].map((mark) => [createHash('sha256').update(pictures.other(mark)).digest('hex'), mark]),
);
const point = 12_700;

type Sheet = Partial<TestBook['sheets'][number]>;

/** By row: its question, with the pictures that it would be sent with, or why it is not sent; and what is told. */
async function read(sheet: Sheet): Promise<{ readonly rows: string[]; readonly notes: readonly string[] }> {
  const { rows, questions, found, problems } = await readBook({
    media,
    sheets: [{ rows: table, ...sheet }],
  });
  expect(problems).toEqual([]);
  const shown = questions.map(({ question, questionImages }, at) =>
    [
      rows[at]?.failure ?? question,
      ...questionImages.map((image) => (image.kind === 'kept' ? marks.get(image.sha256) : '')),
    ].join(' '),
  );
  return { rows: shown.map((text) => text.trim()), notes: found.notes };
}

const header = ['id', 'question', 'answer'];
const table: readonly TestRow[] = [header, '1|x', '2|y', '3|z'];
const reaches =
  'Sheet1!B1: a drawing begins above the rows and reaches into them; move its upper left corner into the cell of its question, or away from the rows';
const tall = (cell: string): string =>
  `warning: 1 picture over several rows (${cell}): each belongs to the row of its upper left corner`;
const moved = (cell: string): string =>
  `1 picture with the upper edge a little above (${cell}): each belongs to the row that it mostly covers`;
const above = '1 drawing above the rows (B1) not sent';

/** In column B, from and to (points) in these rows, from 0. */
const over = (row: number, offset: number, toRow: number, toOffset: number, content?: string): string =>
  anchor(1, { row, column: 1, offset: offset * point, toRow, toOffset: toOffset * point }, content);
const sized = (row: number, offset: number, height: number): string =>
  sizedAnchor(1, { row, column: 1, offset: offset * point, height: height * point });
const merged = (ref: string): string => `<mergeCells><mergeCell ref="${ref}"/></mergeCells>`;
const shape = '<xdr:sp><xdr:txBody><a:t>x</a:t></xdr:txBody></xdr:sp>';

const hundred = { 1: 100, 2: 100, 3: 100, 4: 100 };
const placed: readonly [string, Sheet, string[], string | null][] = [
  ['begins a hair above the first row', { anchors: [over(0, 14, 1, 14)] }, ['x a', 'y', 'z'], moved('B1')],
  [
    'of a size begins a hair above the first row',
    { anchors: [sized(0, 14, 14)] },
    ['x a', 'y', 'z'],
    moved('B1'),
  ],
  [
    'begins a hair above a later row',
    { heights: hundred, anchors: [over(2, 90, 3, 90)] },
    ['x', 'y', 'z a'],
    moved('B3'),
  ],
  [
    'begins a hair above a row and ends a hair below it',
    { heights: hundred, anchors: [over(1, 95, 3, 5)] },
    ['x', 'y a', 'z'],
    moved('B2'),
  ],
  [
    'begins above the header and mostly covers the first row',
    { rows: [['title'], ...table], heights: { 3: 200 }, anchors: [over(0, 10, 2, 150)] },
    ['x a', 'y', 'z'],
    moved('B1'),
  ],
  [
    'begins a hair above rows that are as high as the sheet says',
    { head: '<sheetFormatPr defaultRowHeight="100"/>', anchors: [over(1, 95, 2, 80)] },
    ['x', 'y a', 'z'],
    moved('B2'),
  ],
  [
    'begins a hair above a question merged over two rows',
    {
      rows: [header, '1|x', '2|y', ['', ''], '3|z'],
      heights: { ...hundred, 5: 100 },
      tail: merged('B3:B4'),
      anchors: [over(1, 95, 3, 90)],
    },
    ['x', 'y a', 'it has neither a question nor a question image', 'z'],
    moved('B2'),
  ],
  [
    'stands in a question merged over rows, mostly beside its other lines',
    {
      rows: [header, '1|x|A', ['', '', 'B'], '2|y'],
      heights: { ...hundred, 2: 20 },
      tail: merged('B2:B3'),
      anchors: [over(1, 18, 2, 90)],
    },
    ['x a', 'it has neither a question nor a question image', 'y'],
    tall('B2'),
  ],
  [
    'is mostly over a row without a text',
    { rows: [header, ['1', 'x'], null, ['2', 'y']], heights: hundred, anchors: [over(1, 95, 2, 14)] },
    ['x a', 'it has neither a question nor a question image', 'y'],
    tall('B2'),
  ],
  [
    'begins well within a row and hangs over the next',
    { heights: { 2: 15, 3: 100 }, anchors: [over(1, 5, 2, 90)] },
    ['x a', 'y', 'z'],
    tall('B2'),
  ],
  [
    'is over several rows',
    { heights: hundred, anchors: [over(1, 0, 3, 100)] },
    ['x a', 'y', 'z'],
    tall('B2'),
  ],
  [
    'begins below the end of a row whose height the sheet does not say',
    { anchors: [over(1, 40, 2, 14)] },
    ['x a', 'y', 'z'],
    tall('B2'),
  ],
  [
    'of a size is over several rows',
    { heights: hundred, anchors: [sized(1, 50, 60)] },
    ['x a', 'y', 'z'],
    tall('B2'),
  ],
  [
    'of a size is over more rows than there are',
    { anchors: [sized(3, 0, 9_000)] },
    ['x', 'y', 'z a'],
    tall('B4'),
  ],
  [
    'has no end and no size is in its row',
    { anchors: [sized(1, 90, 0).replace(/<xdr:ext.*?\/>/, '<xdr:ext/>')] },
    ['x a', 'y', 'z'],
    null,
  ],
  ['of a size is in its row', { heights: hundred, anchors: [sized(1, 50, 50)] }, ['x a', 'y', 'z'], null],
  ['of a size is rounded', { heights: { 2: 56.69 }, anchors: [sized(1, 0, 56.7)] }, ['x a', 'y', 'z'], null],
  [
    'is in a row whose height the sheet does not say',
    { anchors: [over(1, 40, 1, 90)] },
    ['x a', 'y', 'z'],
    null,
  ],
  ['ends where its row ends', { heights: hundred, anchors: [over(1, 0, 2, 0)] }, ['x a', 'y', 'z'], null],
  ['ends before it begins', { heights: hundred, anchors: [over(2, 0, 1, 0)] }, ['x', 'y a', 'z'], null],
  [
    'is over hidden rows and the next',
    { heights: hundred, hidden: [2, 3], anchors: [over(1, 0, 3, 50)] },
    ['x a', 'y', 'z'],
    tall('B2'),
  ],
  ['in the header ends there', { anchors: [over(0, 1, 0, 14)] }, ['x', 'y', 'z'], above],
  ['in the header reaches a hair into a row', { anchors: [over(0, 1, 1, 2)] }, ['x', 'y', 'z'], above],
  ['of a size in the header ends there', { anchors: [sized(0, 0, 15)] }, ['x', 'y', 'z'], above],
  ['in the header reaches into several rows', { anchors: [over(0, 1, 3, 10)] }, [reaches, 'y', 'z'], null],
  ['is half above the rows', { heights: hundred, anchors: [over(0, 50, 1, 50)] }, [reaches, 'y', 'z'], null],
  [
    'begins in a header whose height the sheet does not say',
    { anchors: [over(0, 40, 1, 14)] },
    [reaches, 'y', 'z'],
    null,
  ],
  [
    'in the header is mostly over an empty row',
    { rows: [header, null, ...table.slice(1)], anchors: [over(0, 14, 1, 14)] },
    ['it has neither a question nor a question image', reaches, 'y', 'z'],
    null,
  ],
  [
    'begins in a header that is repeated, and reaches into the next rows',
    { rows: [header, ['1', 'x'], header, ['2', 'y'], ['3', 'z']], anchors: [over(2, 1, 4, 10)] },
    ['x', reaches.replace('B1', 'B3'), 'z'],
    tall('B3'),
  ],
  [
    'is mostly over a header that is repeated',
    { rows: [header, ['1', 'x'], header, ['2', 'y']], heights: hundred, anchors: [over(1, 95, 2, 90)] },
    ['x a', 'y'],
    tall('B2'),
  ],
];

describe('a picture that', () => {
  it.each(placed)('%s', async (_, sheet, rows, note) => {
    const found = await read(sheet);
    expect(found.rows).toEqual(rows);
    const isTold = (text: string): boolean => /over several rows|a little above|above the rows/.test(text);
    expect(found.notes.filter(isTold)).toEqual(note === null ? [] : [note]);
  });

  it('stands beside the table and reaches into its rows from above may belong to one of them, not so a box', async () => {
    const beside = (content?: string) =>
      anchor(1, { row: 0, column: 5, toRow: 3, toOffset: 100_000 }, content);
    expect((await read({ anchors: [beside()] })).rows).toEqual([reaches.replace('B1', 'F1'), 'y', 'z']);
    const box = await read({ anchors: [beside(shape)] });
    expect(box.rows).toEqual(['x', 'y', 'z']);
    expect(box.notes).toContain('1 drawing above the rows (F1) not sent');
  });

  it('is tall leaves the others in their rows and in their order', async () => {
    const anchors = [
      over(2, 95, 3, 90),
      anchor(2, { row: 3, column: 1 }),
      anchor(2, { row: 1, column: 1, toRow: 90 }),
      anchor(1, { row: 5, column: 1 }),
    ];
    const { rows } = await read({ heights: hundred, anchors });
    expect(rows).toEqual(['x b', 'y', 'z a b', 'it has neither a question nor a question image', 'a']);
  });
});

it('reads an object that begins a hair above the first row with that row', async () => {
  const relations = '<Relationship Id="rId9" Type="http://x/oleObject" Target="../embeddings/o.bin"/>';
  const tail = `<oleObjects><oleObject progId="Equation.3" shapeId="1"><objectPr><anchor>${corner('from', 1, 0, 14 * point)}${corner('to', 2, 1, 14 * point)}</anchor></objectPr></oleObject></oleObjects>`;
  const { rows } = await read({ relations, tail });
  expect(rows).toEqual([
    expect.stringMatching(/^Sheet1!B2: an embedded object, such as an equation, cannot be sent/),
    'y',
    'z',
  ]);
});

/** As Office hides a drawing. */
const hide = (content: string): string => content.replace('<xdr:cNvPr ', '<xdr:cNvPr hidden="1" ');
const named = (content: string): string => `<xdr:sp><xdr:cNvPr id="7" name="S"/>${content}</xdr:sp>`;
/** What the drawing says of its size further in, which some programs leave at zero. */
const inner = (cx: number, cy: number): string =>
  pictureXml(1).replace(
    '<xdr:spPr/>',
    `<xdr:spPr><a:xfrm><a:ext cx="${cx}" cy="${cy}"/></a:xfrm></xdr:spPr>`,
  );
/** From the second row of the sheet, with that width and height. */
const at = (width: number, height: number, content?: string): string =>
  anchor(1, { row: 1, column: 1, toColumn: width === 0 ? 1 : 2, toOffset: height }, content);
const chart = '<xdr:graphicFrame><xdr:cNvPr id="7" name="C"/><a:graphic/></xdr:graphicFrame>';

describe('what nobody sees', () => {
  const unseen = 'warning: 1 drawing hidden or of size zero (B2), which nobody sees: not sent';
  const lost = /^Sheet1!B2: a (shape or text box|chart or diagram|drawn line) cannot be sent/;

  it.each<[string, Sheet, string | RegExp, boolean]>([
    ['a picture without height', { anchors: [at(1, 0)] }, 'x', true],
    ['a picture without width', { anchors: [at(0, 100)] }, 'x', true],
    [
      'a picture of a size that has no height',
      { anchors: [sizedAnchor(1, { row: 1, column: 1, height: 0 })] },
      'x',
      true,
    ],
    [
      'a picture of a size that has no width',
      { anchors: [sizedAnchor(1, { row: 1, column: 1, width: 0, height: 9 })] },
      'x',
      true,
    ],
    ['a hidden picture', { anchors: [at(1, 100, hide(pictureXml(1)))] }, 'x', true],
    ['a hidden text', { anchors: [at(1, 100, hide(named('<a:t>text</a:t>')))] }, 'x', true],
    ['a hidden shape', { anchors: [at(1, 100, hide(named('')))] }, 'x', false],
    ['a shape without a size', { anchors: [at(0, 0, named(''))] }, 'x', false],
    ['a hidden chart', { anchors: [at(1, 100, hide(chart))] }, 'x', true],
    ['a chart without height', { anchors: [at(1, 0, chart)] }, 'x', true],
    [
      'a hidden group',
      { anchors: [at(1, 100, `<xdr:grpSp><xdr:cNvPr id="6" hidden="true"/>${pictureXml(2)}</xdr:grpSp>`)] },
      'x',
      true,
    ],
  ])('is %s', async (_, sheet, row, isTold) => {
    const { rows, notes } = await read(sheet);
    expect(rows).toEqual([row, 'y', 'z']);
    expect(notes.includes(unseen)).toBe(isTold);
  });

  it.each<[string, Sheet, string | RegExp]>([
    ['a picture whose size further in is zero', { anchors: [at(1, 100, inner(0, 0))] }, 'x a'],
    [
      'a picture of a size, zero further in',
      { anchors: [sizedAnchor(1, { row: 1, column: 1, height: 9 }, inner(0, 0))] },
      'x a',
    ],
    [
      'a flat picture of a hidden row, which has its size back with the row',
      { anchors: [at(1, 0)], hidden: [2] },
      'x a',
    ],
    [
      'a thin picture of a hidden column',
      { anchors: [at(0, 100)], head: '<cols><col min="2" max="2" hidden="1"/></cols>' },
      'x a',
    ],
    ['a line without height', { anchors: [at(1, 0, '<xdr:cxnSp><xdr:cNvPr id="7"/></xdr:cxnSp>')] }, lost],
    ['a text in a shape without a size', { anchors: [at(0, 0, named('<a:t>text</a:t>'))] }, lost],
    [
      'a group of which one is hidden',
      {
        anchors: [
          at(1, 100, `<xdr:grpSp><xdr:cNvPr id="6"/>${hide(pictureXml(1))}${pictureXml(2)}</xdr:grpSp>`),
        ],
      },
      /a group of drawings/,
    ],
    [
      'an equation or button, which Office calls hidden since it draws it in another way',
      {
        anchors: [
          at(
            1,
            100,
            hide(named('')).replace(
              'name="S"/>',
              'name="S"><a:extLst><a:ext uri="{63B3}"><a14:compatExt/></a:ext></a:extLst></xdr:cNvPr>',
            ),
          ),
        ],
      },
      lost,
    ],
  ])('is not %s', async (_, sheet, row) => {
    const { rows, notes } = await read(sheet);
    expect(rows).toEqual([typeof row === 'string' ? row : expect.stringMatching(row), 'y', 'z']);
    expect(notes.filter((text) => text.includes('nobody sees'))).toEqual([]);
  });

  it('is no row of its own, and no reason to read a totals row', async () => {
    const leftovers = [at(1, 0), anchor(1, { row: 7, column: 1, toOffset: 0 })];
    expect((await read({ anchors: leftovers })).rows).toEqual(['x', 'y', 'z']);
  });

  it('is no place for an object that has none', async () => {
    const relations = '<Relationship Id="rId9" Type="http://x/oleObject" Target="../embeddings/o.bin"/>';
    const tail = '<oleObjects><oleObject progId="Equation.3" shapeId="1"/></oleObjects>';
    const anchors = [at(1, 100, hide(named('')))];
    const { problems } = await readBook({ media, sheets: [{ rows: table, relations, tail, anchors }] });
    expect(problems[0]?.message).toMatch(/embedded objects, such as equations, without a cell/);
  });
});

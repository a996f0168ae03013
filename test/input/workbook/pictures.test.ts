/** The pictures of workbooks: three kinds, and what is never sent without them. */

import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { keptEntry } from '../../../src/files/image-source.ts';
import {
  anchor,
  dispimg,
  pictures,
  pictureXml,
  placedPicture,
  type TestBook,
  type TestCell,
} from '../../support/workbook.ts';
import { readBook } from './read-book.ts';

const media = ['a', 'b', 'c'].map((mark) => ({ name: `image-${mark}.png`, bytes: pictures.other(mark) }));
const digests = media.map(({ bytes }) => createHash('sha256').update(bytes).digest('hex'));
const [a, b, c] = digests;
const kept = (sha256: string | undefined) => ({ kind: 'kept', sha256 });

it('takes the pictures of all three kinds as images of their row', async () => {
  const result = await readBook({
    media,
    cellImages: ['ID_A', 'ID_B', 'ID_C'],
    placed: [3, 2],
    sheets: [
      {
        rows: [
          'id|question|图片|answer',
          ['1', 'wps', dispimg('ID_B')],
          ['2', 'excel', placedPicture(1), 'an answer'],
          '3|floating',
          ['4', dispimg('ID_A'), placedPicture(2), placedPicture(1)],
        ],
        anchors: [anchor(1, { row: 3, column: 1 }), anchor(3, { row: 3, column: 3 })],
      },
    ],
  });
  expect(result.problems).toEqual([]);
  expect(result.rows.map(({ failure }) => failure)).toEqual([null, null, null, null]);
  expect(result.questions.map(({ questionImages, answerImages }) => [questionImages, answerImages])).toEqual([
    [[kept(b)], []],
    [[kept(c)], []],
    [[kept(a)], [kept(c)]],
    [[kept(a), kept(b)], [kept(c)]],
  ]);
  expect(result.questions[3]?.question).toBe('');
  expect(result.found.images).toEqual({ rows: 4, files: 0, inline: 0, kept: 7, addresses: 0 });
  const bytes = await Array.fromAsync(result.reader.media()?.pictures() ?? []);
  expect(bytes.map((each) => [each.sha256, Buffer.from(each.bytes)]).sort()).toEqual(
    media.map((each, at) => [digests[at], each.bytes]).sort(),
  );
});

it.each([2017, 2020, 2023])('finds the cell pictures of WPS by their target (%i)', async (wpsYear) => {
  const result = await readBook({
    media,
    cellImages: ['ID_A'],
    wpsYear,
    sheets: [{ rows: [['question'], [dispimg('ID_A')]] }],
  });
  expect(result.questions[0]?.questionImages).toEqual([kept(a)]);
});

it('keeps the images that the cell itself names, in the order of columns', async () => {
  const result = await readBook({
    media,
    cellImages: ['ID_A'],
    sheets: [
      {
        rows: ['images|question', ['https://example.com/1.png\nhttps://example.com/2.png', dispimg('ID_A')]],
      },
    ],
  });
  expect(result.questions[0]?.questionImages).toEqual([
    { kind: 'url', url: 'https://example.com/1.png' },
    { kind: 'url', url: 'https://example.com/2.png' },
    kept(a),
  ]);
});

it('reads a row that holds nothing but a picture, also after the last cell', async () => {
  const result = await readBook({
    media,
    sheets: [{ rows: [['question'], ['x']], anchors: [anchor(1, { row: 3, column: 0 })] }],
  });
  expect(result.rows.map(({ line, failure }) => [line, failure])).toEqual([
    [2, null],
    [3, 'it has neither a question nor a question image'],
    [4, null],
  ]);
});

it('gives a picture over several rows to its first row, and says so of cropped ones too', async () => {
  const result = await readBook({
    media,
    sheets: [
      {
        rows: ['question', 'x', 'y'],
        anchors: [
          anchor(1, { row: 1, column: 0, toRow: 2 }, pictureXml(1, '<a:srcRect l="1000"/>')),
          anchor(2, { row: 0, column: 0 }),
        ],
      },
    ],
  });
  expect(result.questions.map(({ questionImages }) => questionImages)).toEqual([[kept(a)], []]);
  expect(result.found.notes).toEqual(
    expect.arrayContaining([
      '1 drawing above the rows (A1) not sent',
      'warning: 1 picture over several rows (A2): each belongs to the row of its upper left corner',
      'warning: 1 cropped picture (A2): sent whole, with the parts that the sheet hides',
    ]),
  );
});

const note =
  '<v:shape style="visibility:hidden"><v:fill o:relid="rId1" type="frame"/><x:ClientData ObjectType="Note"><x:Row>2</x:Row><x:Column>0</x:Column></x:ClientData></v:shape>';

const lost: readonly [string, Omit<TestBook, 'media'>, RegExp][] = [
  [
    'a WPS picture that is gone',
    { cellImages: ['ID_A'], sheets: [{ rows: [['question'], ['x'], [dispimg('ID_Z')]] }] },
    /not in the workbook any more/,
  ],
  [
    'a WPS picture without its list',
    { sheets: [{ rows: [['question'], ['x'], [dispimg('ID_A')]] }] },
    /not in the workbook any more/,
  ],
  [
    'a rich value that is no picture',
    { placed: [1], sheets: [{ rows: [['question'], ['x'], [placedPicture(9)]] }] },
    /not a picture or text/,
  ],
  [
    'a placed picture without its list',
    { sheets: [{ rows: [['question'], ['x'], [placedPicture(1)]] }] },
    /not a picture or text/,
  ],
  [
    'an error',
    { sheets: [{ rows: [['question'], ['x'], [{ xml: (r) => `<c r="${r}" t="e"><v>#VALUE!</v></c>` }]] }] },
    /the error #VALUE!/,
  ],
  [
    'a picture by IMAGE()',
    {
      sheets: [
        {
          rows: [
            'question',
            'x',
            [
              {
                xml: (r) =>
                  `<c r="${r}" t="e"><f>_xlfn.IMAGE("https://example.com/a.png")</f><v>#VALUE!</v></c>`,
              },
            ],
          ],
        },
      ],
    },
    /only linked by IMAGE/,
  ],
  [
    'a picture joined with text',
    {
      cellImages: ['ID_A'],
      sheets: [
        {
          rows: [
            'question',
            'x',
            [{ xml: (r) => `<c r="${r}" t="str"><f>A1&amp;DISPIMG("ID_A",1)</f><v>x</v></c>` }],
          ],
        },
      ],
    },
    /joins a picture/,
  ],
  ['a chart', drawn('<xdr:graphicFrame><a:graphic/></xdr:graphicFrame>'), /a chart or diagram/],
  ['a shape', drawn('<xdr:sp><xdr:txBody><a:t>text</a:t></xdr:txBody></xdr:sp>'), /a shape or text box/],
  [
    'an equation',
    drawn(
      '<mc:AlternateContent><mc:Choice><xdr:sp><m:oMath/></xdr:sp></mc:Choice><mc:Fallback><xdr:pic><a:blip r:embed="rId1"/></xdr:pic></mc:Fallback></mc:AlternateContent>',
    ),
    /an equation cannot be sent/,
  ],
  ['a group', drawn(`<xdr:grpSp>${pictureXml(1)}${pictureXml(2)}</xdr:grpSp>`), /a group of drawings/],
  ['a linked picture', drawn('<xdr:pic><a:blip r:link="rId1"/></xdr:pic>'), /only linked/],
  [
    'a picture whose part is missing',
    { ...drawn(pictureXml(1)), without: ['xl/media/image-a.png'] },
    /not in the workbook/,
  ],
  ['a picture without relation', drawn(pictureXml(7)), /not in the workbook/],
  ['a turned picture', drawn(shaped('rot="5400000"')), /turned or mirrored/],
  ['a mirrored picture', drawn(shaped('flipH="1"')), /turned or mirrored/],
  ['a picture of the older drawing', legacy(older('')), /older kind of drawing/],
  ['the picture of a note', legacy(note), /the picture of a note/],
  [
    'a picture in no question',
    {
      sheets: [{ rows: [['question', 'remark'], ['x'], ['y']], anchors: [anchor(1, { row: 2, column: 1 })] }],
    },
    /a picture stands in the column "remark"/,
  ],
  [
    'a picture beside the table',
    { sheets: [{ rows: [['question'], ['x'], ['y']], anchors: [anchor(1, { row: 2, column: 5 })] }] },
    /a picture stands in a column without a header/,
  ],
  [
    'an embedded object',
    {
      sheets: [
        {
          rows: ['question', 'x', 'y'],
          relations: '<Relationship Id="rId9" Type="http://x/oleObject" Target="../embeddings/o.bin"/>',
          tail: '<oleObjects><oleObject progId="Equation.3" shapeId="1"><objectPr><anchor><from><xdr:col>0</xdr:col><xdr:row>2</xdr:row></from></anchor></objectPr></oleObject></oleObjects>',
        },
      ],
    },
    /an embedded object/,
  ],
];

function shaped(transform: string): string {
  return pictureXml(1).replace('<xdr:spPr/>', `<xdr:spPr><a:xfrm ${transform}/></xdr:spPr>`);
}

it('sends a picture that is turned once around, with what is noted of the sheet besides', async () => {
  const book = drawn(shaped('rot="21600000" flipV="0"'));
  const relations = '<Relationship Id="rId9" Type="http://x/image" Target="../media/image-b.png"/>';
  const result = await readBook({
    ...book,
    media,
    sheets: book.sheets.map((sheet) => ({ ...sheet, relations })),
  });
  expect(result.questions.map(({ questionImages }) => questionImages)).toEqual([[], [kept(a)]]);
  expect(result.found.notes).toContain('warning: the sheet has a picture behind its cells: not sent');
});

it.each([
  ['is hidden', legacy(older('visibility:hidden')), 'hidden or of size zero (A3)'],
  ['stands at the head of printed pages', legacy(shape('', '')), ''],
  [
    'is drawn in the newer way too',
    legacy(older(''), '<Relationship Id="rId8" Type="http://x/control" Target="c.xml"/>'),
    '',
  ],
  ['has no part', legacy(older('').replace('rId1', 'rId7')), ''],
])('sends the row of a picture of the older drawing that %s', async (_, book, noted) => {
  const result = await readBook({ media, ...book });
  expect(result.rows.map(({ failure }) => failure)).toEqual([null, null]);
  expect(result.found.notes.join()).toContain(noted);
});

function shape(style: string, data: string): string {
  return `<v:shape style='${style}'><br><v:imagedata o:relid="rId1"/>${data}</v:shape>`;
}

function older(style: string): string {
  return shape(
    style,
    '<x:ClientData ObjectType="Pict"><x:Anchor>0, 1, 2, 1, 1, 9, 2, 9</x:Anchor></x:ClientData>',
  );
}

/** The older drawing, which is not always XML. */
function legacy(shapes: string, more = ''): Omit<TestBook, 'media'> {
  const relation = (type: string, target: string): string =>
    `<Relationship Id="rId1" Type="http://x/${type}" Target="${target}"/>`;
  return {
    sheets: [
      { rows: ['question', 'x', 'y'], relations: relation('vmlDrawing', '../drawings/old.vml') + more },
    ],
    more: [
      { name: 'xl/drawings/old.vml', content: `<xml xmlns:v="v">${shapes}</xml>` },
      {
        name: 'xl/drawings/_rels/old.vml.rels',
        content: `<Relationships>${relation('image', '../media/image-a.png')}</Relationships>`,
      },
    ],
  };
}

function drawn(content: string): Omit<TestBook, 'media'> {
  return {
    sheets: [{ rows: [['question'], ['x'], ['y']], anchors: [anchor(1, { row: 2, column: 0 }, content)] }],
  };
}

it.each(lost)('never sends a question with %s', async (_, book, message) => {
  const result = await readBook({ media, ...book });
  expect(result.problems).toEqual([]);
  expect(result.rows.map(({ failure }) => failure)).toEqual([null, expect.stringMatching(message)]);
  expect(result.rows[1]?.failure).toMatch(/Sheet1!(A|B|F)3/);
});

it.each([
  ['shared', ' t="shared" ref="B2:B3" si="4"', '<f t="shared" si="4"/>', ''],
  ['whose values fill several cells', ' t="array" ref="B2:B3"', '', '0'],
])('never sends a question without its picture by a formula %s', async (_, first, other, value) => {
  const cell = (formula: string): TestCell => ({
    xml: (place) => `<c r="${place}" t="str">${formula}<v>${value}</v></c>`,
  });
  const read = async (formula: string) => {
    const rows = [
      'question|图片|answer',
      ['x', cell(`<f${first}>${formula}</f>`)],
      ['y', cell(other)],
      'z',
      ['v', '', cell('<f t="shared" si="5"/>')],
    ];
    const result = await readBook({ media, cellImages: ['ID_A'], sheets: [{ rows }] });
    return result.rows.map(({ failure }, at) => failure ?? result.questions[at]?.questionImages);
  };
  const linked = expect.stringMatching(/Sheet1!B\d: the picture is only linked by IMAGE/);
  expect(await read('IMAGE(&quot;https://example.com/&quot;&amp;A2)')).toEqual([linked, linked, [], []]);
  const joined = expect.stringMatching(/Sheet1!B\d: the formula joins a picture with something else/);
  expect(await read('_xlfn.DISPIMG(C2,1)')).toEqual([joined, joined, [], []]);
  const picture = [kept(a)];
  expect(await read('_xlfn.DISPIMG(&quot;ID_A&quot;,1)')).toEqual([picture, picture, [], []]);
});

it('refuses pictures in formats that cannot be sent, and too large ones, each at its cell', async () => {
  const book: TestBook = {
    media: [{ name: 'a.emf', bytes: pictures.emf }, ...media],
    sheets: [
      {
        rows: ['question', 'x', 'y'],
        anchors: [anchor(1, { row: 1, column: 0 }), anchor(2, { row: 2, column: 0 })],
      },
    ],
  };
  const result = await readBook(book, { maxImageBytes: 20 });
  expect(result.rows.map(({ failure }) => failure)).toEqual([
    'Sheet1!A2: the picture is an EMF drawing; copy it and paste it as a PNG',
    expect.stringMatching(/^questionImages: image 1 is 71 bytes, more than --max-image-bytes allows/),
  ]);
});

it('refuses a picture that is cut off', async () => {
  const book: TestBook = {
    media: [{ name: 'a.png', bytes: pictures.png.subarray(0, -4) }, ...media],
    sheets: [
      {
        rows: ['question', 'x', 'y'],
        anchors: [anchor(1, { row: 1, column: 0 }), anchor(2, { row: 2, column: 0 })],
      },
    ],
  };
  expect((await readBook(book)).rows.map(({ failure }) => failure)).toEqual([
    'Sheet1!A2: the picture is cut off; insert it again',
    null,
  ]);
});

it('refuses a sheet with a picture or an object that belongs to no cell', async () => {
  const rows = ['question', 'x'];
  const absolute = `<xdr:absoluteAnchor><xdr:pos x="0" y="0"/>${pictureXml(1)}</xdr:absoluteAnchor>`;
  expect((await readBook({ media, sheets: [{ rows, anchors: [absolute] }] })).problems[0]?.message).toMatch(
    /anchored to the page/,
  );
  const relations = '<Relationship Id="rId9" Type="http://x/oleObject" Target="../embeddings/o.bin"/>';
  const tail = '<oleObjects><oleObject progId="Equation.3" shapeId="1"/></oleObjects>';
  expect((await readBook({ sheets: [{ rows, relations, tail }] })).problems[0]?.message).toMatch(
    /embedded objects, such as equations, without a cell/,
  );
});

it('knows a row by the bytes of its pictures: the kind, the place and the file do not matter', async () => {
  const floating = await readBook({
    media,
    sheets: [{ rows: [['question'], [null], ['x']], anchors: [anchor(2, { row: 2, column: 0 })] }],
  });
  const placed = await readBook({
    media: [{ name: 'renamed.png', bytes: pictures.other('b') }],
    placed: [1],
    sheets: [{ rows: ['图片|题目', [placedPicture(1), 'x']] }],
  });
  expect(floating.rows.at(-1)?.content).toBe(placed.rows.at(-1)?.content);
  expect(JSON.parse(placed.rows.at(-1)?.content ?? '')[1]).toEqual([keptEntry(b ?? '')]);
});

describe('a link in a column of pictures', () => {
  const address = 'https://school.example/a%20b.png?x=1';
  const external = (id: number, target: string) =>
    `<Relationship Id="rId${id}" Type="http://x/hyperlink" Target="${target}" TargetMode="External"/>`;
  const read = (cell: string | { xml: (place: string) => string }, target: string, ref = 'B2') =>
    readBook({
      sheets: [
        {
          rows: ['question|image|note', ['q', cell, cell]],
          relations: external(8, target),
          tail: `<hyperlinks><hyperlink ref="C2" r:id="rId8"/><hyperlink ref="${ref}" r:id="rId8"/></hyperlinks>`,
        },
      ],
    });

  it.each([
    ['picture 1', address, 'B2', address],
    ['图一.png', address, '$B$2', address],
    ['picture 1', 'img/a.png', 'A2:B3', 'img/a.png'],
    ['b.png', 'img/a.png', 'B2', 'b.png'],
    ['https://other.example/b.png', address, 'B2', 'https://other.example/b.png'],
    ['picture 1', 'mailto:a@school.example', 'B2', 'picture 1'],
    ['picture 1', address, 'B3', 'picture 1'],
    ['picture 1', address, 'A3:D9', 'picture 1'],
    ['a.png\nb.png', address, 'B2', 'a.png\nb.png'],
  ])('%s that leads to %s at %s is read as %s', async (text, target, ref, shown) => {
    const result = await read(text, target, ref);
    expect(result.rows[0]?.input).toMatchObject({ image: shown, note: text });
    const note = '1 picture cell with a link (B2): read as the address that it leads to';
    expect(result.found.notes.includes(note)).toBe(shown !== text);
  });

  it.each([
    [`HYPERLINK("${address}","picture 1")`, address],
    [`HYPERLINK("${address}")`, address],
    ['HYPERLINK(A9,"picture 1")', 'picture 1'],
  ])('is read from the formula %s', async (formula, shown) => {
    const escaped = formula.replaceAll('"', '&quot;');
    const cell = (place: string) => `<c r="${place}" t="str"><f>${escaped}</f><v>picture 1</v></c>`;
    const result = await read({ xml: cell }, 'https://school.example', 'A9');
    expect(result.rows[0]?.input).toMatchObject({ image: shown, note: 'picture 1' });
  });
});

/** The rows of workbooks: sheets, headers, values as shown. */

import { describe, expect, it } from 'vitest';
import { anchor, inline, pictures, styled, type TestCell, type TestRow } from '../../support/workbook.ts';
import { readBook } from './read-book.ts';

const question = ['id', 'question'];
const texts = ({ questions }: Awaited<ReturnType<typeof readBook>>) => questions.map((each) => each.question);

it('reads the rows of the first visible sheet that has a question column, and says which', async () => {
  const result = await readBook({
    sheets: [
      { name: '说明', rows: ['how to use this'] },
      { name: 'old', state: 'hidden', rows: [question, '1|hidden'] },
      { name: '题目', rows: [question, '1|求 x', '2|求 y'] },
      { name: 'more', rows: [question, '1|another'] },
    ],
  });
  expect(result.problems).toEqual([]);
  expect(texts(result)).toEqual(['求 x', '求 y']);
  expect(result.found).toMatchObject({ format: 'xlsx', encoding: null, rows: 2 });
  expect(result.found.notes[0]).toBe('sheet "题目"; not read: "说明", "more" (--sheet chooses)');
  expect(result.rows.map(({ line, row }) => [row, line])).toEqual([
    [1, 2],
    [2, 3],
  ]);
});

it('prefers the sheet with question and answer to one that explains or lists words', async () => {
  const table = {
    name: 'Questions',
    rows: ['id|question|answer', '1|q|a'],
  };
  for (const rows of [
    ['question|text of the question', 'answer|what is right'],
    ['Vocabulary', 'text', 'house'],
    ['question', 'an example'],
    ['Topic|Kind', 'Text|1', 'Problem|2'],
  ]) {
    const result = await readBook({ sheets: [{ name: 'first', rows }, table] });
    expect(result.problems).toEqual([]);
    expect(result.found.notes[0]).toBe('sheet "Questions"; not read: "first" (--sheet chooses)');
  }
});

it('prefers the sheet with more fields, then the one with more questions', async () => {
  const full = ['id', 'question', 'answer'];
  const many = (count: number) => Array.from({ length: count }, (_, at) => [`${at}`, `q${at}`, 'a']);
  const read = async (...sheets: readonly (readonly TestRow[])[]) => {
    const result = await readBook({ sheets: sheets.map((rows) => ({ rows })) });
    expect(result.problems).toEqual([]);
    return /^sheet "Sheet(\d)"/.exec(result.found.notes[0] ?? '')?.[1];
  };
  const example = [full, '1|an example|a'];
  expect(await read(example, [['question', 'answer'], ...many(9)])).toBe('1');
  expect(await read(example, [full, ...many(9)])).toBe('2');
  expect(await read(example, ['试题库', full, ...many(9)])).toBe('2');
  expect(await read(example, example)).toBe('1');
  expect(await read([full], ['question', 'a'])).toBe('2');
  expect(await read([full], [full])).toBe('1');
  expect(await read([full, ...many(300)], [full, ...many(301)])).toBe('1');
  expect(await read([full, ...many(3), ...Array(9).fill(['1', null, 'a'])], [full, ...many(5)])).toBe('2');
  const explained = ['question|text', 'answer|text'];
  expect(await read(['id|number', ...explained], example)).toBe('2');
  expect(await read(explained, ['question', ...many(3).map(([, text]) => [text ?? ''])])).toBe('2');
});

it('refuses sheets in which a single cell resembles the header, and names the columns of all', async () => {
  const sheets = [
    {
      name: '说明',
      rows: ['question|the text', 'answer|what is right'],
    },
    {
      name: 'Blatt',
      rows: ['Aufgabe|Art', '1+1|Text', '2+2|Text'],
    },
    { name: 'words', rows: ['apple', 'text', 'house'] },
  ];
  const { problems, rows } = await readBook({ sheets });
  expect(rows).toEqual([]);
  expect(problems.map(({ message }) => message)).toEqual([
    'the sheets and their columns: "说明": "question", "the text"; "Blatt": "Aufgabe", "Art"; "words": "apple"; choose one with --sheet NAME, its header with --header-row N',
    'row 2 has a word for the question, but may be a row of the table; if it is the header, add --header-row 2',
    'no column holds the question or its images; the columns are "Aufgabe", "Art"; if these are meant, add --map question=Aufgabe',
    'this row would then be sent as question "1+1"',
  ]);
  expect(texts(await readBook({ sheets }, { columns: { question: 'Aufgabe' } }))).toEqual(['1+1', '2+2']);
  const alone = await readBook({ sheets: sheets.slice(2) });
  expect(alone.problems[0]?.message).toContain('add --header-row 2');
  expect(texts(await readBook({ sheets: sheets.slice(2) }, { headerRow: 2 }))).toEqual(['house']);
});

it('refuses a table on its side, of two lines as of three', async () => {
  const side = ['题目|1 + 1|2 + 2', '答案|2|4', '编号|1|2'];
  for (const rows of [side, side.slice(0, 2), side.toReversed(), ['试题库', ...side.slice(0, 2)]]) {
    const { problems, rows: read } = await readBook({ sheets: [{ rows }] });
    expect(read).toEqual([]);
    expect(problems[0]?.message).toContain('the table lies on its side');
  }
});

it('warns of sheets with the same columns, which are not read', async () => {
  const sheets = [
    { name: 'one', rows: [question, '1|a', '2|b'] },
    { name: 'two', rows: [question, '1|a'] },
  ];
  const warned = (notes: readonly string[]) => notes.filter((note) => note.startsWith('warning: 1 sheet'));
  expect(warned((await readBook({ sheets })).found.notes)).toHaveLength(1);
  expect(warned((await readBook({ sheets }, { sheet: 'one' })).found.notes)).toEqual([]);
});

it('reads the sheet that the user names, a hidden one too', async () => {
  const sheets = [
    { name: 'one', rows: [question, '1|a'] },
    { name: 'Two ', state: 'hidden' as const, rows: [question, '1|b'] },
  ];
  expect(texts(await readBook({ sheets }, { sheet: 'two' }))).toEqual(['b']);
  expect((await readBook({ sheets }, { sheet: 'three' })).problems).toEqual([
    { line: null, message: 'there is no sheet "three"; the sheets are "one", "Two "' },
  ]);
});

it('finds the header below a title, and says so', async () => {
  const sheets = [{ rows: ['2024届高三数学期末试题库', null, question, '007|a'] }];
  const result = await readBook({ sheets });
  expect(texts(result)).toEqual(['a']);
  expect(result.rows[0]).toMatchObject({ id: '007', line: 4 });
  expect(result.found.notes).toContain('the header is row 3');
  expect((await readBook({ sheets }, { headerRow: 1 })).problems[0]?.message).toContain(
    'no column holds the question or its images; the columns are "2024届高三数学期末试题库"',
  );
  expect((await readBook({ sheets }, { headerRow: 2 })).problems).toEqual([
    { line: null, message: 'row 2 is empty; choose another --header-row' },
  ]);
});

it('looks for the header in ten rows', async () => {
  const above = Array.from({ length: 10 }, (_, at) => [`line ${at}`]);
  const sheets = [{ rows: [...above, question, '1|a'] }];
  expect((await readBook({ sheets })).problems[0]).toMatchObject({
    line: 1,
    message: expect.stringContaining('add --header-row 11'),
  });
  expect(texts(await readBook({ sheets }, { headerRow: 11 }))).toEqual(['a']);
});

it('shows numbers, dates and truth values as the sheet does', async () => {
  const cells: readonly [TestCell, string][] = [
    [styled(7, 1), '007'],
    [styled(45_448, 2), '2024年6月5日'],
    [styled(0.256, 3), '25.6%'],
    [styled(12.5, 4), '¥12.50'],
    [styled(5, 5), '第5题'],
    [styled(1.5, 6), '36:00'],
    [0.1 + 0.2, '0.3'],
    [13_800_138_000, '13800138000'],
    [{ xml: (r) => `<c r="${r}" t="b"><v>1</v></c>` }, 'TRUE'],
    [{ xml: (r) => `<c r="${r}" t="d"><v>2024-06-05T00:00:00</v></c>` }, '2024-06-05'],
    [{ xml: (r) => `<c r="${r}"><f>A1+1</f><v>42</v></c>` }, '42'],
    [{ xml: (r) => `<c r="${r}" t="str"><f>A1</f><v>a&#10;b_x000D_</v></c>` }, 'a\nb\r'],
  ];
  const result = await readBook({
    sheets: [{ rows: ['question', ...cells.map(([cell]) => [cell])] }],
    formats: ['000', 'yyyy"年"m"月"d"日"', '0.0%', '¥#,##0.00', '"第"0"题"', '[h]:mm'],
  });
  expect(result.problems).toEqual([]);
  expect(texts(result)).toEqual(cells.map(([, shown]) => shown));
});

it.each<readonly [format: string | number, value: number | string, shown: string]>([
  [34, 0.5625, '下午1时30分'],
  [35, 0.0625, '上午1时30分00秒'],
  [51, 45448, '6月5日'],
  [52, 45448, '2024年6月'],
  [53, 45448, '6月5日'],
  [54, 45448, '6月5日'],
  [55, 0.5625, '下午1时30分'],
  [56, 0.5625, '下午1时30分00秒'],
  [5, 1234.5, '1,235'],
  [8, -1234.5, '(1,234.50)'],
  [41, 1234, '1,234'],
  [44, 1234.5, '1,234.50'],
  [43, 0, '0.00'],
  ['上午/下午h"时"mm"分"', 0.5625, '下午1时30分'],
  ['[$-804]上午/下午h"时"mm"分";@', 0.0625, '上午1时30分'],
  ['午前/午後h"時"mm"分"', 0.5625, '午後1時30分'],
  ['"上午/下午"0', 3, '上午/下午3'],
  ['@" cm"', 5, '5 cm'],
  ['@" cm"', -2.5, '-2.5 cm'],
  ['@" cm"', '5', '5 cm'],
  ['"第"@"题"', 3, '第3题'],
  ['"@"0', 3, '@3'],
  ['0.0;-0.0;0;"("@")"', 'a', '(a)'],
  ['0.0;-0.0;0;"("@")"', 5, '5.0'],
  ['_(* #,##0_);_(* (#,##0);_(* "-"_);_(@_)', 'a', 'a'],
  ['_(* #,##0_);_(* (#,##0);_(* "-"_);_(@_)', 0, '0'],
  [';;', 'a', 'a'],
  ['0;;;@', -5, '-5'],
  ['0.00;-0.00;"zero";', 5, '5.00'],
  [';;"-";', 0, '0'],
  ['[>9];;;', 5, '5'],
  ['0.00', ' a ', ' a '],
  ['G/通用格式"元"', 5, '5元'],
  ['G/標準" 円"', 2.5, '2.5 円'],
  ['"G/通用格式"0', 5, 'G/通用格式5'],
  ['[=1]"对";[=0]"错"', 1, '对'],
  ['Standard" cm"', 5, '5'],
  ['Standard" cm"', 'a', 'a'],
])('shows a cell of the format %s with %s as %s', async (format, value, shown) => {
  const code = String(format).replaceAll('"', '&quot;');
  const style = typeof format === 'number' ? `<xf numFmtId="${format}"/>` : `<xf numFmtId="164"/>`;
  const styles = `<styleSheet xmlns:x="x"><numFmts><numFmt numFmtId="164" formatCode="${code}"/></numFmts><cellXfs><xf numFmtId="0"/>${style}</cellXfs></styleSheet>`;
  const content = typeof value === 'number' ? `><v>${value}</v>` : ` t="inlineStr"><is><t>${value}</t></is>`;
  const result = await readBook({
    sheets: [{ rows: ['question', [{ xml: (place) => `<c r="${place}" s="1"${content}</c>` }]] }],
    more: [{ name: 'xl/styles.xml', content: styles }],
  });
  expect(texts(result)).toEqual([shown]);
});

it('reads what its format hides as empty, and never sends a question of it', async () => {
  const hidden = (style: number, content: string) => ({
    xml: (place: string) => `<c r="${place}" s="${style}"${content}</c>`,
  });
  const text = ' t="inlineStr"><is><t>x</t></is>';
  const number = '><v>6</v>';
  const result = await readBook({
    sheets: [
      {
        rows: [
          'question|answer',
          [hidden(1, text), 'a'],
          ['q2', hidden(1, number)],
          ['q3', hidden(2, text)],
          ['q4', hidden(2, number)],
        ],
      },
    ],
    formats: ['[Red];;"" ; ', '0;-0;0;'],
  });
  expect(result.rows.map(({ failure }) => failure)).toEqual([
    expect.stringMatching(/the number format of Sheet1!A2 hides its text/),
    null,
    null,
    null,
  ]);
  expect(result.questions.map(({ answer }) => answer)).toEqual(['a', '', '', '6']);
  expect(result.found.notes).toContain('3 cells that the number format hides (A2, B3, B4): read as empty');
});

describe('the font Symbol', () => {
  const styles = (font: string) =>
    `<styleSheet><fonts><font/><font><sz val="11"/><name val="${font}"/></font></fonts><cellXfs><xf numFmtId="0"/><xf numFmtId="0" fontId="1"/></cellXfs></styleSheet>`;
  const symbolRun = (text: string) => `<r><rPr><rFont val="Symbol"/></rPr><t>${text}</t></r>`;
  const otherRun = (text: string) => `<r><rPr><rFont val="Calibri"/></rPr><t>${text}</t></r>`;
  const rich = `<r><t>a</t></r>${otherRun(' is an angle')}`;
  const cell = (style: number, content: string, isShared: boolean) => ({ style, content, isShared });
  const cases: readonly [name: string, ReturnType<typeof cell>, shown: string][] = [true, false].flatMap(
    (isShared) => [
      ['a cell', cell(1, '<t>a + b = p/2</t>', isShared), 'α + β = π/2'],
      ['signs and brackets', cell(1, '<t>x ³ 3 Þ A Ì B, 中文 D</t>', isShared), 'ξ ≥ 3 ⇒ Α ⊂ Β, 中文 Δ'],
      ['letters inserted as symbols', cell(1, '<t>\uf071 = \uf0b0</t>', isShared), 'θ = °'],
      ['a run', cell(0, `<r><t>sin 2</t></r>${symbolRun('q')}`, isShared), 'sin 2θ'],
      ['a cell with a run in another font', cell(1, rich, isShared), 'α is an angle'],
      [
        'a raised run',
        cell(1, `<r><t>q</t></r><r><rPr><vertAlign val="superscript"/></rPr><t>2</t></r>`, isShared),
        'θ^2',
      ],
      ['the same text in another cell', cell(0, rich, isShared), 'a is an angle'],
    ],
  );
  it.each(cases)('is sent as the sheet shows it: %s %j', async (_, { style, content, isShared }, shown) => {
    const given = isShared
      ? `<c r="A2" s="${style}" t="s"><v>1</v></c>`
      : `<c r="A2" s="${style}" t="inlineStr"><is>${content}</is></c>`;
    const result = await readBook({
      sheets: [{ rows: ['question', [{ xml: () => given }]] }],
      more: [
        { name: 'xl/styles.xml', content: styles('symbol') },
        ...(isShared
          ? [
              {
                name: 'xl/sharedStrings.xml',
                content: `<sst><si><t>question</t></si><si>${content}</si></sst>`,
              },
            ]
          : []),
      ],
    });
    expect(texts(result)).toEqual([shown]);
    const note = '1 cell with letters in the font Symbol: sent as the sheet shows them, such as α for a';
    expect(result.found.notes.includes(note)).toBe(/[α-ω]/.test(shown));
  });

  it('is read in a result of a formula; a font of another name is not it', async () => {
    const rows = [
      'question',
      [{ xml: (place: string) => `<c r="${place}" s="1" t="str"><f>A9</f><v>p</v></c>` }],
    ];
    for (const [font, shown] of [
      ['Symbol', 'π'],
      ['Segoe UI Symbol', 'p'],
    ] as const) {
      const more = [{ name: 'xl/styles.xml', content: styles(font) }];
      expect(texts(await readBook({ sheets: [{ rows }], more }))).toEqual([shown]);
    }
  });
});

it('counts dates from 1904 where the workbook does', async () => {
  const book = {
    sheets: [{ rows: ['question', [styled(1, 1)], [styled(3, 2)]] }],
    formats: ['yyyy-mm-dd', '0.0'],
  };
  expect(texts(await readBook({ ...book, date1904: true }))).toEqual(['1904-01-02', '3.0']);
});

it.each([false, true])(
  'shows durations and negative times as they are; dates count from 1904: %s',
  async (date1904) => {
    const cells: readonly [number, string, string][] = [
      [1.5, '[h]:mm', '36:00'],
      [-0.0625, 'h:mm', '-1:30'],
      [0.0625, '[mm]', '90'],
      [-1.25, '[h]:mm', '-30:00'],
      [0.5, 'h:mm AM/PM', '12:00 PM'],
      [0.001, 'mm:ss', '01:26'],
      [-0.001, '[h]"小时"mm"分";@', '-0小时01分'],
      [-0.5, 'h:mm;-h:mm', '-12:00'],
      [-0.5, '0.00E+00', '-5.00E-01'],
    ];
    const codes = [...new Set(cells.map(([, code]) => code))];
    const rows = cells.map(([value, code]) => [styled(value, codes.indexOf(code) + 1)]);
    const result = await readBook({ sheets: [{ rows: ['question', ...rows] }], formats: codes, date1904 });
    expect(texts(result)).toEqual(cells.map(([, , shown]) => shown));
  },
);

it('never sends the text under a merged cell', async () => {
  const result = await readBook({
    sheets: [
      {
        rows: ['id|question|answer|answer', '1|shown|a|x', '2|OLD DRAFT|b|y', '3|q|c|z', '4|r|d|old'],
        tail: '<mergeCells count="4"><mergeCell ref="B2:B3"/><mergeCell ref="C1:D1"/><mergeCell ref="C4:D5"/><mergeCell ref="odd"/></mergeCells>',
      },
    ],
  });
  expect(result.problems).toEqual([]);
  expect(result.questions.map(({ question, answer }) => [question, answer])).toEqual([
    ['shown', 'a'],
    ['', 'b'],
    ['q', 'c'],
    ['r', ''],
  ]);
  expect(result.rows.map(({ failure }) => failure)).toEqual([
    null,
    'it has neither a question nor a question image',
    null,
    null,
  ]);
  expect(result.found.notes).toContain('3 merged cells: each counts for its first row and column only');
});

it('holds a question that is merged over rows with more than that, and one cut at a comma', async () => {
  const { rows } = await readBook(
    {
      sheets: [
        {
          rows: [
            'id|question|answer',
            '1|A stem|a',
            '2||b',
            '3|Whole|c',
            '',
            '4|Find x|if 2x = 10|5',
            '5|q|e||mine',
          ],
          tail: '<mergeCells count="2"><mergeCell ref="B2:B3"/><mergeCell ref="B4:B5"/></mergeCells>',
        },
      ],
    },
    { odd: 'hold' },
  );
  expect(
    rows.flatMap(({ failure, line }) => (failure?.startsWith('looks odd') ? [[line, failure]] : [])),
  ).toEqual([
    [2, 'looks odd: a question that goes on in the rows below (--odd send sends it)'],
    [6, 'looks odd: a question cut at a comma (--odd send sends it)'],
  ]);
});

it('reads a workbook whose parts are named with backslashes, with its texts, formats and pictures', async () => {
  const result = await readBook({
    sheets: [{ rows: ['question|answer', ['q', styled(7, 1)]], anchors: [anchor(1, { row: 1, column: 0 })] }],
    formats: ['000'],
    media: [{ name: 'a.png', bytes: pictures.png }],
    backslashes: true,
  });
  expect(result.problems).toEqual([]);
  expect(result.questions[0]).toMatchObject({
    question: 'q',
    answer: '007',
    questionImages: [{ kind: 'kept' }],
  });
});

it('joins rich texts, marks raised and lowered letters, and leaves reading aids out', async () => {
  const result = await readBook({
    sheets: [
      {
        rows: [
          'question',
          [
            inline(
              '<r><t>f(x)=x</t></r><r><rPr><vertAlign val="superscript"/></rPr><t>2</t></r><r><t xml:space="preserve"> + x</t></r><r><rPr><vertAlign val="superscript"/></rPr><t>10</t></r>',
            ),
          ],
          [inline('<r><t>H</t></r><r><rPr><vertAlign val="subscript"/></rPr><t>2</t></r><r><t>O</t></r>')],
          [inline('<t>漢字</t><rPh sb="0" eb="2"><t>かんじ</t></rPh>')],
          [inline('<t><![CDATA[a<b & c]]></t>')],
        ],
      },
    ],
  });
  expect(texts(result)).toEqual(['f(x)=x^2 + x^{10}', 'H_2O', '漢字', 'a<b & c']);
  expect(result.found.notes).toContain('2 cells with raised or lowered letters: written as x^2 and H_2O');
});

it('reads raised letters of two fonts as one exponent', async () => {
  const run = (letters: string, mark = 'superscript') =>
    `<r><rPr><vertAlign val="${mark}"/></rPr><t xml:space="preserve">${letters}</t></r>`;
  const result = await readBook({
    sheets: [
      {
        rows: [
          'question|answer',
          [inline(`<r><t>m s</t></r>${run('-')}${run('1 ')}<r><t>?</t></r>`), 'A'],
          [inline(`<r><t>x</t></r>${run('2')}${run('i', 'subscript')}<r><t>y</t></r><r><t>z</t></r>`), 'B'],
        ],
      },
    ],
  });
  expect(texts(result)).toEqual(['m s^{-1} ?', 'x^2_iyz']);
});

it('names columns without U+0000 and half a surrogate pair, which no store could keep', async () => {
  const { rows, problems } = await readBook({
    sheets: [{ rows: [[...question, 'no_x0000_te', '_xD800_'], '1|a|b|c'] }],
  });
  expect(problems).toEqual([]);
  expect(rows.map(({ input }) => input)).toEqual([
    { id: '1', question: 'a', 'no\ufffdte': 'b', '\ufffd': 'c' },
  ]);
});

it('ignores empty rows at the end, and keeps those in between as rows without a question', async () => {
  const result = await readBook({
    sheets: [{ rows: [question, ['1', 'a'], null, [' '], ['2', 'b'], null, [' ', ''], []] }],
  });
  expect(result.rows.map(({ line, failure }) => [line, failure])).toEqual([
    [2, null],
    [3, 'it has neither a question nor a question image'],
    [4, 'it has neither a question nor a question image'],
    [5, null],
  ]);
  const far = { xml: () => '<c r="B900000" t="inlineStr"><is><t>b</t></is></c>' };
  const gap = await readBook({
    sheets: [{ rows: [question, ['1', 'a']], tail: '' }],
    more: [
      {
        name: 'xl/worksheets/sheet1.xml',
        content: `<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>question</t></is></c></row><row r="900000">${far.xml()}</row></sheetData></worksheet>`,
      },
    ],
  });
  expect(gap.problems[0]?.message).toBe('Sheet1: the rows 2 to 899999 are empty; delete them');
});

it('reads hidden rows, says how many, and says how merged cells count', async () => {
  const result = await readBook({
    sheets: [
      {
        rows: [question, '1|a', '2|b', '3|c'],
        hidden: [3, 4],
        tail: '<mergeCells count="1"><mergeCell ref="A2:A3"/></mergeCells>',
      },
    ],
  });
  expect(texts(result)).toEqual(['a', 'b', 'c']);
  expect(result.found.notes).toContain('2 hidden rows read like the others');
  expect(result.found.notes).toContain('1 merged cell: each counts for its first row and column only');
});

it('counts a row of no height as hidden', async () => {
  const cell = (place: string, text: string) => `<c r="${place}" t="str"><v>${text}</v></c>`;
  const content = `<worksheet><sheetFormatPr zeroHeight="1"/><sheetData><row r="1">${cell('A1', 'question')}</row><row r="2" ht="0" customHeight="1">${cell('A2', 'a')}</row><row r="3">${cell('A3', 'b')}</row></sheetData></worksheet>`;
  const result = await readBook({
    sheets: [{ rows: [question] }],
    more: [{ name: 'xl/worksheets/sheet1.xml', content }],
  });
  expect(texts(result)).toEqual(['a', 'b']);
  expect(result.found.notes).toContain('1 hidden row read like the others');
});

describe('a hidden column', () => {
  const hiddenNotes = ({ found }: Awaited<ReturnType<typeof readBook>>) =>
    found.notes.filter((note) => note.startsWith('hidden'));
  const hide = (columns: string): string => `<cols><col min="1" max="1" width="9"/>${columns}</cols>`;
  const second = hide('<col min="2" max="2" hidden="1"/>');
  const draft = ['id|question|题目|answer', '1|draft|shown|a'];

  it.each([
    ['beside a visible one that means the same is not sent', draft, second, {}],
    ['is one without width too', draft, hide('<col min="2" max="2" width="0"/>'), {}],
    ['may have the name of the visible one', ['id|question|question', '1|draft|shown'], second, {}],
    [
      'of that name is not chosen by it',
      ['id|question|question', '1|draft|shown'],
      second,
      { columns: { question: 'question' } },
    ],
  ])('%s', async (_, rows, head, options) => {
    const result = await readBook({ sheets: [{ rows, head }] }, options);
    expect(result.problems).toEqual([]);
    expect(texts(result)).toEqual(['shown']);
    expect(result.source.columns).toContain('question (column B)');
    expect(hiddenNotes(result)).toEqual(['hidden columns not sent: B "question"']);
  });

  it('is read where it is chosen, or alone means a field', async () => {
    const chosen = await readBook(
      { sheets: [{ rows: draft, head: second }] },
      { columns: { question: 'question' } },
    );
    expect(texts(chosen)).toEqual(['draft']);
    expect(hiddenNotes(chosen)).toEqual(['hidden columns read like the others: B "question"']);
    const rows = ['question|answer|备注||images', 'a|b|c|d'];
    const alone = await readBook({ sheets: [{ rows, head: hide('<col min="2" max="4" hidden="true"/>') }] });
    expect(alone.questions).toMatchObject([{ question: 'a', answer: 'b' }]);
    expect(hiddenNotes(alone)).toEqual([
      'hidden columns read like the others: B "answer"',
      'hidden columns not sent: C "备注"',
    ]);
  });

  it('of ids is read beside a number of rows', async () => {
    const ids = async (hidden: string, visible: string) => {
      const rows = [[visible, hidden, 'question'], '1|x7|a'];
      return (await readBook({ sheets: [{ rows, head: second }] })).rows.map(({ id }) => id);
    };
    expect(await ids('id', '序号')).toEqual(['x7']);
    expect(await ids('题号', '序号')).toEqual(['1']);
    expect(await ids('编号', 'id')).toEqual(['1']);
  });
});

it('never sends an error or a formula without a result, not even once the row is read from the checkpoint', async () => {
  const cell = (xml: string): TestCell => ({ xml: (place) => `<c r="${place}"${xml}</c>` });
  const result = await readBook({
    sheets: [
      {
        name: '卷1',
        rows: [
          'id|question|answer|remark',
          ['1', cell(' t="e"><v>#REF!</v>'), 'a', 'b'],
          ['2', 'q', cell('><f>A1</f>'), 'b'],
          [cell(' t="e"><v>#N/A</v>'), 'q', 'a', 'b'],
          ['4', 'q', 'a', cell(' t="e"><v>#DIV/0!</v>')],
        ],
      },
    ],
  });
  expect(result.rows.map(({ failure }) => failure)).toEqual([
    '卷1!B2 shows the error #REF!; mend the cell',
    '卷1!C3 is a formula without a saved result; open and save the workbook in Excel or WPS',
    '卷1!A4 shows the error #N/A; mend the cell',
    null,
  ]);
});

describe('a formula of a workbook that is to be calculated when it is opened', () => {
  const formula = (xml: string, value: string): TestCell => ({
    xml: (place) => `<c r="${place}"><f${xml}</f><v>${value}</v></c>`,
  });
  const read = async (cell: TestCell, calculation = '<calcPr calcId="124519" fullCalcOnLoad="1"/>') => {
    const rows = ['question|answer|remark', ['q', cell, formula('>A1', '0')], ['r', 0, '']];
    const result = await readBook({ sheets: [{ rows }], calculation });
    return result.rows.map(({ failure }, at) => failure ?? result.questions[at]?.answer);
  };
  const never = 'Sheet1!B2 is a formula without a saved result; open and save the workbook in Excel or WPS';

  it.each([
    ['0', formula('>1+2', '0')],
    ['0.0', formula('>1+2', '0.0')],
    ['0 in an array', formula(' t="array" ref="B2:B2">1+2', '0')],
    ['0 of a shared formula', { xml: (r: string) => `<c r="${r}"><f t="shared" si="0"/><v>0</v></c>` }],
  ])('may never have been calculated where it says %s', async (_, cell) => {
    expect(await read(cell)).toEqual([never, '0']);
    expect(await read(cell, '<calcPr fullCalcOnLoad="true"/>')).toEqual([never, '0']);
  });

  it('may never have been calculated in any of the cells that it fills', async () => {
    const rows = ['question|answer', ['q', formula(' t="array" ref="B2:B3">C2:C3', '0')], ['r', 0], ['s', 0]];
    const result = await readBook({ sheets: [{ rows }], calculation: '<calcPr fullCalcOnLoad="1"/>' });
    expect(result.rows.map(({ failure }) => failure)).toEqual([never, never.replace('B2', 'B3'), null]);
  });

  it.each<[string, TestCell, string]>([
    ['another number', formula('>1+2', '3'), '3'],
    ['a text', { xml: (r) => `<c r="${r}" t="str"><f>A1</f><v>0</v></c>` }, '0'],
    ['no', { xml: (r) => `<c r="${r}" t="b"><f>A1</f><v>0</v></c>` }, 'FALSE'],
    ['a number that nobody calculates', 0, '0'],
  ])('has been where it says %s', async (_, cell, answer) => {
    expect(await read(cell)).toEqual([answer, '0']);
  });

  it.each(['', '<calcPr calcId="191029"/>', '<calcPr fullCalcOnLoad="0"/>'])(
    'says 0 where the workbook was calculated: %s',
    async (calculation) => {
      expect(await read(formula('>1-1', '0'), calculation)).toEqual(['0', '0']);
    },
  );
});

it('names empty headers by their column, and refuses a header that appears twice', async () => {
  const result = await readBook({ sheets: [{ rows: ['id||question|', '1|x|q|stray'] }] });
  expect(result.source.columns).toEqual(['id', 'column B', 'question']);
  expect(result.rows[0]?.input).toEqual({ id: '1', 'column B': 'x', question: 'q' });
  expect(result.found.notes).toContain('1 cell without a header not read (D2)');
  expect((await readBook({ sheets: [{ rows: [['question', 'a', 'a']] }] })).problems).toEqual([
    { line: 1, message: 'the header "a" appears twice; rename one of the columns' },
  ]);
});

it("is the same question as in CSV, with the ' that it begins with", async () => {
  const { rows } = await readBook({ sheets: [{ rows: ['question', ["'=1+2"], [' a\r\nb ']] }] });
  expect(rows.map(({ content }) => JSON.parse(content)[0])).toEqual(["'=1+2", 'a\nb']);
});

it('skips a header that is repeated', async () => {
  const result = await readBook({ sheets: [{ rows: [question, ['1', 'a'], question, ['2', 'b']] }] });
  expect(texts(result)).toEqual(['a', 'b']);
  expect(result.found.notes).toContain('the header is repeated in A3: skipped');
});

/** Merges these cells. */
const merge = (...refs: readonly string[]): string =>
  `<mergeCells>${refs.map((ref) => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells>`;

describe('a title merged over the table', () => {
  const header = ['题目', '答案', '难度'];
  const held = async (
    rows: readonly TestRow[],
    refs: readonly string[],
    more: { readonly anchors?: readonly string[] } = {},
  ) => {
    const { rows: read } = await readBook(
      { sheets: [{ rows, tail: merge(...refs), ...more }], media: [{ name: 'a.png', bytes: pictures.png }] },
      { odd: 'hold' },
    );
    return read.filter(({ failure }) => failure?.includes('title of a section')).map(({ line }) => line);
  };
  const table = [header, '代数初步', '1 + 1|2|易', '几何', '圆的面积|πr²|易'];

  it.each([
    ['is held back', table, ['A2:C2', 'A4:B4'], [2, 4]],
    ['down the sheet only is none', table, ['A2:A3', 'A5:A6'], []],
    ['next to the table only is none', [header, 'x|y|几何', ...table.slice(2)], ['C2:E2'], []],
    ['over a column without a name is none', ['题目||答案', '几何', '圆||x'], ['A2:B2'], []],
    ['below a header merged with it is none', ['题目||答案', '几何', '圆||x'], ['A1:B1', 'A2:B2'], []],
    ['next to an answer is a row', [header, '代数||x', '1 + 1|2|易'], ['A2:B2'], []],
    ['as most rows are is none', [header, '几何', '代数', '圆|x'], ['A2:C2', 'A3:C3'], []],
    ['next to an id is a row', ['id|题目|答案', '1|代数', '2|圆|x'], ['B2:C2'], []],
    ['without an id is held back', ['id|题目|答案', '|代数', '2|圆|x'], ['B2:C2'], [2]],
  ])('%s', async (_, rows, refs, lines) => {
    expect(await held(rows, refs)).toEqual(lines);
  });

  it('with a picture is a row', async () => {
    expect(await held(table, ['A2:C2'], { anchors: [anchor(1, { row: 1, column: 0 })] })).toEqual([]);
  });
});

/** The part of a table of a sheet, and the relation that leads to it. */
const tableOf = (attributes: string, number = 1) => ({
  relation: `<Relationship Id="rId${20 + number}" Type="http://x/table" Target="../tables/table${number}.xml"/>`,
  part: { name: `xl/tables/table${number}.xml`, content: `<table ${attributes}><tableColumns/></table>` },
});

describe('the totals row of a table', () => {
  const rows = ['id|question|answer|remark', '1|a|b', '2|c|d', null, 'Total|2'];
  const note = 'row 5 is the totals row of a table: not read';

  it.each([
    ['is not read', 'ref="A1:C5" totalsRowCount="1"', ['a', 'c']],
    ['that has none is a row', 'ref="A1:C5" totalsRowShown="1"', ['a', 'c', '', '2']],
    ['that the question is not in says nothing', 'ref="C1:D5" totalsRowCount="1"', ['a', 'c', '', '2']],
    ['without a place is none', 'ref="odd" totalsRowCount="1"', ['a', 'c', '', '2']],
  ])('%s', async (_, attributes, read) => {
    const { relation, part } = tableOf(attributes);
    const result = await readBook({ sheets: [{ rows, relations: relation }], more: [part] });
    expect(result.problems).toEqual([]);
    expect(texts(result)).toEqual(read);
    expect(result.found.notes.includes(note)).toBe(read.length === 2);
  });

  it('with a picture is a row, and one between two tables is left out', async () => {
    const tables = [tableOf('ref="A1:B3" totalsRowCount="1"'), tableOf('ref="A4:B6" totalsRowCount="1"', 2)];
    const result = await readBook({
      sheets: [
        {
          rows: [question, '1|a', 'Total|1', question, '2|b', 'Total|1', '3|c'],
          anchors: [anchor(1, { row: 5, column: 1 })],
          relations: tables.map(({ relation }) => relation).join(''),
        },
      ],
      media: [{ name: 'a.png', bytes: pictures.png }],
      more: tables.map(({ part }) => part),
    });
    expect(texts(result)).toEqual(['a', 'b', '1', 'c']);
    expect(result.found.notes).toContain('row 3 is the totals row of a table: not read');
  });

  it('is told with all others', async () => {
    const count = 7;
    const tables = Array.from({ length: count }, (_, at) =>
      tableOf(`ref="A${2 * at + 2}:B${2 * at + 3}" totalsRowCount="1"`, at + 1),
    );
    const result = await readBook({
      sheets: [
        {
          rows: [question, ...tables.flatMap((_, at) => [[`${at}`, 'a'], 'Total|1'])],
          relations: tables.map(({ relation }) => relation).join(''),
        },
      ],
      more: tables.map(({ part }) => part),
    });
    expect(texts(result)).toHaveLength(count);
    expect(result.found.notes).toContain(
      'the rows 3, 5, 7, 9, 11 and 2 more are totals rows of tables: not read',
    );
  });
});

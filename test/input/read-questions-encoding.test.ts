import { describe, expect, test } from 'vitest';
import { encodings as corpusEncodings } from '../corpus/encodings.ts';
import { encodeAs, encodeGb18030, encodeUtf16, readFile } from './read-file.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const wide = (text: string): Uint8Array => encodeUtf16(text, 'high-first');

/** Those of the corpus, and what no program marks. */
const encodings = [
  ...corpusEncodings,
  { name: 'UTF-16LE', encode: (text: string) => encodeUtf16(text, 'low-first') },
  { name: 'UTF-16BE', encode: wide },
];
const delimiters = [',', ';', '\t'];
const lineEnds = ['\n', '\r\n', '\r'];

const cells = [
  ['编号', '题目', '答案'],
  ['甲', '求 $\\frac{1}{2}+x=3$ 的解', '两行\n答案'],
  ['乙', '说 "你好"，再说一遍', '上'],
];

function csv(delimiter: string, lineEnd: string): string {
  const quote = (cell: string): string => `"${cell.replaceAll('"', '""').replaceAll('\n', lineEnd)}"`;
  return cells.map((row) => row.map(quote).join(delimiter) + lineEnd).join('');
}

const combinations = encodings.flatMap((encoding) =>
  delimiters.flatMap((delimiter) => lineEnds.map((lineEnd) => ({ ...encoding, delimiter, lineEnd }))),
);

describe('every encoding with every delimiter and line end', () => {
  test.each(combinations)('$name, $delimiter, $lineEnd', async ({ name, encode, delimiter, lineEnd }) => {
    for (const chunkBytes of [1, 2, 3, 1_000]) {
      const { rows, problems, found } = await readFile(encode(csv(delimiter, lineEnd)), { chunkBytes });
      expect(problems).toEqual([]);
      expect(found).toMatchObject({ encoding: name, delimiter, rows: 2 });
      expect(rows.map((row) => [row.line, row.input])).toEqual([
        [2, { 编号: '甲', 题目: '求 $\\frac{1}{2}+x=3$ 的解', 答案: `两行${lineEnd}答案` }],
        [4, { 编号: '乙', 题目: '说 "你好"，再说一遍', 答案: '上' }],
      ]);
    }
  });

  test.each(encodings)('JSONL in $name', async ({ name, encode }) => {
    const text = '{"编号":"甲","题目":"求 $\\\\frac{1}{2}$"}\r\n\r\n{"编号":"乙","题目":"上"}';
    const { rows, found } = await readFile(encode(text), { file: '-', chunkBytes: 1 });
    expect(found).toMatchObject({ encoding: name, format: 'jsonl', rows: 2 });
    expect(rows.map((row) => [row.line, row.id])).toEqual([
      [1, '甲'],
      [3, '乙'],
    ]);
  });
});

describe('the choice of an encoding', () => {
  test.each([
    ['UTF-8', utf8],
    ['GB18030', encodeGb18030],
  ])('%s is recognized where its first character comes late, in chunks of any size', async (name, encode) => {
    const ascii = `question,answer\n${'How much is 1 + 1?,2\n'.repeat(20_000)}`;
    const late = `${ascii}${'这是一道题目，很长的题目,答案\n'.repeat(5_000)}`;
    for (const chunkBytes of [997, 65_536, 10_000_000]) {
      const { rows, problems, found } = await readFile(encode(late), { chunkBytes });
      expect(problems).toEqual([]);
      expect(found.encoding).toBe(name);
      expect(rows).toHaveLength(25_000);
      expect(rows.at(-1)).toMatchObject({
        line: 25_001,
        input: { question: '这是一道题目，很长的题目', answer: '答案' },
      });
    }
  });

  test('a guess is told, and plain UTF-8 is none', async () => {
    expect((await readFile(encodeGb18030('题目\n求和的问题'))).found.notes).toContain(
      'read as GB18030: it is not valid UTF-8',
    );
    expect((await readFile('题目\n求和')).found.notes.join()).not.toContain('read as');
  });

  test('what was asked for wins', async () => {
    const bytes = Buffer.from('question\ndéjà vu', 'latin1');
    const { rows, found } = await readFile(bytes, { encoding: 'windows-1252' });
    expect(rows[0]?.input).toEqual({ question: 'déjà vu' });
    expect(found.encoding).toBe('WINDOWS-1252');
  });
});

describe('bytes of another language', () => {
  test.each([
    ['euc-kr', '다음 방정식을 풀어라. x의 값을 구하시오'],
    ['euc-kr', '물의 화학식은 무엇인가'],
    ['shift_jis', '次の方程式を解きなさい'],
    ['shift_jis', 'カタカナとひらがなをよむ'],
    ['shift_jis', '三角形の面積を求めよ。ただし底辺は４、高さは３とする'],
    ['euc-jp', '速度と加速度の違いを説明せよ'],
    ['big5', '三角形的面積是多少？請寫出計算過程'],
    ['windows-1256', 'ما هي عاصمة فرنسا؟'],
    ['windows-1256', 'احسب مساحة المثلث'],
    ['windows-1251', 'Найдите площадь треугольника'],
    ['koi8-r', 'Решите уравнение'],
    ['windows-1253', 'Λύστε την εξίσωση'],
    ['windows-1255', 'פתור את המשוואה'],
    ['windows-874', 'เมืองหลวงของประเทศไทย'],
    ['windows-1252', 'Übungen: wie groß ist „x“?'],
  ])('are never paid for as Chinese: %s, %s', async (label, text) => {
    const bytes = encodeAs(label, `id,question\n1,${text}\n`);
    const { rows, problems } = await readFile(bytes);
    expect(rows).toEqual([]);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.message).toContain(`--encoding ${label} (${[...text].slice(0, 6).join('')}`);
    const asked = await readFile(bytes, { encoding: label });
    expect(asked.rows.map(({ input }) => input.question)).toEqual([text]);
    expect((await readFile(bytes, { encoding: 'gb18030' })).problems.join()).not.toContain('rare');
  });

  test('are told by their rare characters, too, where no encoding reads them', async () => {
    const rare = Array.from({ length: 200 }, (_, at) => [0xd8 + (at % 30), 0xa1 + ((at * 37) % 94)]).flat();
    const { problems } = await readFile(Buffer.concat([Buffer.from('question\n'), Uint8Array.from(rare)]));
    expect(problems[0]?.message).toMatch(/mostly rare characters \(.+\).*--encoding gb18030/);
  });

  test.each([
    '魑魅魍魉的读音是什么？',
    '北冥有鱼，其名为鲲。鲲之大，不知其几千里也；化而为鸟，其名为鹏。',
    '蒹葭苍苍，白露为霜。所谓伊人，在水一方。',
    '帝高阳之苗裔兮，朕皇考曰伯庸。摄提贞于孟陬兮，惟庚寅吾以降。',
    '豫章故郡，洪都新府。星分翼轸，地接衡庐。襟三江而带五湖，控蛮荆而引瓯越。',
    '欧阳锋 令狐冲 慕容复',
    '氕氘氚',
    '饕餮',
    '甲烷乙烯丙炔苯酚',
    '蝙蝠 蜻蜓 蝴蝶 蚂蚁',
    '已知函數的最大值為何',
    '∠A＝３０，√２≈①',
    '「日本語」を中国語に翻訳しなさい：我是学生',
  ])('are not Chinese with rare characters, names or symbols: %s is read', async (text) => {
    const { rows, problems, found } = await readFile(encodeGb18030(`question\n${text}\n`));
    expect(problems).toEqual([]);
    expect(found.encoding).toBe('GB18030');
    expect(rows.map(({ input }) => input.question)).toEqual([text]);
  });
});

describe('letters that are written as ASCII', () => {
  test.each([
    ['ISO-2022-JP', '\x1b$B<!$NJ}Dx<0$r2r$1!#\x1b(B', '(次の方程式を解け。)', '--encoding iso-2022-jp'],
    ['ISO-2022-JP', '\x1b$@;03Q7A\x1b(J', '(三角形)', '--encoding iso-2022-jp'],
    ['ISO-2022-KR', '\x1b$)C\x0e4Y@=\x0f', '', 'UTF-8'],
    ['ISO-2022-CN', '\x1b$)A\x0eVPND\x0f', '', 'UTF-8'],
    ['HZ-GB-2312', 'x ~{H}=GPN5DCf;}JG6`IY~}', '(三角形的面积是多少)', 'UTF-8'],
    ['UTF-7', '2 +- 3: +TgmJ0l9idoSXYg, +doSXYnnv-?', '(三角形的面的面积)', 'UTF-8'],
    ['UTF-7', 'R+AOk-sous, s+IBk-il te pla+AO4-t, l+AOA-', '(éîà)', 'UTF-8'],
  ])('are never paid for as they stand: %s, %j', async (name, text, words, remedy) => {
    const { rows, problems } = await readFile(`question\nHow much is 3 - 1?\n${text}\n`);
    expect(rows).toEqual([]);
    expect(problems).toEqual([{ line: 3, message: expect.stringContaining(`${name} ${words}`.trim()) }]);
    expect(problems[0]?.message).toContain(remedy);
  });

  test('are read with the encoding', async () => {
    const bytes = Buffer.from('question\n\x1b$B;03Q7A\x1b(B\n', 'latin1');
    const { rows } = await readFile(bytes, { encoding: 'iso-2022-jp' });
    expect(rows.map(({ input }) => input.question)).toEqual(['三角形']);
  });

  test.each([
    'How much is a+b-c, +1- or 2+3-?',
    'Let +abc- and +ABE-CD be sums; 1+- 2',
    'In C++ +TgmJ0l9idoSXYg- is text, +doSXYnnv- too',
    'caf+AOk- is not written so',
    'data:image/png;base64,iVBORw0KGgo+AAAADUlEQVR4+mNk/+9/PQ==',
    '$A~{B}~}$ and ~{abcd~}',
    '~{ x } destroys ~{~}, and ~{xyxy~}',
    '\x1b[31mred\x1b(B\x1b[m',
    'costs 1\x0e2\x0f$',
  ])('are not formulas, signs and colours: %j is read', async (text) => {
    const { rows, problems } = await readFile(`question\n"${text}"\n`);
    expect(problems).toEqual([]);
    expect(rows.map(({ input }) => input.question)).toEqual([text]);
  });
});

describe('bytes that do not fit', () => {
  test.each([
    ['UTF-8', utf8],
    ['GB18030', encodeGb18030],
  ])('bytes far behind that are not %s are named by their line', async (name, encode) => {
    const bytes = Buffer.concat([
      encode(`题目\n${'这是一道题目\n'.repeat(60_000)}`),
      Uint8Array.of(0xff, 0xff, 0x0a),
      encode('这是一道题目\n'),
    ]);
    const { problems } = await readFile(bytes);
    expect(problems.map((problem) => problem.line)).toEqual([60_002]);
    expect(problems[0]?.message).toContain(`not valid ${name}`);
  });

  test.each([
    'question\none?\ntwo?\n\x1a',
    'question\none?\ntwo?\n\0\0\0',
    `question\none?\ntwo?\n${'\0'.repeat(300)}`,
    'question\none?\ntwo?\x1a',
    'question\r\none?\r\ntwo?\r\n\x1a\x1a\0\0\r\n',
    `question\none?\ntwo?\n${'\x1a'.repeat(300)}`,
    '{"question":"one?"}\n{"question":"two?"}\n\x1a',
  ])('the end mark of DOS is no row: %j', async (text) => {
    for (const [encode, chunkBytes] of [
      [utf8, 1000],
      [utf8, 1],
      [encodeGb18030, 7],
      [wide, 1000],
    ] as const) {
      const { rows, problems, found } = await readFile(encode(text), { file: '-', chunkBytes });
      expect(problems).toEqual([]);
      expect(rows.map(({ input }) => input.question)).toEqual(['one?', 'two?']);
      expect(found.notes.join()).toContain('Ctrl-Z');
    }
  });

  test('the same character elsewhere stays as it is', async () => {
    const { rows, found } = await readFile(`question\no\x1ane?\n\x1a\n${'two?\n'.repeat(10_000)}`);
    expect(rows.slice(0, 2).map(({ input }) => input.question)).toEqual(['o\x1ane?', '\x1a']);
    expect(found.notes.join()).not.toContain('Ctrl-Z');
    expect((await readFile('\x1a')).problems).toEqual([{ line: null, message: 'the file is empty' }]);
  });

  test('a line without an end is given up, so that it cannot fill the memory', async () => {
    const { problems } = await readFile(Buffer.alloc(70 * 1024 * 1024, 'x'));
    expect(problems).toEqual([{ line: 1, message: expect.stringContaining('longer than 64 MB') }]);
  });
});

import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { meaningOf } from '../../../src/input/columns/known-names.ts';
import type { DoubtedRow, FileTally } from '../../../src/input/doubts/doubted-row.ts';
import { doubtAbout, isHeading, rowDoubts } from '../../../src/input/doubts/row-doubts.ts';
import { CutTexts } from '../../../src/input/doubts/text-doubts.ts';
import type { Field } from '../../../src/money/question.ts';
import { plainRows } from './plain-rows.ts';

const later: FileTally = { rows: 20, fuller: 19, merged: 0, columns: 3 };
/** Of a file of sums, and of texts cut at this length. */
const known: FileTally = { ...later, sums: 10, cutAt: 255 };
const nothing: DoubtedRow = { question: '', answer: '', hasPictures: false, cells: [], hasId: null };

/** A row of a file with these cells of `question` and `answer`. */
const row = (question: string, answer = '', more: Partial<DoubtedRow> = {}): DoubtedRow => ({
  ...nothing,
  question,
  answer,
  cells: [question, answer].filter((cell) => cell !== ''),
  ...more,
});

/** A row of a file with a column for ids. */
const withId = (id: string, question: string, answer = ''): DoubtedRow =>
  row(question, answer, { hasId: id !== '', cells: [id, question, answer].filter((cell) => cell !== '') });

const doubtOf = (it: DoubtedRow, tally = later): string | null => doubtAbout(it, tally)?.id ?? null;

describe('each doubt', () => {
  test.each(rowDoubts.map((doubt) => ({ doubt, id: doubt.id })))(
    '$id: is about its example only',
    ({ doubt }) => {
      expect(doubt.looksOdd({ ...nothing, ...doubt.odd }, known)).toBe(true);
      expect(doubt.looksOdd({ ...nothing, ...doubt.plain }, known)).toBe(false);
      expect(doubtOf({ ...nothing, ...doubt.odd }, known)).toBe(doubt.id);
      expect(doubtOf({ ...nothing, ...doubt.plain }, known)).toBeNull();
    },
  );

  test('has an id of its own, and its words in both languages', () => {
    expect(new Set(rowDoubts.map(({ id }) => id)).size).toBe(rowDoubts.length);
    for (const { id, what } of rowDoubts) {
      expect(id).toMatch(/^[a-z]+(?:-[a-z]+)*$/);
      expect(what.en).toMatch(/^[\w ']+$/);
      expect(what.zh).toMatch(/^\p{Script=Han}/u);
    }
  });
});

/** Doubt -> rows that it is about. */
const odd: Readonly<Record<string, readonly DoubtedRow[]>> = {
  header: [
    ...['题目', 'question', 'Question Text', 'question_text', ' 题干 '].map((name) => row(name)),
    row('question', '', { hasId: false }),
    withId('编号', '题目', '答案'),
    withId('id', 'answer', 'question'),
    withId('5', 'question', 'answer'),
    row('problem', 'solution'),
  ],
  'header-hint': [
    ...['(required)', '（必填）', '(optional)', '(LaTeX supported)', '(cm)', '（分）'].map((hint) =>
      row(hint),
    ),
    row('(text)', '(text)'),
    row('Required. Max. 500 characters.', 'Separate several answers with |'),
    ...['必填，最多 500 字', '必填；支持 LaTeX', 'Text, max. 200 chars', '最多500个字符'].map((hint) =>
      row(hint),
    ),
    withId('int', 'varchar(255)', 'text'),
    withId('必填', '必填', '选填'),
  ],
  'drawn-line': [
    row('--------'),
    withId('--', '--------', '------'),
    withId('-', '--------', '+----+'),
    withId('---', ':---:', '---:'),
    row('====='),
  ],
  'section-title': [
    ...[
      '二、填空题',
      '三、解答题：本大题共6小题',
      '第一章 函数',
      'Part A',
      'Section 2: Algebra',
      'Chapter 3',
    ].map((title) => withId('', title)),
    row('第二单元'),
  ],
  footer: [
    withId('Total', '2'),
    withId('Total', '2', '4'),
    row('Total', '2'),
    ...[
      'Total:',
      '合计',
      '总计',
      '小计',
      'Total: 20',
      '共 20 题',
      '共20题，满分100分',
      'Source: Wikipedia',
    ].map((text) => row(text)),
    ...[
      '来源：人教版',
      '(2 rows)',
      '(2 rows affected)',
      '（2 行受影响）',
      '（完）',
      'End',
      '以下空白',
      '-- end --',
    ].map((text) => row(text)),
    row('', '', { cells: ['(2 rows affected)'], hasId: true }),
    row('来源：教材', '', { cells: ['x', '来源：教材'], hasId: false }),
    row('合计', '20', { cells: ['algebra', '合计', '20'], hasId: false }),
    row('End', '', { cells: ['algebra', 'End'], hasId: false }),
  ],
  'page-line': [
    ...[
      '第 1 页 共 4 页',
      '共 4 页 第 1 页',
      'Page 2 of 4',
      '- 2 -',
      '姓名：____ 班级：____',
      'Score: ____ / 100',
    ],
    ...[
      '得分 评卷人',
      '打印时间：2024-05-06 10:00',
      'Printed on 2024-05-06',
      '制表人：某老师',
      'Prepared by: Mr Smith',
    ],
    ...[
      '版权所有，禁止转载',
      '© 2024 A School',
      '更多资料请关注公众号：某某数学',
      'For more worksheets visit www.example.com',
    ],
    ...[
      '考试时间：120 分钟　满分：150 分',
      'Time allowed: 2 hours',
      '注：每题 5 分，共 25 分。',
      'Please turn over',
    ],
    ...['Note: each question is worth 5 points', '高一数学试卷（续）', '2024 学年高一数学期中考试试卷'],
  ].flatMap((text) => [row(text), withId('', text)]),
  'answer-line': [
    '答案：B',
    '【解析】每个元素可取可不取。',
    'Answer: C',
    'Explanation: it is even.',
    '参考答案：略',
  ].flatMap((text) => [row(text), withId('', text)]),
  'split-row': [
    withId('3', 'Let f(x', ' y) = x + y. What is f?'),
    withId('4', 'Find $a', ' b$ in order'),
    withId('5', '若 x=3', '求 x+y'),
    row('Find x', ' if 2x = 10'),
    row('Find x', 'if 2x = 10', { isLong: true }),
    row('Tom has 3 apples', 'how many has he?', { isLong: true }),
  ],
  'number-alone': [
    '1',
    '2.',
    '（3）',
    '(3)',
    '第 4 题',
    '5',
    '第1题（5分）',
    '第十二题',
    '1.2',
    '例 3',
    '①',
    '12、',
  ].flatMap((text) => [row(text), withId('7', text, 'B')]),
  'punctuation-alone': ['?', '。', '/', '...', '？？？', '____', '???'].flatMap((text) => [
    row(text),
    row(text, 'B'),
  ]),
  'missing-value': [
    ...[
      'nan',
      'NaN',
      'NULL',
      'null',
      '\\N',
      '<NA>',
      '[NULL]',
      'undefined',
      '#N/A',
      'None',
      'N/A',
      'NA',
      'n/a',
      '无',
      '暂无',
      'TBD',
    ].map((text) => row(text)),
    withId('8', 'NULL', 'NULL'),
    row('None', 'None'),
    row('无', '12'),
    row('null', 'NULL'),
  ],
  'switched-off': [
    ...['# 2', '#2', '// 2', '-- 2', '; q7', '＃ 3'].map((id) => ({ ...withId(id, '3+3=?', '6'), id })),
  ],
  template: [
    row('示例：1+1 等于几？（导入时请删除本行）', 'B'),
    row('样例 1+1=?，本行仅供参考'),
    row('Which is even? (Example row, remove this row before import)', 'B'),
    row('[Sample] 1+1=? Delete this line.', '2'),
    { ...withId('示例', '1+1=?', '2'), id: '示例' },
    { ...withId('Example', '1+1=?', '2'), id: 'Example' },
    ...[
      'Untitled question',
      'Untitled Question 3',
      'Type your question here',
      'Please enter the question text',
      '[Insert problem text here]',
      'Click to add text',
      'Your question here...',
      'Unbenannte Frage',
      'Pregunta sin título',
    ].map((text) => withId('2', text, 'Option 1')),
    ...[
      '请输入题目',
      '在此输入题干',
      '（请在此处填写试题内容）',
      '点击此处添加文本',
      '未命名题目',
      '新建题目2',
    ].map((text) => row(text, '请输入答案')),
    row('New question'),
    row('New question', 'Option 1'),
    row('Lorem ipsum dolor sit amet, consectetur adipiscing elit.', 'Sed do eiusmod'),
    row('Lorem ipsum dolor sit amet, consectetur adipiscing elit. '.repeat(10)),
  ],
  elsewhere: [
    ...[
      '课本 P35 第 3 题',
      '数学课本第35页例2',
      '见教材 12 页',
      '练习册第 12 页',
      '《新概念》P3 T5',
      'P12 第3、4题',
      '同第 3 题',
    ].map((text) => row(text, 'x=2')),
    ...['见附件', '（详见附图）', '见图', '如下图', '如图所示', '请看图片', '题干同上'].map((text) =>
      row(text, '直角'),
    ),
    ...[
      'Textbook p. 120, ex. 5',
      'Page 35, exercise 3',
      'Ex. 5, p. 120',
      'workbook page 12',
      'see picture',
      '(see attachment)',
      'See the figure above',
      'Same as above.',
      'same as question 3',
      'siehe Anhang',
      'Buch S. 35 Nr. 4',
    ].map((text) => row(text, 'a triangle')),
    ...['同上', '同上题', '略', '（略）', '图片题', 'ditto', '(omitted)', 'as above'].flatMap((text) => [
      row(text),
      row(text, 'B'),
      row(text, text),
    ]),
  ],
  'program-text': [
    ...[
      '[object Object]',
      '[object Object],[object Object]',
      '[object HTMLImageElement]',
      'System.String[]',
      'System.Collections.Generic.List`1[System.String]',
      '[Ljava.lang.String;@1b2c6ec2',
      'java.lang.Object@1b2c6ec2',
      '<PIL.PngImagePlugin.PngImageFile image mode=RGB size=640x480 at 0x7F2C1A3B>',
      '<function question at 0x7f>',
      '#<Question:0x000055d0>',
      'HASH(0x55d0c8)',
      '<Buffer 68 65 6c 6c>',
      '[{"type":"text","text":"求 "},{"type":"text","text":"x+1=3"}]',
      '{"ops":[{"insert":"What is 2 + 2?\\n"}]}',
      "[{'type': 'text', 'text': 'What is 2 + 2?'}]",
      "['What is 3 + 3?']",
      `["What's 3 + 3?", 'Say "six"']`,
      "['求和']",
      "b'What is 2 + 2?'",
      String.raw`b"\xe6\xb1\x82"`,
      '=E6=B1=82x+1=3D3=E7=9A=84=E8=A7=A3',
      'Trouver la d=C3=A9riv=C3=A9e de f',
      '5rGCIHgrMT0zIOeahOinow==',
      'V2hhdCBpcyB0aGUgc3VtIG9mIHR3byBhbmQgdHdvPw==',
      'data:image/png;base64,iVBORw0KGgo=',
      `iVBORw0KGgo${'A'.repeat(60)}`,
      `data:image/png;base64,${'A'.repeat(30_000)}`,
      '%E6%B1%82x%2B1',
      'What%20is%202%20%2B%202%3F',
      'What+is+2+%2B+2%3F',
      'What+is+2+%E6%B1%82',
      '########',
    ].map((text) => row(text, 'a word')),
    ...['Loading...', '加载中…', 'Please wait...', '###', 'Array', 'Object id #3', 'System.Object'].flatMap(
      (text) => [row(text, '8'), row(text, text)],
    ),
  ],
  'picture-path': [
    'q1.png',
    'images/q4.JPG',
    'https://img.example.com/tiku/2024/q3.png?w=200',
    String.raw`C:\My Pictures\q 1.bmp`,
    './my files/q 1.jpeg',
    '图片/第1题.png',
  ].map((text) => row(text, 'a triangle')),
  reference: [
    ...[
      'https://www.example.com/tiku/123456.html',
      'www.example.com/tiku/1',
      'q1.docx',
      '507f1f77bcf86cd799439011',
      '550e8400-e29b-41d4-a716-446655440000',
      'd41d8cd98f00b204e9800998ecf8427e',
      'ObjectId("507f1f77bcf86cd799439011")',
      'Q1',
      'q_12',
      'TK-2024-001',
      'P001',
    ].flatMap((text) => [row(text), row(text, '12')]),
  ],
  'model-prompt': [
    '<|im_start|>system\nYou are a helpful assistant.<|im_end|>\n<|im_start|>user\n1+1?',
    '<|begin_of_text|><|start_header_id|>user<|end_header_id|>1+1?',
    '<s>[INST] 1+1? [/INST]',
    '<start_of_turn>user\n1+1?',
    'Human: 1+1?\n\nAssistant:',
    '### Instruction:\n1+1?\n### Response:',
    '用户：1+1？\n助手：',
  ].map((text) => row(text, '2')),
  'lost-picture': [
    'What is the area? ![[triangle.png]]',
    'What is the area? ![](triangle.png)',
    'What is the area? \\includegraphics[width=3cm]{triangle.png}',
    '<image 1> What is the area?',
    '<image>What is the area?',
    'What is the area? [img]triangle.png[/img]',
    'What is the area? (image)[image-1.png]',
    '[图片] 求面积',
    '【图】求面积',
    '[图] 求面积',
    '[image] What is it?',
    'What is the area? {{triangle.png}}',
    '=DISPIMG("ID_1",1)',
    '<img src="">',
    '@@PLUGINFILE@@/circle.png What is its radius?',
    'What is it? [[File:circle.png|thumb]]',
  ].map((text) => row(text, '6')),
  'sheet-error': [row('#REF!'), row(' #VALUE! '), row('#WERT!'), row('#¿NOMBRE?'), row('Err:502')],
  'sheet-formula': [row('=A1'), row('=IF(A1>60,"及格","不及格")'), row('=SUM(A1:A3)', '6')],
  'broken-escape': [
    'What is $\frac{1}{2} \times 3$?',
    'Find $\theta$ if $\tan\theta = 1$ and $\rho \neq 0$.',
    'Is $\beta + \nu \to \bar{x}$ right?',
    '$2 \times 3$',
    '$\theta = 45$',
    '$\text{if } x$',
    '$y = \tan x$',
    '$x \to 0$',
    '$\u000bec{a}$',
    '$\forall x$',
    '$frac{1}{2} + sqrt[3]{x}$',
    'Find $int_0^1 x dx$.',
    'In $triangle ABC$, $angle A = 60$.',
    '2 $times 3 = 6$',
    '$a \neq 0$',
    '$\\alpha + \nu = 3$',
    '\\(\\alpha + \nu\\)',
    '$\\left(x\right)$',
    '$\nabla f$',
    '\\quad x \neq 0',
    ...['Compute 2\times 3', 'a = b, \therefore b = a', 'x \rightarrow y', 'Add \tfrac12 and 1'],
  ].flatMap((text) => [row(text), row('What is it?', text)]),
  'left-over-escape': [
    '5 cm\\u00b2 is how much?',
    '\\u4e00\\u4e8c',
    '$\\\\frac{1}{2}$',
    '$2 \\\\times 3$',
    'Choose one.\\nA. 1\\nB. 2',
    'One line.\\nwhat is next?',
    '如下：\\n求面积',
    'A list:\\n1. one',
    'A list:\\n\\nThen',
    '<U+6C42>1+1',
  ].map((text) => row(text)),
  'word-field': [
    row('EQ \\f(1,2)'),
    row('How much?', 'eq \\r(3)'),
    row('EQ \\s\\up6(a)'),
    row('MathType@MTEF@5@5@+=feaa'),
    row('解 EMBED Equation.3'),
  ],
  'private-letters': [row('A', '\uf0b0')],
  'damaged-text': [
    '涓夎\ufffd掑舰鐨勯潰绉\ufffd鏄\ufffd澶氬皯锛\ufffd',
    '姹傚嚱鏁扮殑鏈\ufffd澶у\ufffd笺\ufffd\ufffd',
    '瑙ｄ笅鍒楁柟绋嬬粍銆\ufffd',
    '瑙ｄ笅鍒楁柟绋嬬粍',
    '棰樼洰',
    '涓€',
    '锟斤拷',
    '烫烫烫',
    'cafÃ© and crÃ¨me',
    'Itâ€™s here',
    '2Ï€r',
    '2 Ã— 3',
    '90Â°',
    'cmÂ²',
    'å›¾',
    'é¢˜ç›®',
    'x âˆš2',
    'the \ufffd sign',
    'a\u0092b',
    'caf√© and cr√®me',
    'Р¤СѓРЅРєС†РёСЏ',
    '├Ч ╨д',
    'тАЩ',
    '姹傚嚱鏁扮殑鏈?澶у?笺??',
    '螳ｶ縺ｮ蟾･蝣ｴ',
    '谺｡縺ｮ',
    '荳芽ｧ貞ｽ｢',
    'GrĂ¶Ăźe, WĂ¤rme Ă und HĂ¶he',
    'ÇóÏÂÁÐº¯Êý',
    'Íàéäèòå çíà÷åíèå âûðàæåíèÿ.',
    '¨D¨ç¼Æªº³Ì¤j­È¡C',
    '3 Г— 4',
    'Gr철횩e',
    '8 梅 2 = ?',
  ].flatMap((text) => [row(text), row('What?', text)]),
  'control-characters': [row('a\u001eb'), row('What?', '\ufffc'), row('\u0002')],
  'lost-letters': [
    '????f(x)=x?+2x??f(x)????',
    '?????180?????',
    'R?sous l??quation 2x = 8.',
    '???? 2+2',
    'x??f(x)??y',
    "R?ponds ? l'?quation.",
  ].flatMap((text) => [row(text), row('What?', text)]),
  'bad-formula': [
    '已知函数，则的最小值为（　　）',
    '设，，则与的大小关系为（　　）',
    '已知向量 a，，且 b，则实数＝',
    'If , then the range of x is',
    'x2+3x+2=0x^2+3x+2=0x2+3x+2=0',
    '解 x+1=3x+1=3x+1=3',
  ].map((text) => row(text)),
  placeholder: [
    'Hello {name}, what is 2 + 2?',
    'A car drives [x] km in [y] hours.',
    'Find {@f@}.',
    'Dear «FirstName», 2 + 2?',
    'What is {{num1}} + 2?',
    '{1:SHORTANSWER:=Paris}',
    '{{c1::mitochondrion}}',
    'The cat [[1]] here.',
    'What is %d + %d?',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what nobody filled in
    '${name} has ${n} apples.',
    'Hi <<name>>, 2 + 2?',
    '<%= a %> + 2',
  ].map((text) => row(text)),
  'date-among-sums': [
    ...['5-Jun', 'Aug-3', '2024/12/3', '2024年3月'].map((text) => row(text, '5')),
    row('1/2+1/4', '3月4日'),
  ],
};

test.each(Object.entries(odd))('%s: rows that are', (id, rows) => {
  expect(rows.map((it) => [it.question, it.answer, doubtOf(it, known)])).toEqual(
    rows.map((it) => [it.question, it.answer, id]),
  );
});

test('what is a code by its neighbours, and what is switched off, is told by the rows around it', () => {
  const code = row('https://example.com/q/7', 'photosynthesis');
  expect(doubtOf(code, { ...later, references: 16 })).toBe('reference');
  expect(doubtOf(code, { ...later, references: 15 })).toBeNull();
  expect(doubtOf(code, { ...later, rows: 3, references: 3 })).toBeNull();
  const marked = { ...withId('#2', '3+3=?'), id: '#2' };
  expect(doubtOf(marked, { ...later, marked: 6 })).toBe('switched-off');
  expect(doubtOf(marked, { ...later, marked: 7 })).toBeNull();
  expect(doubtOf(marked, { ...later, rows: 2, marked: 0 })).toBeNull();
});

describe('a title', () => {
  const title = withId('', 'Part A');

  test('is told by the rows around it', () => {
    expect(doubtOf(title, { rows: 1, fuller: 0, merged: 0, columns: 3 })).toBeNull();
    expect(doubtOf(title, { rows: 10, fuller: 7, merged: 0, columns: 3 })).toBeNull();
    expect(doubtOf(title, { rows: 10, fuller: 8, merged: 0, columns: 3 })).toBe('section-title');
    expect(doubtOf(title, { rows: 10, fuller: 8, merged: 0, columns: 1 })).toBeNull();
  });

  test('whose cell is merged over the table has whatever words, unless most rows are so', () => {
    const merged = row('Algebra', '', { isMerged: true });
    const half: FileTally = { rows: 4, fuller: 2, merged: 2, columns: 3 };
    expect(doubtOf(merged, half)).toBe('section-title');
    expect(doubtOf(row('Algebra'), half)).toBeNull();
    expect(doubtOf({ ...merged, hasPictures: true }, half)).toBeNull();
    expect(doubtOf({ ...merged, hasId: true }, half)).toBeNull();
    expect(doubtOf({ ...merged, question: 'What is 1 + 1?' }, half)).toBeNull();
    expect(doubtOf({ ...merged, question: 'Solve '.repeat(20) }, half)).toBeNull();
    expect(doubtOf(merged, { ...half, fuller: 1, merged: 3 })).toBeNull();
    expect(doubtOf(merged, { rows: 10, fuller: 4, merged: 2, columns: 3 })).toBeNull();
    expect(doubtOf(merged, { rows: 1, fuller: 0, merged: 1, columns: 3 })).toBeNull();
  });

  test('of exercises is one in the first row too, where other rows have ids', () => {
    const first = { rows: 1, fuller: 0, merged: 0, columns: 3 };
    expect(doubtOf(withId('', '一、选择题（每题 5 分）'), first)).toBe('section-title');
    expect(doubtOf(row('一、选择题'), first)).toBeNull();
    expect(doubtOf({ ...withId('', '一、选择题'), hasPictures: true }, first)).toBeNull();
    expect(doubtOf(withId('', '证明题：设 n 为整数，求证 n²+n 是偶数。'), first)).toBeNull();
    expect(doubtOf(withId('', '解答题：解答下列各题。'), first)).toBe('section-title');
  });

  test('with points is one in a list of questions too', () => {
    const list: FileTally = { rows: 20, fuller: 0, merged: 0, columns: 1 };
    const texts = [
      '一、选择题（每题 5 分）',
      'Part A (20 points)',
      '选择题',
      'Part A',
      '1. 求 x 的值（5 分）',
    ];
    expect(texts.filter((text) => doubtOf(row(text), list) === 'section-title')).toEqual(texts.slice(0, 2));
  });
});

describe('a heading', () => {
  const answered = { hasAnswers: true };
  const unanswered = { hasAnswers: false };
  const alone: FileTally = { rows: 1, fuller: 0, merged: 0, columns: 2 };
  const headings = [
    ...[
      '一、选择题',
      '一、选择题（每题 5 分）',
      '（二）填空题',
      '三．解答题：',
      'Ⅰ、单项选择题',
      '选择题',
      '一、听力（20分）',
    ],
    ...[
      '二、填空题：本大题共 4 小题，每小题 5 分，共 20 分。',
      '第二部分',
      '第一部分 选择题（共 60 分）',
      '第3章',
    ],
    ...[
      'Part A',
      'part ii',
      'Section II (20 points)',
      'Chapter 3',
      'I. Multiple Choice (5 points each)',
      'True or false',
    ],
    ...[
      '三、口算（10 分）',
      '二、细心填一填。（每空 1 分，共 20 分）',
      'V. Matching (2 points each)',
      '非选择题',
    ],
  ];
  const named = ['第一章 函数', '第3节：光的折射', 'Chapter 3: Light', 'Unit 2 - Cells'];
  const rows = [
    ...[
      'Part',
      'Part of speech',
      'Chapter',
      '第一',
      '选择',
      '解答题：求证 a > b',
      '计算题：1 + 2',
      '一、1 + 1',
      'Part time work',
    ],
    ...[
      '一、求证：三角形内角和为 180°（10 分）',
      '三、小明答对 10 题，共得几分（每题 5 分）',
      '3. 计算下列各式（每小题 3 分）',
      '3. Find the area of two circles (radius 3 cm each)',
    ],
    ...[
      'Part A?',
      'Section I = ?',
      '第一章讲了什么？',
      'Chapter 3: Explain osmosis',
      'Unit 2: what is a cell',
      '第2课 填空：春眠____',
      '第一节 （ ）是首都',
    ],
  ];

  test('is known by its own form where others could have an answer, and it has none', () => {
    const found = (texts: readonly string[], id: string | null = null): readonly string[] =>
      texts.filter((text) => isHeading(id === null ? row(text) : withId(id, text), alone, answered));
    expect(found([...headings, ...named, ...rows])).toEqual([...headings, ...named]);
    // Numbered like a question: a name may be one to be explained.
    expect(found([...headings, ...named, ...rows], '7')).toEqual(headings);
    expect(headings.filter((text) => isHeading(row(text, 'B'), later, answered))).toEqual([]);
    expect(isHeading({ ...row('Part A'), hasPictures: true }, later, answered)).toBe(false);
    expect(isHeading(row(`Part A (${'x'.repeat(100)})`), later, answered)).toBe(false);
  });

  test('needs a second sign where no row has an answer', () => {
    const full: FileTally = { rows: 3, fuller: 3, merged: 0, columns: 2 };
    expect(isHeading(row('Part A'), full, unanswered)).toBe(true);
    expect(isHeading(row('Part A'), { ...full, rows: 2, fuller: 2 }, unanswered)).toBe(false);
    expect(isHeading(row('Part A'), { ...full, fuller: 2 }, unanswered)).toBe(false);
    expect(isHeading(row('Part A'), { ...full, columns: 1 }, unanswered)).toBe(false);
    expect(isHeading(row('Part A', '', { cells: ['Part A', 'x'] }), full, unanswered)).toBe(false);
    expect(isHeading({ ...row('Part A'), isMerged: true }, alone, unanswered)).toBe(true);
    expect(isHeading(withId('', 'Part A'), alone, unanswered)).toBe(true);
    expect(isHeading(withId('', 'Chapter 3: Light'), alone, unanswered)).toBe(false);
    expect(isHeading(withId('7', 'Part A'), full, unanswered)).toBe(false);
  });

  test('may stand in the column for ids, or any other', () => {
    const inColumn = (cells: readonly string[]): boolean =>
      isHeading({ ...nothing, cells, hasId: true }, alone, unanswered);
    expect(inColumn(['一、选择题'])).toBe(true);
    expect(inColumn(['一、选择题', '20'])).toBe(false);
    expect(inColumn([])).toBe(false);
  });

  test('is none of what people ask in earnest', () => {
    expect(plainRows.filter((it) => isHeading(it, later, answered)).map(({ cells }) => cells)).toEqual([]);
  });
});

test('an answer that seems to go on with the question may be one', () => {
  const plain = [
    row('Find x', 'if 2x = 10'),
    row('Find x', '5', { isLong: true }),
    row('How much is 3 times $5', '$15'),
    row('Find $a', '$b$'),
    row('The interval (0', '1)'),
    row('What is (a, b)?', ' if (a) holds'),
    row('He (who', 'what (a)'),
    row('什么是若', '求什么？'),
  ];
  expect(plain.map((it) => doubtOf(it))).toEqual(plain.map(() => null));
  expect(doubtOf(row('Find x', ' if 2x = 10'), { ...later, indented: 15 })).toBeNull();
});

describe('a word below a table', () => {
  const list: FileTally = { rows: 20, fuller: 0, merged: 0, columns: 1 };

  test('may be one of a list of words', () => {
    expect(['Total', 'End', 'total', '合计'].map((word) => doubtOf(row(word), list))).toEqual([
      null,
      null,
      null,
      null,
    ]);
    expect(['Total:', '以下空白'].map((word) => doubtOf(row(word), list))).toEqual(['footer', 'footer']);
    expect(doubtOf({ ...row('Total:'), hasPictures: true })).toBeNull();
    expect(doubtOf(row('来源：教材', '第一章', { cells: ['x', '来源：教材', '第一章'] }))).toBeNull();
    expect(doubtOf(nothing)).toBeNull();
  });
});

describe('docs/columns.md', () => {
  const page = readFileSync('docs/columns.md', 'utf8').replaceAll('\\|', '¦').replaceAll('⇥', '\t');
  const examplesOf = (what: string): readonly string[] =>
    [...page.matchAll(/^\| [^|]+ \| ([^|]+) \| ([^|]+) \|/gm)]
      .filter(([, , happens = '']) => happens.startsWith(what))
      .flatMap(([, cell = '']) => [...cell.matchAll(/`([^`]+)`/g)])
      .map(([, example = '']) => example.replaceAll('¦', '|'))
      .filter((example) => example.trim() !== '');

  test('has texts that are held back, but for those that their neighbours tell', () => {
    const examples = examplesOf('held back');
    expect(examples.length).toBeGreaterThan(40);
    expect(examples.filter((text) => doubtOf(row(text), known) === null)).toEqual([
      'Algebra',
      ...['A. 3', '下列各数中最大的是', 'Find x', ' if 2x = 10', '// 2'],
    ]);
  });

  test('has titles that are headings', () => {
    const list: FileTally = { rows: 1, fuller: 0, merged: 0, columns: 2 };
    const examples = examplesOf('a heading');
    expect(examples.length).toBeGreaterThan(3);
    expect(examples.filter((text) => !isHeading(row(text), list, { hasAnswers: true }))).toEqual([]);
  });
});

describe('rows that people ask in earnest', () => {
  test('are many, and none of them looks odd', () => {
    expect(new Set(plainRows.map(({ question }) => question)).size).toBeGreaterThan(2000);
    const doubted = plainRows.flatMap((it) => {
      const id = doubtOf(it);
      return id === null ? [] : [[id, ...it.cells]];
    });
    expect(doubted).toEqual([]);
  });

  test('are those of the samples', async () => {
    const rows: DoubtedRow[] = [];
    for (const name of ['questions.csv', 'chinese-gb18030.csv', 'image-questions.csv']) {
      const encoding = name.includes('gb18030') ? 'gb18030' : 'utf-8';
      const text = new TextDecoder(encoding).decode(readFileSync(`samples/${name}`));
      rows.push(...asRows(parse(text, { columns: true, bom: true })));
    }
    const written = readFileSync('samples/questions.jsonl', 'utf8').trim().split('\n');
    rows.push(...asRows(written.map((line) => JSON.parse(line) as Record<string, unknown>)));
    expect(rows.length).toBeGreaterThan(25);
    expect(rows.filter((it) => doubtOf(it) !== null)).toEqual([]);
  });
});

/** Records as rows, by what their columns are called. */
function asRows(records: readonly Readonly<Record<string, unknown>>[]): DoubtedRow[] {
  return records.map((record) => {
    const cells = Object.entries(record).map(([name, value]) => ({
      field: meaningOf(name)?.field,
      text: String(value),
    }));
    const textOf = (field: Field): string => cells.find((cell) => cell.field === field)?.text ?? '';
    return {
      question: textOf('question'),
      answer: textOf('answer'),
      hasPictures: textOf('questionImages') !== '',
      cells: cells.map(({ text }) => text).filter((text) => text !== ''),
      hasId: textOf('id') !== '',
    };
  });
}

test('a damaged question is told as it was, and a damaged answer is not', () => {
  const doubt = rowDoubts.find(({ id }) => id === 'damaged-text');

  expect(doubt?.mended?.({ ...nothing, question: 'CafÃ© et thÃ©' })).toBe('Café et thé');
  expect(doubt?.mended?.({ ...nothing, question: 'Café', answer: 'CafÃ© et thÃ©' })).toBeNull();
});

describe('texts of one greatest length without an end', () => {
  const lengthOf = (texts: readonly string[]): number | null => {
    const cut = new CutTexts();
    for (const text of texts) cut.add(text);
    return cut.at;
  };
  const text = (length: number, end = 'x'): string => `${'word '.repeat(length)}${end}`.slice(-length);

  test('are cut there', () => {
    expect(lengthOf(['short', text(255), text(255), text(254), text(255)])).toBe(255);
    expect(lengthOf(['a', 'b', 'c', 'd'].map((end) => text(100, end)))).toBe(100);
    expect(lengthOf([text(100), text(255), text(255), text(255)])).toBe(255);
  });

  test('are not where the length is any, few have it, a longer one follows, or they are alike', () => {
    expect(lengthOf(Array.from({ length: 3 }, () => text(257)))).toBeNull();
    expect(lengthOf([text(255), text(255)])).toBeNull();
    expect(lengthOf([text(255), text(255), text(255), text(300)])).toBeNull();
    expect(lengthOf([text(255), text(255), text(255), text(255, '.'), text(255, '.')])).toBeNull();
    expect(lengthOf([text(100), text(100), text(100)])).toBeNull();
  });
});

test('a date is a question where no other is a sum', () => {
  expect(doubtOf(row('8月3日', '八一后两天'))).toBeNull();
  expect(doubtOf(row('8月3日', '5'), { ...later, sums: 6 })).toBeNull();
});

import { describe, expect, test } from 'vitest';
import { contentWith, parseQuestion, readShown } from '../../src/money/parse-question.ts';
import type { Source } from '../../src/money/question.ts';

const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==';
const jpeg = '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgICAgMCAgIDAwMDBAYEBAQEBAgGBgUGCQgKCgkICQkK';

const source: Source = {
  file: 'questions.csv',
  format: 'csv',
  columns: ['id', 'question', 'questionImages', 'answer', 'answerImages', 'quality', 'notify_url'],
  fields: {
    id: 'id',
    question: 'question',
    questionImages: 'questionImages',
    answer: 'answer',
    answerImages: 'answerImages',
    quality: 'quality',
    notify_url: 'notify_url',
  },
  folder: '/data/set',
};

const parse = (input: Record<string, unknown>) => parseQuestion(input, source);
const imagesOf = (cell: unknown) => parse({ questionImages: cell }).question.questionImages;
const failureOf = (input: Record<string, unknown>) => parse(input).failure ?? '';

describe('images', () => {
  test('of further columns follow those of the field, in the order of the columns', () => {
    const further: Source = { ...source, furtherPictures: { questionImages: ['image 2', 'image 3'] } };
    const input = { questionImages: 'a.png', 'image 2': ['b.png'], 'image 3': null, 'image 4': 'd.png' };
    expect(parseQuestion(input, further).question.questionImages).toEqual([
      { kind: 'file', path: '/data/set/a.png' },
      { kind: 'file', path: '/data/set/b.png' },
    ]);
  });

  test.each([
    ['https://host/a.png?sig=x%2By', [{ kind: 'url', url: 'https://host/a.png?sig=x%2By' }]],
    [png, [{ kind: 'inline', data: png }]],
    [jpeg, [{ kind: 'inline', data: jpeg }]],
    [`data:image/png;base64,${png}`, [{ kind: 'inline', data: `data:image/png;base64,${png}` }]],
    ['data:image/svg+xml,<svg/>', [{ kind: 'inline', data: 'data:image/svg+xml,<svg/>' }]],
    ['images/a.png', [{ kind: 'file', path: '/data/set/images/a.png' }]],
    [' \n', []],
    ['./images/../b c.png', [{ kind: 'file', path: '/data/set/b c.png' }]],
    ['../other/a.png', [{ kind: 'file', path: '/data/other/a.png' }]],
    ['images\\a.png', [{ kind: 'file', path: '/data/set/images/a.png' }]],
    ['/abs/a.png', [{ kind: 'file', path: '/abs/a.png' }]],
    ['C:\\pictures\\a.png', [{ kind: 'file', path: 'C:\\pictures\\a.png' }]],
    ['file:///abs/a%20b.png', [{ kind: 'file', path: '/abs/a b.png' }]],
    ['file:///C:/a.png', [{ kind: 'file', path: 'C:/a.png' }]],
    [
      '["a.png", "https://host/b.png"]',
      [
        { kind: 'file', path: '/data/set/a.png' },
        { kind: 'url', url: 'https://host/b.png' },
      ],
    ],
    [
      ' a.png \r\n\r\n b.png\n',
      [
        { kind: 'file', path: '/data/set/a.png' },
        { kind: 'file', path: '/data/set/b.png' },
      ],
    ],
    ['', []],
    ['[]', []],
  ])('the cell %j is understood', (cell, images) => {
    expect(imagesOf(cell)).toEqual(images);
    expect(parse({ question: 'q', questionImages: cell }).failure).toBeNull();
  });

  test('a list in JSON is taken as it is, and null is nothing', () => {
    expect(imagesOf(['a.png', null, png])).toEqual([
      { kind: 'file', path: '/data/set/a.png' },
      { kind: 'inline', data: png },
    ]);
    expect(imagesOf(null)).toEqual([]);
  });

  test('base64 wrapped over lines is one image, and two images on two lines are two', () => {
    const wrapped = png.replace(/(.{40})/g, '$1\n');
    expect(imagesOf(wrapped)).toEqual([{ kind: 'inline', data: png }]);
    expect(imagesOf([wrapped])).toEqual([{ kind: 'inline', data: png }]);
    expect(imagesOf(`${jpeg}\n${png}`)).toHaveLength(2);
    expect(imagesOf('a.png\ncat')).toHaveLength(2);
  });

  test.each([
    ['http://', /not a complete address/],
    ['data:text/plain;base64,aGVsbG8=', /not of an image/],
    ['data:image/png;base64,aGVsbG8gd29ybGQ=', /bytes are not an image/],
    ['data:image/png;base64,???', /damaged/],
    ['aGVs'.repeat(40), /not of an image/],
    [`${jpeg}A`, /cut off/],
    ['ftp://host/a.png', /neither/],
    ['["a.png"', /JSON list/],
    ['x.'.repeat(200), /neither/],
  ])('the entry %j cannot be an image', (cell, reason) => {
    expect(failureOf({ question: 'q', questionImages: cell })).toMatch(reason);
  });

  test('a blank entry of a list is nothing', () => {
    expect(imagesOf([' ', '\n', 'a.png'])).toEqual([{ kind: 'file', path: '/data/set/a.png' }]);
  });

  test('entries of a wrong type and images of the answer are judged too', () => {
    expect(failureOf({ question: 'q', questionImages: [7] })).toBe(
      'questionImages contains a number, not an image',
    );
    expect(failureOf({ question: 'q', answerImages: { url: 'x' } })).toMatch(
      /answerImages contains an object/,
    );
  });

  test('no message shows the password or the query of an address', () => {
    const failure = failureOf({ question: 'q', questionImages: 'ftp://user:secret@host/a.png?sig=secret' });
    expect(failure).toContain('ftp://host/a.png');
    expect(failure).not.toContain('secret');
  });

  test('local files are listed with the words of the row', () => {
    expect(parse({ questionImages: 'https://h/x.png', answerImages: './a.png' }).files).toEqual([
      { field: 'answerImages', written: './a.png', path: '/data/set/a.png' },
    ]);
  });
});

describe('a cell as long as a spreadsheet lets it be', () => {
  const cut = (start: string) => start + 'A'.repeat(32_767 - start.length);

  test.each([
    ['question', cut('Why?')],
    ['questionImages', cut(png.slice(0, 80))],
    ['answerImages', cut(`data:image/png;base64,${png.slice(0, 80)}`)],
    ['questionImages', cut(`https://host/a.png\n${png.slice(0, 80)}`)],
    ['questionImages', [png, cut(png.slice(0, 80))]],
  ])('%s was cut off, and is not paid for', (field, value) => {
    expect(failureOf({ question: 'What?', [field]: value })).toBe(
      `${field} has 32,767 characters, the most that a cell of a spreadsheet holds: its end was cut off; shorten it, or give pictures as files`,
    );
  });

  test('is whole where no spreadsheet cuts it', () => {
    const input = { question: cut('Why?') };
    expect(parseQuestion(input, { ...source, format: 'jsonl' }).failure).toBeNull();
    expect(failureOf({ question: `${input.question}A` })).toBe('');
  });
});

describe('what a row means', () => {
  test('an image that was lost makes the row unsendable, with the reason', () => {
    const row = parse({ question: 'a', questionImages: 'cannot be sent: Sheet1!C17: a chart' });
    expect(row.failure).toContain('Sheet1!C17: a chart');
  });

  test('texts stay as they are written; only the id and the rest are trimmed', () => {
    const { question, failure } = parse({
      id: ' q-1 ',
      question: ' Solve\r\n$\\frac{1}{2}$ ',
      answer: '  ',
      quality: ' H ',
      notify_url: ' https://me/hook ',
    });
    expect(failure).toBeNull();
    expect(question).toEqual({
      id: 'q-1',
      question: ' Solve\r\n$\\frac{1}{2}$ ',
      questionImages: [],
      answer: '',
      answerImages: [],
      quality: 'h',
      notifyUrl: 'https://me/hook',
    });
  });

  test('numbers and truth values of JSON are texts, null is absent', () => {
    const { question } = parse({ id: 42, question: true, answer: 3.5, quality: null });
    expect(question).toMatchObject({ id: '42', question: 'true', answer: '3.5', quality: null });
  });

  test('keys of the language itself are no cells', () => {
    expect(parseQuestion({}, { ...source, fields: { question: 'constructor' } }).failure).toMatch(/neither/);
  });

  test.each([
    [{ question: ' ' }, /neither a question nor a question image/],
    [{ answer: 'only' }, /neither a question nor a question image/],
    [{ question: '=DISPIMG("ID_1",1)' }, /^question is =DISPIMG.*lost in this file; use the workbook/],
    [{ question: `'=DISPIMG("ID_1",1)` }, /^question is =DISPIMG/],
    [{ question: 'q', answer: ' =_xlfn.DISPIMG("ID_1",1)' }, /^answer is =DISPIMG/],
    [{ question: 'q', quality: 'ultra' }, /quality is "ultra"; use h, m, l/],
    [{ question: ['q'] }, /question is a list, not text/],
    [{ question: 'q', answer: {} }, /answer is an object, not text/],
    [{ question: 'q', questionImages: [true] }, /questionImages contains a boolean, not an image/],
    [{ question: 'q', id: 2 ** 60 }, /id is a number too long/],
    [{ question: 'half \ud800 pair' }, /cannot be sent/],
    [{ question: 'nul \u0000' }, /cannot be sent/],
    [{ question: 'x', answer: '1+\udcb5' }, /^answer is not UTF-8 text; write the file again/],
    [{ question: 'q', notify_url: 'me/hook' }, /notify_url is not a complete http/],
    [{ question: 'q', notify_url: 'ftp://me/hook' }, /notify_url/],
  ])('%j cannot be sent', (input, reason) => {
    expect(failureOf(input)).toMatch(reason);
  });

  test('all reasons are told, not only the first', () => {
    expect(failureOf({ quality: 'x', notify_url: 'y' }).split('; ').length).toBeGreaterThanOrEqual(3);
  });
});

describe('the content of a row', () => {
  const contentOf = (input: Record<string, unknown>) => parse(input).content;

  test('does not depend on how the row was written down', () => {
    const cells = contentOf({
      id: '1',
      question: ' a\r\nb ',
      questionImages: 'x.png\ny.png',
      answer: '4',
      quality: 'M',
    });
    const json = contentOf({
      id: 2,
      question: 'a\nb',
      questionImages: ['x.png', ' y.png'],
      answer: 4,
      quality: 'm',
    });
    expect(cells).toBe(json);
  });

  test.each([
    [{ question: 'b' }],
    [{ question: 'a', answer: 'a' }],
    [{ question: 'a', questionImages: 'x.png' }],
    [{ question: 'a', answerImages: 'x.png' }],
    [{ question: 'a', quality: 'h' }],
    [{ question: 'a', quality: 'wrong' }],
    [{ question: 'a', notify_url: 'https://me' }],
    [{ question: ['a'] }],
  ])('differs where what would be sent differs: %j', (input) => {
    expect(contentOf(input)).not.toBe(contentOf({ question: 'a' }));
  });

  test('is that of the row with other texts, where it has those that were replaced', () => {
    const [own, other] = [
      { question: 'a\nb', answer: '' },
      { question: 'c', answer: '4' },
    ];
    const images = { questionImages: 'x.png', quality: 'h' };
    const content = contentOf({ ...images, question: ' a\r\nb' });
    expect(contentWith(content, own, other)).toBe(contentOf({ ...images, ...other }));
    expect(contentWith(content, other, own)).toBeNull();
    expect(contentWith(content, { ...own, answer: '5' }, other)).toBeNull();
  });

  test('does not depend on the folder, so that a set can be moved', () => {
    const input = { questionImages: 'a.png' };
    expect(parseQuestion(input, { ...source, folder: '/elsewhere' }).content).toBe(contentOf(input));
  });
});

test.each([
  [{ question: ' a\r\nb ', quality: 'Ｈ ', questionImages: 'x.png' }],
  [{ question: ' \n', quality: 'wrong' }],
  [{ question: 7, quality: null }],
  [{ question: ['a'], quality: { h: 1 } }],
  [{}],
])('what is shown of a row is what would be sent: %j', (input) => {
  expect(parse(input).question).toMatchObject(readShown(input, source));
});

describe('words for a missing value', () => {
  const words = {
    question: 'What is 1 + 1?',
    questionImages: 'NA',
    answer: 'nan',
    answerImages: 'nan',
    quality: 'NULL',
    notify_url: 'None',
  };

  test('are nothing', () => {
    const read = parseQuestion(words, { ...source, missing: 'empty' });
    expect(read.failure).toBeNull();
    expect(read.isAmbiguous).toBe(true);
    expect(read.content).toBe(parse({ question: words.question }).content);
    expect(readShown(words, { ...source, missing: 'empty' })).toMatchObject({ answer: '', quality: null });
  });

  test('are texts as the answer where the question or the user says so, or the run began so', () => {
    expect(parseQuestion(words, { ...source, missing: 'text' })).toMatchObject({
      failure: null,
      question: { answer: 'nan', questionImages: [], quality: null, notifyUrl: null },
      isAmbiguous: true,
    });
    const asked = { question: 'What does NULL + 1 give?', answer: 'NULL' };
    expect(parseQuestion(asked, { ...source, missing: 'empty' })).toMatchObject({
      question: { answer: 'NULL' },
      isAmbiguous: false,
    });
    const asBefore = parse(words);
    expect(asBefore.failure).toContain('quality is "null"');
    expect(asBefore.question).toMatchObject({ answer: 'nan', answerImages: [{ path: '/data/set/nan' }] });
    expect(parse({ question: 'q', questionImages: ['nan'] }).isAmbiguous).toBe(false);
  });
});

test('an answer that is none is a text in runs that began before it was nothing', () => {
  for (const answer of ['见解析', '\u200b']) {
    const read = (missing?: 'empty' | 'none' | 'text') =>
      parseQuestion({ question: '1+1', answer }, { ...source, ...(missing && { missing }) });
    expect(read('none')).toMatchObject({ question: { answer: '' }, isAmbiguous: true });
    expect(read('none').content).toBe(parse({ question: '1+1' }).content);
    for (const missing of ['empty', 'text', undefined] as const)
      expect(read(missing).content).toBe(writeAs(answer));
  }
  function writeAs(answer: string): string {
    return parse({ question: '1+1', answer }).content;
  }
});

test('a question in which nothing shows is none, and its content is still known', () => {
  const hidden = parse({ question: '\u200b', answer: '4' });
  expect(hidden).toMatchObject({ question: { question: '' }, failure: parse({ question: '' }).failure });
  const to = { question: '2+2', answer: '4' };
  expect(contentWith(hidden.content, hidden.question, to)).toBe(parse(to).content);
  expect(contentWith(hidden.content, { question: 'x', answer: '4' }, to)).toBeNull();
});

test('several addresses in a cell are several pictures; a run that began with one has one', () => {
  const input = { question: 'q', questionImages: 'https://host/1.png，https://host/2.png' };
  const urls = ['https://host/1.png', 'https://host/2.png'].map((url) => ({ kind: 'url', url }));
  expect(parse(input)).toMatchObject({ isAmbiguous: true, question: { questionImages: [{ kind: 'url' }] } });
  for (const missing of ['empty', 'text'] as const)
    expect(parseQuestion(input, { ...source, missing }).question.questionImages).toEqual(urls);
});

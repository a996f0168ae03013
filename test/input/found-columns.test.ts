import { describe, expect, it, test } from 'vitest';
import { loadHtmlLibrary } from '../../src/input/html-library.ts';
import { readQuestions } from '../../src/input/read-questions.ts';
import { parseQuestion } from '../../src/money/parse-question.ts';
import { encodeGb18030, encodeUtf16, plainOptions, readFile } from './read-file.ts';
import { readBook } from './workbook/read-book.ts';

const messages = ({ problems }: { readonly problems: readonly { readonly message: string }[] }): string[] =>
  problems.map(({ message }) => message);

describe('a title above the header', () => {
  const title = '2024届高三数学期末试题库\n题号,题目,答案\n1,求和,2\n';

  test('is left out and said, in every encoding', async () => {
    for (const bytes of [
      title,
      `\ufeff${title}`,
      encodeGb18030(title),
      encodeUtf16(`\ufeff${title}`, 'low-first'),
      title.replaceAll('\n', '\r\n'),
      title.replaceAll('\n', '\r'),
    ]) {
      const { rows, problems, found } = await readFile(bytes, { chunkBytes: 5 });
      expect(problems).toEqual([]);
      expect(rows).toMatchObject([{ row: 1, line: 3, id: '1' }]);
      expect(found.notes).toContain('the header is row 2; 1 row above it is not read');
    }
  });

  test('may be merged, of several lines, and among empty rows; with every delimiter', async () => {
    for (const delimiter of [',', ';', '\t', '，']) {
      const line = (...cells: string[]): string => cells.join(delimiter);
      const text = [
        line('"期末\r\n试题库"', '', ''),
        '',
        line('', '', ''),
        line('学校：一中', '高三', ''),
        line('题号', '题目', '答案'),
        line('1', '"两\r\n行"', '2'),
        line('2', '', ''),
      ].join('\r\n');
      const { rows, problems, found } = await readFile(text, { file: 'q.txt' });
      expect(problems).toEqual([]);
      expect(found.delimiter).toBe(delimiter);
      expect(found.notes).toContain('the header is row 5 (line 6); 3 rows above it are not read');
      expect(rows.map(({ row, line, id }) => [row, line, id])).toEqual([
        [1, 7, '1'],
        [2, 9, '2'],
      ]);
    }
  });

  test.each([
    ['sep=;\nid;question\na;One\n', ';'],
    ['sep=|\r\nid|question\r\na|One\r\n', '|'],
    ['"sep=^"\nid^question\na^One\n', '^'],
    ['SEP=~~~\rid~question\ra~One\r', '~'],
    ['sep=,\nid,question\na,"One"\n', ','],
  ])('may be the line that tells spreadsheets the delimiter: %j', async (text, delimiter) => {
    const { rows, found, problems } = await readFile(text);
    expect(problems).toEqual([]);
    expect(rows).toMatchObject([{ id: 'a', line: 3, input: { question: 'One' } }]);
    expect(found.delimiter).toBe(delimiter);
    expect((await readFile(text, { delimiter })).rows).toHaveLength(1);
  });

  test('is none where it only names the delimiter, whatever the header is called', async () => {
    const { rows } = await readFile('sep=;\ntext\nOne\n');
    expect(rows).toMatchObject([{ line: 3, input: { text: 'One' } }]);
  });

  test.each([
    ['a list of words', 'apple\ntext\nhouse\n', 2],
    ['a list of words, one of them the name of a field', 'apple\npear\nplum\nquestion\n', 4],
    ['an unknown header above a cell', 'Wortart,Wort\nVerb,gehen\nNomen,Text\n', 3],
  ])('is no part of %s: the row is named, and the option to type', async (_, text, row) => {
    const { rows, problems } = await readFile(text);
    expect(rows).toEqual([]);
    expect(problems[0]?.message).toContain(`row ${row} has a word for the question`);
    expect((await readFile(text, { headerRow: row })).problems).toEqual([]);
  });

  test.each([
    ['explains columns', 'question,the text\nanswer,what is right\nquality,h or l\n'],
    ['lies on its side', '题干,1+1?,2+2?\n参考答案,2,4\n'],
  ])('is no part of a table that %s, which is to be turned', async (_, text) => {
    const { rows, problems } = await readFile(text);
    expect(rows).toEqual([]);
    expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining('lies on its side')]);
  });

  test('may be a word that names a column itself', async () => {
    const { rows, problems } = await readFile('题目\n题号\t题目\t答案\n1\t1+1=?\t2\n');
    expect(problems).toEqual([]);
    expect(rows).toMatchObject([{ id: '1', input: { 题目: '1+1=?' } }]);
  });

  test('is above ten rows at most', async () => {
    const titled = (count: number) => readFile(`${'title\n'.repeat(count)}id,question\na,One\n`);
    expect((await titled(9)).rows).toHaveLength(1);
    expect(messages(await titled(10))).toEqual([
      expect.stringContaining('add --header-row 11'),
      expect.stringContaining('the columns are "title"'),
    ]);
  });

  test('does not make a header of a row of questions', async () => {
    const text = '题号,题目正文,答案\n1,求和,2\n2,题目,答案\n3,题目,3\n';
    const { rows, problems } = await readFile(text);
    expect(rows).toEqual([]);
    expect(problems.map(({ line }) => line)).toEqual([1, 2]);
    expect((await readFile(text, { columns: { question: '题目正文' } })).rows).toHaveLength(3);
  });

  test('does not change a file whose first row is a header', async () => {
    const { problems, found } = await readFile('题目,年级,\n1,求和,高三\n');
    expect(problems).toEqual([
      { line: 2, message: expect.stringMatching(/^3 cells where the header has 2/) },
    ]);
    expect(found.notes.join()).not.toContain('the header is row');
  });
});

describe('a table that was written badly is refused with what it is', () => {
  const sums = (cell: (number: number) => string) => [1, 2, 3].map((number) => `${cell(number)}\n`).join('');

  test.each([
    ['in single quotes', `'id','question'\n${sums((n) => `'${n}','Find x.'`)}`, 'only double quotes'],
    ['in one cell', `"id,question,answer"\n${sums((n) => `"${n},Find x.,5"`)}`, 'was not split'],
    ['with row names', `id,question,answer\n${sums((n) => `${n},q${n},Find x in it,`)}`, 'row.names'],
    ['with row names', `question,answer\n${sums((n) => `${n},What is 2 + 2?,4`)}`, 'row.names'],
    ['with other commas', `id;question;answer\n${sums((n) => `${n},Find x.,5`)}`, 'the rows by commas'],
    ['with two tables', `id,question,id,question\n${sums((n) => `${n},Find x.,7,Find y.`)}`, 'side by side'],
    [
      'with two questions',
      `题目1,答案1,题目2,答案2\n${sums((n) => `${n}+1=?,2,3+3=?,6`)}`,
      'a row of its own',
    ],
  ])('%s', async (_, text, said) => {
    const { rows, problems } = await readFile(text);
    const lines = problems.map(({ message }) => message).join();
    expect(lines).toContain(said);
    expect(lines).not.toContain('--map');
    expect(rows.length).toBeLessThanOrEqual(3);
  });

  test.each([
    ['commas at the ends of rows', 'id,question,answer\n1,Find x in it,4,\n2,Find y in it,6,\n'],
    ['a row with other commas', 'question,answer\nFind x; y\nFind z.,4\n'],
    ['letters of a byte order mark', 'ï»¿id,question\n1,Find x.\n2,Find y.\n'],
  ])('and one with %s is read', async (_, text) => {
    const { rows, problems } = await readFile(text);
    expect(problems).toEqual([]);
    expect(rows).toHaveLength(2);
  });

  test.each([
    '{\n  "question": "1+1?"\n}\n',
    '{"question":"1"} {"question":"2"}\n',
    '{"question":"1"},\n{"question":"2"}',
  ])('as JSON: %j', async (text) => {
    const { problems } = await readFile(text, { file: 'q.jsonl' });
    expect(problems).toEqual([{ line: 1, message: expect.stringContaining('jq -c .') }]);
  });
});

describe('--header-row', () => {
  const text = 'id,question\n"two\nlines",x\n\n编号,内容\n1,求和\n';

  test('names a row of the spreadsheet, not a line', async () => {
    const { rows, problems, found } = await readFile(text, { headerRow: 4, columns: { question: '内容' } });
    expect(problems).toEqual([]);
    expect(rows).toMatchObject([{ row: 1, line: 6, id: '1', input: { 内容: '求和' } }]);
    expect(found.notes).toContain('the header is row 4 (line 5)');
    expect((await readFile(text, { headerRow: 1 })).rows).toHaveLength(3);
  });

  test('that is empty or not there is refused, and the file is not read further', async () => {
    for (const headerRow of [3, 99])
      expect((await readFile(text, { headerRow })).problems).toEqual([
        { line: null, message: `row ${headerRow} is empty; choose another --header-row` },
      ]);
    let read = 0;
    const long = `id,question\n\n${'a,One\n'.repeat(100_000)}`;
    async function* chunks(): AsyncGenerator<Uint8Array> {
      for (let start = 0; start < long.length; start += 64 * 1024) {
        read += 1;
        yield Buffer.from(long.slice(start, start + 64 * 1024));
      }
    }
    const { rows } = readQuestions(chunks(), { file: 'q.csv', ...plainOptions, headerRow: 2 });
    await expect(rows[Symbol.asyncIterator]().next()).rejects.toThrow('row 2 is empty');
    expect(read).toBeLessThan(5);
  });
});

describe('full-width commas', () => {
  test('are found as delimiter and said, with quoted cells too', async () => {
    const { rows, found } = await readFile(
      '题号，题目，答案\n1，"求 x，y",2，3\n2，求差，1\n'.replace('",2，3', '"，3'),
    );
    expect(rows.map(({ input }) => input)).toEqual([
      { 题号: '1', 题目: '求 x，y', 答案: '3' },
      { 题号: '2', 题目: '求差', 答案: '1' },
    ]);
    expect(found.notes).toContain('cells are separated by full-width commas (，)');
  });

  test('in a text are told by the number of cells', async () => {
    const { problems } = await readFile('题号，题目\n1，求 x，y\n');
    expect(problems).toEqual([
      { line: 2, message: expect.stringMatching(/^3 cells where the header has 2/) },
    ]);
  });

  test('are the last choice', async () => {
    const { found } = await readFile('说明：题号，题目，答案\n题号,题目,答案\n1,求 x，y,2\n');
    expect(found.delimiter).toBe(',');
  });
});

describe('a header that is nearly one', () => {
  const proposal =
    'if these are meant, add --map question=题目正文 --map answer=答案要点 --map questionImages=图片附件';
  const sent =
    'this row would then be sent as id "1", question "求 $\\frac{1}{2}$", questionImages "a.png", answer "0.5"';

  it('is proposed with the columns, the line to copy and the first row, in every format', async () => {
    const csv = await readFile('题库\n题号,题目正文,答案要点,图片附件\n1,求 $\\frac{1}{2}$,0.5,a.png\n');
    expect(csv.problems.map(({ line }) => line)).toEqual([2, 3]);
    expect(messages(csv)).toEqual([
      `no column holds the question or its images; the columns are "题号", "题目正文", "答案要点", "图片附件"; ${proposal}`,
      sent,
    ]);
    const record = { 题号: 1, 题目正文: '求 $\\frac{1}{2}$', 答案要点: '0.5', 图片附件: ['a.png'] };
    const jsonl = await readFile(JSON.stringify(record), { file: 'q.jsonl' });
    expect(messages(jsonl)).toEqual([expect.stringContaining(proposal), sent]);
    const book = await readBook({
      sheets: [
        { rows: ['题库', '题号|题目正文|答案要点|图片附件', ['1', '求 $\\frac{1}{2}$', '0.5', 'a.png']] },
      ],
    });
    expect(messages(book)).toEqual([expect.stringContaining(proposal), sent]);
  });

  it('is shown with its delimiter', async () => {
    const { problems } = await readFile('Nr;Aufgabe;Lösung\n1;Was ist 1+1?;2\n');
    expect(problems).toEqual([
      {
        line: 1,
        message: expect.stringContaining(
          '"Nr", "Aufgabe", "Lösung"; if these are meant, add --map question=Aufgabe --map answer=Lösung',
        ),
      },
      { line: 2, message: expect.stringContaining('question "Was ist 1+1?", answer "2"') },
    ]);
  });

  it('is quoted for a shell, and long texts and pictures are cut', async () => {
    const data = 'A'.repeat(500);
    const { problems } = await readFile(
      `the question,Bilder\n"${'x'.repeat(300)}","a.png\nb.png\nc.png\nd.png"\n${data},${data}\n`,
    );
    expect(messages({ problems })).toEqual([
      expect.stringContaining("add --map 'question=the question' --map questionImages=Bilder"),
      expect.stringMatching(
        /^this row would then be sent as question "x{200}…", questionImages "a.png" "b.png" "c.png" and 1 more$/,
      ),
    ]);
    expect(messages(await readFile(`Bilder\n${data}\n`))[1]).toContain(
      'questionImages an image in the row itself',
    );
    expect(messages(await readFile('Aufgabe\n'))).toHaveLength(1);
    expect(messages(await readFile('Aufgabe,x\n,y\n'))[1]).toContain('sent as an empty row');
  });
});

describe('FIELD=none', () => {
  const columns = {
    id: 'none',
    answer: 'none',
    questionImages: 'none',
    answerImages: 'none',
    quality: 'none',
    notify_url: 'none',
  };
  const record = {
    id: '1',
    question: 'One',
    answer: 'x',
    images: 'a.png',
    'answer images': 'b.png',
    quality: 'odd',
    notify_url: 'nowhere',
  };
  const nothing = {
    id: null,
    question: 'One',
    questionImages: [],
    answer: '',
    answerImages: [],
    quality: null,
    notifyUrl: null,
  };

  it('ignores the column of each field, in every format', async () => {
    const csv = await readFile(`${Object.keys(record).join(',')}\n${Object.values(record).join(',')}\n`, {
      columns,
    });
    const jsonl = await readFile(JSON.stringify(record), { columns, file: 'q.jsonl' });
    const book = await readBook(
      { sheets: [{ rows: [Object.keys(record), Object.values(record)] }] },
      { columns },
    );
    for (const { rows, source, problems } of [csv, jsonl, book]) {
      expect(problems).toEqual([]);
      expect(rows).toMatchObject([{ id: null, failure: null }]);
      expect(parseQuestion(rows[0]?.input ?? {}, source).question).toEqual(nothing);
    }
    expect(csv.rows[0]?.content).toBe((await readFile('question\nOne\n')).rows[0]?.content);
    const noText = await readFile('question,images\nOne,https://x.example/a.png\n', {
      columns: { question: 'none' },
    });
    expect(parseQuestion(noText.rows[0]?.input ?? {}, noText.source).question.question).toBe('');
  });

  it('is not needed for a column key, which is no id', async () => {
    expect((await readFile('key,question\na,One\n')).rows).toMatchObject([{ id: null }]);
    expect((await readFile('key,question\na,One\n', { columns: { id: 'key' } })).rows).toMatchObject([
      { id: 'a' },
    ]);
  });
});

describe('the row and the line of a place', () => {
  test('are both named where they differ', async () => {
    const { problems } = await readFile('id,question\na,"1\n2\n3"\nb,x,y\n');
    expect(problems).toEqual([{ line: 5, message: expect.stringMatching(/^sheet row 3: 3 cells where/) }]);
    expect((await readFile('id,question\na,1\nb,x,y\n')).problems[0]?.message).toMatch(/^3 cells/);
  });
});

describe('cells that are probably not meant', () => {
  const cells = ['#NAME?', '#REF!', '=SUM(A1:A3)', '1', '<p>x</p>', '![x](a.png)'];
  const warnings = (place: string, count = '2 cells', first = 'first: ') => [
    expect.stringMatching(
      new RegExp(`^warning: ${count} with an error .*\\(${first}${place}, column "question"\\)`),
    ),
  ];

  test('are counted, with the first place', async () => {
    const { found } = await readFile(
      `id,question\n0,"one\ntwo"\n${cells.map((cell, at) => `${at + 1},${cell}`).join('\n')}\n`,
    );
    expect(found.notes.filter((note) => note.startsWith('warning'))).toEqual([
      ...warnings('line 4, sheet row 3'),
      expect.stringContaining('1 cell with a formula of a spreadsheet (line 6, sheet row 5'),
      expect.stringContaining('1 cell with HTML (line 8, sheet row 7'),
      expect.stringContaining('1 cell with an image of Markdown, ![](...) (line 9, sheet row 8'),
    ]);
  });

  test('are named by their row in a workbook and by their line in JSONL; rows that are not sent do not count', async () => {
    const book = await readBook({ sheets: [{ rows: [['question'], ['One'], ['#N/A'], ['#N/A']] }] });
    expect(book.found.notes).toEqual(expect.arrayContaining(warnings('row 3')));
    const jsonl = await readFile('{"question":"One"}\n{"question":"#N/A"}\n', { file: 'q.jsonl' });
    expect(jsonl.found.notes).toEqual(expect.arrayContaining(warnings('line 2', '1 cell', '')));
    const invalid = await readFile('question,quality,note\n#N/A,odd,\nOne,,#REF!\n');
    expect(invalid.found.notes.join()).not.toContain('warning');
  });
});

describe('--html text', async () => {
  const library = await loadHtmlLibrary();
  const html = { mode: 'text', library } as const;
  const kept = { mode: 'keep', library } as const;
  const png = { flaw: null, sizeBytes: 80 };
  const lookAtPicture = async (path: string) => (path.endsWith('.png') ? png : null);
  const text =
    'id,question,answer\na,"<p>One <img src=""a.png""></p>",\nb,Two,"<p><img src=""b.png""></p>"\nc,Three,a<b\n';

  test('turns cells into text, and their images into images of the row', async () => {
    const { rows, source, found } = await readFile(text, { html, lookAtPicture });
    expect(source.columns).toEqual(['id', 'question', 'answer', 'questionImages', 'answerImages']);
    expect(rows.map(({ input }) => parseQuestion(input, source).question)).toMatchObject([
      { question: 'One', questionImages: [{ kind: 'file', path: '/data/a.png' }] },
      { question: 'Two', answer: '', answerImages: [{ kind: 'file', path: '/data/b.png' }] },
      { question: 'Three', answer: 'a<b' },
    ]);
    expect(found.notes).toContain('2 cells of HTML read as text, with 2 images');
    expect(found.notes.join()).not.toContain('warning');
    expect(found.images.files).toBe(2);
  });

  test('puts them before those of the image column, which may hold HTML too', async () => {
    const { rows, source } = await readFile(
      'question,images\n"<p><img src=""a.png""></p>",b.png\nTwo,"<img src=""c.png""><br>d.png"\n',
      { html, lookAtPicture },
    );
    expect(rows.map(({ input }) => parseQuestion(input, source).files.map(({ written }) => written))).toEqual(
      [
        ['a.png', 'b.png'],
        ['c.png', 'd.png'],
      ],
    );
  });

  test('makes a row invalid whose image is missing or whose HTML is cut off', async () => {
    const { rows } = await readFile(
      'question\n<p><img src=gone.gif>\n<p class=x>One <img src="a.pn\n<p>Two\n',
      {
        html,
        lookAtPicture,
      },
    );
    expect(rows.map(({ failure }) => failure)).toEqual([
      expect.stringContaining('"gone.gif" is missing'),
      expect.stringContaining('cut off'),
      null,
    ]);
  });

  test('knows the rows of a run that read them the other way', async () => {
    const digests = { pictureDigest: async (path: string) => `digest of ${path}`, lookAtPicture };
    const asIs = await readFile(text, digests);
    const asText = await readFile(text, { ...digests, html });
    const asKept = await readFile(text, { ...digests, html: kept });
    const written = ({ rows }: typeof asIs) => rows.map((row) => row.written);
    const content = ({ rows }: typeof asIs) => rows.map((row) => row.content);
    expect(content(asKept)).toEqual(content(asIs));
    expect(written(asIs)).toEqual([null, null, null]);
    expect(written(asText)).toEqual([content(asIs)[0], content(asIs)[1], null]);
    expect(written(asKept)).toEqual([content(asText)[0], content(asText)[1], null]);
  });

  test('in JSONL refuses a later key for images that are in another one', async () => {
    const lines = ['{"question":"<p>x <img src=a.png></p>"}', '{"question":"y","images":["b.png"]}'];
    const read = (order: readonly string[]) =>
      readFile(order.join('\n'), { file: 'q.jsonl', html, lookAtPicture, chunkBytes: 1 });
    const pages = [
      lines[0],
      ...Array.from({ length: 2_000 }, () => '{"question":"z"}'),
      lines[1],
    ] as string[];
    expect(messages(await read(pages))).toEqual([
      expect.stringContaining('the key "images" means questionImages, and rows above'),
    ]);
    const { rows, source, problems } = await read(lines.toReversed());
    expect(problems).toEqual([]);
    expect(rows.map(({ input }) => parseQuestion(input, source).files.length)).toEqual([1, 1]);
  });
});

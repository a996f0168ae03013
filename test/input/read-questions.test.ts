import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InputError, UsageError } from '../../src/errors.ts';
import { isOtherHeader } from '../../src/input/doubts/other-table.ts';
import { readQuestions } from '../../src/input/read-questions.ts';
import { lookAtPicture } from '../../src/outputs/pictures/local-images.ts';
import { digest } from '../../src/stores/digest.ts';
import { defuse } from '../../src/text/spreadsheet-text.ts';
import { smallPng } from '../support/small-png.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { collect, plainOptions, type ReadResult, readFile } from './read-file.ts';

const png = smallPng(0, 0, 0);

/** A chunk of a PNG with so many bytes, which its reader passes over. */
function endlessChunk(sizeBytes: number): Buffer {
  const chunk = Buffer.alloc(sizeBytes + 12);
  chunk.writeUInt32BE(sizeBytes);
  chunk.write('teXt', 4);
  return chunk;
}

describe('CSV', () => {
  test('whatever is written as CSV comes back as it was', async () => {
    const cell = fc.string({
      unit: fc.constantFrom('a', '"', ',', ';', '\t', '\n', '\r', '\\', '=', "'", ' ', '题', '𠮷'),
    });
    const delimiter = fc.constantFrom(',', ';', '\t');
    const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(cell, cell)), delimiter, lineEnd, async (records, between, end) => {
        const text = stringify([['question', 'answer'], ...records.map((record) => record.map(defuse))], {
          delimiter: between,
          record_delimiter: end,
          quoted: true,
        });
        const { rows, problems } = await readFile(text, { chunkBytes: 7, isOwn: () => true });
        const filled = records.filter((record) => record.some((each) => defuse(each).trim() !== ''));
        expect(problems).toEqual([]);
        expect(rows.map((row) => [row.input.question, row.input.answer])).toEqual(filled);
      }),
      { numRuns: 200 },
    );
  });

  test('mixed line ends, empty lines and empty rows leave rows and lines right', async () => {
    const { rows, found } = await readFile('\n\nid,question\r\n1,a\r2,"b\r\nb"\n\n,\r\n3,c');
    expect(rows.map((row) => [row.row, row.line, row.id])).toEqual([
      [1, 4, '1'],
      [2, 5, '2'],
      [3, 9, '3'],
    ]);
    expect(found.notes.join()).toContain('1 blank row skipped');
  });

  test('the header of a file that was put behind another is left out, and said with its line', async () => {
    const one = 'id,question,topic\r\na,One,x\r\n';
    const other = '\ufeffid,question,topic\r\nb,"Two\nlines",x\r\n';
    const { rows, problems, found } = await readFile(one + other + other.replace('b,', 'c,'));
    expect(problems).toEqual([]);
    expect(rows.map(({ row, line, id }) => [row, line, id])).toEqual([
      [1, 2, 'a'],
      [2, 4, 'b'],
      [3, 7, 'c'],
    ]);
    expect(found).toMatchObject({
      rows: 3,
      notes: expect.arrayContaining(['the header is repeated on lines 3, 6: skipped']),
    });
  });

  test('many headers are counted', async () => {
    const { rows, found } = await readFile('question\n'.repeat(1_000));
    expect(rows).toEqual([]);
    expect(found.notes).toContain(
      'the header is repeated on lines 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 989 more: skipped',
    );
  });

  test('only a row that says in every field what the header says is a header', async () => {
    const word = fc.constantFrom('编号', '题目', 'answer', 'note', '', 'x', ' 题目 ', 'Answer');
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(word, word, word, word), { minLength: 1, maxLength: 6 }),
        fc.constantFrom(',', ';', '\t'),
        async (records, delimiter) => {
          const header = ['编号', '题目', 'answer', 'note'];
          const numbered = records.map(([id, ...rest], at) => [id === '编号' ? id : `${at}`, ...rest]);
          const text = [header, ...numbered].map((cells) => cells.join(delimiter)).join('\n');
          const { found, rows, problems } = await readFile(text, { file: 'q.tsv' });
          const isHeader = ([id, question, answer]: readonly (string | undefined)[]): boolean =>
            id === '编号' && question?.trim() === '题目' && answer === 'answer';
          const others = numbered.flatMap(([id, title, answer, note], at) =>
            isOtherHeader(
              { 编号: id, 题目: title, answer, note },
              { id: '编号', question: '题目', answer: 'answer' },
            )
              ? [at + 2]
              : [],
          );
          expect(problems.map(({ line }) => line)).toEqual(others);
          const kept = numbered.filter((cells) => !isHeader(cells));
          expect(rows.map(({ input }) => Object.values(input))).toEqual(kept);
          const lines = numbered.flatMap((cells, at) => (isHeader(cells) ? [at + 2] : []));
          expect(found.notes.filter((note) => note.startsWith('the header is repeated'))).toEqual(
            lines.length === 0
              ? []
              : [
                  `the header is repeated on line${lines.length === 1 ? '' : 's'} ${lines.join(', ')}: skipped`,
                ],
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  test('a column that is named by its place is told from its header too', async () => {
    const { rows } = await readFile('id,,note\n1,a,\nid,,note\n2,b,\n', {
      columns: { question: 'column 2' },
    });
    expect(rows.map(({ id }) => id)).toEqual(['1', '2']);
  });

  test('the delimiter that was asked for is used, whatever the header looks like', async () => {
    expect((await readFile('id|question\n1|a', { delimiter: '|' })).rows[0]?.input).toEqual({
      id: '1',
      question: 'a',
    });
    expect((await readFile('id\tquestion\n1\ta', { delimiter: '\\t' })).found.delimiter).toBe('\t');
    expect((await readFile('id\tquestion\n1\ta', { delimiter: 'tab' })).found.delimiter).toBe('\t');
    await expect(readFile('question', { delimiter: '||' })).rejects.toThrow(UsageError);
  });

  test('missing cells are empty, and empty cells behind the header are nothing', async () => {
    const { rows, problems, found } = await readFile('question,answer,,\na\nb,c,,,,\n');
    expect(problems).toEqual([]);
    expect(found.notes).toContain(
      '1 row with fewer cells than the header (line 2): missing cells are read as empty',
    );
    expect(rows.map((row) => row.input)).toEqual([
      { question: 'a', answer: '' },
      { question: 'b', answer: 'c' },
    ]);
  });

  test('unknown columns are kept, those without a name and with dangerous ones too', async () => {
    const { rows, source } = await readFile('question,,__proto__,topic\na,b,c,d');
    expect(source.columns).toEqual(['question', 'column 2', '__proto__', 'topic']);
    expect(Object.entries(rows[0]?.input ?? {})).toEqual([
      ['question', 'a'],
      ['column 2', 'b'],
      ['__proto__', 'c'],
      ['topic', 'd'],
    ]);
  });

  const quoted = [
    "'=' and '==': how do they differ?",
    "'-5' is a string",
    "'@' or '+'?",
    "'quoted'",
    "'=x^2 + 1 = 0",
    "'-5 + 3",
  ];
  const quotedTable = `question,answer\n${quoted.map((cell) => `"${cell}","${cell}"`).join('\n')}`;

  test("a ' before a sign stands as it is, and is told where none closes it", async () => {
    const { rows, found } = await readFile(quotedTable);
    expect(rows.map(({ input }) => [input.question, input.answer])).toEqual(
      quoted.map((cell) => [cell, cell]),
    );
    expect(found.notes.join()).toContain(
      "4 cells with a ' before a sign that begins a formula, and none behind it: sent as written",
    );
    const plain = await readFile("question\n'Tis 5 = 2 + 3\n'=' is a sign\n");
    expect(plain.found.notes.join()).not.toContain("a ' before");
  });

  test("a row is known by what it was when each ' was taken off", async () => {
    const undone = quotedTable.replace(/"'(?=[=@-])/g, '"');
    const [before, now] = [await readFile(undone), await readFile(quotedTable)];
    expect(now.rows.map(({ otherwise }) => otherwise)).toEqual(
      before.rows.map(({ content }, at) => (quoted[at] === "'quoted'" ? null : content)),
    );
  });

  test.each([
    ['its keys', { last: 'batch' }],
    ['failures at its end', { last: 'failure' }],
    ['its header', { isOwn: (header: readonly string[]) => header.includes('answer') }],
  ])(
    "in a table of the program each ' that it put before a formula is taken off: known by %s",
    async (_, how) => {
      const { last, ...options } = how as { last?: string; isOwn?: () => boolean };
      const lines = [`question,answer${last === undefined ? '' : `,${last}`}`];
      const key = last === undefined ? '' : ',b0123abcd-1-89abcdef';
      for (const cell of ["'=1+1", "''=' or '=='", "'Tis", '="7"']) lines.push(`${cell},'-x${key}`);
      const { rows, found } = await readFile(lines.join('\n'), options);
      expect(rows.map(({ input }) => [input.question, input.answer])).toEqual([
        ['=1+1', '-x'],
        ["'=' or '=='", '-x'],
        ["'Tis", '-x'],
        ['7', '-x'],
      ]);
      expect(found.notes.join()).toContain(
        "the ' that keeps spreadsheets from running a formula was removed from 6 cells",
      );
    },
  );

  test('broken quoting is told with its lines, all of it, and the rows around it are read', async () => {
    const text = [
      'id,question',
      '1,"two',
      'lines"',
      '2,"a "b" c"',
      '3,good',
      '4,x "y" z,"5"',
      '5,"never',
      '6,closed',
    ];
    for (const lineEnd of ['\n', '\r\n', '\r']) {
      const { rows, problems } = await readFile(text.join(lineEnd), { chunkBytes: 1 });
      expect(rows.map((row) => row.id)).toEqual(['1', '3']);
      expect(problems.map((problem) => problem.line)).toEqual([4, 6, 6]);
      expect(problems.at(-1)?.message).toMatch(/never closed/);
    }
  });

  test('an empty file is refused, a header alone is not', async () => {
    expect((await readFile('')).problems[0]?.message).toMatch(/empty/);
    expect((await readFile(' \r\n\n')).problems).not.toEqual([]);
    const { problems, found } = await readFile('question\n');
    expect(problems).toEqual([]);
    expect(found).toMatchObject({
      rows: 0,
      notes: expect.arrayContaining(['there are no rows below the header']),
    });
  });

  test('images are counted by where they are, on both sides of a row', async () => {
    const inline = png.toString('base64');
    const { found } = await readFile(
      `question,images,answerImages\na,"a.png\nb.png",${inline}\nb,https://x.example/1.png,\nc,,\n`,
      { lookAtPicture: async () => ({ flaw: null, sizeBytes: png.length }) },
    );
    expect(found.images).toEqual({ rows: 2, files: 2, inline: 1, kept: 0, addresses: 1 });
  });

  test('no more than a thousand problems are listed, and the others are counted', async () => {
    const { problems } = await readFile(`question\n${'a\n'.repeat(1_501)}${'a,b\n'.repeat(1_500)}`);
    expect(problems).toHaveLength(1_001);
    expect(problems.find((problem) => problem.line === null)?.message).toMatch(/500 more/);
  });

  test('the error names file, line and the number of problems', async () => {
    async function* bytes(): AsyncGenerator<Uint8Array> {
      yield new TextEncoder().encode('question\na,b\nc,d\n');
    }
    const read = (file: string) => collect(readQuestions(bytes(), { file, ...plainOptions }).rows);
    await expect(read('set.csv')).rejects.toThrow(/^set\.csv:2: .*\(and 1 more\)$/);
    await expect(read('-')).rejects.toThrow(InputError);
  });
});

describe('JSONL', () => {
  test('keys are matched like headers, also those that come up later', async () => {
    const { rows, source, problems } = await readFile(
      '{"编号": 7, "Question": "a"}\n\n{"Question": "b", "answer": 3, "topic": {"deep": [1]}}\r\n{"Question": "c", "answer": null}',
      { file: 'set.jsonl' },
    );
    expect(problems).toEqual([]);
    expect(source).toMatchObject({
      format: 'jsonl',
      columns: ['编号', 'Question', 'answer', 'topic'],
      fields: { id: '编号', question: 'Question', answer: 'answer' },
    });
    expect(rows.map((row) => [row.row, row.line, row.id, row.failure])).toEqual([
      [1, 1, '7', null],
      [2, 3, null, null],
      [3, 4, null, null],
    ]);
    expect(rows[1]?.input.topic).toEqual({ deep: [1] });
  });

  test('a byte order mark before a line is dropped, as in files that were joined', async () => {
    const line = '{"question": "a"}\n';
    const { rows, problems } = await readFile(`\ufeff${line}\ufeff${line}\ufeff\n`, { file: 'q.jsonl' });
    expect(problems).toEqual([]);
    expect(rows.map(({ input }) => input)).toEqual([{ question: 'a' }, { question: 'a' }]);
  });

  test('every line that is no JSON is told with its column', async () => {
    const { problems } = await readFile('{"question": "a"}\n{"question": a}\n{"question"\nq\n', {
      file: 'q.jsonl',
    });
    expect(problems.map(({ line, message }) => [line, /\(column (\d+)\)/.exec(message)?.[1]])).toEqual([
      [2, '14'],
      [3, '12'],
      [4, '1'],
    ]);
  });

  test('keys that a store could not keep have U+FFFD in place of U+0000 and of half a surrogate pair', async () => {
    const row = '{"question": "a", "no\\u0000te": "b", "\\ud800": "c", "\\ud83c\\udfac": "d"}';
    const columns = { answer: 'no\0te' };
    const { rows, problems, source } = await readFile(`${row}\n${row}`, { file: 'q.jsonl', columns });
    expect(problems).toEqual([]);
    const input = { question: 'a', 'no\ufffdte': 'b', '\ufffd': 'c', '\u{1f3ac}': 'd' };
    expect(rows.map((each) => each.input)).toEqual([input, input]);
    expect(source.columns).toEqual(Object.keys(input));
    expect(source.fields).toEqual({ question: 'question', answer: 'no\ufffdte' });
    const twice = await readFile('{"question": "a", "\\u0000": 1, "\\udfff": 2}', { file: 'q.jsonl' });
    expect(twice.problems).toEqual([
      { line: 1, message: 'the key "\ufffd" appears twice in this row; remove one of them' },
    ]);
  });

  test('numbers have the digits of the file wherever they become text', async () => {
    const lines = [
      '{"id":1.10,"question":5.0,"answer":0.00000001,"score":2.50,"more":{"at":[1.0,1]}}',
      '{"id":1.1,"question":12345678901234567890,"answer":1e400,"score":0.5,"more":null}',
      '{"id":12345678901234567890,"question":"a","answer":-0.0}',
      '{"id":12345678901234567891,"question":"b","answer":1.5}',
    ];
    const { rows, problems } = await readFile(lines.join('\n'), { file: 'q.jsonl' });
    expect(problems).toEqual([]);
    expect(rows.map(({ failure }) => failure)).toEqual([null, null, null, null]);
    expect(rows.map(({ id }) => id)).toEqual(['1.10', '1.1', '12345678901234567890', '12345678901234567891']);
    expect(rows.map(({ input }) => [input.question, input.answer])).toEqual([
      ['5.0', '0.00000001'],
      ['12345678901234567890', '1e400'],
      ['a', '-0.0'],
      ['b', 1.5],
    ]);
    expect(rows.map(({ input }) => [input.score, input.more])).toEqual([
      ['2.50', { at: ['1.0', 1] }],
      [0.5, null],
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });

  test('a row is known by the numbers that it was read with once', async () => {
    const before = await readFile('{"id":1,"question":"a","answer":1.1}', { file: 'q.jsonl' });
    const now = await readFile('{"id":1,"question":"a","answer":1.10}', { file: 'q.jsonl' });
    expect(now.rows[0]?.content).not.toBe(before.rows[0]?.content);
    expect(now.rows[0]?.otherwise).toBe(before.rows[0]?.content);
    const own = await readFile('{"id":1,"question":"a","score":1.10}', { file: 'q.jsonl' });
    expect(own.rows[0]?.otherwise).toBeNull();
  });

  test('NaN and Infinity, as Python writes them, are no value', async () => {
    const lines = [
      '{"id":1,"question":"NaN or Infinity?","answer":NaN,"score":-Infinity}',
      '{"id":2,"question":Infinity,"answer":"a"}',
      '{"id":3,"question":"c","answer":NaN,"score":1.10}',
    ];
    for (const file of ['q.jsonl', 'q.txt']) {
      const { rows, problems } = await readFile(lines.join('\n'), { file });
      expect(problems).toEqual([]);
      expect(rows.map(({ input }) => input)).toEqual([
        { id: 1, question: 'NaN or Infinity?', answer: null, score: null },
        { id: 2, question: null, answer: 'a' },
        { id: 3, question: 'c', answer: null, score: '1.10' },
      ]);
      expect(rows.map(({ failure }) => failure?.slice(0, 14) ?? null)).toEqual([
        null,
        'it has neither',
        null,
      ]);
    }
  });

  test.each([
    ['{"question":NaN,"answer":x}', 26],
    ['{"question":-NaN}', 14],
    ['{"question":NaNs}', 16],
    ['{NaN:1}', 2],
    ['{"question":"a","answer":nan}', 27],
  ])('%s is no JSON all the same: column %i', async (line, column) => {
    const { problems } = await readFile(line, { file: 'q.jsonl' });
    expect(problems.map((problem) => problem.message)).toEqual([
      expect.stringMatching(new RegExp(`column ${column}\\b`)),
    ]);
  });

  test('a key is told to stand twice where it does, in any object of the row, and nowhere else', async () => {
    /** JSON as a tree whose objects are lists of pairs, so that keys may stand twice. */
    type Tree = string | readonly Tree[] | { readonly pairs: readonly (readonly [string, Tree])[] };
    const word = fc.constantFrom('a', 'b', '"', '{', '\\', 'a":', '题', 'a\\"');
    const { tree } = fc.letrec<{ tree: Tree; object: Tree }>((tie) => ({
      tree: fc.oneof({ maxDepth: 3 }, word, fc.array(tie('tree'), { maxLength: 3 }), tie('object')),
      object: fc.record({ pairs: fc.array(fc.tuple(word, tie('tree')), { maxLength: 3 }) }),
    }));
    const isList = (each: Tree): each is readonly Tree[] => Array.isArray(each);
    const write = (each: Tree): string => {
      if (typeof each === 'string') return JSON.stringify(each).replaceAll('b', '\\u0062');
      if (isList(each)) return `[ ${each.map(write).join(' , ')} ]`;
      if (!('pairs' in each)) return '';
      return `{${each.pairs.map(([key, value]) => `${JSON.stringify(key)} : ${write(value)}`).join(',')}}`;
    };
    const hasTwice = (each: Tree): boolean => {
      if (typeof each === 'string') return false;
      if (isList(each)) return each.some(hasTwice);
      if (!('pairs' in each)) return false;
      const keys = each.pairs.map(([key]) => key);
      return new Set(keys).size < keys.length || each.pairs.some(([, value]) => hasTwice(value));
    };
    let twiceCount = 0;
    await fc.assert(
      fc.asyncProperty(tree, fc.nat(2), async (note, again) => {
        const twice = again === 0 ? ',"question":"again"' : '';
        const { problems, rows } = await readFile(`{"question":"q","note":${write(note)}${twice}}`, {
          file: 'q.jsonl',
        });
        const isTwice = hasTwice(note) || again === 0;
        twiceCount += isTwice ? 1 : 0;
        expect(problems.map(({ message }) => message)).toEqual(
          isTwice ? [expect.stringMatching(/^the key ".*" appears twice in this row/)] : [],
        );
        expect(rows).toHaveLength(isTwice ? 0 : 1);
      }),
      { numRuns: 500 },
    );
    expect(twiceCount).toBeGreaterThan(50);
  });

  test('lines that are not one JSON object are all told, without their text', async () => {
    const { rows, problems } = await readFile(
      '{"question": "a"}\n{"question": secret}\n["b"]\n"c"\n{"question": "d"\n{"question": "e"}',
      { file: 'set.ndjson' },
    );
    expect(rows.map((row) => row.line)).toEqual([1, 6]);
    expect(problems.map((problem) => problem.line)).toEqual([2, 3, 4, 5]);
    expect(problems.map((problem) => problem.message).join()).not.toContain('secret');
  });

  test('a JSON array is refused with the way out, whatever the name of the file', async () => {
    for (const file of ['set.json', '-']) {
      const { problems } = await readFile(' [\n{"question": "a"}]', { file });
      expect(problems).toEqual([{ line: 1, message: expect.stringMatching(/array.*one object per line/) }]);
    }
  });

  test('a file that is given up early is closed', async () => {
    let isClosed = false;
    async function* bytes(): AsyncGenerator<Uint8Array> {
      try {
        while (true) yield new TextEncoder().encode('[{"question": "a"},\n'.repeat(1_000));
      } finally {
        isClosed = true;
      }
    }
    const { rows } = readQuestions(bytes(), { file: '-', ...plainOptions });
    await expect(collect(rows)).rejects.toThrow(/array/);
    expect(isClosed).toBe(true);
  });

  test('the format comes from the option, the name, the first character, in this order', async () => {
    const json = '{"question": "a"}';
    expect((await readFile(json, { file: '-' })).found.format).toBe('jsonl');
    expect((await readFile(json, { file: 'set.data' })).found.format).toBe('jsonl');
    expect((await readFile('question\na', { file: '-' })).found.format).toBe('csv');
    expect((await readFile(json, { file: 'set.csv', format: 'jsonl' })).problems).toEqual([]);
    expect((await readFile(json, { file: 'set.csv' })).problems).not.toEqual([]);
  });
});

describe('a file whose name ends in .txt', () => {
  const object = '{"question": "a, b"}';
  const notes = (found: { readonly notes: readonly unknown[] }) => found.notes.join();

  test.each([
    ['two lines', `${object}\n{"question": "c"}\n`],
    ['blank lines in front', `\n \r\n${object}\r\n{"question": "c"}`],
    ['one long line', `{"question": "a, b", "note": "${'x'.repeat(100_000)}"}\n{"question": "c"}\n`],
  ])('is JSONL where its first line is an object, and that is said: %s', async (_, text) => {
    const { rows, found, problems } = await readFile(text, { file: 'q.TXT' });
    expect(problems).toEqual([]);
    expect(rows.map(({ input }) => input.question)).toEqual(['a, b', 'c']);
    expect(found.format).toBe('jsonl');
    expect(notes(found)).toContain('read as JSONL: its first line is a JSON object');
  });

  test.each([
    'question,note\n"{""a"": 1}",x\n',
    '{question},note\na,b\n',
    '{"question"},note\na,b\n',
    'question\n{"question": "a"}\n',
  ])('is CSV where it is not: %j', async (text) => {
    const options = text.startsWith('{') ? { columns: { question: text.split(',')[0] ?? '' } } : {};
    const { found } = await readFile(text, { file: 'q.txt', ...options });
    expect(found.format).toBe('csv');
    expect(notes(found)).not.toContain('JSONL');
  });

  test('is what --format says', async () => {
    expect((await readFile(object, { file: 'q.txt', format: 'csv' })).problems).not.toEqual([]);
    const { found } = await readFile(object, { file: 'q.txt', format: 'jsonl' });
    expect([found.format, notes(found)]).toEqual(['jsonl', expect.not.stringContaining('JSONL')]);
  });
});

describe('rows', () => {
  test('a row that cannot be sent says why, the others run', async () => {
    const { rows, problems } = await readFile('question,quality\na,h\n,m\nb,best\nc,');
    expect(problems).toEqual([]);
    expect(rows.map((row) => row.failure === null)).toEqual([true, false, false, true]);
    expect(rows.map((row) => row.quality)).toEqual(['h', 'm', null, null]);
  });

  test('local images are looked up beside the file, and once each', async () => {
    await using folder = await temporaryFolder();
    await writeFile(join(folder.path, 'good.png'), png);
    await writeFile(join(folder.path, 'bad.png'), 'no image');
    const asked: string[] = [];
    const { rows } = await readFile(
      'question,images\na,good.png\nb,./good.png\nc,bad.png\nd,sub/none.png\ne,.\n',
      {
        folder: folder.path,
        lookAtPicture: (path) => {
          asked.push(path);
          return lookAtPicture(path);
        },
      },
    );
    expect(rows.map((row) => row.failure)).toEqual([
      null,
      null,
      'questionImages: "bad.png" is not an image',
      'questionImages: "sub/none.png" is missing or not a file',
      'questionImages: "." is missing or not a file',
    ]);
    expect(asked.toSorted()).toEqual([
      folder.path,
      ...['bad.png', 'good.png', 'sub/none.png'].map((name) => join(folder.path, name)),
    ]);
  });

  test('a picture that is cut off or was never written to its end makes its row invalid', async () => {
    await using folder = await temporaryFolder();
    const half = png.subarray(0, png.length - 20);
    const large = Buffer.concat([png.subarray(0, -12), endlessChunk(200_000), png.subarray(-12)]);
    const files = {
      'cut.png': half,
      'zeros.png': Buffer.concat([half, Buffer.alloc(100_000)]),
      'signature.png': png.subarray(0, 8),
      'more.png': Buffer.concat([png, Buffer.from('more')]),
      'large.png': large,
      'large-cut.png': large.subarray(0, -1),
    };
    for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder.path, name), bytes);
    const images = [
      ...Object.keys(files),
      half.toString('base64'),
      `data:image/png;base64,${half.toString('base64')}`,
    ];
    const { rows } = await readFile(
      images.map((image) => JSON.stringify({ question: 'q', questionImages: [image] })).join('\n'),
      { file: 'q.jsonl', folder: folder.path, lookAtPicture },
    );
    expect(rows.map(({ failure }) => failure)).toEqual([
      'questionImages: "cut.png" is cut off',
      'questionImages: "zeros.png" is cut off',
      'questionImages: "signature.png" is cut off',
      null,
      null,
      'questionImages: "large-cut.png" is cut off',
      'questionImages: image 1 is cut off',
      'questionImages: image 1 is cut off',
    ]);
  });

  test('a file that cannot be read makes its row invalid, not the run', async () => {
    const denied = Object.assign(new Error('denied'), { code: 'EACCES' });
    const { rows } = await readFile('question,images\na,x.png', {
      lookAtPicture: () => Promise.reject(denied),
    });
    expect(rows[0]?.failure).toBe('questionImages: "x.png" cannot be read (EACCES)');
  });

  test('images above the size that is sent make their row invalid, one by one and together', async () => {
    const size = (path: string) => Number(/(\d+)\.png$/.exec(path)?.[1]);
    const data = (bytes: number) => Buffer.concat([png, Buffer.alloc(bytes - png.length)]).toString('base64');
    const rowOf = (...images: string[]) => JSON.stringify({ question: 'q', questionImages: images });
    const { rows, found } = await readFile(
      [
        rowOf('1000.png'),
        rowOf('1001.png'),
        rowOf('1000.png', '1000.png', '500.png'),
        rowOf('1000.png', '1000.png', '501.png'),
        rowOf(data(999)),
        rowOf('https://x.example/a.png', `data:image/png;base64,${data(1_002)}`),
        JSON.stringify({
          question: 'q',
          questionImages: ['900.png', data(500)],
          answerImages: ['1000.png', data(130)],
        }),
        rowOf('none.png', '1001.png'),
      ].join('\n'),
      {
        file: 'q.jsonl',
        maxImageBytes: 1_000,
        lookAtPicture: async (path) => (path.includes('none') ? null : { flaw: null, sizeBytes: size(path) }),
      },
    );
    const one = '1.1 kB, more than --max-image-bytes allows (1 kB); make it smaller';
    const all = '2.6 kB, more than 2.5 kB (2.5 times --max-image-bytes); make them smaller';
    expect(rows.map(({ failure }) => failure)).toEqual([
      null,
      `questionImages: "1001.png" is ${one}`,
      null,
      `the images total ${all}`,
      null,
      `questionImages: image 2 is ${one}`,
      `the images total ${all}`,
      `questionImages: "none.png" is missing or not a file; questionImages: "1001.png" is ${one}`,
    ]);
    expect(found.rows).toBe(8);
  });

  test('what makes the digest is the same in CSV and JSONL, and another for another row', async () => {
    const csv = await readFile('id,题目,图片,topic\n1," a\r\nb",https://h/x.png,t\n2,c,,\n3,,,\n');
    const jsonl = await readFile(
      '{"question":"a\\nb ","questionImages":["https://h/x.png"]}\n{"question":"c"}\n{"question":""}',
      {
        file: 'set.jsonl',
      },
    );
    const contents = csv.rows.map((row) => row.content);
    expect(contents).toEqual(jsonl.rows.map((row) => row.content));
    expect(new Set(contents).size).toBe(3);
    // Checkpoints hold digests: a change here would make every row of a resumed run a new one.
    const digestOfSecond = digest(contents[1] ?? '');
    expect(digestOfSecond.toString('hex')).toBe('db3142881cc9205512cab38518e980f0');
  });
});

describe('samples', () => {
  const samples = resolve(import.meta.dirname, '../../samples');

  test.each([
    ['questions.csv', 12, 'UTF-8'],
    ['questions.jsonl', 8, 'UTF-8'],
    ['image-questions.csv', 4, 'UTF-8'],
    ['chinese-gb18030.csv', 8, 'GB18030'],
  ])('%s is read whole', async (name, count, encoding) => {
    const file = readQuestions(createReadStream(join(samples, name)), {
      ...plainOptions,
      file: name,
      folder: samples,
      lookAtPicture,
    });
    const rows = await collect(file.rows);
    expect(rows.filter((row) => row.failure !== null)).toEqual([]);
    expect(rows).toHaveLength(count);
    expect(file.found()).toMatchObject({ encoding, rows: count });
  });
});

test('titles of sections are no rows, and those below keep their places', async () => {
  const text = [
    'id,题目,答案',
    '一、选择题,,',
    '1,1 + 1,2',
    ',Part A,',
    '2,Part A of what?,',
    ',第二章 函数,',
    '',
  ];
  const headings = ({ rows }: ReadResult) => rows.flatMap((row) => (row.isHeading ? [row.line] : []));
  for (const chunkBytes of [1, 1000]) {
    const read = await readFile(text.join('\n'), { odd: 'hold', chunkBytes });
    expect([headings(read), read.found.rows, read.rows.map(({ row }) => row)]).toEqual([
      [2, 4, 6],
      2,
      [1, 2, 3, 4, 5],
    ]);
    expect(read.found.notes).toContain(
      '3 headings are not sent, e.g. line 2: 一、选择题; --odd send sends them',
    );
  }
  // What has no question cannot be sent.
  expect(headings(await readFile(text.join('\n'), { odd: 'send' }))).toEqual([2]);
  const exam =
    '题目,答案\n一、选择题（每题 5 分）,\n1 + 1？,2\n二、细心填一填（每空 3 分）,\n1 + 2 = ____,\nPart A,\n证明它。,\n';
  expect(headings(await readFile(exam, { odd: 'hold', chunkBytes: 1 }))).toEqual([2, 4, 6]);
  const only = await readFile('题目,答案\nPart A,\n', { odd: 'hold' });
  expect(only.found.notes.filter((note) => note.includes('head'))).toEqual([
    '1 heading is not sent, line 2: Part A; --odd send sends it',
  ]);
});

describe('rows that belong together', () => {
  const plain = Array.from({ length: 12 }, (_, at) => `${at + 9},What is ${at} + 1?,${at + 1}`);

  test('are held, wherever the pages end', async () => {
    const text = ['id,question,answer', '1,Which is the largest?,B', ',A. 3,', ',B. 9,', ...plain, ''].join(
      '\n',
    );
    for (const chunkBytes of [1, 40, 1000]) {
      const { rows } = await readFile(text, { odd: 'hold', chunkBytes });
      expect(rows).toHaveLength(15);
      expect(rows.flatMap(({ failure, line }) => (failure === null ? [] : [[line, failure]]))).toEqual([
        [2, 'looks odd: a question that goes on in the rows below (--odd send sends it)'],
        [3, 'looks odd: an option of the question above (--odd send sends it)'],
        [4, 'looks odd: an option of the question above (--odd send sends it)'],
      ]);
    }
  });

  test('are no file of questions where they are many', async () => {
    const paper = 'question\nWhich is even?\nA. 1\nB. 2\nC. 3\nAnswer: B\n';
    const { problems } = await readFile(paper, { odd: 'hold' });
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^this looks like an exam paper .*above: 5 of 5 rows\); nothing was read: put/),
    ]);
    expect((await readFile(paper, { odd: 'send' })).rows.map(({ failure }) => failure)).toEqual(
      Array.from({ length: 5 }, () => null),
    );
  });
});

test.each([
  [
    'rows with the next ids',
    'id,question,answer\n1,"What is 2?,4\n2,What is 3?,6\n3,How long is 12 in",30 cm\n',
    4,
  ],
  ['rows with ids of letters', 'id,question,answer\r\nQ-1,"One,4\r\nQ-2,Two?",6\r\n', 3],
  ['questions without ids', 'question,answer\n"What is 2?,4\nWhat is 3?",6\n', 3],
])('a quote that makes one cell of %s is refused', async (_, text, last) => {
  const { problems } = await readFile(text);
  expect(problems.map(({ line, message }) => [line, message.split(',')[0]])).toEqual([
    [2, `the quote that opens in this line closes in line ${last}`],
  ]);
});

test.each([
  'question,answer\n"Let x = 3, y = 4.\nFind x + y.",7\n',
  'question,answer\n"Is it right?, he asked.\nNo",7\n',
  'question,answer\n"Is it right? he asked, and went.\nNo",7\n',
  'question\n"What is 2?\nWhat is 3?"\n',
  'id,question,answer\n1,"Given the table:\na,b,c\n1,2,3\nWhat is b?",2\n',
  'id,question,answer\n1,"one,two\n3,three",4\n',
  'id,question,answer\nx,"one,two\ny,three",4\n',
])('a text of several lines is no rows: %j', async (text) => {
  expect((await readFile(text)).problems).toEqual([]);
});

test.each([
  [
    'of codes with the longest texts',
    'Question,Note,Description,Answer,Solution\nQ1,a,What is 3 x 4?,12,twelve is the right one\nQ2,a,What is 5 x 6?,30,thirty\nQ3,b,Why?,1,x\n',
    '--map question=Description',
  ],
  [
    'of codes alone',
    'question,note\nQ1,a\nQ2,b\nQ3,c\nQ4,d\nQ5,e\nWhat is 1 + 1?,f\n',
    '--map question=COLUMN',
  ],
  [
    'of paths of pictures',
    '题目,答案\na.png,B\nb.png,x\nc.png,2\n',
    '--map questionImages=题目 --map question=none',
  ],
])('a column %s is no column of questions, and the option for another is named', async (_, text, option) => {
  const read = await readFile(text, { odd: 'hold' });
  expect(read.problems.map((problem) => problem.message)).toEqual([
    expect.stringContaining(`${option}, or send`),
  ]);
  expect((await readFile(text, { odd: 'send' })).problems).toEqual([]);
  const some = await readFile(`${text}What is 1 + 1?,2\nWhat is 2 + 2?,2\n`, { odd: 'hold' });
  expect(some.problems).toEqual([]);
});

test('a row whose id alone has a mark before it is switched off', async () => {
  const read = await readFile('id,question\n1,1+1=?\n2,5+5=?\n3,3+3=?\n# 4,2+2=?\n5,1+5=?\n', {
    odd: 'hold',
  });
  expect(read.rows.map(({ failure }) => failure === null)).toEqual([true, true, true, false, true]);
  const all = await readFile('id,question\n#1,1+1=?\n#2,2+2=?\n#3,3+3=?\n', { odd: 'hold' });
  expect(all.rows.map(({ failure }) => failure)).toEqual([null, null, null]);
});

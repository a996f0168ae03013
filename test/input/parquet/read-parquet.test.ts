/** Parquet files, as data sets are published. */

import { parquetWriteBuffer } from 'hyparquet-writer';
import { expect, it } from 'vitest';
import { InputError, type Problem } from '../../../src/errors.ts';
import { loadParquetLibrary } from '../../../src/input/parquet/parquet-library.ts';
import { readParquet } from '../../../src/input/parquet/read-parquet.ts';
import { readQuestions } from '../../../src/input/read-questions.ts';
import { pictures } from '../../support/workbook.ts';
import { heard } from '../in-chinese.ts';
import { collect, plainOptions, type ReadResult } from '../read-file.ts';

const library = await loadParquetLibrary();

async function read(bytes: Uint8Array) {
  const access = {
    sizeBytes: bytes.length,
    // As files are read: in the middle of memory that other reads share.
    read: async (offset: number, length: number) =>
      Buffer.concat([Buffer.from('other'), bytes.subarray(offset, offset + length)]).subarray(5),
  };
  const file = readQuestions(
    {
      format: 'parquet',
      open: (overrides, problems) => readParquet(access, { overrides, problems, library }),
    },
    {
      file: 'train.parquet',
      ...plainOptions,
    },
  );
  let rows: ReadResult['rows'] = [];
  let problems: readonly Problem[] = [];
  try {
    rows = await collect(file.rows);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    problems = error.problems;
  }
  return { ...heard(rows, problems, file.found()), source: file.source() };
}

const columns = (count: number): Parameters<typeof parquetWriteBuffer>[0]['columnData'] => [
  { name: 'problem', data: Array.from({ length: count }, (_, at) => `求 ${at}`), type: 'STRING' },
  { name: 'level', data: Array.from({ length: count }, () => 'Level 5'), type: 'STRING' },
  { name: 'solution', data: Array.from({ length: count }, (_, at) => `$x=${at}$`), type: 'STRING' },
  { name: 'id', data: Array.from({ length: count }, (_, at) => BigInt(at)), type: 'INT64' },
];

it('reads all rows of all groups, in order', async () => {
  const bytes = parquetWriteBuffer({ columnData: columns(1_000), rowGroupSize: [300] });
  const { rows, problems, found, source } = await read(new Uint8Array(bytes));
  expect(problems).toEqual([]);
  expect(found).toMatchObject({ format: 'parquet', rows: 1_000 });
  expect(source.fields).toEqual({ id: 'id', question: 'problem', answer: 'solution' });
  expect(rows.map(({ id, line }) => [id, line])).toEqual(
    Array.from({ length: 1_000 }, (_, at) => [String(at), at + 1]),
  );
  expect(JSON.parse(rows[999]?.content ?? '').slice(0, 3)).toEqual(['求 999', [], '$x=999$']);
});

it('sends the pictures in its cells', async () => {
  const bytes = parquetWriteBuffer({
    columnData: [
      { name: 'question', data: ['x', 'y'], type: 'STRING' },
      { name: 'image', data: [pictures.png, null], type: 'BYTE_ARRAY' },
    ],
  });
  const { rows } = await read(new Uint8Array(bytes));
  expect(rows.map(({ failure }) => failure)).toEqual([null, null]);
  expect(rows.map(({ content }) => JSON.parse(content)[1])).toEqual([[pictures.png.toString('base64')], []]);
});

it.each([
  ['question', 'answer'],
  ['answer', 'question'],
])('never sends the bytes of a picture as the text of the %s', async (name, other) => {
  const columnData = [
    { name, data: [pictures.png, pictures.png], type: 'BYTE_ARRAY' as const },
    { name: other, data: ['x', 'y'], type: 'STRING' as const },
  ];
  const { problems } = await read(new Uint8Array(parquetWriteBuffer({ columnData })));
  expect(problems).toEqual([
    {
      line: 1,
      message: `the column "${name}" holds pictures, not texts: --map ${name}Images=${name} sends them as pictures`,
    },
  ]);
});

it('names a compression that it does not read', async () => {
  const columnData = [{ name: 'question', data: ['x'], type: 'STRING' as const }];
  const compressors = { LZ4_RAW: (bytes: Uint8Array) => bytes };
  const { problems } = await read(
    new Uint8Array(parquetWriteBuffer({ columnData, codec: 'LZ4_RAW', compressors })),
  );
  expect(problems[0]?.message).toBe(
    'the Parquet file is compressed with LZ4_RAW, which is not read here; write it again with compression="snappy"',
  );
});

it('sends the pictures of numbered columns in the order of their numbers', async () => {
  const [png, other] = [pictures.png, pictures.other('2')];
  const bytes = parquetWriteBuffer({
    columnData: [
      { name: 'question', data: ['x', 'y'], type: 'STRING' },
      { name: 'image_2', data: [other, null], type: 'BYTE_ARRAY' },
      { name: 'image_1', data: [png, png], type: 'BYTE_ARRAY' },
    ],
  });
  const { rows } = await read(new Uint8Array(bytes));
  const [first, second] = [png, other].map((picture) => picture.toString('base64'));
  expect(rows.map(({ failure }) => failure)).toEqual([null, null]);
  expect(rows.map(({ content }) => JSON.parse(content)[1])).toEqual([[first, second], [first]]);
});

it('refuses two columns of one name', async () => {
  const columnData = [
    { name: 'question', data: ['x'], type: 'STRING' as const },
    { name: 'topic', data: ['y'], type: 'STRING' as const },
    { name: 'topic', data: ['z'], type: 'STRING' as const },
  ];
  const { problems } = await read(new Uint8Array(parquetWriteBuffer({ columnData })));
  expect(problems).toEqual([
    { line: null, message: 'the header "topic" appears twice; rename one of the columns' },
  ]);
});

const gbk = Buffer.from('d7eeb4f3d6b5', 'hex');

it.each([
  ['bytes', { type: 'BYTE_ARRAY' }],
  ['texts', { type: 'BYTE_ARRAY', converted_type: 'UTF8' }],
])('sends no %s that are not UTF-8', async (_, element) => {
  for (const name of ['answer', 'id']) {
    const { rows, problems } = await answers([Buffer.from('求值'), gbk], element, name);
    expect(problems).toEqual([]);
    const isHex = name === 'id' && !('converted_type' in element);
    const failure = `${name} is not UTF-8 text; write the file again with its texts in UTF-8`;
    expect(rows.map((row) => row.failure)).toEqual([null, isHex ? null : failure]);
    expect(rows[0]?.input[name]).toBe('求值');
  }
});

it('tells ids in bytes apart', async () => {
  const ids = ['00112233445566778899aabbccddeeff', '00112233445566778899aabbccddeefe'].map((hex) =>
    Buffer.from(hex, 'hex'),
  );
  const uuid = { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16, logical_type: { type: 'UUID' } };
  for (const [element, data, expected] of [
    [{ type: 'BYTE_ARRAY' }, ids, ids.map((id) => id.toString('hex'))],
    [{ type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16 }, ids, ids.map((id) => id.toString('hex'))],
    [{ type: 'BYTE_ARRAY' }, [Uint8Array.of(0, 1), Uint8Array.of(0x41)], ['0001', 'A']],
    [
      uuid,
      ['00112233-4455-6677-8899-aabbccddeeff', '00112233-4455-6677-8899-aabbccddeefe'],
      ['00112233-4455-6677-8899-aabbccddeeff', '00112233-4455-6677-8899-aabbccddeefe'],
    ],
  ] as const) {
    const { rows, problems } = await answers(data, element, 'id');
    expect(problems).toEqual([]);
    expect(rows.map(({ id }) => id)).toEqual(expected);
  }
});

it.each([
  ['milliseconds', { type: 'INT32', converted_type: 'TIME_MILLIS' }, [45_000_000, 45_000_250], '.25'],
  [
    'microseconds',
    { type: 'INT64', converted_type: 'TIME_MICROS' },
    [45_000_000_000n, 45_000_000_001n],
    '.000001',
  ],
  [
    'nanoseconds',
    { type: 'INT64', logical_type: { type: 'TIME', isAdjustedToUTC: true, unit: 'NANOS' } },
    [45_000_000_000_000n, 45_000_000_000_100n],
    '.0000001',
  ],
] as const)('shows a time of the day in %s', async (_, element, data, fraction) => {
  const { rows, problems } = await answers(data, element);
  expect(problems).toEqual([]);
  expect(rows.map(({ input }) => input.answer)).toEqual(['12:30:00', `12:30:00${fraction}`]);
});

it('shows what is no time of the day as the number that it is', async () => {
  const element = { type: 'INT32', converted_type: 'TIME_MILLIS' };
  const { rows } = await answers([-1, 86_400_000, 86_399_999, 0, null], element);
  expect(rows.map(({ input }) => input.answer)).toEqual([-1, 86_400_000, '23:59:59.999', '00:00:00', null]);
});

it('names a column without U+0000, which no store could keep', async () => {
  const { rows, source } = await answers([1], { type: 'INT32' }, 'no\0te');
  expect(source.columns).toEqual(['question', 'no\ufffdte']);
  expect(rows.map(({ input }) => input)).toEqual([{ question: 'q0', 'no\ufffdte': 1 }]);
});

/** The numbers of a column as answers, as they would be sent; with the schema of that column. */
async function answers(
  data: readonly unknown[],
  element: Readonly<Record<string, unknown>>,
  name = 'answer',
): Promise<Awaited<ReturnType<typeof read>>> {
  const texts = data.map((_, at) => `q${at}`);
  const column = { name, repetition_type: 'OPTIONAL', ...element };
  const schema = [
    { name: 'root', num_children: 2 },
    { name: 'question', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' },
    column,
  ] as NonNullable<Parameters<typeof parquetWriteBuffer>[0]['schema']>;
  const columnData = [
    { name: 'question', data: texts },
    { name, data: data as never },
  ];
  return read(new Uint8Array(parquetWriteBuffer({ columnData, schema })));
}

const decimal = (precision: number, scale: number) => ({
  converted_type: 'DECIMAL',
  precision,
  scale,
  logical_type: { type: 'DECIMAL', precision, scale },
});
const onlyLogical = { logical_type: { type: 'DECIMAL', precision: 9, scale: 2 }, precision: 9, scale: 2 };

it.each([
  [
    'numbers of 32 bits',
    [0.1, 3.14, 2.5, 1234.56, -1e-7, 16777216],
    { type: 'FLOAT' },
    ['0.1', '3.14', '2.5', '1234.56', '-1e-7', '16777216'],
  ],
  [
    'numbers of 16 bits',
    [0.1, 3.14, 65504, 1 / 3, 0],
    { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 2, logical_type: { type: 'FLOAT16' } },
    ['0.1', '3.14', '65500', '0.3333', '0'],
  ],
  ['numbers of 64 bits', [0.1, 1e-7, Number.NaN], { type: 'DOUBLE' }, ['0.1', '1e-7', '']],
  ['numbers without end', [Number.POSITIVE_INFINITY, null], { type: 'DOUBLE' }, ['Infinity', '']],
  [
    'decimals of 32 bits',
    [115n, 110n, -5n, 0n, null],
    { type: 'INT32', ...decimal(9, 2) },
    ['1.15', '1.10', '-0.05', '0.00', ''],
  ],
  ['decimals without the older mark', [115, -5], { type: 'INT32', ...onlyLogical }, ['1.15', '-0.05']],
  ['decimals of 64 bits', [115n, 110n], { type: 'INT64', ...decimal(18, 2) }, ['1.15', '1.10']],
  [
    'decimals in bytes',
    [12345678901234567890123n, -1n, 0n],
    { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16, ...decimal(38, 20) },
    ['123.45678901234567890123', '-0.00000000000000000001', '0.00000000000000000000'],
  ],
  ['whole decimals', [7, 8], { type: 'INT32', ...decimal(9, 0) }, ['7', '8']],
])('sends %s with the digits of the file', async (_, data, element, expected) => {
  const { rows, problems } = await answers(data, element);
  expect(problems).toEqual([]);
  expect(rows.map(({ failure }) => failure)).toEqual(expected.map(() => null));
  expect(rows.map(({ content }) => JSON.parse(content)[2])).toEqual(expected);
});

it('tells ids beyond 2^53 apart', async () => {
  const ids = [12345678901234567890n, 12345678901234567891n];
  const element = { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16, ...decimal(38, 0) };
  const { rows, problems } = await answers(ids, element, 'id');
  expect(problems).toEqual([]);
  expect(rows.map(({ id }) => id)).toEqual(ids.map(String));
});

it('copies a date without end as text, and other dates as they are', async () => {
  const day = { type: 'INT32', converted_type: 'DATE' };
  const time = { type: 'INT64', converted_type: 'TIMESTAMP_MICROS' };
  const micros = { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'NANOS' } };
  const last = 2n ** 63n - 1n;
  for (const [data, element, expected] of [
    [[2 ** 31 - 1, -(2 ** 31) + 1, 19_879], day, ['infinity', '-infinity', '2024-06-05']],
    [[last, -last, 1_717_545_600_000_000n], time, ['infinity', '-infinity', '2024-06-05']],
    [[1_717_545_600_500_000_000n], micros, ['2024-06-05T00:00:00.500Z']],
  ] as const) {
    const { rows, problems } = await answers(data, element, 'written on');
    expect(problems).toEqual([]);
    expect(rows.map(({ input }) => input['written on'])).toEqual(expected);
  }
});

it.each([
  ['is cut off', (whole: Uint8Array) => whole.subarray(0, whole.length - 20), /its end is missing/],
  [
    'has no readable list of columns',
    (whole: Uint8Array) =>
      whole.map((byte, at) => (at > whole.length - 60 && at < whole.length - 8 ? 0xff : byte)),
    /damaged/,
  ],
  [
    'says that its list is as long as the memory',
    (whole: Uint8Array) => whole.map((byte, at) => (at === whole.length - 5 ? 0x7f : byte)),
    /its list of columns is too long/,
  ],
])('says in one line that a file %s', async (_, damage, message) => {
  const { problems } = await read(damage(new Uint8Array(parquetWriteBuffer({ columnData: columns(3) }))));
  expect(problems).toHaveLength(1);
  expect(problems[0]?.message).toMatch(message);
});

/** Parquet files, as data sets are published. */

import { parquetWriteBuffer } from 'hyparquet-writer';
import { expect, it } from 'vitest';
import { InputError, type Problem } from '../../../src/errors.ts';
import { loadParquetLibrary } from '../../../src/input/parquet/parquet-library.ts';
import { readParquet } from '../../../src/input/parquet/read-parquet.ts';
import { readQuestions } from '../../../src/input/read-questions.ts';
import { pictures } from '../../support/workbook.ts';
import { heard } from '../in-chinese.ts';
import { collect, type ReadResult } from '../read-file.ts';

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
      folder: '/data',
      format: null,
      delimiter: null,
      encoding: null,
      columns: {},
      readHead: async () => null,
      maxImageBytes: 20_000_000,
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

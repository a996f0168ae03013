/** `failed.xlsx`: read back as a table of the program, it is what was written. */

import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { keptEntry, unsendableEntry } from '../../src/files/image-source.ts';
import { inBoth, message } from '../../src/messages/message.ts';
import { type FailedCell, mostFailedRows, renderFailedWorkbook } from '../../src/reports/failed-workbook.ts';
import { readBook } from '../input/workbook/read-book.ts';
import { pictures } from '../support/workbook.ts';
import { numberFormats } from './report-book.ts';

const lostPicture = unsendableEntry(
  message('cell.at', { cell: 'Sheet1!B2', what: inBoth(message('cell.no-picture')) }),
);

const kept = ['a', 'b'].map((mark) => pictures.other(mark));
const digests = kept.map((bytes) => createHash('sha256').update(bytes).digest('hex'));
const [a = '', b = ''] = digests;

const readPicture = async (sha256: string): Promise<Uint8Array> => {
  const bytes = kept[digests.indexOf(sha256)];
  if (bytes === undefined) throw new Error('no such picture');
  return bytes;
};

async function render(rows: readonly (readonly FailedCell[])[]): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(renderFailedWorkbook(rows, readPicture) ?? []));
}

it('is read back with the same texts and pictures', async () => {
  const texts = ['007', '=1+2', "'quoted", '_x000D_', 'a\r\nb\u0001', ' <b> & "c" ', '-3', '题目 𝒙'];
  const rows: FailedCell[][] = texts.map((text) => ['1', text, [], 'x']);
  const result = await readBook(
    await render([
      ['no', 'question', 'questionImages', 'answer'],
      ...rows,
      ['1', '', [keptEntry(b), keptEntry(a), 'https://example.com/c.png', '=1.png'], ''],
      ['1', 'lost', [lostPicture], ''],
    ]),
    { isOwn: () => true },
  );
  expect(result.problems).toEqual([]);
  expect(result.questions.slice(0, texts.length).map(({ question }) => question)).toEqual(texts);
  expect(result.questions.at(-2)?.questionImages).toEqual([
    { kind: 'kept', sha256: b },
    { kind: 'kept', sha256: a },
    { kind: 'url', url: 'https://example.com/c.png' },
    { kind: 'file', path: '/data/=1.png' },
  ]);
  expect(result.rows.map(({ failure }) => failure)).toEqual([
    ...texts.map(() => null),
    'questionImages: "=1.png" is missing or not a file',
    'Sheet1!B2: the picture is not in the workbook; insert it again',
  ]);
});

it('keeps what is typed into it as it is typed: every cell and column is one of texts', async () => {
  const file = await render([
    ['question', 'questionImages', 'answer'],
    ['How much?', [keptEntry(a)], ''],
    ['x', [], '2/3'],
  ]);
  const { columns, cells } = await numberFormats(file);
  expect([columns, ...cells]).toEqual([...Array(4)].map(() => [49, 49, 49]));
  expect((await readBook(file)).questions.map(({ answer }) => answer)).toEqual(['', '2/3']);
});

it('keeps pictures in their rows, those after an address in their place, and takes none away with an entry that cannot be sent', async () => {
  const image = 'https://example.com/c.png';
  const chart = lostPicture;
  const file = await render([
    ['question', 'questionImages'],
    ['x', [keptEntry(a), image, keptEntry(b)]],
    ['y', [chart, keptEntry(b)]],
  ]);
  const { questions, rows, found } = await readBook(file);
  expect(found.notes.filter((note) => note.startsWith('warning'))).toEqual([]);
  expect(questions[0]?.questionImages).toEqual([
    { kind: 'kept', sha256: a },
    { kind: 'url', url: image },
    { kind: 'kept', sha256: b },
  ]);
  expect(rows[1]?.input.questionImages).toEqual([keptEntry(b), chart]);
});

it('is not written with texts that fit in no cell, or with too many rows', () => {
  expect(renderFailedWorkbook([['question'], ['x'.repeat(32_768)]], readPicture)).toBeNull();
  expect(
    renderFailedWorkbook(
      Array.from({ length: mostFailedRows + 1 }, () => ['x']),
      readPicture,
    ),
  ).toBeNull();
});

it('is not written where a picture is gone', async () => {
  await expect(
    render([
      ['question', 'image'],
      ['x', [keptEntry('0'.repeat(64))]],
    ]),
  ).rejects.toThrow('no such picture');
});

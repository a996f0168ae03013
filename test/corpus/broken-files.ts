/** Files that cannot be read as a whole: each with every place that has to be named, and what has to be said there. */

import { deflateRawSync, gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { clip, picture } from '../cli/support/scripted-service.ts';
import { encodeUtf16 } from '../input/read-file.ts';
import { encodeGb18030 } from './encodings.ts';

/** One problem: its line (null: the whole file) and a piece of what is said about it. */
type Told = readonly [line: number | null, says: string];

export interface BrokenFile {
  readonly what: string;
  readonly file: string;
  readonly content: string | Uint8Array;
  /** All problems there are, in the order of lines. */
  readonly told: readonly Told[];
}

type Written = readonly [what: string, content: string | Uint8Array, ...told: readonly Told[]];

const bytes = (...parts: readonly (string | readonly number[] | Uint8Array)[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Uint8Array.from(part))));

const never = 'a quote opened here or below is never closed';
const inner = 'write the inner quote twice ("")';
const afterQuote = 'inside a quoted cell, write each quote twice ("")';
const tooMany = 'put cells that contain the delimiter in quotes';
const sayColumn = 'choose one with --map question=COLUMN';
const nameColumn = 'no column has a name; name one of them question';
const saveAsUtf8 = 'save the file as UTF-8, or specify its encoding with --encoding';
const nul = 'this line contains a NUL character (U+0000); is this a text file?';
const unpack = 'a compressed file; unpack it first';
const lineObject = 'each line must be one complete JSON object';
const anObject = 'write one per line, such as {"question": "…"}';
const tooDeep = 'nested deeper than 100 levels; make it flat';

const quoting: readonly Written[] = [
  ['a quote that is never closed', 'id,question\na,One\nb,"Two\nc,Three\n', [3, never]],
  ['a quote in the header that is never closed', 'id,"question\na,One\n', [1, never]],
  [
    'quotes in cells without quotes around them, in lines with quoted cells',
    'id,question\n"a",x "y" z\nb,Two\n"c",5" wide\n',
    [2, inner],
    [4, inner],
  ],
  ['text behind a closing quote', 'id,question\na,"One" more\nb,Two\n', [2, afterQuote], [2, never]],
  [
    'text behind a quote that closes lines below',
    'id,question\na,"One\nand\n" more\nb,Two\n',
    [4, 'in the row that starts at line 2'],
    [4, never],
  ],
  ['a space before quotes', 'id, "question"\na, "One"\n', [1, inner], [2, inner]],
  ['quotes written with a backslash', 'id,question\na,"say \\"yes\\" now"\nb,Two\n', [2, afterQuote]],
];

const columns: readonly Written[] = [
  [
    'too many cells',
    'id,question\na,One, two\nb,Two\nc,1,2,3\n',
    [2, `3 cells where the header has 2; ${tooMany}`],
    [4, '4 cells where the header has 2'],
  ],
  [
    'headers that stand twice',
    'question,note,question,note\nOne,,Two,\n',
    [1, 'the headers "question", "note" stand twice, side by side'],
  ],
  [
    'two headers of one meaning',
    'problem,prompt\nOne,Two\n',
    [1, 'all mean question; choose one with --map question=COLUMN'],
  ],
  [
    'two headers that differ by case',
    'Question,QUESTION\nOne,Two\n',
    [1, '"Question", "QUESTION" all mean question'],
  ],
  ['no question column', 'id,date\na,Monday\n', [1, `the columns are "id", "date"; ${sayColumn}`]],
  ['no header', 'What is one?\nWhat is two?\n', [1, 'add a line above the first one that names the columns']],
  ['a header of delimiters', ',,,\na,b,c,\n', [1, nameColumn]],
  ['blanks only', ' \r\n\n \n', [1, nameColumn]],
  ['another delimiter', 'id|question\na|One\n', [1, "add --delimiter '|'"]],
  ['a caret between cells, below a title', 'title\nid^question\na^One\n', [2, "add --delimiter '^'"]],
  ['cells in quotes between dots', '"id"·"question"\n"a"·"One"\n', [1, "add --delimiter '·'"]],
  ['another delimiter behind one name', 'question^level\nOne^1\n', [1, sayColumn]],
  [
    'ten thousand columns and no question',
    `${Array.from({ length: 10_000 }, (_, at) => `c${at}`).join(',')}\n`,
    [1, '"c19" and 9,980 more; choose one with'],
  ],
  ['a header without an end', 'x'.repeat(300_000), [1, sayColumn]],
];

const ids: readonly Written[] = [
  [
    'ids that stand twice',
    'id,question\na,One\nb,Two\na,Three\nb,Four\n',
    [4, 'the id "a" is already used on line 2'],
    [5, 'the id "b" is already used on line 3'],
  ],
  [
    'ids that are the same but for blanks',
    'id,question\na,"One\nmore"\n" a ",Two\n',
    [4, 'the id "a" is already used on line 2'],
  ],
];

const empty: readonly Written[] = [
  ['nothing in it', '', [null, 'the file is empty']],
  ['line ends only', '\r\n\n\r\r\n', [null, 'the file is empty']],
  ['a byte order mark and nothing else', '\ufeff', [null, 'the file is empty']],
  ['a byte order mark of UTF-16 and nothing else', bytes([0xff, 0xfe]), [null, 'the file is empty']],
  [
    'a byte order mark of UTF-16, high byte first, and nothing else',
    bytes([0xfe, 0xff]),
    [null, 'the file is empty'],
  ],
];

const chinese = 'id,题目\na,求和的问题\n';

const undecodable: readonly Written[] = [
  ['NUL bytes', 'id,question\na,O\0ne\nb,Two\nc,\0\n', [2, nul], [4, nul]],
  [
    'Western letters of one byte',
    Buffer.from('question\nÉtudiez la série\nOne\nÜber Flächen\n', 'latin1'),
    [1, '--encoding windows-1252 (Étudiez)'],
  ],
  ['one damaged line', bytes(chinese, 'b,', [0xe9, 0xa2], '\nc,第二道题目\n'), [3, saveAsUtf8]],
  ['half a character at its end', Buffer.from(`${chinese}b,求和`).subarray(0, -1), [3, saveAsUtf8]],
  [
    'half a character of GB18030 at its end',
    encodeGb18030(`${chinese}b,第二道题目`).subarray(0, -1),
    [3, 'not valid GB18030'],
  ],
  [
    'a character of four bytes of GB18030 cut at its end',
    encodeGb18030(`${chinese}b,第二道题目𠮷`).subarray(0, -1),
    [3, 'not valid GB18030'],
  ],
  [
    'half a character of UTF-16 at its end',
    encodeUtf16('\ufeffquestion\nOne', 'low-first').subarray(0, -1),
    [2, 'not valid UTF-16LE'],
  ],
  [
    'half a pair in UTF-16',
    encodeUtf16('\ufeffquestion\nOne \ud83d x\nTwo\n', 'high-first'),
    [2, 'not valid UTF-16BE'],
  ],
  ['half a pair written as UTF-8', bytes('question\nOne ', [0xed, 0xa0, 0xbd], '\n'), [2, saveAsUtf8]],
  ['a letter spelled too long', bytes(chinese, 'b,', [0xc0, 0xaf], '\n'), [3, saveAsUtf8]],
  [
    'UTF-32',
    bytes([0xff, 0xfe, 0, 0], ...Array.from('question\n', (letter) => [letter.charCodeAt(0), 0, 0, 0])),
    [1, nul],
    [1, sayColumn],
  ],
  ['NUL bytes only', Buffer.alloc(1_000), [null, 'the file is empty']],
];

/** A file of rows without ids in which the byte at this place is none of UTF-8, and the line it stands on. */
function damagedAt(place: number): Written {
  const whole = Buffer.from(`题目\n${'求和的问题\n'.repeat(12_000)}`);
  const start = whole.lastIndexOf('\n', place - 1) + 1;
  const line = whole.subarray(0, start).toString().split('\n').length;
  whole[whole[place] === 0x0a ? place - 1 : place] = 0xff;
  return [`a damaged byte at ${place}`, whole, [line, saveAsUtf8]];
}

const atBoundaries = [-2, -1, 0, 1]
  .flatMap((shift) => [64 * 1024 + shift, 128 * 1024 + shift])
  .map(damagedAt);

const otherKinds: readonly Written[] = [
  ['a picture', picture, [null, 'an image; list it in the images column of a CSV file']],
  ['a video', clip, [null, 'a video; give the file with the questions']],
  ['a packed file', gzipSync('question\nOne\n'), [null, unpack]],
  [
    'a workbook',
    bytes('PK', [3, 4, 20, 0, 6, 0, 8, 0], '[Content_Types].xml', deflateRawSync('<x/>'.repeat(99))),
    [null, 'an Excel workbook; save the sheet as CSV (UTF-8)'],
  ],
  [
    'an old workbook',
    bytes([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1], Buffer.alloc(504)),
    [null, 'save the sheet as CSV (UTF-8)'],
  ],
  [
    'a PDF',
    bytes('%PDF-1.7\n%', [0xe2, 0xe3, 0xcf, 0xd3], '\n1 0 obj\n'),
    [null, 'copy the questions into a CSV file'],
  ],
  ['a checkpoint', bytes('SQLite format 3\0', Buffer.alloc(84)), [null, 'export the questions as CSV']],
  ['a page', '<!DOCTYPE html>\n<html><body>Not found</body></html>\n', [1, sayColumn]],
  ['JSON lines under the name of a table', '{"id":"a","question":"One"}\n', [1, inner], [1, never]],
];

const jsonl: readonly Written[] = [
  [
    'broken JSON',
    '{"question":"One"}\n{"question":\n{"question":"Three"}\n{question:"Four"}\n',
    [2, lineObject],
    [4, lineObject],
  ],
  ['a cut last line', '{"question":"One"}\n{"question":"Tw', [2, lineObject]],
  [
    'lists, numbers and nulls',
    '1\nnull\ntrue\n"x"\n{"question":"One"}\n[]\n',
    ...[1, 2, 3, 4, 6].map((line): Told => [line, anObject]),
  ],
  [
    'one JSON array',
    '[\n  {"question":"One"},\n  {"question":"Two"}\n]\n',
    [1, 'use one object per line instead (jq -c ".[]" converts it)'],
  ],
  ['commas between the rows', '{"question":"One"},\n{"question":"Two"}\n', [1, 'jq -c .']],
  ['a comma before the end of a row', '{"question":"One",}\n', [1, lineObject]],
  ['one object over many lines', '{\n  "question": "One"\n}\n', [1, 'jq -c .']],
  ['other quotes', "{'question':'One'}\n", [1, lineObject]],
  [
    'values that JSON has not',
    '{"question":nan}\n{"question":undefined}\n',
    [1, lineObject],
    [2, lineObject],
  ],
  ['a table', 'id,question\na,One\n', [1, lineObject], [2, lineObject]],
  [
    'a key that stands twice',
    '{"question":"One"}\n{"question":"a \\": {","x":{"question":1},"que\\u0073tion" : "b"}\n',
    [2, 'the key "question" appears twice in this row; remove one of them'],
  ],
  [
    'a key that stands twice below another',
    '{"question":"One","note":[{"x":1},{"x":2}]}\n{"question":"Two","note":[{"x":1,"y":{},"x":2}]}\n',
    [2, 'the key "x" appears twice in this row; remove one of them'],
  ],
  [
    'ids that stand twice',
    '{"id":1,"question":"One"}\n\n{"id":"1","question":"Two"}\n',
    [3, 'the id "1" is already used on line 1'],
  ],
  [
    'two keys of one meaning',
    '{"prompt":"One"}\n{"question":"Two"}\n',
    [2, 'choose one with --map question=KEY'],
  ],
  ['no question', '{"name":"One"}\n', [null, `the columns are "name"; ${sayColumn}`]],
  ['rows without a key', '{}\n{}\n', [null, nameColumn]],
  ['a question only in what rows inherit', '{"__proto__":{"question":"One"}}\n', [null, sayColumn]],
  ['blank lines only', '\n \n\r\n', [null, 'the file is empty']],
  ['a NUL', '{"question":"O\0ne"}\n', [1, nul]],
  ['a damaged byte', bytes('{"question":"One"}\n{"question":"', [0xff], '"}\n'), [2, saveAsUtf8]],
  ['a picture in it', picture, [null, 'an image; list it in the images column of a CSV file']],
  ...['question', 'images', 'answer', 'note'].map((key): Written => {
    const deep = '['.repeat(10_000) + ']'.repeat(10_000);
    return [`ten thousand levels below ${key}`, `{"question":"One"}\n{"${key}":${deep}}\n`, [2, tooDeep]];
  }),
];

const named = (file: string, written: readonly Written[]): BrokenFile[] =>
  written.map(([what, content, ...told]) => ({ what, file, content, told }));

export const brokenFiles: readonly BrokenFile[] = [
  ...named('q.csv', [...quoting, ...columns, ...ids, ...empty, ...undecodable, ...otherKinds]),
  ...named('q.jsonl', jsonl),
];

/** The same damage wherever blocks of bytes end. */
export const filesDamagedAtBoundaries = named('q.csv', atBoundaries);

/** All that has to be said, each with its line. */
export function asProblems(told: readonly Told[]) {
  return told.map(([line, says]) => ({ line, message: expect.stringContaining(says) }));
}

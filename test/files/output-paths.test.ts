import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  folderName,
  folderNameApart,
  frameTarget,
  keptPath,
  movedPath,
  taskFilePath,
  videoTarget,
} from '../../src/files/output-paths.ts';
import { anyText } from '../money/any-text.ts';

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
const folderOf = (id: string): string => folderName(id, digest);
const byteLength = (text: string): number => Buffer.byteLength(text);

/** Fails unless every file system keeps this name as one folder that is not hidden and not an option of a command. */
function expectSafe(folder: string): void {
  expect(byteLength(folder)).toBeGreaterThan(0);
  expect(byteLength(folder)).toBeLessThanOrEqual(80);
  expect(folder).not.toMatch(/[\\/:*?"<>|~$%\s\p{C}\p{M}]/u);
  expect(folder).not.toMatch(/^[.-]/);
  expect(folder).not.toMatch(/[. ]$/);
  expect(folder).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(\.|$)/i);
  expect(folder).not.toMatch(/^(batch|report|failed|simulator)\./i);
  expect(folder.normalize('NFC')).toBe(folder);
  expect(folder.normalize('NFD')).toBe(folder);
  expect(folder.isWellFormed()).toBe(true);
}

describe('an id that every file system keeps', () => {
  it.each([
    'q-0017',
    'row-42',
    'Chapter_3.2',
    '题目一',
    '物理-第3章',
    '_draft',
    'a',
    '0',
    'a..b',
    'x'.repeat(80),
    '题'.repeat(26),
    'confirm',
    'report',
    'com10',
    'nullable.1',
  ])('names its folder as it is: %s', (id) => {
    expect(folderOf(id)).toBe(id);
    expectSafe(folderOf(id));
  });
});

describe('an id that some file system would take for something else', () => {
  it.each([
    ['a way out', '../../etc/passwd'],
    ['a way out on Windows', '..\\..\\windows'],
    ['an absolute path', '/etc/passwd'],
    ['a drive', 'C:\\x'],
    ['a server', '\\\\server\\share'],
    ['the folder itself', '.'],
    ['the folder above', '..'],
    ['a hidden folder', '.git'],
    ['an option', '-rf'],
    ['the home folder', '~'],
    ['a variable', '$HOME'],
    ['a stream', 'a:stream'],
    ['a pattern', 'a*?'],
    ['a quoted name', '"a"'],
    ['a folder in a folder', 'a/b'],
    ['a line break', 'a\nb'],
    ['a NUL', 'a\u0000b'],
    ['a colour', '\u001b[31mred'],
    ['reversed text', 'a\u202egpj.exe'],
    ['a space', 'a b'],
    ['only spaces', '   '],
    ['nothing', ''],
    ['a trailing dot', 'a.'],
    ['trailing dots and spaces', 'a. . '],
    ['the device CON', 'CON'],
    ['a device with an extension', 'nul.txt'],
    ['a device and a space', 'aux '],
    ['a numbered device', 'com1'],
    ['a numbered device in small figures', 'LPT\u00b9'],
    ['the report', 'report.csv'],
    ['the report in capitals', 'REPORT.HTML'],
    ['the failed rows', 'failed.csv'],
    ['the checkpoint', 'batch.sqlite'],
    ['the log', 'Batch.log'],
    ['the rehearsal', 'simulator.jsonl'],
    ['an emoji', '🎬'],
    ['a family of emoji', '👨‍👩‍👧'],
    ['half an emoji', 'a\ud83c'],
    ['a letter with an accent', 'Übung'],
    ['a letter and an accent', 'U\u0308bung'],
    ['Greek, which has case', 'Σίσυφος'],
    ['Korean, which is composed', '문제'],
    ['wide letters', 'ＡＢＣ'],
    ['400 letters', 'x'.repeat(400)],
    ['400 Chinese letters', '题'.repeat(400)],
    ['400 emoji', '🎬'.repeat(400)],
    ['81 letters', 'x'.repeat(81)],
    ['dots where it is cut', `${'x'.repeat(60)}${'.'.repeat(40)}y`],
  ])('gets a safe name with a digest: %s', (_, id) => {
    const folder = folderOf(id);
    expectSafe(folder);
    expect(folder.endsWith(`-${digest(id).slice(0, 8)}`)).toBe(true);
  });

  it('keeps what is harmless, so that people find it', () => {
    expect(folderOf('../../etc/passwd')).toMatch(/^______etc_passwd-[0-9a-f]{8}$/);
    expect(folderOf('第 3 章: 力')).toMatch(/^第_3_章__力-[0-9a-f]{8}$/);
    expect(folderOf('report.csv')).toMatch(/^_report\.csv-/);
    expect(folderOf('🎬')).toMatch(/^_-/);
    expect(folderOf('')).toMatch(/^row-/);
    expect(folderOf('...')).toMatch(/^___-/);
  });

  it('is cut between letters, to the length that is left', () => {
    expect(folderOf('题'.repeat(400))).toBe(`${'题'.repeat(23)}-${digest('题'.repeat(400)).slice(0, 8)}`);
    expect(byteLength(folderOf('x'.repeat(400)))).toBe(80);
  });
});

test('ids that differ have folders that differ, though they look alike', () => {
  const alike = [
    'U\u0308',
    '\u00dc',
    'U',
    'U ',
    ' U',
    'U.',
    'a/b',
    'a_b',
    'a:b',
    'a b',
    'a\\b',
    '',
    ' ',
    '.',
    '..',
  ];
  expect(new Set(alike.map(folderOf)).size).toBe(alike.length);
  const long = ['x'.repeat(400), 'x'.repeat(401), `${'x'.repeat(399)}y`];
  expect(new Set(long.map(folderOf)).size).toBe(3);
});

test('ids that differ in case only meet here, and are set apart within the length that is left', () => {
  const [lower, upper] = [folderOf('same'), folderOf('SAME')];
  expect(upper.toLowerCase()).toBe(lower);
  expect(folderNameApart(upper, digest('2 SAME'))).toBe(`SAME-${digest('2 SAME').slice(0, 8)}`);
  const long = folderNameApart('题'.repeat(26), digest('x'));
  expect(long).toBe(`${'题'.repeat(23)}-${digest('x').slice(0, 8)}`);
  expectSafe(long);
});

test('any id gives one safe folder, again and again the same, also when it is set apart', () => {
  const letters = fc.oneof(
    anyText,
    fc.string({ unit: 'grapheme', maxLength: 200, size: 'max' }),
    fc.string({
      unit: fc.constantFrom(
        '.',
        '-',
        ' ',
        '_',
        '/',
        '\\',
        'com1',
        'NUL',
        'report',
        'x',
        '题',
        '\ud800',
        '\u0301',
      ),
    }),
  );
  fc.assert(
    fc.property(letters, (id) => {
      const folder = folderOf(id);
      expectSafe(folder);
      expect(folderOf(id)).toBe(folder);
      expectSafe(folderNameApart(folder, digest(id)));
    }),
    { numRuns: 2_000 },
  );
});

test('two ids meet in one folder only where they differ in case alone', () => {
  const id = fc.string({ unit: fc.constantFrom('a', 'A', '_', ' ', '/', '.', '题', 'ü', 'u', '\u0308') });
  fc.assert(
    fc.property(id, id, (one, other) => {
      const meet = folderOf(one).toLowerCase() === folderOf(other).toLowerCase();
      expect(meet).toBe(one === other || (meet && one.toLowerCase() === other.toLowerCase()));
    }),
    { numRuns: 2_000 },
  );
});

test('the files of an item stand in its folder', () => {
  const item = { folder: 'sum-1', attempt: 2 };
  expect(videoTarget(item, 'by-item')).toBe('sum-1/video');
  expect(frameTarget(item, 1, 'by-item')).toBe('sum-1/frames/001');
  expect(frameTarget(item, 1_234, 'by-item')).toBe('sum-1/frames/1234');
  expect(taskFilePath(item, 'by-item')).toBe('sum-1/task.json');
});

test('where several processes write, each attempt has a folder', () => {
  const item = { folder: 'sum-1', attempt: 2 };
  expect(videoTarget(item, 'by-attempt')).toBe('sum-1/attempt-2/video');
  expect(frameTarget(item, 1, 'by-attempt')).toBe('sum-1/attempt-2/frames/001');
  expect(taskFilePath(item, 'by-attempt')).toBe('sum-1/attempt-2/task.json');
});

test('a file has its place in the other layout when its run moves, and its old one when it comes back', () => {
  const item = { folder: 'sum-1', attempt: 2 };
  const there = (path: string, earlier: number | null = null): string => movedPath(path, item, earlier);
  expect(there('sum-1/frames/001.png')).toBe('sum-1/attempt-2/frames/001.png');
  expect(there('sum-1/attempt-1/video.webm', 1)).toBe('sum-1/attempt-1/video.webm');
  expect(there('sum-1/video.webm', 1)).toBe('sum-1/attempt-1/video.webm');
  expect(there('sum-10/video.webm')).toBe('sum-10/video.webm');
});

test('a picture of a workbook is kept under its digest', () => {
  expect(keptPath('ab12')).toBe('images/ab12');
});

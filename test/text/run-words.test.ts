import { afterEach, describe, expect, it, test } from 'vitest';
import {
  asTyped,
  collectCalls,
  folderWords,
  programName,
  readingWords,
  sharedWords,
  typeAs,
  typedCommand,
} from '../../src/text/run-words.ts';

describe('the words for a run on a command line', () => {
  it('name the file that it was read from, as far as that is known', () => {
    expect(readingWords('q.csv --add', folderWords('a'))).toBe('run q.csv --add --out a');
    for (const input of [null, undefined])
      expect(readingWords(input, folderWords('a'))).toBe('run FILE --out a');
  });

  it('name its folder', () => {
    expect(folderWords('./my videos')).toEqual({
      run: "'./my videos'",
      file: "--out './my videos'",
      isShared: false,
    });
    expect(folderWords('./a', true)).toMatchObject({
      run: './a --store none',
      file: '--out ./a --store none',
    });
  });

  it('stand in the command that makes the calls that are left', () => {
    expect(collectCalls(folderWords('videos'))).toBe('batch collect videos --on-row CMD');
  });

  it('name it in its store, whose address is in the environment', () => {
    expect(sharedWords('algebra', null)).toEqual({
      run: '--run algebra',
      file: '--run algebra',
      isShared: true,
    });
  });

  it.each([
    ['postgres://batch:s3cret@db/batch', 'postgres://batch@db/batch'],
    ['postgres://db/batch?password=s3cret&sslmode=require', "'postgres://db/batch?sslmode=require'"],
    ['postgres//s3cret@db', '...'],
  ])('show no password of %s', (store, shown) => {
    expect(sharedWords('algebra', store).run).toBe(`--store ${shown} --run algebra`);
  });
});

afterEach(() => typeAs('batch'));

test.each([
  ['Next: batch resume x', 'Next: npx batch resume x'],
  ['下一步：batch resume x', '下一步：npx batch resume x'],
  ['2 rows   batch retry x --failed', '2 rows   npx batch retry x --failed'],
  ['settle them with `batch resolve`', 'settle them with `npx batch resolve`'],
  ['another batch process of `batch-video`', 'another batch process of `batch-video`'],
])('the commands in "%s" are said as they work under npx, once', (line, said) => {
  expect(asTyped(line)).toBe(line);
  typeAs('npx batch');
  expect(programName()).toBe('npx batch');
  expect(asTyped(line)).toBe(said);
  expect(asTyped(said)).toBe(said);
});

test('a whole command begins with the name that its user types', () => {
  typeAs('batch-video');
  expect(typedCommand('batch resume x')).toBe('batch-video resume x');
  expect(typedCommand(typedCommand('batch resume x'))).toBe('batch-video resume x');
});

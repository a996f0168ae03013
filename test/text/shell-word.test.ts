import { execFileSync } from 'node:child_process';
import { afterEach, describe, expect, it, test } from 'vitest';
import {
  shellCommand,
  shellOption,
  shellPath,
  shellWord,
  writeForSystem,
} from '../../src/text/shell-word.ts';

test.each(['./videos', 'row-17', '/a/b_c.d', '题目/一', 'C:/videos'])('%s stays as it is', (word) => {
  expect(shellWord(word)).toBe(word);
});

test.each(['', 'my videos', "it's", '$HOME', '~', '-x', 'a;b', 'a"b', '`id`', 'a\\b', '*', '!x', '#x', '=x'])(
  'a shell takes %j back as one word',
  (word) => {
    expect(execFileSync('/bin/sh', ['-c', `printf %s ${shellWord(word)}`], { encoding: 'utf8' })).toBe(word);
  },
);

test('a folder that looks like an option is written as a path', () => {
  expect(shellPath('-videos')).toBe('./-videos');
});

test('any other folder is one word', () => {
  expect(shellPath('./my videos')).toBe("'./my videos'");
});

test('a value that looks like an option is joined to its own', () => {
  expect(shellOption('only', 'a b,c')).toBe("--only 'a b,c'");
  expect(shellOption('only', '-x')).toBe("--only='-x'");
});

test('a command may have variables of its own', () => {
  expect(shellCommand({ A: 'https://x.example', B: 'k' }, 'batch run q.csv')).toBe(
    'A=https://x.example B=k batch run q.csv',
  );
});

describe('on Windows', () => {
  const onWindows = <T>(write: () => T): T => {
    writeForSystem('win32');
    return write();
  };
  afterEach(() => writeForSystem('linux'));

  it.each([
    ['row-17', 'row-17'],
    ['题目/一', '题目/一'],
    ['my videos', '"my videos"'],
    ["it's", '"it\'s"'],
    ['', '""'],
    // Without quotes PowerShell would make a list, look for a variable, or run a part of it.
    ['a,b', '"a,b"'],
    ['@marks.csv', '"@marks.csv"'],
    ['100%', '"100%"'],
    ['$HOME `id`', '"`$HOME ``id``"'],
    ['say "x"', String.raw`"say \""x\"""`],
  ])('%s is one word for PowerShell and cmd', (text, word) => {
    expect(onWindows(() => shellWord(text))).toBe(word);
  });

  it.each([
    [String.raw`.\videos\algebra/report.html`, './videos/algebra/report.html'],
    [String.raw`C:\my videos\/report.csv`, '"C:/my videos/report.csv"'],
    [String.raw`\\server\share\x`, '//server/share/x'],
    ['-videos', './-videos'],
  ])('a path has one kind of slash: %s', (path, word) => {
    expect(onWindows(() => shellPath(path))).toBe(word);
  });

  it('variables are set as PowerShell does', () => {
    expect(onWindows(() => shellCommand({ A: 'k' }, 'batch run q.csv'))).toBe('$env:A="k"; batch run q.csv');
  });
});

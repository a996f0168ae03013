import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { shellOption, shellPath, shellWord } from '../../../src/core/text/shell-word.ts';

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

import { describe, expect, it } from 'vitest';
import { commandWords } from '../../src/text/command-words.ts';

describe('the words of a command line', () => {
  it.each([
    ['', []],
    ['  ./upload.sh   --to there ', ['./upload.sh', '--to', 'there']],
    [`curl -d 'a "b" \\c' "d 'e' \\"f\\" \\g"`, ['curl', '-d', 'a "b" \\c', `d 'e' "f" \\g`]],
    ["a'b c'd", ['ab cd']],
    [`echo '' ""`, ['echo', '', '']],
    [String.raw`C:\tools\send.exe "C:\My Files\x"`, ['C:\\tools\\send.exe', 'C:\\My Files\\x']],
    [String.raw`a\ b \'c\' \\d e\ `, ['a b', "'c'", '\\d', 'e ']],
    ['end\\', ['end\\']],
    ['echo $HOME; rm *', ['echo', '$HOME;', 'rm', '*']],
  ])('of %j are %j', (line, words) => {
    expect(commandWords(line)).toEqual(words);
  });

  it.each([`echo 'a`, 'echo "a', `echo "a'`])('are unknown where a quote has no end: %j', (line) => {
    expect(commandWords(line)).toBeNull();
  });
});

import { describe, expect, it } from 'vitest';
import { droppedFiles } from '../../src/release/dropped-files.ts';

const name = 'batch-run.cmd';
const explorer = (files: string) =>
  `C:\\Windows\\system32\\cmd.exe /c ""C:\\我的 批处理 (1)\\${name}" ${files}"`;
const dropped = (commandLine: string, words: readonly string[] = []) =>
  droppedFiles({ name, commandLine, words });

describe('the files that Explorer hands over', () => {
  it.each([
    ['blanks', '"C:\\my tables\\q.xlsx"', ['C:\\my tables\\q.xlsx']],
    ['Chinese', 'C:\\题目\\数学.xlsx', ['C:\\题目\\数学.xlsx']],
    ['an & without a blank, which is not quoted', 'C:\\a&b\\q.xlsx', ['C:\\a&b\\q.xlsx']],
    ['an & with a blank', '"C:\\a & b\\q.xlsx"', ['C:\\a & b\\q.xlsx']],
    ['%, ! and ^', 'C:\\100%PATH%\\q!x!^.xlsx', ['C:\\100%PATH%\\q!x!^.xlsx']],
    ['parentheses', '"C:\\q (1).xlsx"', ['C:\\q (1).xlsx']],
    ['two files', 'C:\\a.xlsx "C:\\b c.xlsx"', ['C:\\a.xlsx', 'C:\\b c.xlsx']],
    ['three files', '"C:\\a b.xlsx" C:\\c.xlsx C:\\d.xlsx', ['C:\\a b.xlsx', 'C:\\c.xlsx', 'C:\\d.xlsx']],
  ])('%s', (_, files, paths) => {
    expect(dropped(explorer(files), ['C:\\a'])).toEqual(paths);
  });

  it('none: it was double-clicked', () => {
    expect(dropped(explorer(''))).toEqual([]);
    expect(dropped(explorer('""'))).toEqual([]);
  });

  it('the name may be written in capitals', () => {
    expect(dropped(`cmd /c ""C:\\BATCH-RUN.CMD" C:\\a.xlsx"`)).toEqual(['C:\\a.xlsx']);
  });

  it('without the quote around all', () => {
    expect(dropped(`cmd /c C:\\${name} "C:\\a b.xlsx"`)).toEqual(['C:\\a b.xlsx']);
  });
});

it('typed in a terminal, the words themselves are the files', () => {
  expect(dropped('"C:\\Windows\\system32\\cmd.exe"', ['q & a.xlsx', ''])).toEqual(['q & a.xlsx']);
  expect(droppedFiles({ name: '', commandLine: 'x', words: ['a', 'b'] })).toEqual(['a', 'b']);
});

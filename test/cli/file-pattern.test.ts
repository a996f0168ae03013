import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { filesOf } from '../../src/cli/file-pattern.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

it('a pattern names the files of its folder on Windows, and nothing elsewhere', async () => {
  await using folder = await temporaryFolder();
  const { path } = folder;
  for (const name of ['b.xlsx', '题目.xlsx', '~$b.xlsx', '.c.xlsx', 'a.XLSX', 'x+y.csv', 'xxy.csv'])
    writeFileSync(join(path, name), '');
  mkdirSync(join(path, 'more'));
  const on = (system: string, word: string) =>
    filesOf(`${path}/${word}`, system).map((each) => each.slice(path.length + 1));
  expect(on('win32', '*.xlsx')).toEqual(['a.XLSX', 'b.xlsx', '题目.xlsx']);
  expect(on('win32', '题?.xlsx')).toEqual(['题目.xlsx']);
  expect(on('win32', 'x+*.csv')).toEqual(['x+y.csv']);
  expect(on('win32', '*.parquet')).toEqual(['*.parquet']);
  expect(on('win32', 'none/*.csv')).toEqual(['none/*.csv']);
  expect(on('win32', 'b.xlsx')).toEqual(['b.xlsx']);
  expect(on('linux', '*.xlsx')).toEqual(['*.xlsx']);
  expect(filesOf(`${path}\\*.xlsx`, 'win32')).toEqual([`${path}\\*.xlsx`]);
});

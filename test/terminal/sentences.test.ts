/** Sentences that are known by their English: what the readers of files and refused commands say. */

import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { commandSentences } from '../../src/terminal/phrases/commands-zh.ts';
import { fileParts, fileSentences } from '../../src/terminal/phrases/files-zh.ts';
import { phrasesOf } from '../../src/terminal/phrases/phrases.ts';
import { rowParts, rowSentences } from '../../src/terminal/phrases/rows-zh.ts';
import { createTranslator } from '../../src/terminal/phrases/sentences.ts';
import { usageParts, usageSentences } from '../../src/terminal/phrases/usage-zh.ts';
import { videoSentences } from '../../src/terminal/phrases/videos-zh.ts';
import { workbookParts, workbookSentences } from '../../src/terminal/phrases/workbook-zh.ts';

const all = [
  ...[
    ...fileSentences,
    ...rowSentences,
    ...workbookSentences,
    ...usageSentences,
    ...commandSentences,
    ...videoSentences,
  ],
  ...[...fileParts, ...rowParts, ...workbookParts, ...usageParts],
];

const source = globSync('src/**/*.ts')
  .filter((file) => !file.includes('phrases'))
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n')
  .replaceAll('\\', '');

const valuesIn = (text: string): string[] => (text.match(/\{[a-zA-Z]+\}/g) ?? []).toSorted();

/** True for words that stand in the source: together, or in a few parts that are joined there. */
function isSaid(words: readonly string[], parts = 3): boolean {
  if (words.length === 0) return true;
  if (parts === 0) return false;
  const lengths = words.map((_, at) => words.length - at);
  const most = lengths.find((length) => source.includes(words.slice(0, length).join(' ')));
  return most !== undefined && isSaid(words.slice(most), parts - 1);
}

test.each(all)('%s', (english, chinese) => {
  const pieces = english.split(/\{[a-zA-Z]+\}|[;:,?()] ?/).map((piece) => piece.trim());
  const unsaid = pieces.filter((piece) => piece.length > 7 && !isSaid(piece.split(' ')));
  expect(unsaid, 'what nobody says needs no translation').toEqual([]);
  expect(valuesIn(chinese)).toEqual(valuesIn(english).filter((name) => name !== '{s}' && name !== '{is}'));
  expect(chinese).toMatch(/[\u4e00-\u9fff\u3001\uff1a]/);
  expect(chinese).not.toMatch(/[\u4e00-\u9fff][,;:?!()]|[,;:!(][\u4e00-\u9fff]/);
});

describe('a sentence', () => {
  const { told } = phrasesOf('zh');

  it('keeps its values, however odd they are', () => {
    expect(told('the header "a; b is $1 {column}" appears twice; rename one of the columns')).toBe(
      '列名 "a; b is $1 {column}" 出现了两次；请改掉其中一个',
    );
  });

  it('of one or of several has one translation', () => {
    expect(told('1 blank row skipped')).toBe('跳过 1 个空行');
    expect(told('7 blank rows skipped')).toBe('跳过 7 个空行');
    expect(told('the header is row 3; 1 row above it is not read')).toBe('标题行是第 3 行；上面 1 行不读');
    expect(told('the header is row 3; 2 rows above it are not read')).toBe('标题行是第 3 行；上面 2 行不读');
  });

  it('lists columns whose names may hold a comma', () => {
    expect(told('columns recognized: 题目, 正文 is question, 答案 is answer')).toBe(
      '识别出的列：题目, 正文 是 question，答案 是 answer',
    );
  });

  it('has parts that are translated too', () => {
    expect(told('sheet row 5: the header is repeated on lines 3, 4 and 90 more: skipped')).toBe(
      '表格第 5 行：标题行在第 3, 4 行及另外 90 行重复：已跳过',
    );
  });

  it('may stand beside others in one line, known or not', () => {
    expect(
      told(
        'it has neither a question nor a question image; something new; notify_url is not a complete http(s) address',
      ),
    ).toBe('既没有题目，也没有题目图片；something new；notify_url 不是完整的 http(s) 地址');
  });

  it('ends where the next one begins, though its last value could be longer', () => {
    expect(told('tuned: --concurrency 5; no process works on the run; the next one uses it')).toBe(
      '已调整：--concurrency 5；目前没有进程在运行；下一个进程生效',
    );
    expect(told('warning: 1 row has its video and is paid for again: a, 10 points so far')).toBe(
      '警告：1 行已有视频，将重新付费：a，至今 10 积分',
    );
  });

  it('that is not known stays as it is, and English stays English', () => {
    expect(told('Generation failed: 超时; try again')).toBe('Generation failed: 超时; try again');
    expect(phrasesOf('en').told('the file is empty')).toBe('the file is empty');
    expect(createTranslator([], [])('the file is empty')).toBe('the file is empty');
  });

  it('of endless length costs nothing', () => {
    const text = 'the header is empty; '.repeat(2_000_000);
    expect(told(text)).toBe(text);
    const clauses = 'the header; '.repeat(300);
    expect(told(clauses)).toBe(clauses);
  });
});

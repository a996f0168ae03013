/** Sentences that are known by their English: what is saved with a row, and what commands say of it. */

import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { inBoth, message, several } from '../../../src/messages/message.ts';
import { hasOwnReason } from '../../../src/messages/reasons/in-chinese.ts';
import { createTranslator } from '../../../src/messages/reasons/sentences.ts';
import { serviceParts, serviceSentences } from '../../../src/messages/reasons/service-zh.ts';
import { statuses } from '../../../src/money/item.ts';
import { phrasesOf } from '../../../src/terminal/phrases/phrases.ts';

const all = [...serviceSentences, ...serviceParts];

const source = globSync('src/**/*.ts')
  .filter((file) => !/phrases|reasons/.test(file))
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
  expect(valuesIn(chinese)).toEqual(valuesIn(english));
  expect(chinese).toMatch(/[\u4e00-\u9fff\u3001\uff1a]/);
  expect(chinese).not.toMatch(/[\u4e00-\u9fff][,;:?!()]|[,;:!(][\u4e00-\u9fff]/);
});

describe('a sentence', () => {
  const { render } = phrasesOf('zh');

  it('keeps its values, however odd they are', () => {
    expect(render('question: "a; b is $1 {image}" is missing or not a file')).toBe(
      'question："a; b is $1 {image}" 不存在，或不是文件',
    );
  });

  it('has parts that are translated too', () => {
    expect(render('answer is an object, not text')).toBe('answer 是对象，不是文字');
  });

  it('is said of a row with its status, and may be missing', () => {
    const ended = (failure: string | null) =>
      render(
        message('row.ended', { id: 'q1', status: 'lost', failure: failure ?? message('row.no-reason') }),
      );
    expect(ended(null)).toBe('q1 已丢失：未给出原因');
    expect(ended('answer is a list, not text')).toBe('q1 已丢失：answer 是列表，不是文字');
  });

  it('is known as the reason in a message too, and nothing else of that is changed', () => {
    const failure = 'http://s.example cannot be reached: no complete answer within 30 s; check --base-url';
    const said = several([
      message('submitting.none', { failure }),
      message('resolve.unchecked', { task: 'is missing', so: inBoth(message('key.no-question')) }),
    ]);
    expect(render(said)).toBe(
      '无法连接 http://s.example：30 秒内没有完整的答复；请检查 --base-url；不再提交；任务 is missing 未经查询即采用：没有询问',
    );
    expect(phrasesOf('en').render(said)).toContain(failure);
  });

  it('says of a picture what is said of a whole workbook', () => {
    expect(
      render('Sheet1!B2: the picture cannot be read: the workbook is damaged: "xl/media/1.png" is not whole'),
    ).toBe('Sheet1!B2：图片无法读取：工作簿已损坏："xl/media/1.png" 不完整');
  });

  it('may stand beside others in one line, known or not', () => {
    expect(
      render(
        'it has neither a question nor a question image; something new; notify_url is not a complete http(s) address',
      ),
    ).toBe('既没有题目，也没有题目图片；something new；notify_url 不是完整的 http(s) 地址');
  });

  it('ends where the next one begins, though its last value could be longer', () => {
    expect(render('looks odd: damaged text; it may be "a; b" (--odd send sends it)')).toBe(
      '看起来不对：乱码；可能是“a; b”；要发送请加 --odd send',
    );
    expect(render('answer: "x" is not an image; answer is a list, not text')).toBe(
      'answer："x" 不是图片；answer 是列表，不是文字',
    );
  });

  it('of a task that did not end names the state that was reported last', () => {
    expect(
      render(
        'the task did not end within 360 minutes (--task-timeout); the service last said "排队; 第 2 位"',
      ),
    ).toBe('任务在 360 分钟内没有结束（--task-timeout）；服务最后报告的状态是“排队; 第 2 位”');
    expect(render('the task did not end within 1.5 minutes (--task-timeout): HTTP 403: no')).toBe(
      '任务在 1.5 分钟内没有结束（--task-timeout）：HTTP 403: no',
    );
  });

  it('that is not known stays as it is, and English stays English', () => {
    expect(render('Generation failed: 超时; try again')).toBe('Generation failed: 超时; try again');
    expect(phrasesOf('en').render('answer is a list, not text')).toBe('answer is a list, not text');
    expect(createTranslator([], [])('answer is a list, not text')).toBe('answer is a list, not text');
  });

  it('of endless length costs nothing', () => {
    const text = 'the header is empty; '.repeat(2_000_000);
    expect(render(text)).toBe(text);
    const clauses = 'the header; '.repeat(300);
    expect(render(clauses)).toBe(clauses);
  });
});

test("a reason is this program's own where the service gave none", () => {
  expect(statuses.filter(hasOwnReason).toSorted()).toEqual(['invalid', 'lost', 'uncertain', 'undelivered']);
});

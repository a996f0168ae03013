import { expect, test } from 'vitest';
import * as english from '../../../src/messages/findings/finding-text.ts';
import * as chinese from '../../../src/messages/findings/finding-text-zh.ts';
import { findingCodes } from '../../../src/money/inspection/inspection.ts';

test('each finding is a phrase in both languages, and names another row than its own', () => {
  const rows = ['q1', 'q2'];
  const said = [
    ['the same file as q2', '与 q2 的文件相同', { code: 'same-file', rows }],
    ['the same title as q2', '与 q2 的标题相同', { code: 'same-title', rows }],
    ['0.1 times the usual size', '大小是通常的 0.1 倍', { code: 'size', times: 0.1 }],
    ['12 times the usual duration', '时长是通常的 12 倍', { code: 'duration', times: 12 }],
    ['1 frame missing', '缺少 1 张步骤图', { code: 'frames-missing', count: 1 }],
    ['3 frames missing', '缺少 3 张步骤图', { code: 'frames-missing', count: 3 }],
    ['nothing for 2.5 s at 1:05', '1:05 处有 2.5 秒空缺', { code: 'gap', at: 65.9, seconds: 2.5 }],
    [
      '320×180 instead of the usual 640×360',
      '分辨率是 320×180，通常是 640×360',
      { code: 'resolution', is: '320×180', usual: '640×360' },
    ],
    ['black for the first 6 s', '开头 6 秒黑屏', { code: 'black-start', seconds: 6 }],
    ['the file is cut off', '文件被截断', { code: 'cut-off' }],
  ] as const;
  for (const [words, inChinese, finding] of said) {
    expect(english.findingText(finding, 'q1')).toBe(words);
    expect(chinese.findingText(finding, 'q1')).toBe(inChinese);
  }
  expect(english.findingText({ code: 'same-file', rows: ['q7'] }, 'q7')).toBe('the same file as q7');
});

test('a row has its reasons in one cell, or nothing', () => {
  expect(english.suspectText([], 'q1')).toBeNull();
  expect(english.suspectText([{ code: 'black' }, { code: 'silent' }], 'q1')).toBe(
    'black throughout; silent throughout',
  );
});

test('every code has a name in both languages, and a place in the order', () => {
  const codes = [...findingCodes].sort();
  expect(codes).toEqual(Object.keys(english.reasonNames).sort());
  expect(codes).toEqual(Object.keys(chinese.reasonNames).sort());
});

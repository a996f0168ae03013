import { expect, it } from 'vitest';
import { renderNames, renderNamesInChinese } from '../../src/messages/numbers.ts';

const names = Array.from({ length: 12 }, (_, at) => `q${at + 1}`);

it('a sentence lists ten names, and counts the others', () => {
  expect(renderNames(names.slice(0, 2))).toBe('q1, q2');
  expect(renderNames(names)).toBe('q1, q2, q3, q4, q5, q6, q7, q8, q9, q10 and 2 more');
  expect(renderNamesInChinese(names.slice(0, 2))).toBe('q1、q2');
  expect(renderNamesInChinese(names)).toBe('q1、q2、q3、q4、q5、q6、q7、q8、q9、q10，另有 2 个');
});

import { expect, test } from 'vitest';
import { chinese } from '../../src/page/words-zh.ts';
import { phrasesOf } from '../../src/terminal/phrases/phrases.ts';

test('a status has one name in Chinese, on the page and on the terminal', () => {
  expect(phrasesOf('zh').status).toEqual(chinese.status);
});

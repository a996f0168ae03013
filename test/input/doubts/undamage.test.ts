import { expect, test } from 'vitest';
import { undamaged } from '../../../src/input/doubts/undamage.ts';

test.each([
  ['涓夎�掑舰鐨勯潰绉�鏄�澶氬皯锛�', '三…形的面…多少…'],
  ['姹傚嚱鏁扮殑鏈�澶у�笺��', '求函数的…大…'],
  ['姹傚嚱鏁扮殑鏈€澶у€笺€�', '求函数的最大值…'],
  ['涓夎?掑舰鐨勯潰绉?鏄?澶氬皯锛?', '三…形的面…多少…'],
  ['瑙ｆ柟绋� x + 1 = 2', '解方… x + 1 = 2'],
  ['CafÃ© et thÃ©, 5 â‚¬', 'Café et thé, 5 €'],
  ['CafÃ© et thÃ© Ã�', 'Café et thé …'],
  ['CafÃ© et thÃ© Ã', 'Café et thé …'],
  ['Zoë ðŸ˜€ðŸ˜€', null],
  ['Smile ðŸ˜€ðŸ˜€', 'Smile 😀😀'],
  ['CafÃƒÂ© thÃƒÂ©', 'Café thé'],
  ['CafÃ©', null],
  ['ÃÃ©Ã©', null],
  ['à€€Ã©Ã©', null],
  ['����题', null],
  ['����', null],
  ['한국어 Ã©', null],
])('%s was %s', (text, was) => {
  expect(undamaged(text)).toBe(was);
});

import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { differenceOf } from '../../src/page/detail/text-difference.ts';

it.each([
  ['1 + 1 = ?', '7 + 1 = ?', ['', '1', ' + 1 = ?'], ['', '7', ' + 1 = ?']],
  ['How many?', 'How many eggs?', ['How ', 'many?', ''], ['How ', 'many eggs?', '']],
  ['a b', 'a c b', ['a ', '', 'b'], ['a ', 'c ', 'b']],
  ['小明有三个苹果', '小明有五个苹果', ['小明有', '三', '个苹果'], ['小明有', '五', '个苹果']],
  ['', 'new', ['', '', ''], ['', 'new', '']],
])('%j and %j differ where they do', (one, other, own, others) => {
  const found = differenceOf(one, other)?.map(({ before, own, after }) => [before, own, after]);
  expect(found).toEqual([own, others]);
});

test('nothing of a text is lost, and the same text has no difference', () => {
  const word = fc.constantFrom('a', 'b', ' ', '\n', '题', '$x$', '\ud800');
  const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(''));
  fc.assert(
    fc.property(text, text, (one, other) => {
      const found = differenceOf(one, other);
      expect(found === null).toBe(one === other);
      if (found !== null)
        expect(found.map(({ before, own, after }) => before + own + after)).toEqual([one, other]);
    }),
  );
});

import { expect, it } from 'vitest';
import type { NamedRow } from '../../../src/money/review/named-row.ts';
import { unusedCorrections } from '../../../src/money/review/named-row.ts';
import { phrasesOf } from '../../../src/terminal/phrases/phrases.ts';

it('a command that takes only ids says that it leaves corrected texts aside', () => {
  const row: NamedRow = { id: 'q1', isTyped: false, attempt: 1 };
  expect(unusedCorrections(null)).toBeNull();
  expect(unusedCorrections([row])).toBeNull();
  const said = unusedCorrections([row, { ...row, corrected: { question: '7 + 1', answer: null } }]);
  if (said === null) return expect.fail('nothing is said');
  expect(said.text).toBe('1 row of --only with corrected text: only `batch retry` takes it');
  expect(phrasesOf('zh').render(said)).toBe('--only 中有 1 行带有改正的文字：只有 `batch retry` 会采用');
});

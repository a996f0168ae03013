import { expect, it } from 'vitest';
import type { NamedRow } from '../../src/app/only-file.ts';
import { unusedCorrections } from '../../src/commands/retry-lines.ts';
import { phrasesOf } from '../../src/terminal/phrases/phrases.ts';

it('a command that takes only ids says that it leaves corrected texts aside', () => {
  const row: NamedRow = { id: 'q1', isTyped: false, attempt: 1 };
  expect(unusedCorrections(null)).toBeNull();
  expect(unusedCorrections([row])).toBeNull();
  const said = unusedCorrections([row, { ...row, corrected: { question: '7 + 1', answer: null } }]) ?? '';
  expect(said).toBe('warning: 1 row of --only with corrected text: only `batch retry` takes it');
  expect(phrasesOf('zh').told(said)).toBe('警告：--only 中有 1 行带有改正的文字：只有 `batch retry` 会采用');
});

import { expect, test } from 'vitest';
import { sqlWords } from '../../src/text/sql-words.ts';

test('words stand in quotes, with commas between them', () => {
  expect(sqlWords(['failed', 'lost'])).toBe("'failed', 'lost'");
  expect(sqlWords(new Set(['open']))).toBe("'open'");
  expect(sqlWords([])).toBe('');
});

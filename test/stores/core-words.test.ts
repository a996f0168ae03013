import { expect, test } from 'vitest';
import { fillWords } from '../../src/stores/core-words.ts';

test('the statements that make a database have the lists, words and numbers of the core', () => {
  const sql =
    "status IN {{retried}} AND value #>> '{event,type}' = {{default-quality}} AND key % {{slice-count}} = 1";
  expect(fillWords(sql)).toBe(
    "status IN ('failed', 'rejected', 'lost') AND value #>> '{event,type}' = 'm' AND key % 64 = 1",
  );
});

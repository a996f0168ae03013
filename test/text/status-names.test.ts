import { expect, test } from 'vitest';
import { statuses } from '../../src/money/item.ts';
import { statusNames } from '../../src/text/status-names.ts';

test('a status has its own name in English, and one of its own in Chinese', () => {
  expect(statuses.map((status) => statusNames.en[status])).toEqual(statuses);
  const chinese = statuses.map((status) => statusNames.zh[status]);
  for (const name of chinese) expect(name).toMatch(/^\p{Script=Han}+$/u);
  expect(new Set(chinese).size).toBe(statuses.length);
});

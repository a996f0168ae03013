import { expect, test } from 'vitest';
import { nameRow } from '../../src/text/row-name.ts';

test.each([
  ['algebra-7', 'row algebra-7'],
  ['row-42', 'row-42'],
])('the row with the id %s is named %s in a sentence', (id, name) => {
  expect(nameRow(id)).toBe(name);
});

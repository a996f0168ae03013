import { expect, it } from 'vitest';
import { doubledKey } from '../../src/text/doubled-key.ts';

it.each([
  ['{}', null],
  ['{"a": 1, "b": {"a": 2}, "c": ["a", "a"]}', null],
  ['{"a": "a\\": 1, \\"a"}', null],
  ['{"a": 1, "b": 2, "a" : 3}', 'a'],
  ['{"b": [{"a": 1, "a": 2}]}', 'a'],
  ['{"a": 1, "\\u0061": 2}', 'a'],
])('of %s the key that stands twice is %s', (text, key) => {
  expect(doubledKey(text)).toBe(key);
});

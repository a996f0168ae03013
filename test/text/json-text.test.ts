import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { doubledKey, jsonErrorColumn } from '../../src/text/json-text.ts';

it.each([
  ['{}', null],
  ['{"a": 1, "b": {"a": 2}, "c": ["a", "a"]}', null],
  ['{"a": "a\\": 1, \\"a"}', null],
  ['{"a": 1, "b": 2, "a" : 3}', 'a'],
  ['{"b": [{"a": 1, "a": 2}]}', 'a'],
  ['{"a": 1, "\\u0061": 2}', 'a'],
  ['{"a\\u0000": 1, "a\\ud800": 2}', 'a\ufffd'],
])('of %s the key that stands twice is %s', (text, key) => {
  expect(doubledKey(text)).toBe(key);
});

describe('the place where a text stops being JSON', () => {
  test.each([
    ['{"a":x}', 6],
    ['{"a":NaN}', 6],
    ['{"a":nul}', 9],
    ['{a:1}', 2],
    ["{'a':1}", 2],
    ['{"a":1,}', 8],
    ['{"a":"\\q"}', 8],
    ['{"a":1}}', 8],
    ['{"a":1', 7],
    ['{"a":"', 7],
    ['undefined', 1],
    ['\u{1f3ac}', 1],
    [' ', 2],
    ['{"a": true, "b": [1, 2, +3]}', 25],
  ])('of %j is column %i', (text, column) => {
    expect(jsonErrorColumn(text)).toBe(column);
  });

  test('is one that no beginning of a valid text has', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), (json, at) => {
        const place = at % (json.length + 1);
        const broken = `${json.slice(0, place)}\u0001${json.slice(place)}`;
        // JSON takes that character nowhere, not even in a string.
        expect(jsonErrorColumn(broken)).toBe(place + 1);
      }),
      { seed: 20260401, numRuns: 500 },
    );
  });
});

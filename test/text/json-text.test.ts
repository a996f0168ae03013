import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  doubledKey,
  isExact,
  jsonErrorColumn,
  plainValue,
  stringEnd,
  withAllDigits,
  withoutNoNumbers,
} from '../../src/text/json-text.ts';

it.each([
  ['{}', null],
  ['{"a', null],
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

describe('the numbers of a row', () => {
  test.each([
    '1.10',
    '5.0',
    '0.00000001',
    '0.00000012',
    '-0',
    '-0.0',
    '1e5',
    '6.02214076E+23',
    '1e400',
    '100000000000000000000',
    '12345678901234567890',
    '9007199254740993',
    '3.14159265358979323846',
    '0.10000000000000001',
  ])('%s is a text where a number would not have its digits', (digits) => {
    for (const text of [`{"a":${digits}}`, `{"a" : \t${digits} ,"b": 1}`, `{"a": ${digits}}`]) {
      expect(withAllDigits(text, JSON.parse(text))?.value).toMatchObject({ a: digits });
    }
    const deep = `{"a": "${digits}", "b": [0, {"c": ${digits}}], "d": 1}`;
    const value = { a: digits, b: [0, { c: digits }], d: 1 };
    expect(withAllDigits(deep, JSON.parse(deep))).toEqual({ value });
  });

  test.each([
    '0',
    '7',
    '-3',
    '10',
    '1.5',
    '-0.25',
    '100.05',
    '0.000001',
    '123456789012345',
    '0.123456789012',
  ])('%s is a number', (digits) => {
    const text = `{"a":${digits},"b":[${digits}]}`;
    expect(withAllDigits(text, JSON.parse(text))).toBeNull();
  });

  test('are nothing that stands in a text', () => {
    const text = '{"a":"[1.10, 2.0] or :5.0","b":1}';
    expect(withAllDigits(text, JSON.parse(text))).toBeNull();
    const long = '{"a":":12345678901234567890","b":null}';
    expect(withAllDigits(long, JSON.parse(long))).toBeNull();
  });

  test('have all their digits, whatever they are', () => {
    const digit = fc.constantFrom(...'0123456789');
    const digits = fc.string({ unit: digit, minLength: 1, maxLength: 20 });
    const exponent = fc.constantFrom('', 'e5', 'E-7', 'e+0');
    const number = fc
      .tuple(fc.constantFrom('', '-'), digits, fc.option(digits), exponent)
      .map(([sign, whole, part, end]) => `${sign}${BigInt(whole)}${part === null ? '' : `.${part}`}${end}`);
    fc.assert(
      fc.property(number, (written) => {
        const text = `{"a":[${written}]}`;
        const read = (withAllDigits(text, JSON.parse(text))?.value ?? JSON.parse(text)) as { a: unknown[] };
        expect(String(read.a[0])).toBe(written);
      }),
      { seed: 20260402, numRuns: 2000 },
    );
  });

  test('are exact unless they were rounded', () => {
    expect([1, -0.5, 2 ** 53 - 1].map(isExact)).toEqual([true, true, true]);
    expect([2 ** 53, 1e300, Number.POSITIVE_INFINITY].map(isExact)).toEqual([false, false, false]);
  });
});

test.each([
  ['{"a": NaN}', '{"a": null}'],
  ['[NaN,-Infinity, Infinity]', '[null,null, null]'],
  ['{"a": "NaN", "b \\" Infinity": NaN}', '{"a": "NaN", "b \\" Infinity": null}'],
  ['{"a": "NaN', '{"a": "NaN'],
  ['{"a": 1}', '{"a": 1}'],
])('in %s no value stands for NaN and Infinity outside of strings', (text, sound) => {
  expect(withoutNoNumbers(text, () => 'null')).toBe(sound);
});

test('a string ends at its quote', () => {
  expect(['"a" "', '"\\"" ', '"a', '"\\'].map((text) => stringEnd(text, 0))).toEqual([3, 4, null, null]);
});

test.each([
  [{ $oid: '66a1' }, '66a1'],
  [{ $numberInt: '6' }, '6'],
  [{ $numberDecimal: '0.5' }, '0.5'],
])('what MongoDB writes as %j is %j', (written, plain) => {
  expect(plainValue(written)).toBe(plain);
});

test.each([
  [null],
  ['6'],
  [{}],
  [['$oid']],
  [{ $oid: 6 }],
  [{ $oid: '6', other: 1 }],
  [{ $date: '2024' }],
  [{ oid: '6' }],
])('%j stands for itself', (value) => {
  expect(plainValue(value)).toBe(value);
});

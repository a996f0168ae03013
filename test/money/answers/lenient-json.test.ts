import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { readJson } from '../../../src/money/answers/lenient-json.ts';

const sound = '{"a":"b"}';
const read = (text: string): unknown => readJson(text)?.value;

it('of sound JSON is what parsing gives, and the text itself', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const value: unknown = JSON.parse(text);
      if (typeof value !== 'string') expect(readJson(text)).toEqual({ value, text, isAlone: true });
    }),
  );
});

describe('an object is read', () => {
  test.each<[string, string, unknown]>([
    ['with NaN', '{"a":NaN}', { a: null }],
    ['with infinities', '{"a":[Infinity,-Infinity]}', { a: [null, null] }],
    ['with commas too many', '{"a":[1,2,],"b":{"c":1 , },}', { a: [1, 2], b: { c: 1 } }],
    ['with raw breaks in a text', '{"a":"x\ny\tz\u0001","b":1}', { a: 'x\ny\tz\u0001', b: 1 }],
    ['with comments', '{// one\n"a":/* two */1, // three\n}', { a: 1 }],
    ['whose texts look like all of these', '{"a":"NaN, // x","b":NaN}', { a: 'NaN, // x', b: null }],
    ['with negative numbers', '{"a":-1,"b":NaN}', { a: -1, b: null }],
    ['with escaped quotes', '{"a":"\\"}","b":NaN}', { a: '"}', b: null }],
    ['behind a byte order mark', `\ufeff${sound}`, { a: 'b' }],
    ['behind a notice', `<br />\n<b>Notice</b>: x in {closure} <br />\n${sound}\n`, { a: 'b' }],
    ['before a notice', `${sound}<br />\n<b>Warning</b>: {x`, { a: 'b' }],
    ['before a zero byte', `${sound}\0`, { a: 'b' }],
    ['behind a guard', `)]}',\n${sound}`, { a: 'b' }],
    ['empty', '{} x', {}],
    ['in a string', JSON.stringify(sound), { a: 'b' }],
    ['in a string in a string', JSON.stringify(JSON.stringify(` ${sound}`)), JSON.stringify(` ${sound}`)],
  ])('%s', (_, text, value) => {
    expect(read(text)).toEqual(value);
  });

  it('with all digits of its numbers', () => {
    expect(readJson('x {"id":12345678901234567890,}')?.text).toBe('{"id":12345678901234567890}');
  });
});

describe('nothing is read of', () => {
  test.each([
    ['nothing', ''],
    ['a word', 'undefined'],
    ['an object that is cut', '{"a":{"b":1}'],
    ['an object that is cut in a text', '{"a":{"b":1},"c":"'],
    ['an object that is cut in an escape', '{"a":"\\'],
    ['a list that is cut', `[${sound}`],
    ['an argument that is cut', `{status: ${sound}`],
    ['a page that shows an object', `<p>${sound}</p>`],
    ['two objects', sound + sound],
    ['an object with a bracket too many', `${sound}}`],
    ['single quotes', "{'a':'b'}"],
    ['a missing value', '{"a":}'],
    ['brackets that do not fit', '{"a":[}]'],
    ['comments without an end', `{"a":1${',/*'.repeat(300_000)}`],
    ['a broken escape', '{"a":"\\\n"}'],
    ['a name for a value', '{"a":No, "b":NaNo, "c":/x}'],
  ])('%s', (_, text) => {
    expect(readJson(text)).toBeNull();
  });

  it('any text throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[]":, \n\\/*<NaN-1x') }), (text) => {
        const found = readJson(text);
        if (found !== null) expect(JSON.parse(found.text)).toEqual(found.value);
      }),
      { numRuns: 2_000 },
    );
  });
});

it('a text that is no object stays a text', () => {
  expect(read('"success"')).toBe('success');
  expect(read('"{x"')).toBe('{x');
});

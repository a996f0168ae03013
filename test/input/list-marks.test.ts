import { expect, it } from 'vitest';
import { isCountedDown, ListMarks } from '../../src/input/list-marks.ts';

const marksOf = (
  name: 'ul' | 'ol',
  attributes: Readonly<Record<string, string>>,
  values: readonly string[],
) => {
  const marks = new ListMarks(name, attributes);
  return values.map((value) => marks.next(value === '' ? {} : { value }).trim());
};
const three = ['', '', ''];

it.each([
  ['ol', {}, '1. 2. 3.'],
  ['ol', { type: '1' }, '1. 2. 3.'],
  ['ol', { type: 'A' }, 'A. B. C.'],
  ['ol', { type: 'a' }, 'a. b. c.'],
  ['ol', { type: 'I' }, 'I. II. III.'],
  ['ol', { type: 'i', start: '4' }, 'iv. v. vi.'],
  ['ol', { type: 'A', start: '26' }, 'Z. AA. AB.'],
  ['ol', { type: 'a', start: '702' }, 'zz. aaa. aab.'],
  ['ol', { type: 'A', start: '-1' }, '-1. 0. A.'],
  ['ol', { type: 'I', start: '3998' }, 'MMMCMXCVIII. MMMCMXCIX. 4000.'],
  ['ol', { type: 'i', start: '0' }, '0. i. ii.'],
  ['ol', { type: 'constructor', start: 'x' }, '1. 2. 3.'],
  ['ol', { start: ' 5 ' }, '5. 6. 7.'],
  ['ol', { start: '3', reversed: '' }, '3. 2. 1.'],
  ['ol', { style: 'color: red; list-style-type:upper-alpha' }, 'A. B. C.'],
  ['ol', { style: 'list-style: Upper-Latin outside', type: 'i' }, 'A. B. C.'],
  ['ol', { style: 'list-style-type: lower-alpha' }, 'a. b. c.'],
  ['ol', { style: 'list-style-type: lower-latin' }, 'a. b. c.'],
  ['ol', { style: 'list-style-type: upper-roman' }, 'I. II. III.'],
  ['ol', { style: 'list-style-type: lower-roman' }, 'i. ii. iii.'],
  ['ol', { style: 'list-style-type: georgian', type: 'A' }, 'A. B. C.'],
  ['ol', { style: 'list-style: none' }, '  '],
  ['ul', { type: 'A' }, '- - -'],
  ['ul', { style: 'list-style-type: none' }, '  '],
] as const)('the items of <%s> with %j are %s', (name, attributes, marks) => {
  expect(marksOf(name, attributes, three).join(' ')).toBe(marks);
});

it('an item may say its number', () => {
  expect(marksOf('ol', {}, ['', '7', '', 'x']).join(' ')).toBe('1. 7. 8. 9.');
});

it('a list that is counted down needs a start', () => {
  expect(isCountedDown({ reversed: '' })).toBe(true);
  expect(isCountedDown({ reversed: '', start: '3' })).toBe(false);
  expect(isCountedDown({})).toBe(false);
});

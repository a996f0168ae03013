import { expect, it } from 'vitest';
import { renderLicences, ruler } from '../../src/release/licences.ts';

it('every part is named with its licence, sorted, and says so where it brings no text', () => {
  const none = { license: 'ISC', text: null };
  const text = renderLicences('Parts:', [
    { name: 'b', version: '2.0.0', home: 'https://b.example', ...none },
    { name: 'c', version: '', home: null, ...none },
    { name: 'a', version: '1.0.0', license: 'MIT', text: '\nCopyright A\n', home: null },
  ]);
  const silent = 'Its authors licensed it as ISC, and put no text of that licence into the package.';
  expect(text.split(ruler)).toEqual([
    'Parts:',
    'a 1.0.0 (MIT)\n\nCopyright A',
    `b 2.0.0 (ISC)\n\n${silent} It comes from https://b.example.`,
    `c (ISC)\n\n${silent}\n`,
  ]);
});

import { expect, it } from 'vitest';
import { foldedName } from '../../src/files/folded-name.ts';

it('two names that a system may take for one fold to one', () => {
  expect(foldedName('Stra\u00dfe/E\u0301')).toBe(foldedName('STRASSE/\u00e9'));
});

import { expect, it } from 'vitest';
import { knownNames, meaningOf } from '../../../src/input/columns/known-names.ts';

it('every known name means its field, and no sentence does', () => {
  for (const { name, field } of knownNames) expect(meaningOf(name)?.field, name).toBe(field);
  for (const text of ['What is x?', 'Solve $x$.', '题目 1', 'a, b']) expect(meaningOf(text)).toBeUndefined();
});

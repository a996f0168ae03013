import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { fleetMutants } from './fleet/mutants.ts';
import { mutants } from './mutants.ts';

it.for([...mutants, ...fleetMutants].map((mutant) => [mutant.name, mutant] as const))(
  'what is taken out where "%s" stands there once',
  async ([, { file, find, put }]) => {
    const source = await readFile(new URL(`../../${file}`, import.meta.url), 'utf8');
    expect(source.split(find)).toHaveLength(2);
    expect(put).not.toBe(find);
  },
);

it('no two mutants have one name', () => {
  const names = [...mutants, ...fleetMutants].map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

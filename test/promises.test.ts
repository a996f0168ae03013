/** The page of promises, held against the code and the tests: what it names is there, and what is there is named. */

import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fleetMutants, olderMutants } from './sim/fleet/mutants.ts';
import { mutants } from './sim/mutants.ts';

const page = readFileSync('docs/promises.md', 'utf8');

interface Promised {
  readonly heading: string;
  readonly keptBy: readonly string[];
  readonly triedBy: readonly string[];
  readonly noticed: readonly string[];
}

const promises = page
  .split(/^(?=## )/m)
  .filter((section) => section.startsWith('## P'))
  .map((section): Promised => {
    const pathsOf = (label: string): string[] => {
      const [, list = ''] =
        new RegExp(`^- ${label} ([\\s\\S]*?)(?=\\n- |\\n\\n|(?![\\s\\S]))`, 'm').exec(section) ?? [];
      return [...list.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path);
    };
    const [heading = ''] = section.split('\n');
    const noticed = [...section.matchAll(/^ {2}- \*(.+)\*$/gm)].map(([, name = '']) => name);
    return { heading, keptBy: pathsOf('Kept by'), triedBy: pathsOf('Tried by'), noticed };
  });

const safeguards = [...mutants, ...fleetMutants, ...olderMutants];

describe.each(promises.map((promised, at) => [promised.heading, promised, at] as const))(
  '%s',
  (heading, { keptBy, triedBy, noticed }, at) => {
    it('has its number, code that keeps it, and tests that try it', () => {
      expect(heading).toMatch(new RegExp(`^## P${at + 1}\\. `));
      expect(keptBy.length).toBeGreaterThan(0);
      expect(triedBy.length).toBeGreaterThan(0);
    });

    it('names the code whose safeguards are taken out for it', () => {
      const files = safeguards.filter(({ name }) => noticed.includes(name)).map(({ file }) => file);
      expect(files.filter((file) => file.startsWith('src/') && !keptBy.includes(file))).toEqual([]);
    });
  },
);

it('every safeguard that the simulation takes out stands under one promise, and there are no others', () => {
  const named = promises.flatMap(({ noticed }) => noticed);
  expect(named.toSorted()).toEqual(safeguards.map(({ name }) => name).toSorted());
});

it('every proof about money, deaths and machines tries a promise', () => {
  const folders = '{callbacks,disk,fleet,hostile,kills,sim,ways-to-die,wire}';
  const proofs = globSync(`test/${folders}/**/*.{proof,night}.ts`).map((path) => path.replaceAll('\\', '/'));
  const tried = promises.flatMap(({ triedBy }) => triedBy);
  expect(proofs.length).toBeGreaterThan(20);
  expect(proofs.filter((proof) => !tried.some((path) => proof.startsWith(path)))).toEqual([]);
});

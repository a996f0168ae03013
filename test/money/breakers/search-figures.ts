/** Prints how well the search for the concurrency finds hidden caps: `node test/money/breakers/search-figures.ts`. */

import { type Finding, lengths, search } from './search-world.ts';

const seeds = [1, 2, 3, 4, 5];
const lengthNames = Object.keys(lengths) as (keyof typeof lengths)[];

/** The worst of all seeds. */
function worst(findings: readonly Finding[]): Finding {
  return {
    foundAfter: Math.max(...findings.map(({ foundAfter }) => foundAfter)),
    refused: Math.max(...findings.map(({ refused }) => refused)),
    throughput: Math.min(...findings.map(({ throughput }) => throughput)),
  };
}

function print(cells: readonly string[]): void {
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}

const wide = { searchFrom: 4, concurrency: 256 };
const auto = { searchFrom: 4, concurrency: 64 };
const steady = [
  ...[3, 12, 50].map((cap) => ({ range: 'auto', policy: auto, caps: [cap] })),
  ...[3, 12, 50, 200].map((cap) => ({ range: '4-256', policy: wide, caps: [cap] })),
];
const changing = [
  [3, 12],
  [12, 50],
  [50, 200],
  [200, 50],
  [50, 12],
  [12, 3],
].map((caps) => ({ range: '4-256', policy: wide, caps }));

print(['`-j`', 'cap', 'tasks take', 'found after', 'refused', 'throughput']);
print(['---', '---', '---', '---', '---', '---']);
for (const { range, policy, caps } of [...steady, ...changing]) {
  const [first = 0, last = first] = caps;
  const from = caps.length === 1 ? 0 : 50;
  for (const length of lengthNames) {
    const cap = (at: number): number => (at < from ? first : last);
    const findings = seeds.map((seed) =>
      search({ policy, cap, length, seed, until: from + 100 }, last, from),
    );
    const { foundAfter, refused, throughput } = worst(findings);
    const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
    print([range, caps.join(' to '), length, foundAfter.toFixed(1), percent(refused), percent(throughput)]);
  }
}

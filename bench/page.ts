/** The figures on the page of the project: what `npm run bench` wrote there last, and what has become worse since. */

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { type Figure, renderHead, renderLine } from './table.ts';

const page = new URL('../docs/how-far-it-goes.md', import.meta.url);
const table = /(?<=<!-- figures -->\n\n)[\s\S]*?(?=\n\n<!-- end of figures -->)/;

/** The lines of the table, by their work. */
function linesIn(text: string): Map<string, string> {
  const [, , ...lines] = (table.exec(text)?.[0] ?? '').split('\n').filter((line) => line.startsWith('|'));
  return new Map(lines.map((line) => [cellsOf(line)[0] ?? '', line]));
}

const cellsOf = (line: string): string[] => line.slice(2, -2).split(' | ');

/** Puts these figures on the page in place of those of the same work; what was not measured stays. */
export function writeFigures(figures: readonly Figure[]): void {
  const text = readFileSync(page, 'utf8');
  const lines = linesIn(text);
  for (const figure of figures) lines.set(figure.work, renderLine(figure));
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const [machine, ...head] = renderHead().split('\n');
  const made = [`${machine}; measured last at commit ${commit}.`, ...head, ...lines.values()].join('\n');
  writeFileSync(
    page,
    text.replace(table, () => made),
  );
}

/** A tenth is what two runs of one program differ by. */
const noise = 0.1;

/** What is worse than the page says: one line each. Lines without a goal have no better and worse. */
export function worseThanPage(figures: readonly Figure[]): string[] {
  const lines = linesIn(readFileSync(page, 'utf8'));
  return figures.flatMap(({ work, ratio, goal }) => {
    const line = lines.get(work);
    const before = line === undefined ? Number.NaN : Number(cellsOf(line)[3]);
    if (goal === null || Number.isNaN(before)) return [];
    const isWorse = 'atLeast' in goal ? ratio < before * (1 - noise) : ratio > before * (1 + noise);
    return isWorse
      ? [`worse than the page says: ${work}: ${before.toFixed(2)} there, ${ratio.toFixed(2)} now`]
      : [];
  });
}

/** Word problems of the length and form of GSM8K, each another one; the real ones where `BATCH_TEST_GSM8K` names their file. */

import { readFileSync } from 'node:fs';

const names = [
  'Ada',
  'Bruno',
  'Chen',
  'Dalia',
  'Emeka',
  'Farah',
  'Goran',
  'Hana',
  'Ines',
  'Jonas',
  'Kofi',
] as const;
const things = ['apples', 'stamps', 'bottles', 'books', 'marbles', 'tickets', 'loaves of bread'] as const;

/** As many as the test part of GSM8K has. */
export const gsm8kCount = 1_319;

export function wordProblems(count: number): readonly string[] {
  const file = process.env.BATCH_TEST_GSM8K;
  if (file === undefined) return Array.from({ length: count }, (_, i) => wordProblem(i));
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n').slice(0, count);
  return lines.map((line): string => JSON.parse(line).question);
}

function wordProblem(i: number): string {
  const [name, thing] = [names[i % names.length], things[i % things.length]];
  const [had, gave, price] = [20 + i, 3 + (i % 17), 2 + (i % 9)];
  return `${name} had ${had} ${thing} on Monday and gave ${gave} of them to each of two friends on Tuesday. The rest was sold at the market for $${price} apiece. How many dollars did ${name} receive at the market?`;
}

/** What the readers say has a translation: whatever a test makes them say is looked at. */

import { expect } from 'vitest';
import { phrasesOf } from '../../src/terminal/phrases/phrases.ts';
import type { ReadResult } from './read-file.ts';

const { told } = phrasesOf('zh');

/** Fails on a sentence of the readers that would stay English on a Chinese terminal. */
export function expectChinese({
  rows,
  problems,
  found,
}: Pick<ReadResult, 'rows' | 'problems' | 'found'>): void {
  const failures = rows.flatMap(({ failure }) => (failure === null ? [] : [failure]));
  const said = [...problems.map(({ message }) => message), ...found.notes, ...failures];
  const english = [...new Set(said)].filter(
    (text) => told(text) === text || !/[\u4e00-\u9fff]/.test(told(text)),
  );
  expect(english, 'sentences without a translation in src/terminal/phrases/').toEqual([]);
}

import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { turnCount, waitingAt } from './turns.ts';

it('each proof has its turn and those about money always', () => {
  const all = readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.proof.ts'))
    .map((path) => `test/${path}`);
  const waiting = Array.from({ length: turnCount }, (_, turn) => waitingAt(turn));
  expect(waiting.every((files) => files.length > all.length / 2)).toBe(true);
  expect(all.filter((path) => waiting.every((files) => files.includes(path)))).toEqual([]);
  expect(waiting.flat().filter((path) => /^test\/(?:kills|sim)\//.test(path))).toEqual([]);
});

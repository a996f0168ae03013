/** The workers of a shared run in words. */

import { expect, test } from 'vitest';
import { renderCrew } from '../../src/terminal/crew-lines.ts';
import { english } from '../../src/terminal/phrases/phrases.ts';

const now = Date.UTC(2026, 2, 3);

test('each worker is named with what it works on, and a silent one is marked', () => {
  const workers = [
    {
      name: 'red-1',
      slices: [1, 2, 3],
      rows: { open: 5, downloading: 1 },
      lastSeenAt: now - 2_000,
      isAlive: true,
    },
    { name: 'violet-22', slices: [4], rows: {}, lastSeenAt: now - 3_000, isAlive: true },
    { name: 'grey-3', slices: [5, 6], rows: { open: 9 }, lastSeenAt: now - 75_000, isAlive: false },
  ];
  expect(renderCrew({ workers, now }, english)).toEqual([
    'Workers: 3, 1 of them silent',
    '  red-1      3 slices, 5 open, 1 downloading; heard of 2 s ago',
    '  violet-22  1 slice; heard of 3 s ago',
    '  grey-3     SILENT for 1 min 15 s: its rows are with the others',
  ]);
});

test('a run without workers says so', () => {
  expect(renderCrew({ workers: [], now }, english)).toEqual(['Workers: none']);
});

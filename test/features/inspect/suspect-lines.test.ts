import { expect, test } from 'vitest';
import { suspectLines } from '../../../src/features/inspect/suspect-lines.ts';
import { english } from '../../../src/terminal/phrases/phrases.ts';

test('how many videos were seen, how many are worth a look, and why, the most frequent reason first', () => {
  const reasons = [
    { code: 'cut-off', count: 2, ids: ['q1', 'q\u001b[2J2'] },
    { code: 'black', count: 2, ids: ['q3', 'q4'] },
    { code: 'same-title', count: 12, ids: ['q5', 'q6', 'q7'] },
  ] as const;
  expect(suspectLines({ videos: 1_319, suspects: 15, looked: 1_200, reasons, lacking: [] }, english)).toEqual(
    [
      '1,319 videos seen, 1,200 of them now; 15 worth a look:',
      '  12  the same title as another question: q5, q6, q7, …',
      '   2  the file is cut off: q1, q2',
      '   2  black throughout: q3, q4',
      'report.html lists these rows first; report.csv has the reasons in the column suspect',
    ],
  );
});

test('what could not be looked for is said', () => {
  const none = { videos: 3, suspects: 0, looked: 0, reasons: [] };
  expect(suspectLines({ ...none, lacking: [] }, english)).toEqual([
    '3 videos seen, 0 of them now; 0 worth a look',
  ]);
  const [, ...said] = suspectLines({ ...none, lacking: ['mediabunny', 'ffmpeg'] }, english);
  expect(said.map((line) => line.slice(0, 40))).toEqual([
    'not looked for: tracks, durations, cuts,',
    'not looked for: black pictures and silen',
  ]);
});

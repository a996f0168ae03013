import fc from 'fast-check';
import { expect, test } from 'vitest';
import { statuses } from '../../src/money/item.ts';
import { type PageRow, packRow, unpackRow } from '../../src/reports/page-wire.ts';
import { anyText } from '../money/any-text.ts';

const textOrNone = fc.option(anyText);
const numberOrNone = fc.option(fc.nat());
const images = fc.array(textOrNone, { maxLength: 3 });

const anyRow: fc.Arbitrary<PageRow> = fc.record({
  key: fc.nat(),
  row: numberOrNone,
  id: anyText,
  status: fc.constantFrom(...statuses),
  points: numberOrNone,
  question: anyText,
  answer: anyText,
  questionImages: images,
  answerImages: images,
  quality: fc.constantFrom('h' as const, 'm' as const, 'l' as const),
  title: textOrNone,
  failure: textOrNone,
  failureZh: textOrNone,
  taskId: textOrNone,
  submittedAt: numberOrNone,
  endedAt: numberOrNone,
  seconds: numberOrNone,
  attempts: fc.nat(),
  token: fc.string(),
  counted: fc.nat(),
  video: textOrNone,
  frames: fc.array(anyText, { maxLength: 3 }),
  videos: fc.array(
    fc.tuple(fc.nat(), anyText, numberOrNone, fc.record({ question: anyText }, { requiredKeys: [] })),
    { maxLength: 2 },
  ),
  preferred: numberOrNone,
  draft: numberOrNone,
  corrected: fc.option(fc.record({ question: anyText, answer: anyText }, { requiredKeys: [] })),
  captions: textOrNone,
  secondsVideo: numberOrNone,
  own: fc.option(fc.array(anyText, { minLength: 1, maxLength: 3 })),
  findings: fc.array(fc.constant({ code: 'black' as const }), { maxLength: 2 }),
});

test('a row comes back from JSON as it was packed', () => {
  fc.assert(
    fc.property(anyRow, (row) => {
      expect(unpackRow(JSON.parse(JSON.stringify(packRow(row))))).toEqual(row);
    }),
  );
});

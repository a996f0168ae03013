/** Whatever became of its attempts, a row never shows the video of one beside the facts or the text of another. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shownFiles } from '../../src/money/artifacts.ts';
import type { Quality } from '../../src/money/item.ts';
import { asStanding } from '../../src/money/standing-attempt.ts';
import type { Attempt, ReportRow } from '../../src/stores/port/reading.ts';
import { artifactOf, attemptOf, rowOf } from '../reports/report-rows.ts';

/** One attempt: it made a video or not, and the text changed after it or not. */
const anyAttempt = fc.record({
  hasVideo: fc.boolean(),
  isLastOfText: fc.boolean(),
  quality: fc.constantFrom<Quality | null>('h', 'm', 'l', null),
});
const anyLife = fc.record({
  attempts: fc.array(anyAttempt, { minLength: 1, maxLength: 5 }),
  preferred: fc.option(fc.integer({ min: 1, max: 6 })),
});
type Life = typeof anyLife extends fc.Arbitrary<infer T> ? T : never;

const pathOf = (attempt: number): string => `sum-1/attempt-${attempt}/video.mp4`;

/** The row of such a life. The facts of its latest attempt are the item's, as the stores have it. */
function rowOfLife({ attempts, preferred }: Life): ReportRow {
  const last = attempts.length;
  const facts = attempts.map(
    ({ hasVideo, quality }, at): Attempt =>
      attemptOf({
        attempt: at + 1,
        quality,
        taskId: `task-${at + 1}`,
        submittedAt: 1_000 * at,
        points: at,
        status: hasVideo ? 'completed' : 'failed',
        failure: hasVideo ? null : `failure ${at + 1}`,
        title: at + 1 === last ? null : `Title ${at + 1}`,
      }),
  );
  const artifacts = attempts.flatMap(({ hasVideo }, at) => {
    if (!hasVideo) return [];
    const kind = at + 1 === last ? ('video' as const) : ('earlier-video' as const);
    return [artifactOf({ kind, ordinal: kind === 'video' ? 0 : at + 1, path: pathOf(at + 1) })];
  });
  const { attempt, quality, taskId, submittedAt, status, failure } = facts[last - 1] as Attempt;
  return rowOf(
    { attempt, quality, taskId, submittedAt, status, failure, title: `Title ${last}`, artifacts, points: 99 },
    {
      attempts: facts,
      preferred,
      input: { question: `Text ${last}` },
      earlierInputs: attempts.flatMap(({ isLastOfText }, at) =>
        isLastOfText && at + 1 < last
          ? [{ ...rowOf(), attempt: at + 1, input: { question: `Text ${at + 1}` } }]
          : [],
      ),
    },
  );
}

it('the facts and the text beside a video are those of the attempt that made it', () => {
  fc.assert(
    fc.property(anyLife, (life) => {
      const row = rowOfLife(life);
      const made = life.attempts.flatMap(({ hasVideo }, at) => (hasVideo ? [at + 1] : []));
      const wanted = made.includes(life.preferred ?? 0) ? life.preferred : (made.at(-1) ?? null);
      expect(shownFiles(row.item, row.preferred).video?.path ?? null).toBe(wanted && pathOf(wanted));
      const standing = wanted ?? life.attempts.length;
      const { item, input } = asStanding(row);
      const isText = (attempt: number): boolean =>
        attempt === life.attempts.length || life.attempts[attempt - 1]?.isLastOfText === true;
      const text = life.attempts.findIndex((_, at) => at + 1 >= standing && isText(at + 1)) + 1;
      expect(item).toMatchObject({
        attempt: standing,
        taskId: `task-${standing}`,
        title: `Title ${standing}`,
        quality: life.attempts[standing - 1]?.quality,
        submittedAt: 1_000 * (standing - 1),
        failure: life.attempts[standing - 1]?.hasVideo === true ? null : `failure ${standing}`,
        status: row.item.status,
        points: 99,
      });
      expect(input.question).toBe(`Text ${text}`);
    }),
    { numRuns: 300 },
  );
});

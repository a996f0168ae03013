/** Orders a new, paid attempt for rows that ended badly, and continues the run. */

import { type Beginning, beginWork, type OpenedRun, saveTerms } from '../../app/begin-work.ts';
import { deciderOf } from '../../app/decisions.ts';
import { endOrders } from '../../app/offers/ended-finals.ts';
import { placeOf } from '../../app/open-run.ts';
import { beginRetry } from '../../app/rounds/round.ts';
import { timeOf } from '../../app/system-clock.ts';
import { moveAtRest } from '../../money/at-rest.ts';
import { countQualities } from '../../money/forecast/estimate.ts';
import type { Reviews } from '../../stores/port/reviews.ts';
import type { Store } from '../../stores/port/store.ts';
import { countSpared } from '../reuse/plan-reuse.ts';
import { takeFinished, takeVideos } from '../reuse/take-videos.ts';
import type { NamedChoice } from './choose-named.ts';
import { saveCorrections } from './plan-corrections.ts';
import { planRetry, type RetryChoice, type RetryPlan, withoutReusedRows } from './plan-retry.ts';

/** A retry, with the caller's decisions. */
export interface Retry<T> extends Beginning<T> {
  readonly choice: RetryChoice;
  /** Receives the plan; nothing is ordered or sent when it returns false. */
  agree(opened: OpenedRun, plan: RetryPlan): Promise<boolean>;
}

/** Orders the attempts and continues the run of the output folder. Null when the caller declined. */
export function retryRows<T>(retry: Retry<T>): Promise<T | null> {
  return beginWork(retry, {
    pays: true,
    verb: 'retry',
    async order(run) {
      const { store, invocation } = run;
      const images = (await placeOf(invocation)).images(invocation);
      // Any row may take a video that this retry makes.
      const { only: _, ...options } = run.options;
      const reusing = { ...run, options, say: retry.note ?? (() => {}), pays: true };
      const aids = { images, naming: invocation.naming, odd: invocation.options.odd };
      const chosen = await planRetry(run, invocation.named, retry.choice, aids);
      const plan = await withoutReusedRows(reusing, chosen);
      if (!(await retry.agree(run, plan))) return null;
      await saveTerms(run, true);
      await endOrders(store);
      await saveCorrections(store.reviews, plan.corrections, await deciderOf(store, invocation));
      await withdrawPreferences(store.reviews, plan.named);
      await renewRequests(store, plan);
      // No round begins: tasks of rows that it does not name are not waited for.
      if (isIdle(plan)) return { options: plan.options, mark: null, isIdle: true };
      const begun = await beginRetry(store, invocation, plan.options, { ...plan, rows: plan.rows() });
      await takeVideos(reusing, plan.reused?.keys ?? new Set());
      return { ...begun, settle: (say) => takeFinished({ ...reusing, say }) };
    },
  });
}

/** True where no row is ordered, sent or given a video, and none that is named is under way. */
export function isIdle({ paid, named, reused }: Pick<RetryPlan, 'paid' | 'named' | 'reused'>): boolean {
  const isSpared = reused?.reuse != null && countSpared(reused.reuse) > 0;
  return !isSpared && countQualities(paid) === 0 && (named === null || named.underWay.length === 0);
}

/**
 * Saved before the attempts are ordered: with the preference, the same marks would be about the attempt that stands for
 * the row again once the new one has ended, and pay for it again.
 */
export async function withdrawPreferences(reviews: Reviews, named: NamedChoice | null): Promise<void> {
  const judged = named?.judged ?? [];
  if (judged.length > 0) await reviews.prefer(new Map(judged.map(({ key }) => [key, null])));
}

/** Rows that wait with another text now: what was decided about them before, and not saved yet, is refused. */
async function renewRequests(
  store: Store,
  { named, corrections }: Pick<RetryPlan, 'named' | 'corrections'>,
): Promise<void> {
  const renewed = (named?.corrected ?? []).filter(({ key }) => corrections.changes.has(key));
  const event = { type: 'question-changed', at: await timeOf(store), failure: null } as const;
  await store.checkpoint.commit(renewed.map((before) => ({ before, after: moveAtRest(before, event) })));
}

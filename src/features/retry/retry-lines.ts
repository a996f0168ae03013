/** The messages of `batch retry` about the chosen rows. */

import { UsageError } from '../../errors.ts';
import { type Message, message, type Said, several } from '../../messages/message.ts';
import { plainFailure } from '../../money/failure-groups.ts';
import { countQualities } from '../../money/forecast/estimate.ts';
import type { Item, Status } from '../../money/item.ts';
import { roundPoints } from '../../money/summary.ts';
import type { Phrases } from '../../terminal/phrases/phrases.ts';
import { toTerminalText } from '../../terminal/terminal-text.ts';
import { changedPart } from '../../text/changed-part.ts';
import { countSpared } from '../reuse/plan-reuse.ts';
import type { NamedChoice } from './choose-named.ts';
import type { CorrectedRow, PlannedCorrections } from './plan-corrections.ts';
import type { Promotion, RetryChoice, RetryPlan } from './plan-retry.ts';

/** Printed even with `--quiet`. */
export function retryWarnings({ named, completed, promotion }: RetryPlan, say: Phrases): readonly string[] {
  const messages = [
    ...(named === null
      ? []
      : [
          ...aboutRows('retry.disputed', named.disputed),
          ...aboutRows('retry.left-out', named.leftOut),
          ...aboutRows('retry.uncorrected', named.uncorrected),
        ]),
    ...(promotion === null ? paidAgain(completed) : []),
  ];
  return messages.map((one) => `${say.progress.warning}${say.render(one)}`);
}

/** What the retry will do. */
export function retryNotices(plan: RetryPlan): readonly Message[] {
  const { attempts, beyondLimit, paid, goesOn, waiting, named, edits, corrections, promotion, ledger } = plan;
  const spared = plan.reused?.reuse == null ? 0 : countSpared(plan.reused.reuse);
  const left = goesOn === null ? 0 : countQualities(paid);
  return [
    ...(plan.ended.length === 0 ? [] : [message('retry.finals-ended', { ended: plan.ended })]),
    ...(named === null ? [] : passedOver(named)),
    ...(promotion === null ? [] : aboutPromotion(promotion)),
    countQualities(paid) === 0
      ? message(goesOn === null ? 'retry.nothing' : 'retry.nothing-unsent')
      : goesOn === null
        ? attemptsOf(countQualities(attempts) - spared, promotion)
        : message('retry.ordered', { count: left }),
    ...counted('retry.beyond-limit', beyondLimit),
    ...counted('retry.changed', edits.changed),
    ...counted('retry.unsendable', edits.unsendable),
    ...correctionNotices(corrections),
    ...counted('retry.odd-corrections', plan.oddCorrections),
    // Rows that wait and that this retry does not name.
    ...counted(
      'retry.waiting',
      ledger.counts.pending - waiting.length - left - plan.ended.length - (goesOn === null ? 0 : spared),
    ),
  ];
}

function attemptsOf(count: number, promotion: Promotion | null): Message {
  if (promotion === null) return message('retry.attempts', { count });
  const { quality, each } = promotion;
  return each === null
    ? message('retry.finals-unpriced', { count, quality })
    : message('retry.finals', { count, quality, each });
}

/** What the rows that stay as they are would cost in the quality of the finals; null while its price is not known. */
export function pointsOfOthers({ each, others }: Pick<Promotion, 'each' | 'others'>): number | null {
  return each === null ? null : roundPoints(each * others);
}

function aboutPromotion(promotion: Promotion): readonly Message[] {
  const { had, otherVideo, others, quality } = promotion;
  const points = pointsOfOthers(promotion);
  return [
    ...aboutRows('retry.had', had),
    ...aboutRows('retry.other-video', otherVideo),
    ...(others === 0 ? [] : [message('retry.others', { count: others, quality, points })]),
  ];
}

/** Throws `UsageError` when no row gets a new attempt and no named row is in progress. */
export function refuseEmpty(
  { attempts, ended, named, promotion }: RetryPlan,
  { statuses, failure, marked }: RetryChoice,
): void {
  if (
    ended.length > 0 ||
    countQualities(attempts) > 0 ||
    (named !== null && named.underWay.length + named.unsent.length > 0)
  )
    return;
  if (failure !== null) throw nothingMatches(statuses, failure);
  if (named === null) return;
  const nothing = promotion !== null ? 'good' : marked ? 'marked' : 'left';
  throw nothingLeft(named, message(`retry.nothing-${nothing}`), promotion);
}

function nothingMatches(statuses: readonly Status[], failure: string): UsageError {
  const which = statuses.length === 0 ? 'chosen' : statuses.join(' or ');
  return new UsageError(
    message('retry.no-such-failure', { which, failure: JSON.stringify(plainFailure(failure)) }),
  );
}

function nothingLeft(named: NamedChoice, nothing: Message, promotion: Promotion | null): UsageError {
  return new UsageError(
    several([
      nothing,
      ...passedOver(named),
      ...(promotion === null ? [] : aboutPromotion({ ...promotion, others: 0 })),
      ...aboutRows('retry.disputed', named.disputed),
      ...aboutRows('retry.left-out', named.leftOut),
    ]),
  );
}

/** One notice for each kind of row that gets no new attempt. */
function passedOver({ underWay, unsent, judged, triedSince }: NamedChoice): readonly Message[] {
  return [
    ...aboutRows('retry.under-way', underWay),
    ...aboutRows('retry.unsent', unsent),
    ...aboutRows(
      'retry.judged',
      judged.map(({ id }) => id),
    ),
    ...aboutRows('retry.tried-since', triedSince),
  ];
}

/** About rows that already have their video. */
function paidAgain(completed: readonly Item[]): readonly Message[] {
  if (completed.length === 0) return [];
  const points = completed.reduce((sum, item) => sum + (item.points ?? 0), 0);
  return [message('retry.paid-again', { ids: completed.map(({ id }) => id), points })];
}

/** The messages whose only values are the ids of rows, or their number. */
type AboutRows =
  `retry.${'disputed' | 'left-out' | 'uncorrected' | 'under-way' | 'unsent' | 'judged' | 'tried-since' | 'dropped' | 'had' | 'other-video'}`;
type AboutCount =
  `retry.${'beyond-limit' | 'changed' | 'unsendable' | 'corrected' | 'more-corrected' | 'odd-corrections' | 'kept' | 'waiting'}`;

/** Nothing of no rows. */
function aboutRows(id: AboutRows, ids: readonly Said[]): readonly Message[] {
  return ids.length === 0 ? [] : [message(id, { ids })];
}

function counted(id: AboutCount, count: number): readonly Message[] {
  return count <= 0 ? [] : [message(id, { count })];
}

/** Corrected rows that are shown one by one. */
const shownRows = 5;

/** Letters of a text that are shown. */
const shownLetters = 50;

function correctionNotices({ rows, kept, dropped }: PlannedCorrections): readonly Message[] {
  return [
    ...counted('retry.corrected', rows.length),
    ...rows.slice(0, shownRows).flatMap(correctionsOf),
    ...counted('retry.more-corrected', rows.length - shownRows),
    ...counted('retry.kept', kept),
    ...aboutRows('retry.dropped', dropped),
  ];
}

function correctionsOf({ id, ...changes }: CorrectedRow): readonly Message[] {
  return (['question', 'answer'] as const).flatMap((field) => {
    const change = changes[field];
    if (change === undefined) return [];
    const [from, to] = changedPart(toTerminalText(change.from), toTerminalText(change.to), shownLetters);
    const shown = { from: JSON.stringify(from), to: JSON.stringify(to) };
    return [message('retry.correction', { id: toTerminalText(id), field, ...shown })];
  });
}

/** The messages of `batch retry` about the chosen rows. */

import type { NamedChoice } from '../app/choose-named.ts';
import type { NamedRow } from '../app/only-file.ts';
import type { CorrectedRow, PlannedCorrections } from '../app/plan-corrections.ts';
import type { RetryChoice, RetryPlan, RowEdits } from '../app/retry-rows.ts';
import { countQualities } from '../core/estimate.ts';
import { plainFailure } from '../core/failure-groups.ts';
import type { Item, Status } from '../core/item.ts';
import { changedPart } from '../core/text/changed-part.ts';
import { UsageError } from '../errors.ts';
import { renderNames, renderPoints, renderRows } from '../terminal/numbers.ts';
import { toTerminalText } from '../terminal/terminal-text.ts';

/** Printed even with `--quiet`. */
export function retryWarnings({ named, completed }: RetryPlan): readonly string[] {
  return [
    named === null ? null : renderDisputed(named),
    named === null ? null : renderLeftOut(named),
    named === null ? null : renderUncorrected(named),
    renderPaidAgain(completed),
  ]
    .filter((line) => line !== null)
    .map((line) => `warning: ${line}`);
}

/** For commands that take only the ids of `--only`. Printed even with `--quiet`; null where nothing is lost. */
export function unusedCorrections(named: readonly NamedRow[] | null): string | null {
  const count = (named ?? []).filter(({ corrected }) => corrected !== undefined).length;
  if (count === 0) return null;
  return `warning: ${renderRows(count)} of --only with corrected text: only \`batch retry\` takes it`;
}

/** What the retry will do. */
export function retryNotices(plan: RetryPlan): readonly string[] {
  const { attempts, beyondLimit, paid, goesOn, waiting, named, edits, corrections, ledger } = plan;
  const left = goesOn === null ? 0 : countQualities(paid);
  const besides = renderBesides(ledger.counts.pending - waiting.length - left);
  return [
    ...(named === null ? [] : renderPassedOver(named)),
    ...(goesOn === null ? [] : [`${renderRows(left)} left of the retry, ordered before`]),
    ...(goesOn === null ? [`${renderRows(countQualities(attempts))} to get a new attempt`] : []),
    ...(beyondLimit > 0 ? [`${renderRows(beyondLimit)} left as they are: --limit`] : []),
    ...renderEdits(edits),
    ...renderCorrections(corrections),
    ...(besides === null ? [] : [besides]),
  ];
}

/** Throws `UsageError` when no row gets a new attempt and no named row is in progress. */
export function refuseEmpty({ attempts, named }: RetryPlan, { statuses, failure }: RetryChoice): void {
  if (countQualities(attempts) > 0 || (named !== null && named.underWay.length + named.unsent.length > 0))
    return;
  if (failure !== null) throw nothingMatches(statuses, failure);
  if (named !== null) throw nothingLeft(named);
}

function nothingMatches(statuses: readonly Status[], failure: string): UsageError {
  const which = statuses.length === 0 ? 'chosen' : statuses.join(' or ');
  return new UsageError(
    `--failure: no ${which} row of the file has the failure ${JSON.stringify(plainFailure(failure))}; \`batch status\` lists the failures`,
  );
}

function nothingLeft(named: NamedChoice): UsageError {
  const why = [...renderPassedOver(named), renderDisputed(named), renderLeftOut(named)].filter(
    (line) => line !== null,
  );
  return new UsageError(['--only: nothing is left to retry', ...why].join('; '));
}

/** One notice for each kind of row that gets no new attempt. */
function renderPassedOver({ underWay, unsent, judged, triedSince }: NamedChoice): readonly string[] {
  const going = `${renderRows(underWay.length)} of --only already under way, continued: `;
  const tried = `${renderRows(triedSince.length)} of --only skipped, attempted again since the mark: `;
  const first = `${renderRows(unsent.length)} of --only not sent yet, \`batch resume\` sends the corrected text: `;
  const last = `${renderRows(judged.length)} whose preferred attempt is marked: the new attempt will stand for the row: `;
  return [
    ...(underWay.length > 0 ? [going + renderNames(underWay)] : []),
    ...(unsent.length > 0 ? [first + renderNames(unsent)] : []),
    ...(judged.length > 0 ? [last + renderNames(judged.map(({ id }) => id))] : []),
    ...(triedSince.length > 0 ? [tried + renderNames(triedSince)] : []),
  ];
}

/** About rows that people must decide about; null for none. */
function renderDisputed({ disputed }: NamedChoice): string | null {
  if (disputed.length === 0) return null;
  return `${renderRows(disputed.length)} of --only skipped, reviewers contradict each other: ${renderNames(disputed)}`;
}

/** About named rows that cannot get a new attempt; null for none. */
function renderLeftOut({ leftOut }: NamedChoice): string | null {
  if (leftOut.length === 0) return null;
  return `${renderRows(leftOut.length)} of --only skipped, no new attempt possible: ${renderNames(leftOut)}`;
}

/** About corrected texts that are not sent; null for none. */
function renderUncorrected({ uncorrected }: NamedChoice): string | null {
  if (uncorrected.length === 0) return null;
  return `${renderRows(uncorrected.length)} of --only under way without the corrected text; use the table again once they have ended: ${renderNames(uncorrected)}`;
}

/** About rows that already have their video; null for none. */
function renderPaidAgain(completed: readonly Item[]): string | null {
  if (completed.length === 0) return null;
  const isOne = completed.length === 1;
  const points = completed.reduce((sum, item) => sum + (item.points ?? 0), 0);
  const paid = points === 0 ? '' : `, ${renderPoints(points)} so far`;
  const have = isOne ? 'has its video and is' : 'have their videos and are';
  return `${renderRows(completed.length)} ${have} paid for again: ${renderNames(completed.map(({ id }) => id))}${paid}`;
}

/** About rows that wait and that this retry does not name; null for none. */
function renderBesides(left: number): string | null {
  return left <= 0 ? null : `${renderRows(left)} left waiting, not submitted now; use \`batch resume\``;
}

function renderEdits({ changed, unsendable }: RowEdits): readonly string[] {
  return [
    ...(changed > 0
      ? [`${renderRows(changed)} of them changed in the file since: sent with the new text`]
      : []),
    ...(unsendable > 0
      ? [
          `warning: ${renderRows(unsendable)} skipped that cannot be sent as they are in the file; correct them and run the file again`,
        ]
      : []),
  ];
}

/** Corrected rows that are shown one by one. */
const shownRows = 5;

/** Letters of a text that are shown. */
const shownLetters = 50;

function renderCorrections({ rows, kept, dropped }: PlannedCorrections): readonly string[] {
  const more = rows.length - shownRows;
  return [
    ...(rows.length > 0 ? [`${renderRows(rows.length)} sent with corrected text:`] : []),
    ...rows.slice(0, shownRows).flatMap(renderCorrected),
    ...(more > 0 ? [`  and ${renderRows(more)} more; --dry-run --json lists all`] : []),
    ...(kept > 0 ? [`${renderRows(kept)} of them sent with the text corrected for an earlier attempt`] : []),
    ...(dropped.length > 0
      ? [
          `${renderRows(dropped.length)} of them changed in the file since: the corrections are dropped: ${renderNames(dropped)}`,
        ]
      : []),
  ];
}

function renderCorrected({ id, question, answer }: CorrectedRow): readonly string[] {
  return Object.entries({ question, answer }).flatMap(([field, change]) => {
    if (change === undefined) return [];
    const [from, to] = changedPart(toTerminalText(change.from), toTerminalText(change.to), shownLetters);
    return [`  ${toTerminalText(id)} ${field}: ${JSON.stringify(from)} -> ${JSON.stringify(to)}`];
  });
}

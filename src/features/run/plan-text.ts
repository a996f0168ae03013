/** The plan in words: what the file contains, what will happen, what it may cost. */

import type { FirstRow } from '../../input/columns/first-row.ts';
import { type Message, message } from '../../messages/message.ts';
import { countQualities } from '../../money/forecast/estimate.ts';
import { statuses } from '../../money/item.ts';
import type { Plan } from '../../money/plan.ts';
import type { ImageCounts } from '../../money/question.ts';
import type { EndedFinal } from '../../money/review/final.ts';
import type { Phrases } from '../../terminal/phrases/phrases.ts';
import { toTerminalText } from '../../terminal/terminal-text.ts';
import { type RunWords, readingWords } from '../../text/run-words.ts';
import { countSpared, type ReusePlan } from '../reuse/plan-reuse.ts';
import { type EstimateText, renderEstimate } from './estimate-text.ts';
import { renderFirstRow } from './first-row-text.ts';

export interface PlanText extends EstimateText {
  /** The name the user gave. */
  readonly file: string;
  readonly found: {
    readonly encoding: string | null;
    readonly format: string;
    readonly notes: readonly Message[];
    readonly images: ImageCounts;
  };
  /** As it will be sent; null where no row can be. */
  readonly firstRow: FirstRow | null;
  readonly plan: Plan;
  /** Rows that take the video of another one; null where none may. */
  readonly reuse: ReusePlan | null;
  /** Rows that are paid for, and send what an earlier one sends; points are null where no price is known. */
  readonly repeats: { readonly count: number; readonly points: number | null };
  /** The rows to submit are a sample, or the rest of one. */
  readonly isSample: boolean;
  readonly rerunsChanged: boolean;
  /** The command that pays for changed rows again. */
  readonly rerunCommand: string;
  readonly words: RunWords;
  /** The file of all questions, with the options that it needs, in shell words; null where nobody knows it, or no row is missed. */
  readonly allQuestions: string | null;
}

/** Formats by the names that people use. */
const formatNames: Readonly<Record<string, string>> = { xlsx: 'Excel', parquet: 'Parquet' };

/** The lines to print before anything is sent. */
export function renderPlan(text: PlanText, phrases: Phrases): readonly string[] {
  const { file, found, firstRow, plan, estimate } = text;
  const say = phrases.plan;
  const details = [
    ...(firstRow === null || estimate.rows === 0 ? [] : [renderFirstRow(firstRow, phrases)]),
    ...found.notes.map(phrases.render),
    ...renderImages(found.images, phrases),
    ...(plan.twins === 0 || text.reuse !== null || text.repeats.count > 0 ? [] : [say.twins(plan.twins)]),
    ...(text.repeats.count === 0
      ? []
      : [say.repeats(text.repeats.count, text.repeats.points, folderOf(text))]),
    ...(plan.repictured === 0 ? [] : [say.repictured(plan.repictured)]),
    ...(plan.askedBefore === 0 ? [] : [say.askedBefore(plan.askedBefore)]),
    ...renderRenumbered(plan, phrases),
    ...renderEnded(plan.endedFinals, phrases),
    ...renderChanged(text, phrases),
    ...(plan.goneIds.length === 0
      ? []
      : [say.mendedAway(plan.gone, plan.goneIds, `batch ${readingWords(text.allQuestions, text.words)}`)]),
  ];
  const kind = formatNames[found.format] ?? found.format.toUpperCase();
  return [
    toTerminalText(say.heading(file, plan.rows, kind, found.encoding)),
    ...details.map((detail) => `  ${toTerminalText(detail)}`),
    say.plan(renderShares(text, estimate.rows, phrases)),
    ...renderReuse(text.reuse, phrases, estimate.rows),
    ...renderEstimate(text, phrases),
  ];
}

/** Finals that are not made; also for a run that continues. */
export function renderEnded(ended: readonly EndedFinal[], { render }: Phrases): readonly string[] {
  return ended.length === 0 ? [] : [render(message('retry.finals-ended', { ended }))];
}

/** Rows that need not be paid for; also for a run that continues. */
export function renderReuse(
  reuse: ReusePlan | null,
  { plan: say }: Phrases,
  toSubmit = 0,
): readonly string[] {
  if (reuse === null || countSpared(reuse) + toSubmit === 0) return [];
  const { reused, held, points, elsewhere } = reuse;
  return [
    say.reuse(reused, held, points),
    ...elsewhere.map(({ folder, made, doubtful }) => `  ${say.elsewhere(made, doubtful, folder)}`),
  ];
}

/** The run's own folder: with `--reuse` rows take the videos of other rows, wherever they are. */
function folderOf({ words }: PlanText): string {
  return words.isShared ? '' : words.run || './videos';
}

/** `3 rows with 4 images: 3 in files, 1 address`. */
function renderImages(
  { rows, files, inline, kept, addresses }: ImageCounts,
  { plan: say, between }: Phrases,
): readonly string[] {
  const images = files + inline + kept + addresses;
  if (images === 0) return [];
  const kinds = [
    ...(files > 0 ? [say.inFiles(files)] : []),
    ...(inline > 0 ? [say.inRows(inline)] : []),
    ...(kept > 0 ? [say.inCells(kept)] : []),
    ...(addresses > 0 ? [say.addresses(addresses)] : []),
  ];
  return [say.images(rows, images, kinds.join(between))];
}

function renderShares({ plan, isSample }: PlanText, rows: number, phrases: Phrases): string {
  const say = phrases.plan;
  const only = countQualities(plan.now) < plan.toSubmit ? '--only' : '--limit';
  const toSubmit =
    rows < plan.toSubmit
      ? say.someToSubmit(rows, plan.toSubmit, isSample ? '--sample' : only)
      : say.toSubmit(plan.toSubmit);
  const { newRows, waiting, changed, rerun } = plan.shares;
  const submitted = renderCounts(
    [
      [newRows, say.newRows],
      [waiting, say.waiting],
      [changed, say.changed],
      [rerun, say.rerun],
    ],
    phrases,
  );
  const kept = renderCounts(
    statuses.map((status) => [plan.kept[status], status === 'completed' ? say.done : phrases.status[status]]),
    phrases,
  );
  const rest = [
    kept,
    renderCounts([[plan.gone, say.gone]], phrases),
    renderCounts([[plan.unsendable, say.unsendable]], phrases),
  ];
  return say.shares([say.submitted(toSubmit, submitted), ...rest].filter((part) => part !== ''));
}

/** `3 new, 2 waiting`; '' for none. */
function renderCounts(
  counts: readonly (readonly [count: number, word: string])[],
  { countOf, between }: Phrases,
): string {
  return counts
    .filter(([count]) => count > 0)
    .map(([count, word]) => countOf(count, word))
    .join(between);
}

function renderRenumbered({ renumbered, renumberedIds }: Plan, { plan: say }: Phrases): readonly string[] {
  if (renumbered === 0) return [];
  return [
    say.renumbered(
      renumbered,
      renumberedIds.map(({ was, id }) => [was, id]),
    ),
  ];
}

/** Each row is in exactly one list: it is paid for again, or it keeps its result. */
function renderChanged(
  { plan, rerunsChanged, rerunCommand, words }: PlanText,
  { plan: say }: Phrases,
): readonly string[] {
  const again = rerunsChanged ? plan.rerunnable : 0;
  const kept = plan.changedSent - again;
  const lines: string[] = [];
  if (again > 0) lines.push(say.paidAgain(again, plan.rerunnableIds));
  if (kept > 0) {
    const keep = say.keepResult(kept, rerunsChanged ? plan.keepingIds : plan.changedSentIds);
    const order = rerunsChanged ? '' : say.payAgain(kept, rerunCommand, `batch retry ${words.run} --only ID`);
    lines.push(`${keep}${order}`);
  }
  return lines;
}

/** The plan in words: what the file contains, what will happen, what it may cost. */

import { countQualities } from '../core/estimate.ts';
import type { FirstRow } from '../core/first-row.ts';
import { statuses } from '../core/item.ts';
import type { Plan } from '../core/plan.ts';
import type { ImageCounts } from '../core/question.ts';
import type { RunWords } from '../core/text/run-words.ts';
import { type EstimateText, renderEstimate } from './estimate-text.ts';
import { renderFirstRow } from './first-row-text.ts';
import { renderNumber, renderRows } from './numbers.ts';
import { toTerminalText } from './terminal-text.ts';

export interface PlanText extends EstimateText {
  /** The name the user gave. */
  readonly file: string;
  readonly found: {
    readonly encoding: string | null;
    readonly format: string;
    readonly notes: readonly string[];
    readonly images: ImageCounts;
  };
  /** As it will be sent; null where no row can be. */
  readonly firstRow: FirstRow | null;
  readonly plan: Plan;
  /** The rows to submit are a sample, or the rest of one. */
  readonly isSample: boolean;
  readonly rerunsChanged: boolean;
  /** The command that pays for changed rows again. */
  readonly rerunCommand: string;
  readonly words: RunWords;
}

/** Formats by the names that people use. */
const formatNames: Readonly<Record<string, string>> = { xlsx: 'Excel', parquet: 'Parquet' };

/** The lines to print before anything is sent. */
export function renderPlan(text: PlanText): readonly string[] {
  const { file, found, firstRow, plan, estimate } = text;
  const details = [
    ...(firstRow === null || estimate.rows === 0 ? [] : [renderFirstRow(firstRow)]),
    ...found.notes,
    ...renderImages(found.images),
    ...renderTwins(plan.twins),
    ...renderRepictured(plan.repictured),
    ...renderRenumbered(plan),
    ...renderChanged(text),
  ];
  return [
    toTerminalText(
      [
        `${file}: ${renderRows(plan.rows)}`,
        formatNames[found.format] ?? found.format.toUpperCase(),
        found.encoding,
      ]
        .filter((each) => each !== null)
        .join(', '),
    ),
    ...details.map((detail) => `  ${toTerminalText(detail)}`),
    `Plan: ${renderShares(text, estimate.rows)}`,
    ...renderEstimate(text),
  ];
}

/** `3 rows with 4 images: 3 in files, 1 address`. */
function renderImages({ rows, files, inline, kept, addresses }: ImageCounts): readonly string[] {
  const images = files + inline + kept + addresses;
  if (images === 0) return [];
  const kinds = [
    ...(files > 0 ? [`${renderNumber(files)} in ${files === 1 ? 'a file' : 'files'}`] : []),
    ...(inline > 0 ? [`${renderNumber(inline)} in the rows themselves`] : []),
    ...(kept > 0 ? [`${renderNumber(kept)} in cells`] : []),
    ...(addresses > 0 ? [`${renderNumber(addresses)} ${addresses === 1 ? 'address' : 'addresses'}`] : []),
  ];
  const total = `${renderNumber(images)} ${images === 1 ? 'image' : 'images'}`;
  return [`${renderRows(rows)} with ${total}: ${kinds.join(', ')}`];
}

function renderTwins(twins: number): readonly string[] {
  if (twins === 0) return [];
  const repeat = twins === 1 ? 'repeats another row' : 'repeat another row';
  const paid = twins === 1 ? 'it counts as a separate question' : 'each counts as a separate question';
  return [`warning: ${renderRows(twins)} without id ${repeat} word for word; ${paid}, and paid for`];
}

function renderShares({ plan, isSample }: PlanText, rows: number): string {
  const all = renderNumber(plan.toSubmit);
  const only = countQualities(plan.now) < plan.toSubmit ? '--only' : '--limit';
  const narrowing = isSample ? '--sample' : only;
  const toSubmit =
    rows < plan.toSubmit
      ? `${renderNumber(rows)} of ${all} to submit now (${narrowing})`
      : `${all} to submit`;
  const { newRows, waiting, changed, rerun } = plan.shares;
  const submitted = renderCounts([
    [newRows, 'new'],
    [waiting, 'waiting'],
    [changed, 'changed'],
    [rerun, 'paid for again'],
  ]);
  const kept = renderCounts(
    statuses.map((status) => [plan.kept[status], status === 'completed' ? 'done' : status]),
  );
  const rest = [
    kept,
    renderCounts([[plan.gone, 'gone from the file']]),
    renderCounts([[plan.unsendable, 'cannot be sent']]),
  ];
  return [submitted === '' ? toSubmit : `${toSubmit}: ${submitted}`, ...rest]
    .filter((part) => part !== '')
    .join('; ');
}

/** `3 new, 2 waiting`; '' for none. */
function renderCounts(counts: readonly (readonly [count: number, word: string])[]): string {
  return counts
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${renderNumber(count)} ${word}`)
    .join(', ');
}

function renderRepictured(rows: number): readonly string[] {
  if (rows === 0) return [];
  const are = rows === 1 ? 'it is a changed row or a new one' : 'they are changed rows or new ones';
  return [`${renderRows(rows)} whose images changed under the same names: ${are}`];
}

function renderRenumbered({ renumbered, renumberedIds }: Plan): readonly string[] {
  if (renumbered === 0) return [];
  const more = renumbered > renumberedIds.length ? ', ...' : '';
  const names = renumberedIds.map(({ was, id }) => `${was} is ${id}`).join(', ');
  const keep =
    renumbered === 1 ? 'was renumbered and keeps what it has' : 'were renumbered and keep what they have';
  return [`${renderRows(renumbered)} ${keep}: ${names}${more}`];
}

/** Each row is in exactly one list: it is paid for again, or it keeps its result. */
function renderChanged({ plan, rerunsChanged, rerunCommand, words }: PlanText): readonly string[] {
  const again = rerunsChanged ? plan.rerunnable : 0;
  const kept = plan.changedSent - again;
  const one = (count: number, single: string, several: string): string => (count === 1 ? single : several);
  const list = (count: number, ids: readonly string[]): string =>
    `${ids.join(', ')}${count > ids.length ? ', ...' : ''}`;
  const lines: string[] = [];
  if (again > 0) {
    const are = one(again, 'it was submitted and is', 'they were submitted and are');
    const ids = list(again, plan.rerunnableIds);
    lines.push(`${renderRows(again)} changed after ${are} paid for again (--rerun-changed): ${ids}`);
  }
  if (kept > 0) {
    const keep = one(kept, 'it was submitted and keeps its', 'they were submitted and keep their');
    const ids = list(kept, rerunsChanged ? plan.keepingIds : plan.changedSentIds);
    const them = one(kept, 'it', 'them');
    const pays = `${rerunCommand} pays for ${them} again with the new text`;
    const single = `\`batch retry ${words.run} --only ID\` for some of them`;
    const order = rerunsChanged ? '' : `; ${pays}${one(kept, '', `, ${single}`)}`;
    lines.push(`warning: ${renderRows(kept)} changed after ${keep} result: ${ids}${order}`);
  }
  return lines;
}

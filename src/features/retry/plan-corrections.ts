/** Plans which rows of a retry are sent with corrected texts. */

import { type Decider, noteDecision } from '../../app/decisions.ts';
import type { Item } from '../../money/item.ts';
import { parseQuestion } from '../../money/parse-question.ts';
import type { NamedRow } from '../../money/review/named-row.ts';
import { type Correction, correctionInForce, planCorrection } from '../../money/review.ts';
import type { CorrectedTexts } from '../../money/sent-question.ts';
import type { Checkpoint } from '../../stores/port/checkpoint.ts';
import type { Reviews } from '../../stores/port/reviews.ts';

/** A row that is sent with other texts (`to`) than its last attempt (`from`). */
export interface CorrectedRow extends CorrectedTexts {
  readonly id: string;
}

export interface PlannedCorrections {
  readonly rows: readonly CorrectedRow[];
  /** Rows sent with the texts that were corrected before an earlier attempt. */
  readonly kept: number;
  /** Ids of rows whose correction is dropped, because the file has another text since. */
  readonly dropped: readonly string[];
  /** What is saved when the attempts are ordered, by the key of the item; null removes a correction. */
  readonly changes: ReadonlyMap<number, Correction | null>;
}

/** Rows looked up at a time. */
const pageRows = 500;

/** Plans the corrections of these rows. `named` may bring new ones. */
export async function planCorrections(
  { checkpoint, reviews }: { readonly checkpoint: Checkpoint; readonly reviews: Reviews },
  items: AsyncIterable<Item>,
  named: readonly NamedRow[] | null,
): Promise<PlannedCorrections> {
  const wanted = new Map((named ?? []).flatMap(({ id, corrected }) => (corrected ? [[id, corrected]] : [])));
  const plan = {
    rows: [] as CorrectedRow[],
    kept: 0,
    dropped: [] as string[],
    changes: new Map<number, Correction | null>(),
  };
  const page: Item[] = [];
  const flush = async (): Promise<void> => {
    const saved = await reviews.corrections(page.map(({ key }) => key));
    for (const item of page.splice(0)) {
      const known = saved.get(item.key) ?? null;
      const next = wanted.get(item.id) ?? null;
      if (known === null && next === null) continue;
      if ((await checkpoint.editOf(item.key)) !== null) {
        plan.dropped.push(item.id);
        if (known !== null) plan.changes.set(item.key, null);
        continue;
      }
      const { input, source } = await checkpoint.input(item.key);
      const { question } = parseQuestion(input, source);
      const inForce = correctionInForce(question, known);
      if (next === null) {
        if (inForce === null) plan.changes.set(item.key, null);
        else plan.kept += 1;
        continue;
      }
      const texts = {
        question: next.question ?? inForce?.question ?? null,
        answer: next.answer ?? inForce?.answer ?? null,
      };
      const correction = planCorrection(question, texts, item.attempt + 1);
      const row = changeOf(item.id, question, inForce, correction);
      if (row !== null) plan.rows.push(row);
      else if (inForce !== null) {
        // Saved as it is: the attempts that sent it stay known.
        plan.kept += 1;
        continue;
      }
      if (row !== null || known !== null) plan.changes.set(item.key, correction);
    }
  };
  for await (const item of items) {
    page.push(item);
    if (page.length >= pageRows) await flush();
  }
  await flush();
  return plan;
}

/** Null where the row is sent as it was sent last. */
function changeOf(
  id: string,
  own: { readonly question: string; readonly answer: string },
  before: Correction | null,
  after: Correction | null,
): CorrectedRow | null {
  const change = (field: 'question' | 'answer'): CorrectedTexts => {
    const [from, to] = [before?.[field] ?? own[field], after?.[field] ?? own[field]];
    return from === to ? {} : { [field]: { from, to } };
  };
  const texts = { ...change('question'), ...change('answer') };
  return Object.keys(texts).length === 0 ? null : { id, ...texts };
}

/** Saves them, before the attempts are ordered: any process that sends a row then sends its corrected texts. */
export async function saveCorrections(
  reviews: Reviews,
  { changes }: Pick<PlannedCorrections, 'changes'>,
  decider: Decider,
): Promise<void> {
  const all = [...changes];
  for (let at = 0; at < all.length; at += pageRows) {
    const page = all.slice(at, at + pageRows);
    const decisions = page.flatMap(([key, correction]) =>
      correction === null ? [] : [noteDecision(decider, 'correction', detailOf(correction), key)],
    );
    await reviews.correct(new Map(page), decisions);
  }
}

/** The texts that are sent, and the attempt that sends them first. */
function detailOf({ question, answer, since }: Correction): Readonly<Record<string, unknown>> {
  return {
    attempt: since,
    ...(question === null ? {} : { question }),
    ...(answer === null ? {} : { answer }),
  };
}

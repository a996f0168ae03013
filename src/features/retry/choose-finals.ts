/** Decides which drafts get a final, and why the others do not. */

import { inBoth, type Message, message, type Said } from '../../messages/message.ts';
import type { Item, Quality } from '../../money/item.ts';
import type { OrderedFinal } from '../../money/review/final.ts';
import type { GivenMark } from '../../money/review/joined-marks.ts';
import type { Correction } from '../../money/review.ts';
import type { Store } from '../../stores/port/store.ts';
import type { NamedChoice } from './choose-named.ts';
import { type JudgedDraft, judgeDraft } from './judge-draft.ts';

/** The named rows, by what happens to them. */
export interface FinalChoice extends NamedChoice {
  /** What is ordered for the chosen rows, by key. */
  readonly finals: ReadonlyMap<number, OrderedFinal>;
  /** Corrections that the drafts were made with, where the row has another one since; null for the texts of the file. */
  readonly changes: ReadonlyMap<number, Correction | null>;
  /** Chosen rows that are sent with corrected texts, as their drafts were. */
  readonly kept: number;
  /** Ids of rows of which an attempt in this quality was ordered before. */
  readonly had: readonly string[];
  /** Ids of rows whose mark is about another video than the one that stands for them. */
  readonly otherVideo: readonly string[];
}

/** Rows looked up at a time. */
const pageRows = 500;

/** Chooses among the rows that somebody calls good; `whyUnsendable` says of a row why its request cannot be made. */
export async function chooseFinals(
  { checkpoint, reviews }: Pick<Store, 'checkpoint' | 'reviews'>,
  marks: readonly GivenMark[],
  quality: Quality,
  whyUnsendable: (item: Item) => Promise<Said | null>,
): Promise<FinalChoice> {
  const preferred = await reviews.preferences();
  const choice = {
    ...{ chosen: [] as Item[], finals: new Map<number, OrderedFinal>() },
    ...{ changes: new Map<number, Correction | null>(), kept: 0 },
    ...{ had: [] as string[], otherVideo: [] as string[], underWay: [] as string[], waiting: [] as Item[] },
    ...{ judged: [] as Item[], disputed: [] as string[], leftOut: [] as Message[] },
    ...{ corrected: [], unsent: [], uncorrected: [], triedSince: [] },
  };
  const take = async (item: Item, judged: Extract<JudgedDraft, { is: 'draft' }>): Promise<void> => {
    const why = await whyUnsendable(item);
    if (why !== null) {
      choice.leftOut.push(message('skipped.unsendable', { id: item.id, what: inBoth(why) }));
      return;
    }
    choice.chosen.push({ ...item, quality });
    choice.finals.set(item.key, { quality, draft: judged.draft });
    if (judged.correction !== undefined) choice.changes.set(item.key, judged.correction);
    if (judged.isCorrected) choice.kept += 1;
    if (preferred.has(item.key)) choice.judged.push(item);
  };
  const byId = Map.groupBy(marks, ({ id }) => id);
  const named = [...byId].flatMap(([id, own]) => (own.some(({ mark }) => mark === 'good') ? [id] : []));
  for (let at = 0; at < named.length; at += pageRows) {
    const ids = named.slice(at, at + pageRows);
    const keys = (await checkpoint.itemsWithIds(ids)).map(({ key }) => key);
    const rows = new Map((await checkpoint.reportRowsOf(keys)).map((row) => [row.item.id, row]));
    for (const id of ids) {
      const row = rows.get(id);
      if (row === undefined || row.gone) {
        choice.leftOut.push(message(row === undefined ? 'skipped.unknown' : 'skipped.gone', { id }));
        continue;
      }
      const judged = judgeDraft(row, quality, byId.get(id) ?? []);
      if (judged.is === 'draft') await take(row.item, judged);
      else if (judged.is === 'had') choice.had.push(id);
      else if (judged.is === 'other-video') choice.otherVideo.push(id);
      else if (judged.is === 'disputed') choice.disputed.push(`${id} (${judged.words})`);
      else if (judged.is === 'left-out') choice.leftOut.push(judged.why);
      else {
        choice.underWay.push(id);
        if (row.item.status === 'pending') choice.waiting.push(row.item);
      }
    }
  }
  return choice;
}

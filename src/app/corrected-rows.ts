/** Compares the rows of a file with the texts that reviewers corrected. */

import type { Item } from '../core/item.ts';
import { contentWith, type IncomingRow, parseQuestion, type Source } from '../core/question.ts';
import { correctedQuestion, correctionInForce } from '../core/review.ts';
import { CheckpointError } from '../errors.ts';
import type { Checkpoint, Store } from '../store.ts';

type Texts = Readonly<Record<'question' | 'answer', string>>;

/** A row that is sent with other texts than those of the file. */
interface CorrectedItem {
  readonly item: Item;
  /** Those of the file, as the run knows it. */
  readonly own: Texts;
  readonly sent: Texts;
}

export interface CorrectedRows {
  /**
   * The rows, with the texts that the run knows where the file has the corrected ones now: what was sent with that text
   * is not paid for again.
   */
  recognize(rows: readonly IncomingRow[], source: Source): Promise<readonly IncomingRow[]>;
  /** The row as it will be sent: a waiting one may have a correction. */
  asSent(row: IncomingRow, source: Source): IncomingRow;
}

/** Rows without an id of their own are known by their text alone: a corrected text in the file makes them new rows. */
export async function readCorrectedRows({
  checkpoint,
  reviews,
}: Pick<Store, 'checkpoint' | 'reviews'>): Promise<CorrectedRows> {
  const known = new Map<string, CorrectedItem>();
  for (const [key, correction] of await reviews.corrections(null)) {
    const item = await checkpoint.itemWithKey(key);
    const own = await readOwn(checkpoint, key);
    if (item === null || own === null || correctionInForce(own, correction) === null) continue;
    // An order that was never saved leaves a correction that no attempt has sent.
    if (item.status === 'pending' || item.attempt >= correction.since)
      known.set(item.id, { item, own, sent: correctedQuestion(own, correction) });
  }
  const recognize = async (row: IncomingRow, source: Source): Promise<IncomingRow> => {
    const found = row.id === null ? undefined : known.get(row.id);
    const content = found === undefined ? null : contentWith(row.content, found.sent, found.own);
    if (found === undefined || content === null) return row;
    if (!(await checkpoint.isContent(found.item.key, [content]))) return row;
    return { ...row, content, written: null, input: inputWith(row, source, found.own) };
  };
  return {
    recognize: async (rows, source) =>
      known.size === 0 ? rows : Promise.all(rows.map((row) => recognize(row, source))),
    asSent(row, source) {
      const found = row.id === null ? undefined : known.get(row.id);
      if (found?.item.status !== 'pending' || contentWith(row.content, found.own, found.sent) === null)
        return row;
      return { ...row, input: inputWith(row, source, found.sent) };
    },
  };
}

/**
 * Removes the corrections of texts that their rows no longer have, before a file is imported: if a row had its old text again, a correction that was dropped with that text would be sent
 * instead, which no plan says.
 */
export async function forgetCorrections({
  checkpoint,
  reviews,
}: Pick<Store, 'checkpoint' | 'reviews'>): Promise<void> {
  const stale = new Map<number, null>();
  for (const [key, correction] of await reviews.corrections(null)) {
    const own = await readOwn(checkpoint, key);
    if (own !== null && correctionInForce(own, correction) === null) stale.set(key, null);
  }
  if (stale.size > 0) await reviews.correct(stale);
}

/** The texts of a row as they were read; null where they are damaged: the file has them again. */
async function readOwn(checkpoint: Checkpoint, key: number): Promise<Texts | null> {
  try {
    const { input, source } = await checkpoint.input(key);
    return parseQuestion(input, source).question;
  } catch (error) {
    if (error instanceof CheckpointError) return null;
    throw error;
  }
}

function inputWith({ input }: IncomingRow, { fields }: Source, texts: Texts): IncomingRow['input'] {
  const changed = (['question', 'answer'] as const).flatMap((field) => {
    const column = fields[field];
    return column === undefined ? [] : [[column, texts[field]] as const];
  });
  return { ...input, ...Object.fromEntries(changed) };
}

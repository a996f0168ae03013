/** Compares the rows of a file with the texts that reviewers corrected. */

import { CheckpointError } from '../../errors.ts';
import type { Item } from '../../money/item.ts';
import { contentWith, parseQuestion } from '../../money/parse-question.ts';
import type { CorrectedItem, IncomingRow, Source } from '../../money/question.ts';
import { correctedQuestion, correctionInForce } from '../../money/review.ts';
import { sentCorrection } from '../../money/sent-question.ts';
import type { Checkpoint } from '../../stores/port/checkpoint.ts';
import type { Store } from '../../stores/port/store.ts';
import { readContent } from '../../text/ids/row-content.ts';
import { asSpreadsheetsKeep } from '../../text/spreadsheet-text.ts';

type Texts = Readonly<Record<'question' | 'answer', string>>;

/** A row that is, or was, sent with other texts than those of the file. */
interface CorrectedRow {
  readonly item: Item;
  /** Those of the file, as the run knows it. */
  readonly own: Texts;
  /** Those of its last attempt, or of the next one while it waits. */
  readonly sent: Texts;
  /** All corrected ones that were sent for it, or will be next; the file may have any of them since. */
  readonly corrected: readonly Texts[];
}

export interface CorrectedRows {
  /**
   * The rows, with the texts that the run knows where the file has the corrected ones now: what was sent with that text
   * is not paid for again. A row that has them under another id, or none, may be that row: the store decides.
   */
  recognize(rows: readonly IncomingRow[], source: Source): Promise<readonly IncomingRow[]>;
  /** The row as it will be sent: a waiting one may have a correction. */
  asSent(row: IncomingRow, source: Source): IncomingRow;
}

export async function readCorrectedRows({
  checkpoint,
  reviews,
}: Pick<Store, 'checkpoint' | 'reviews'>): Promise<CorrectedRows> {
  const known = new Map<string, CorrectedRow>();
  const byKey = new Map<number, CorrectedRow>();
  const bySent = new Map<string, CorrectedRow[]>();
  const saved = await reviews.corrections(null);
  const earlier = await reviews.earlierCorrections();
  for (const key of new Set([...saved.keys(), ...earlier.keys()])) {
    const item = await checkpoint.itemWithKey(key);
    const own = await readOwn(checkpoint, key);
    if (item === null || own === null) continue;
    const inForce = sentCorrection(item, own, saved.get(key) ?? null);
    const before = (earlier.get(key) ?? []).filter((each) => correctionInForce(own, each) !== null);
    const corrected = [...(inForce === null ? [] : [inForce]), ...before].map((each) =>
      correctedQuestion(own, each),
    );
    const row = { item, own, sent: correctedQuestion(own, inForce), corrected };
    // Where the last attempt sent the row's own text, another one under its id is an edit of the user.
    if (inForce !== null) {
      known.set(item.id, row);
      byKey.set(key, row);
    }
    for (const name of new Set(corrected.map(nameOf))) bySent.set(name, [...(bySent.get(name) ?? []), row]);
  }
  /** The content of the row with the item's own texts; null where the item was not sent with this content. */
  const ownContent = async (
    content: string,
    { item, own, corrected }: CorrectedRow,
  ): Promise<string | null> => {
    for (const texts of corrected) {
      const found = contentWith(content, texts, own);
      if (found !== null && (await checkpoint.isContent(item.key, [found]))) return found;
    }
    return null;
  };
  const recognize = async (row: IncomingRow, source: Source): Promise<IncomingRow> => {
    const same = row.keyed == null ? (row.id === null ? undefined : known.get(row.id)) : byKey.get(row.keyed);
    const content = same === undefined ? null : await ownContent(row.content, same);
    if (same !== undefined && content !== null)
      return { ...row, content, written: null, otherwise: null, input: inputWith(row, source, same.own) };
    // With a key it is no other row.
    if (row.keyed != null) return row;
    const corrected: CorrectedItem[] = [];
    for (const other of bySent.get(nameOf(readContent(row.content))) ?? [])
      if (other.item.id !== row.id && (await ownContent(row.content, other)) !== null)
        corrected.push({ key: other.item.key, input: inputWith(row, source, other.own) });
    return corrected.length === 0 ? row : { ...row, corrected };
  };
  return {
    recognize: async (rows, source) =>
      bySent.size === 0 ? rows : Promise.all(rows.map((row) => recognize(row, source))),
    asSent(row, source) {
      const found = row.id === null ? undefined : known.get(row.id);
      if (found?.item.status !== 'pending') return row;
      const isKnown = [found.own, ...found.corrected].some(
        (texts) => contentWith(row.content, texts, found.sent) !== null,
      );
      return isKnown ? { ...row, input: inputWith(row, source, found.sent) } : row;
    },
  };
}

/** Equal for texts that are sent as the same question. */
function nameOf({ question, answer }: Texts): string {
  return JSON.stringify([asSpreadsheetsKeep(question), asSpreadsheetsKeep(answer)]);
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

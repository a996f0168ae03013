/** Removes the corrections of texts that their rows no longer have. */

import { parseQuestion } from '../core/question.ts';
import { correctionInForce } from '../core/review.ts';
import { CheckpointError } from '../errors.ts';
import type { Store } from '../store.ts';

/**
 * Before a file is imported: if a row had its old text again, a correction that was dropped with that text would be sent
 * instead, which no plan says.
 */
export async function forgetCorrections({
  checkpoint,
  reviews,
}: Pick<Store, 'checkpoint' | 'reviews'>): Promise<void> {
  const stale = new Map<number, null>();
  for (const [key, correction] of await reviews.corrections(null)) {
    try {
      const { input, source } = await checkpoint.input(key);
      const { question } = parseQuestion(input, source);
      if (correctionInForce(question, correction) === null) stale.set(key, null);
    } catch (error) {
      // A damaged text is replaced by the import.
      if (!(error instanceof CheckpointError)) throw error;
    }
  }
  if (stale.size > 0) await reviews.correct(stale);
}

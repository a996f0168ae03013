/** Texts of any size: what a file or the service calls a row or a task is no reason to end a run. */

import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { accepted } from '../saved-lives.ts';
import type { Runs } from './runs.ts';

/** A text of this length that cannot be compressed. */
function textOf(length: number): string {
  let text = '';
  while (text.length < length) text += createHash('sha512').update(text).digest('base64url');
  return text.slice(0, length);
}

export function describeOddSizes(runs: Runs): void {
  describe('texts of any size', () => {
    it.each([1, 2_703, 3_600, 6_000, 100_000])('an id of %i characters names its row', async (length) => {
      const id = textOf(length);
      await using run = await runs.open({ id, question: 'Long' }, { id: `${id}x`, question: 'Longer' });
      expect((await run.checkpoint.itemsWithIds([id])).map((item) => item.id)).toEqual([id]);
      const pending = await run.checkpoint.pendingItems({ limit: 9, only: [id] });
      expect(pending.map((item) => item.id)).toEqual([id]);
    });

    it.each([1, 2_703, 3_600, 100_000])(
      'a task id of %i characters is saved, and found again',
      async (length) => {
        const task = textOf(length);
        await using run = await runs.open({ id: 'q1', question: 'One' });
        const { taskId } = await run.live('q1', ...accepted(task));
        expect(taskId).toBe(task);
        expect((await run.checkpoint.itemOfTask(task))?.id).toBe('q1');
        expect(await run.checkpoint.itemOfTask(`${task}x`)).toBeNull();
      },
    );
  });
}

/** Texts of any size: what a file or the service calls a row or a task is no reason to end a run. */

import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { incomingRows } from '../incoming-rows.ts';
import { accepted, completed } from '../saved-lives.ts';
import { plainImport } from '../store-run.ts';
import { markOf } from './reviews.ts';
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

    it.each([1, 2_703, 4_000])('the path of a picture of %i characters is known again', async (length) => {
      const path = textOf(length);
      await using run = await runs.open({ id: 'q1', question: 'One' });
      {
        await using ingest = await run.store.openIngest();
        await ingest.add(incomingRows({ id: 'q1', question: 'One' }));
        await ingest.pictures.note(path, 1, 2, 'first');
        await ingest.pictures.note(path, 3, 4, 'second');
        await ingest.match({ add: false, isMended: false });
        await ingest.apply(plainImport);
      }
      await using ingest = await run.store.openIngest();
      expect(await ingest.pictures.find(path, 3, 4)).toBe('second');
      expect(await ingest.pictures.find(`${path}x`, 3, 4)).toBeNull();
      const digests = await run.store.sharing?.pictureDigests([path, `${path}x`]);
      if (digests !== undefined) expect([...digests]).toEqual([[path, 'second']]);
    });

    it.each([1, 2_703, 100_000])('a reviewer of %i characters has one mark for each row', async (length) => {
      const reviewer = textOf(length);
      await using run = await runs.open({ id: 'q1', question: 'One' });
      await run.live('q1', ...completed('task-1'));
      const [{ key = 0 } = {}] = await run.all();
      const { reviews } = run.store;
      await reviews.saveMarks([markOf(key, { reviewer, note: 'first' })]);
      await reviews.saveMarks([
        markOf(key, { reviewer, note: 'second' }),
        markOf(key, { reviewer: `${reviewer}x` }),
      ]);
      const marks = await reviews.marks();
      expect(marks.map((mark) => [mark.reviewer, mark.note])).toEqual([
        [reviewer, 'second'],
        [`${reviewer}x`, markOf(key).note],
      ]);
      await reviews.saveMarks([markOf(key, { reviewer, mark: '', note: '' })]);
      expect((await reviews.marks()).map((mark) => mark.reviewer)).toEqual([`${reviewer}x`]);
    });
  });
}

import { expect, it } from 'vitest';
import { markedRows } from '../../../src/features/review/saved-marks.ts';
import { openCheckpointFolder } from '../../support/checkpoint-folder.ts';
import { incomingRows, namedRows } from '../../support/incoming-rows.ts';
import { completed, liveOn } from '../../support/saved-lives.ts';
import { markOf } from '../../support/store-contract/reviews.ts';

it('the marks that are saved with the run name the rows to make again, as one table of them would', async () => {
  await using folder = await openCheckpointFolder();
  const { store, checkpoint } = folder;
  await folder.ingest(incomingRows(...namedRows(3)));
  for (const id of ['q1', 'q2', 'q3']) await liveOn(checkpoint, id, ...completed(`task of ${id}`));
  const [one = 0, two = 0, three = 0] = (await folder.all()).map(({ key }) => key);
  await store.reviews.saveMarks([
    markOf(three, { reviewer: 'Anna', question: '=7+1' }),
    markOf(two, { reviewer: 'Anna', mark: 'good', note: '' }),
    markOf(two, { reviewer: 'Ben' }),
    markOf(one, { mark: '', note: 'nice' }),
  ]);
  expect(await markedRows(store)).toEqual([
    { id: 'q2', isTyped: false, attempt: 1, orders: 'marked', dispute: 'Anna: good, Ben: bad' },
    { id: 'q3', isTyped: false, attempt: 1, orders: 'marked', corrected: { question: '=7+1', answer: null } },
  ]);
  await store.reviews.saveMarks([markOf(one, { mark: 'good', question: '1' })]);
  await expect(markedRows(store)).rejects.toThrow('--marked: row q1');
});

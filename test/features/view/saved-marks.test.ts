import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Invocation } from '../../../src/app/options/invocation.ts';
import { renderMarksTable } from '../../../src/features/review/marks-table.ts';
import { mergeMarks, savedMarks } from '../../../src/features/review/merge-marks.ts';
import { readNaming, namedRows as rowsOf } from '../../../src/features/review/only-file.ts';
import { readPreferences } from '../../../src/features/review/read-marks.ts';
import { openCheckpointFolder } from '../../support/checkpoint-folder.ts';
import { incomingRows, namedRows } from '../../support/incoming-rows.ts';
import { completed, liveOn } from '../../support/saved-lives.ts';
import { markOf } from '../../support/store-contract/reviews.ts';

const readOnly = (entries: readonly string[], folder: string) => rowsOf(readNaming(entries, folder));

it('the marks that are saved with a run go out as a table, which names the rows to make again', async () => {
  await using folder = await openCheckpointFolder();
  const { store, checkpoint, path } = folder;
  await folder.ingest(incomingRows(...namedRows(3)));
  for (const id of ['q1', 'q2', 'q3']) await liveOn(checkpoint, id, ...completed(`task of ${id}`));
  const [one = 0, two = 0, three = 0] = (await folder.all()).map(({ key }) => key);
  await store.reviews.saveMarks([
    markOf(three, { reviewer: 'Anna', question: '=7+1' }),
    markOf(two, { reviewer: 'Anna', mark: 'good', note: '' }),
    markOf(two, { reviewer: 'Ben' }),
    markOf(one, { mark: '', note: 'nice' }),
  ]);
  await store.reviews.prefer(new Map([[three, 1]]));
  // A row that left the file keeps its mark, and has no number any more.
  await folder.ingest(incomingRows(...namedRows(2)));
  const rows = await savedMarks({ store, invocation: { out: path } as Invocation });
  expect(rows.map(({ row, id, reviewer, mark, prefer }) => [row, id, reviewer, mark, prefer])).toEqual([
    [1, 'q1', '', '', null],
    [2, 'q2', 'Anna', 'good', null],
    [2, 'q2', 'Ben', 'bad', null],
    [null, 'q3', 'Anna', 'bad', 1],
  ]);
  const file = join(path, 'marks.csv');
  await writeFile(file, renderMarksTable(rows));
  expect(readOnly(['@marks.csv'], path)).toMatchObject([
    { id: 'q2', dispute: 'Anna: good, Ben: bad' },
    { id: 'q3', corrected: { question: '=7+1', answer: null } },
  ]);
  expect(readPreferences(file, 'marks.csv')).toMatchObject([{ id: 'q3', attempt: 1 }]);
  expect(mergeMarks([file]).conflicts).toEqual(['q2 (Anna: good, Ben: bad)']);
});

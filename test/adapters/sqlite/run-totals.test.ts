import { describe, expect, it } from 'vitest';
import { eventOf, events } from '../../core/lives.ts';
import { type CheckpointFolder, openCheckpointFolder } from '../../support/checkpoint-folder.ts';
import { incomingRows, namedRows } from '../../support/incoming-rows.ts';
import { accepted, completed, itemNamed, liveOn } from '../../support/saved-lives.ts';

/** A folder with the rows `q1`, `q2`... */
async function folderWith(count: number): Promise<CheckpointFolder> {
  const folder = await openCheckpointFolder();
  await folder.ingest(incomingRows(...namedRows(count)));
  return folder;
}

async function fail({ checkpoint }: CheckpointFolder, id: string, failure: string): Promise<void> {
  await liveOn(checkpoint, id, ...accepted(`task-${id}`), { ...events['task-failed'], failure });
}

async function refuse({ checkpoint }: CheckpointFolder, id: string, failure: string): Promise<void> {
  await liveOn(checkpoint, id, events.claimed, { ...events['creation-refused'], failure });
}

describe('why rows ended badly', () => {
  it('is grouped by status and kind, the largest group first', async () => {
    await using folder = await folderWith(8);
    for (const id of ['q1', 'q2', 'q3'])
      await fail(folder, id, `task-${id} of ${id} timed out after ${id.slice(1)} s`);
    for (const id of ['q4', 'q5']) await fail(folder, id, 'HTTP 502: Bad gateway');
    await refuse(folder, 'q6', 'HTTP 502: Bad gateway');
    await liveOn(folder.checkpoint, 'q7', ...completed('task-q7'));
    expect(await folder.store.totals.failureGroups()).toEqual({
      areAll: true,
      groups: [
        {
          status: 'failed',
          kind: '… of … timed out after … s',
          failure: null,
          count: 3,
          inFile: 3,
          someId: 'q1',
        },
        {
          status: 'failed',
          kind: 'HTTP …: Bad gateway',
          failure: 'HTTP 502: Bad gateway',
          count: 2,
          inFile: 2,
          someId: 'q4',
        },
        {
          status: 'rejected',
          kind: 'HTTP …: Bad gateway',
          failure: 'HTTP 502: Bad gateway',
          count: 1,
          inFile: 1,
          someId: 'q6',
        },
      ],
    });
  });

  it('says how many of the rows are in the file still', async () => {
    await using folder = await folderWith(3);
    for (const id of ['q1', 'q2', 'q3']) await fail(folder, id, 'x');
    await folder.ingest(incomingRows(...namedRows(1)));
    expect((await folder.store.totals.failureGroups()).groups).toMatchObject([{ count: 3, inFile: 1 }]);
    expect(await folder.store.totals.goneCounts()).toEqual({ failed: 2 });
  });

  it('counts as many rows as the totals do: one that left the file without a task has no story', async () => {
    await using folder = await folderWith(3);
    await refuse(folder, 'q2', 'x');
    await refuse(folder, 'q3', 'x');
    await folder.ingest(incomingRows(...namedRows(2)));
    expect((await folder.store.totals.failureGroups()).groups).toMatchObject([{ count: 1, inFile: 1 }]);
    expect((await folder.checkpoint.ledger()).counts.rejected).toBe(1);
    expect(await folder.store.totals.goneCounts()).toEqual({});
  });

  it('lists a thousand kinds, and says that there are more', async () => {
    await using folder = await folderWith(1_001);
    const word = (at: number): string => [...String(at)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
    const update = folder.db.prepare(`UPDATE items SET status = 'invalid', failure = ? WHERE row = ?`);
    for (let row = 1; row <= 1_000; row += 1) update.run(word(row), row);
    expect(await folder.store.totals.failureGroups()).toMatchObject({
      areAll: true,
      groups: { length: 1_000 },
    });
    update.run('one more', 1_001);
    expect(await folder.store.totals.failureGroups()).toMatchObject({
      areAll: false,
      groups: { length: 1_000 },
    });
  });
});

describe('what videos cost', () => {
  it('is not known while there is none', async () => {
    await using folder = await folderWith(2);
    await fail(folder, 'q1', 'x');
    expect(await folder.store.totals.prices()).toEqual({ charged: 0, perVideo: null });
  });

  it('is the mean of the completed ones, those that were made again included', async () => {
    await using folder = await folderWith(4);
    const cost = (points: number | null) => {
      const { ending } = events['task-completed'];
      return eventOf('task-completed', { frames: [], ending: { ...ending, points } });
    };
    for (const [id, points] of [
      ['q1', 10],
      ['q2', 15],
      ['q3', null],
    ] as const)
      await liveOn(folder.checkpoint, id, ...accepted(`task-${id}`), cost(points), events['video-saved']);
    await liveOn(folder.checkpoint, 'q4', ...accepted('task-q4'), cost(99));
    expect(await folder.store.totals.prices()).toEqual({ charged: 3, perVideo: 12.5 });
    await liveOn(folder.checkpoint, 'q1', events['retry-ordered']);
    expect(await folder.store.totals.prices()).toEqual({ charged: 3, perVideo: 12.5 });
  });
});

it('rows that wait are counted by quality, those that left the file not', async () => {
  await using folder = await openCheckpointFolder();
  const rows = [
    { id: 'a', question: 'A', quality: 'h' },
    { id: 'b', question: 'B' },
    { id: 'c', question: 'C' },
  ];
  await folder.ingest(incomingRows(...rows, { id: 'd', question: 'D' }));
  await folder.ingest(incomingRows(...rows));
  await liveOn(folder.checkpoint, 'c', events.claimed);
  expect(await folder.store.totals.pendingQualities(null)).toEqual({ h: 1, m: 0, l: 0, none: 1 });
  expect(await folder.store.totals.pendingQualities(['a', 'd'])).toEqual({ h: 1, m: 0, l: 0, none: 0 });
  expect((await itemNamed(folder.checkpoint, 'd')).status).toBe('pending');
});

import { describe, expect, it } from 'vitest';
import { eventOf, events } from '../../money/lives.ts';
import { incomingRows, namedRows } from '../incoming-rows.ts';
import { accepted, completed } from '../saved-lives.ts';
import type { StoreRun } from '../store-run.ts';
import type { Runs } from './runs.ts';

async function fail(run: StoreRun, id: string, failure: string): Promise<void> {
  await run.live(id, ...accepted(`task-${id}`), { ...events['task-failed'], failure });
}

async function refuse(run: StoreRun, id: string, failure: string): Promise<void> {
  await run.live(id, events.claimed, { ...events['creation-refused'], failure });
}

/** What plans and totals say of all rows. */
export function describeTotals(runs: Runs): void {
  describe('why rows ended badly', () => {
    it('is grouped by status and kind, the largest group first', async () => {
      await using run = await runs.open(...namedRows(8));
      for (const id of ['q1', 'q2', 'q3'])
        await fail(run, id, `task-${id} of ${id} timed out after ${id.slice(1)} s`);
      for (const id of ['q4', 'q5']) await fail(run, id, 'HTTP 502: Bad gateway');
      await refuse(run, 'q6', 'HTTP 502: Bad gateway');
      await run.live('q7', ...completed('task-q7'));
      expect(await run.store.totals.failureGroups()).toEqual({
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
      await using run = await runs.open(...namedRows(3));
      for (const id of ['q1', 'q2', 'q3']) await fail(run, id, 'x');
      await run.ingest(incomingRows(...namedRows(1)));
      expect((await run.store.totals.failureGroups()).groups).toMatchObject([{ count: 3, inFile: 1 }]);
      expect(await run.store.totals.goneCounts()).toEqual({ failed: 2 });
    });

    it('counts as many rows as the totals do: one that left the file without a task has no story', async () => {
      await using run = await runs.open(...namedRows(3));
      await refuse(run, 'q2', 'x');
      await refuse(run, 'q3', 'x');
      await run.ingest(incomingRows(...namedRows(2)));
      expect((await run.store.totals.failureGroups()).groups).toMatchObject([{ count: 1, inFile: 1 }]);
      expect((await run.checkpoint.ledger()).counts.rejected).toBe(1);
      expect(await run.store.totals.goneCounts()).toEqual({});
    });

    it('lists a thousand kinds, and says that there are more', async () => {
      await using run = await runs.openScratch();
      const word = (at: number): string =>
        [...String(at)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
      const rows = incomingRows(...namedRows(1_001)).map((row, at) => ({ ...row, failure: word(at) }));
      await run.ingest(rows.slice(0, 1_000));
      expect(await run.store.totals.failureGroups()).toMatchObject({
        areAll: true,
        groups: { length: 1_000 },
      });
      await run.ingest(rows);
      expect(await run.store.totals.failureGroups()).toMatchObject({
        areAll: false,
        groups: { length: 1_000 },
      });
    });
  });

  describe('what videos cost', () => {
    it('is not known while there is none', async () => {
      await using run = await runs.open(...namedRows(2));
      await fail(run, 'q1', 'x');
      expect(await run.store.totals.prices()).toEqual({ charged: 0, perVideo: null });
    });

    it('is the mean of the completed ones, those that were made again included', async () => {
      await using run = await runs.open(...namedRows(4));
      const cost = (points: number | null) => {
        const { ending } = events['task-completed'];
        return eventOf('task-completed', { frames: [], ending: { ...ending, points } });
      };
      for (const [id, points] of [
        ['q1', 10],
        ['q2', 15],
        ['q3', null],
      ] as const)
        await run.live(id, ...accepted(`task-${id}`), cost(points), events['video-saved']);
      await run.live('q4', ...accepted('task-q4'), cost(99));
      expect(await run.store.totals.prices()).toEqual({ charged: 3, perVideo: 12.5 });
      await run.live('q1', events['retry-ordered']);
      expect(await run.store.totals.prices()).toEqual({ charged: 3, perVideo: 12.5 });
    });
  });

  it('paid videos are summed by quality with the length of their texts, whatever column has it', async () => {
    await using run = await runs.open();
    const rows = incomingRows(
      { id: 'a', question: 'four', quality: 'h' },
      { id: 'b', question: '七个字的题目啊' },
      { id: 'c', question: 'ten letters' },
      { id: 'd', question: 'never paid' },
    );
    await run.ingest(rows);
    const cost = (points: number) => {
      const { ending } = events['task-completed'];
      return eventOf('task-completed', { frames: [], ending: { ...ending, points } });
    };
    const claimed = { ...events.claimed, quality: 'h' } as const;
    await run.live('a', claimed, events['creation-accepted'], cost(20));
    await run.live('b', ...accepted('task-b'), cost(10), events['video-saved']);
    await run.live('c', ...accepted('task-c'), cost(13));
    await fail(run, 'd', 'x');
    const sums = [...(await run.store.totals.paidSums())].sort((x, y) => x.videos - y.videos);
    expect(sums).toEqual([
      {
        quality: 'h',
        videos: 1,
        points: 20,
        pointsSquared: 400,
        characters: 4,
        charactersSquared: 16,
        products: 80,
      },
      {
        quality: 'm',
        videos: 2,
        points: 23,
        pointsSquared: 269,
        characters: 18,
        charactersSquared: 170,
        products: 213,
      },
    ]);
  });

  it('the texts of waiting rows are measured by quality, odd ones too', async () => {
    await using run = await runs.open();
    const rows = [
      { id: 'a', question: 'four', quality: 'h' },
      { id: 'b', question: '七个字的题目啊' },
      { id: 'c', question: 'a \\ud800 "b"' },
      { id: 'd', question: 'and "two"\n' },
    ];
    await run.ingest(incomingRows(...rows));
    await run.live('c', events.claimed);
    const lengths = async (only: readonly string[] | null) =>
      [...(await run.store.totals.pendingLengths({ only }, 1))].sort((x, y) => x.rows - y.rows);
    expect(await lengths(null)).toEqual([
      { quality: 'h', rows: 1, characters: 4 },
      { quality: null, rows: 2, characters: 17 },
    ]);
    expect(await lengths(['b', 'c'])).toEqual([{ quality: null, rows: 1, characters: 7 }]);
    const some = await run.store.totals.pendingLengths({ only: null }, 1_000_000);
    expect(some).toEqual([]);
  });

  it('rows that wait are counted by quality, those that left the file not', async () => {
    await using run = await runs.open();
    const rows = [
      { id: 'a', question: 'A', quality: 'h' },
      { id: 'b', question: 'B' },
      { id: 'c', question: 'C' },
    ];
    await run.ingest(incomingRows(...rows, { id: 'd', question: 'D' }));
    await run.ingest(incomingRows(...rows));
    await run.live('c', events.claimed);
    expect(await run.store.totals.pendingQualities({ only: null })).toEqual({ h: 1, m: 0, l: 0, none: 1 });
    expect(await run.store.totals.pendingQualities({ only: ['a', 'd'] })).toEqual({
      h: 1,
      m: 0,
      l: 0,
      none: 0,
    });
    expect((await run.item('d')).status).toBe('pending');
    expect(await run.store.totals.completedQualities()).toEqual({ h: 0, m: 0, l: 0, none: 0 });
    await run.live('a', ...completed('task-a'));
    expect(await run.store.totals.completedQualities()).toMatchObject({ h: 0, none: 1 });
  });
}

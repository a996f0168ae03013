import { describe, expect, it } from 'vitest';
import type { ItemEvent } from '../../../src/money/event.ts';
import type { RunWatch } from '../../../src/stores/port/reading.ts';
import { at, eventOf, events } from '../../money/lives.ts';
import { incomingRows, namedRows, type WrittenRow } from '../incoming-rows.ts';
import { accepted, completed } from '../saved-lives.ts';
import type { OpenRun, Runs } from './runs.ts';

/** More than fit on any page. */
const manyRows = 10_203;

/** How a run is followed by a process that does not work on it. */
export function describeWatch(runs: Runs): void {
  async function openWatched(...rows: readonly WrittenRow[]): Promise<OpenRun & { watch: RunWatch }> {
    const run = await runs.open(...rows);
    const outside = await run.look();
    return {
      ...run,
      watch: await outside.store.openWatch(),
      [Symbol.asyncDispose]: async () => {
        await outside[Symbol.asyncDispose]();
        await run[Symbol.asyncDispose]();
      },
    };
  }

  describe('the version of a run', () => {
    it('moves with everything that is saved, and only then', async () => {
      await using run = await openWatched(...namedRows(2));
      const { watch, checkpoint } = run;
      const lost = [...accepted('task-1'), events['task-overdue'], events['retry-ordered']];
      const q2 = await run.item('q2');
      const saves: Readonly<Record<string, () => Promise<unknown>>> = {
        'a change': () => run.live('q1', ...lost),
        'a setting': () => run.store.settings.save('name', 'value'),
        'points of an earlier attempt': () =>
          checkpoint.savePoints(
            { token: 'token of task-1', taskId: 'task-1' },
            { status: 'failed', at, points: 0 },
          ),
        'a file': () => run.ingest(incomingRows(...namedRows(1))),
        'a row that came back': () => checkpoint.takeBack([q2.key]),
      };
      let version = await watch.version();
      for (const [what, save] of Object.entries(saves)) {
        await save();
        const moved = await watch.version();
        expect(moved, what).not.toBe(version);
        expect(await watch.version(), `after ${what}`).toBe(moved);
        version = moved;
      }
    });

    it('stays where nothing is saved: a file that is only read, a change that is refused', async () => {
      await using run = await openWatched(...namedRows(2));
      const before = await run.item('q1');
      await run.live('q1', events.claimed);
      const version = await run.watch.version();
      await run.plan(incomingRows({ id: 'x', question: 'Another' }));
      await expect(run.checkpoint.commit([{ before, after: before }])).rejects.toThrow();
      await run.checkpoint.commit([]);
      await run.ingest(incomingRows(...namedRows(2)));
      expect(await run.watch.version()).toBe(version);
    });
  });

  describe('the input version of a run', () => {
    it('moves when known rows are not as they were, and only then', async () => {
      await using run = await openWatched();
      const [one, two, three] = namedRows(3);
      const files = [
        [one, two],
        [one, two],
        [one, two, three],
        [two, one, three],
        [two, one],
        [two, one, three],
      ];
      const versions: number[] = [await run.watch.inputVersion()];
      for (const rows of files) {
        await run.ingest(incomingRows(...rows.filter((row) => row !== undefined)));
        versions.push(await run.watch.inputVersion());
      }
      expect(versions).toEqual([0, 0, 0, 0, 1, 2, 3]);
      const [first] = namedRows(1);
      await run.ingest(incomingRows({ ...first, question: 'Other words' }), { add: true });
      expect(await run.watch.inputVersion()).toBe(4);
    });

    it('moves when a row that had left the file is taken back, and once', async () => {
      await using run = await openWatched(...namedRows(2));
      const { key } = await run.item('q2');
      await run.ingest(incomingRows(...namedRows(1)));
      const before = await run.watch.inputVersion();
      await run.checkpoint.takeBack([key]);
      expect(await run.watch.inputVersion()).toBe(before + 1);
      await run.checkpoint.takeBack([key]);
      expect(await run.watch.inputVersion()).toBe(before + 1);
    });

    it('does not move with what a run does', async () => {
      await using run = await openWatched(...namedRows(1));
      await run.live('q1', ...completed('task-1'), events['retry-ordered']);
      expect(await run.watch.inputVersion()).toBe(0);
    });
  });

  it('a watch knows whether a process works on the run', async () => {
    await using opened = await runs.openPlace();
    const { place } = opened;
    const store = await place.open();
    const looking = await place.look();
    const watch = await looking?.openWatch();
    expect(await watch?.isInUse()).toBe(true);
    await store[Symbol.asyncDispose]();
    expect(await watch?.isInUse()).toBe(false);
    await looking?.[Symbol.asyncDispose]();
  });

  describe('sums and marks', () => {
    it('say of each status what its rows come to', async () => {
      await using run = await openWatched(...namedRows(5));
      await run.live('q2', ...completed('task-2'));
      await run.live('q4', ...completed('task-4'), events['retry-ordered']);
      await run.live('q5', ...accepted('task-5'), events['task-failed']);
      await run.ingest(incomingRows(...namedRows(5).slice(0, 3)));
      expect(await run.watch.sums()).toEqual([
        // q4 has left the file and was charged.
        { status: 'pending', count: 3, shown: 3, rows: 8, gone: 1, attempts: 1 },
        { status: 'completed', count: 1, shown: 1, rows: 2, gone: 0, attempts: 1 },
        { status: 'failed', count: 1, shown: 1, rows: 5, gone: 1, attempts: 1 },
      ]);
      await run.ingest(incomingRows(...namedRows(5).slice(1, 3)));
      expect((await run.watch.sums())[0]).toEqual({
        status: 'pending',
        count: 3,
        shown: 2,
        rows: 7,
        gone: 2,
        attempts: 1,
      });
    });

    it('are those of the marks, of all rows or of some', async () => {
      await using run = await openWatched(...namedRows(4));
      await run.live('q2', ...accepted('task-2'));
      await run.ingest(incomingRows(...namedRows(4).slice(0, 3)));
      const keys = (await run.all()).map(({ key }) => key);
      const marks = (await Array.fromAsync(run.watch.marks())).flat();
      const byKey = marks.toSorted((a, b) => a.key - b.key);
      expect(byKey).toEqual([
        { key: keys[0], row: 1, gone: 0, status: 'pending', attempt: 0 },
        { key: keys[1], row: 2, gone: 0, status: 'open', attempt: 1 },
        { key: keys[2], row: 3, gone: 0, status: 'pending', attempt: 0 },
        { key: keys[3], row: 4, gone: 1, status: 'pending', attempt: 0 },
      ]);
      const some = await run.watch.marksOf([keys[3] ?? 0, keys[1] ?? 0, 999]);
      expect(some.toSorted((a, b) => a.key - b.key)).toEqual([byKey[1], byKey[3]]);
      expect(await run.watch.marksOf([])).toEqual([]);
    });

    it('bring every row once, however many there are', async () => {
      await using run = await runs.openScratch();
      await run.ingest(incomingRows(...namedRows(manyRows)));
      const watch = await run.store.openWatch();
      const keys = (await Array.fromAsync(watch.marks())).flat().map(({ key }) => key);
      expect(keys).toHaveLength(manyRows);
      expect(new Set(keys).size).toBe(manyRows);
    });
  });

  describe('the prices of a run', () => {
    const made = (taskId: string, points: number | null): readonly ItemEvent[] => {
      const { ending } = events['task-completed'];
      const end = eventOf('task-completed', { frames: [], ending: { ...ending, points } });
      return [...accepted(taskId), end, events['video-saved']];
    };

    it('are nothing where nothing was sent', async () => {
      await using run = await openWatched(...namedRows(1));
      expect(await run.watch.prices()).toEqual({ points: 0, unpriced: 0, pricedVideos: 0, videoPoints: 0 });
    });

    it('are those of all attempts, with the rows that may have cost more', async () => {
      await using run = await openWatched(...namedRows(5));
      await run.live('q1', ...made('task-1', 10), events['retry-ordered'], ...made('task-2', 5));
      await run.live('q2', ...made('task-3', null));
      await run.live('q3', events.claimed, events['creation-uncertain']);
      await run.live('q4', ...accepted('task-4'), events['task-failed']);
      await run.live('q5', ...accepted('task-5'), events['task-overdue'], events['retry-ordered']);
      expect(await run.watch.prices()).toEqual({ points: 15, unpriced: 3, pricedVideos: 2, videoPoints: 15 });
      const lost = { token: 'token of task-5', taskId: 'task-5' };
      await run.checkpoint.savePoints(lost, { status: 'completed', at, points: 2.5 });
      expect(await run.watch.prices()).toEqual({
        points: 17.5,
        unpriced: 2,
        pricedVideos: 3,
        videoPoints: 17.5,
      });
    });
  });

  describe('rows that are watched', () => {
    it('are those of the checkpoint and of the reports', async () => {
      await using run = await openWatched(...namedRows(4));
      await run.live('q3', ...completed('task-3'));
      await run.live('q2', ...accepted('task-2'));
      await run.ingest(incomingRows(...namedRows(2)));
      const keys = (await run.all()).map(({ key }) => key);
      const reported = await Array.fromAsync(run.checkpoint.reportRows());
      expect(reported.map(({ item }) => item.id)).toEqual(['q1', 'q2', 'q3']);
      expect((await Array.fromAsync(run.watch.reportPages())).flat()).toEqual(reported);
      const some = await run.watch.reportRowsOf(keys);
      expect(some.toSorted((a, b) => a.item.key - b.item.key)).toEqual(reported);
      // q4 was never sent and is in the file no more.
      expect(await run.watch.reportRowsOf(keys.slice(3))).toEqual([]);
      const busy = await Array.fromAsync(run.watch.items(['open', 'downloading']));
      expect(busy).toEqual([await run.item('q2')]);
    });

    it('are read with what belongs to them and to no other, however far apart their keys are', async () => {
      await using run = await openWatched(...namedRows(9));
      for (const number of [1, 2, 3, 9]) await run.live(`q${number}`, ...completed(`task-${number}`));
      const reported = await Array.fromAsync(run.checkpoint.reportRows());
      for (const places of [[0, 2], [0, 8], [8], [0, 1, 2, 8], []]) {
        const wanted = places.map((at) => reported[at]);
        const some = await run.watch.reportRowsOf(wanted.map((row) => row?.item.key ?? 0));
        expect(some.toSorted((a, b) => a.item.key - b.item.key)).toEqual(wanted);
      }
    });

    it('are found by the folder of their files, whatever they are called now', async () => {
      await using run = await openWatched({ id: 'a/b', question: 'A' }, { question: 'B' });
      const [first, second] = await run.all();
      expect(await run.watch.itemInFolder(first?.folder ?? '')).toEqual(first);
      await run.ingest(incomingRows({ id: 'named', question: 'B' }));
      expect(await run.watch.itemInFolder('row-2')).toEqual({ ...second, id: 'named', row: 1 });
      expect(await run.watch.itemInFolder('named')).toBeNull();
      expect(await run.watch.itemInFolder('nothing')).toBeNull();
      const moved = await run.live('named', events.claimed);
      expect(await run.watch.itemInFolder('row-2')).toEqual(moved);
    });
  });
}

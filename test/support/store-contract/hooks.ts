import { describe, expect, it } from 'vitest';
import { eventOf, events } from '../../money/lives.ts';
import { namedRows } from '../incoming-rows.ts';
import { accepted, completed } from '../saved-lives.ts';
import type { StoreRun } from '../store-run.ts';
import { carry } from './archive.ts';
import type { Runs } from './runs.ts';

const at = Date.UTC(2026, 2, 2, 8);

const everything = { states: ['owed', 'failed'], after: -1, limit: 100, slices: null } as const;

async function left({ store }: StoreRun, query: object = {}) {
  return store.hooks.left({ ...everything, ...query });
}

/** Ids of the rows that are owed a call. */
async function owed(run: StoreRun, query: object = {}): Promise<string[]> {
  return (await left(run, { states: ['owed'], ...query })).map(({ id }) => id);
}

/** Which rows the command of `--on-row` is to be called for. */
export function describeHooks(runs: Runs): void {
  describe('calls of a command for each completed row', () => {
    it('are owed from the beginning on, by the commit that completes a row, and by nothing else', async () => {
      await using run = await runs.open(...namedRows(4));
      await run.live('q1', ...completed('task-1'));
      expect(await owed(run)).toEqual([]);
      await run.store.hooks.begin();
      await run.live('q2', ...completed('task-2'));
      await run.live('q3', ...accepted('task-3'), events['task-failed']);
      await run.live('q4', ...accepted('task-4'));
      expect(await left(run)).toEqual([
        {
          key: (await run.item('q2')).key,
          id: 'q2',
          attempt: 1,
          state: 'owed',
          tries: 0,
          failure: null,
        },
      ]);
      expect(await run.store.hooks.counts()).toEqual({ owed: 1, failed: 0, done: 0 });
    });

    it('are made once they are done, and wait for the user once they have failed', async () => {
      await using run = await runs.open(...namedRows(2));
      const { hooks } = run.store;
      await hooks.begin();
      for (const id of ['q1', 'q2']) await run.live(id, ...completed(`task of ${id}`));
      const [one, two] = await left(run);
      if (one === undefined || two === undefined) throw new Error('two calls are owed');
      await hooks.ended(one, at, null);
      await hooks.ended(two, at, 'exit code 3');
      expect(await owed(run)).toEqual([]);
      const [failed] = await left(run, { states: ['failed'] });
      expect(failed).toMatchObject({ id: 'q2', state: 'failed', tries: 1, failure: 'exit code 3' });
      expect(await hooks.counts()).toEqual({ owed: 0, failed: 1, done: 1 });
      await hooks.again();
      const [again] = await left(run, { states: ['owed'] });
      expect(again).toMatchObject({ id: 'q2', tries: 1 });
      if (again !== undefined) await hooks.ended(again, at, null);
      expect(await hooks.counts()).toEqual({ owed: 0, failed: 0, done: 2 });
    });

    it('are those of the attempt that the row has now', async () => {
      await using run = await runs.open(...namedRows(1));
      await run.store.hooks.begin();
      await run.live('q1', ...completed('task-1'), eventOf('retry-ordered'));
      expect(await left(run)).toEqual([]);
      await run.live('q1', ...completed('task-2'));
      expect(await left(run)).toMatchObject([{ id: 'q1', attempt: 2, state: 'owed' }]);
    });

    it('are not owed again where a file is fetched again', async () => {
      await using run = await runs.open(...namedRows(1));
      const { hooks } = run.store;
      await hooks.begin();
      await run.live('q1', ...completed('task-1'));
      const [call] = await left(run);
      if (call !== undefined) await hooks.ended(call, at, null);
      await run.live('q1', events['file-damaged']);
      expect((await run.item('q1')).status).toBe('downloading');
      await run.live('q1', events['video-saved']);
      expect((await run.item('q1')).status).toBe('completed');
      expect(await hooks.counts()).toEqual({ owed: 0, failed: 0, done: 1 });
    });

    it('come in pages, and only of these slices', async () => {
      await using run = await runs.open(...namedRows(3));
      await run.store.hooks.begin();
      for (const id of ['q1', 'q2', 'q3']) await run.live(id, ...completed(`task of ${id}`));
      const { key } = await run.item('q1');
      expect(await owed(run, { limit: 2 })).toEqual(['q1', 'q2']);
      expect(await owed(run, { after: key })).toEqual(['q2', 'q3']);
      expect(await owed(run, { slices: [(key + 1) % 64] })).toEqual(['q2']);
      expect(await owed(run, { slices: [] })).toEqual([]);
    });

    it('move with the run, and so does the wish for them', async () => {
      await using from = await runs.open(...namedRows(4));
      await using to = await runs.open();
      const { hooks } = from.store;
      await hooks.begin();
      for (const id of ['q1', 'q2', 'q3']) await from.live(id, ...completed(`task of ${id}`));
      const [one, two] = await left(from);
      if (one !== undefined) await hooks.ended(one, at, null);
      if (two !== undefined) await hooks.ended(two, at, 'exit code 3');
      await carry(from, to.store);
      expect(await left(to)).toEqual(await left(from));
      expect(await to.store.hooks.counts()).toEqual({ owed: 1, failed: 1, done: 1 });
      await to.live('q4', ...completed('task-4'));
      expect(await owed(to)).toEqual(['q3', 'q4']);
    });
  });
}

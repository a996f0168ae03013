import { describe, expect, it } from 'vitest';
import { HeldError } from '../../../src/errors.ts';
import type { StorePlace } from '../../../src/stores/port/store.ts';
import { events } from '../../money/lives.ts';
import { incomingRows, namedRows } from '../incoming-rows.ts';
import { runOver } from '../store-run.ts';
import { lookAt, type Runs } from './runs.ts';

/** How a run is made, opened, looked at and given free, and what is kept with it. */
export function describePlace(runs: Runs): void {
  describe('a place without a run', () => {
    it('has nothing to look at, and looking makes nothing', async () => {
      await using opened = await runs.openPlace();
      const { place } = opened;
      expect(await place.exists()).toBe(false);
      expect(await place.look()).toBeNull();
      expect(await place.exists()).toBe(false);
      expect(await place.isInUse()).toBe(false);
    });

    it('has one once it is opened for work, empty and new to this process alone', async () => {
      await using opened = await runs.openPlace();
      const { place } = opened;
      const first = await place.open();
      expect(await place.exists()).toBe(true);
      expect([first.isNew, await first.isEmpty()]).toEqual([true, true]);
      await first[Symbol.asyncDispose]();
      expect(await place.exists()).toBe(true);
      await using again = await place.open();
      expect([again.isNew, await again.isEmpty()]).toEqual([false, true]);
    });

    it('is not the place of another run', async () => {
      await using one = await runs.open(...namedRows(2));
      await using other = await runs.open();
      expect(await one.store.isEmpty()).toBe(false);
      expect(await other.store.isEmpty()).toBe(true);
    });
  });

  describe('a run that is worked on', () => {
    if (runs.isShared)
      it('is worked on by several processes, and held until the last one leaves', async () => {
        await using opened = await runs.openPlace();
        const { place } = opened;
        const first = await place.open();
        const second = await place.open();
        expect([first.isNew, second.isNew]).toEqual([true, false]);
        await runOver(first).ingest(incomingRows(...namedRows(1)));
        const claimed = await runOver(second).live('q1', events.claimed);
        expect(await runOver(first).item('q1')).toEqual(claimed);
        await first[Symbol.asyncDispose]();
        expect(await place.isInUse()).toBe(true);
        await second[Symbol.asyncDispose]();
        expect(await place.isInUse()).toBe(false);
      });
    else
      it('is held, and refused to a second process until it is given free', async () => {
        await using opened = await runs.openPlace();
        const { place } = opened;
        expect(await place.holder()).toBeNull();
        const store = await place.open();
        expect(await place.isInUse()).toBe(true);
        const holder = await place.holder();
        expect(holder).toMatchObject({ pid: process.pid, host: null });
        await expect(place.open()).rejects.toThrow(HeldError);
        await expect(place.open()).rejects.toThrow(`another batch process (${process.pid}); \`batch stop `);
        // Who was refused has not freed what another one holds.
        expect(await place.isInUse()).toBe(true);
        await expect(place.open()).rejects.toThrow(HeldError);
        await runOver(store).ingest(incomingRows(...namedRows(1)));
        await store[Symbol.asyncDispose]();
        expect(await place.isInUse()).toBe(false);
        expect(await place.holder()).toBeNull();
        await using second = await place.open();
        expect((await place.holder())?.session).not.toBe(holder?.session);
        expect(await runOver(second).idsIn('pending')).toEqual(['q1']);
      });

    it('is found by the next process as it was left', async () => {
      await using opened = await runs.openPlace();
      const { place } = opened;
      const first = await place.open();
      const run = runOver(first);
      await run.ingest(incomingRows(...namedRows(2)));
      const claimed = await run.live('q1', events.claimed);
      await first.settings.save('options', '{}');
      await first[Symbol.asyncDispose]();
      await using next = await place.open();
      expect(await runOver(next).item('q1')).toEqual(claimed);
      expect(await next.settings.get('options')).toBe('{}');
      await expect(next.checkSound()).resolves.toBeUndefined();
    });
  });

  describe('who only looks at a run', () => {
    it('sees what is saved as soon as it is, and does not hold the run', async () => {
      await using run = await runs.open(...namedRows(1));
      await using outside = await run.look();
      expect(outside.store.isNew).toBe(false);
      const claimed = await run.live('q1', events.claimed);
      expect(await outside.item('q1')).toEqual(claimed);
      expect((await outside.checkpoint.ledger()).counts).toMatchObject({ pending: 0, submitting: 1 });
      await run.store.settings.save('name', 'value');
      expect(await outside.store.settings.get('name')).toBe('value');
      expect(await outside.store.isEmpty()).toBe(false);
    });

    it('looks also where nobody works, and leaves the run to whoever comes next', async () => {
      await using opened = await runs.openPlace();
      const { place } = opened;
      await (await place.open())[Symbol.asyncDispose]();
      await using looking = await lookAt(place);
      expect(await place.isInUse()).toBe(false);
      await using working = await place.open();
      await runOver(working).ingest(incomingRows(...namedRows(1)));
      expect(await runOver(looking).idsIn('pending')).toEqual(['q1']);
    });

    it('can save nothing', async () => {
      await using run = await runs.open(...namedRows(1));
      await using outside = await run.look();
      const before = await run.item('q1');
      await expect(outside.live('q1', events.claimed)).rejects.toThrow();
      await expect(outside.store.settings.save('name', 'value')).rejects.toThrow();
      await expect(outside.ingest(incomingRows(...namedRows(2)))).rejects.toThrow();
      expect(await run.all()).toEqual([before]);
      expect(await run.store.settings.get('name')).toBeNull();
    });
  });

  describe('a run that is abandoned', () => {
    const isNothingLeft = async (place: StorePlace): Promise<boolean> =>
      !(await place.exists()) && !(await place.isInUse()) && (await place.look()) === null;

    it('leaves nothing', async () => {
      await using opened = await runs.openPlace();
      const { place } = opened;
      await (await place.open()).abandon();
      expect(await isNothingLeft(place)).toBe(true);
      await using again = await place.open();
      expect(again.isNew).toBe(true);
    });

    it('leaves nothing, also after a file was compared with it', async () => {
      await using opened = await runs.openPlace();
      const { place } = opened;
      const store = await place.open();
      expect(await runOver(store).plan(incomingRows(...namedRows(2)))).toMatchObject({ newRows: 2 });
      await store.abandon();
      expect(await isNothingLeft(place)).toBe(true);
    });
  });

  describe('settings', () => {
    it('keep one value per name', async () => {
      await using run = await runs.open();
      const { settings } = run.store;
      expect(await settings.get('options')).toBeNull();
      await settings.save('options', '{"quality":"h"}');
      await settings.save('options', '{"quality":"l"}');
      await settings.save('other', '');
      expect(await settings.get('options')).toBe('{"quality":"l"}');
      expect(await settings.get('other')).toBe('');
      expect(await settings.get('OPTIONS')).toBeNull();
    });
  });
}

import { describe, expect, it } from 'vitest';
import { NoRoomError, UsageError } from '../../../src/errors.ts';
import { steered, unsteered } from '../../../src/money/steering.ts';
import { steeringSetting } from '../../../src/stores/port/settings.ts';
import { namedRows } from '../incoming-rows.ts';
import { itemNamed } from '../saved-lives.ts';
import type { Runs } from './runs.ts';
import { claimOf, wide } from './together.ts';

const first = steered(unsteered, { pause: { until: null }, isLimitNew: false });

/** How a run is changed while a process works on it. */
export function describeSteering(runs: Runs): void {
  describe('settings that are replaced', () => {
    it('are saved together, and only where they still are what was read', async () => {
      await using run = await runs.open(...namedRows(1));
      const { settings } = run.store;
      expect(await settings.replace({ a: null, b: null }, { a: '1', b: '2' })).toBe(true);
      expect(await settings.replace({ a: '0' }, { a: '3', b: '4' })).toBe(false);
      expect(await settings.replace({ a: null }, { b: '4' })).toBe(false);
      expect([await settings.get('a'), await settings.get('b')]).toEqual(['1', '2']);
      expect(await settings.replace({ a: '1' }, { b: '4' })).toBe(true);
      expect([await settings.get('a'), await settings.get('b')]).toEqual(['1', '4']);
    });

    it('stay as they are where the run moves: what is saved now would stay behind', async () => {
      await using run = await runs.open(...namedRows(1));
      const { settings, archive } = run.store;
      await archive.setMark(null, { state: 'moved', move: 'm', place: '--run other' });
      await expect(settings.replace({ a: null }, { a: '1' })).rejects.toThrow(UsageError);
      expect(await settings.get('a')).toBeNull();
    });
  });

  describe('a run that is steered while a process works on it', () => {
    it('is steered by another process, and the one that works on it sees it at once', async () => {
      await using run = await runs.open(...namedRows(1));
      await using other = await run.place.openSettings();
      const text = JSON.stringify(first);
      expect(await other.settings.replace({ [steeringSetting]: null }, { [steeringSetting]: text })).toBe(
        true,
      );
      expect(await run.store.settings.get(steeringSetting)).toBe(text);
      const claim = claimOf(await itemNamed(run.checkpoint, 'q1'));
      await run.checkpoint.commit([claim], { room: { ...wide, steering: 1 }, facts: [] });
      expect(await other.settings.get(steeringSetting)).toBe(text);
    });

    it('saves no claim that was decided before, and nothing that came with it', async () => {
      await using run = await runs.open(...namedRows(2));
      const [one, two] = await run.checkpoint.pendingItems({ limit: 2, only: null });
      if (one === undefined || two === undefined) throw new Error('two rows are pending');
      await run.checkpoint.commit([claimOf(one)], { room: wide, facts: [] });
      await run.store.settings.save(steeringSetting, JSON.stringify(first));
      const late = run.checkpoint.commit([claimOf(two)], { room: wide, facts: [] });
      await expect(late).rejects.toThrow(NoRoomError);
      expect((await run.checkpoint.ledger()).counts).toMatchObject({ pending: 1, submitting: 1 });
      await run.checkpoint.commit([claimOf(two)], { room: { ...wide, steering: 1 }, facts: [] });
      expect((await run.checkpoint.ledger()).counts).toMatchObject({ pending: 0, submitting: 2 });
    });

    it('has settings to open only where there is a run', async () => {
      await using opened = await runs.openPlace();
      await expect(opened.place.openSettings()).rejects.toThrow();
      expect(await opened.place.exists()).toBe(false);
    });
  });
}

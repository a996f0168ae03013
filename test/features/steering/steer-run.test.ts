import { describe, expect, it } from 'vitest';
import { readInvocation } from '../../../src/app/options/settings.ts';
import { openFolder, readSavedOptions, saveOptions } from '../../../src/app/output-folder.ts';
import { readSteering, steeringSource } from '../../../src/app/steering/steering-source.ts';
import { storeIn } from '../../../src/app/stores.ts';
import { nextTimeOfDay, steerRun } from '../../../src/features/steering/steer-run.ts';
import { inEnglish, type Said } from '../../../src/messages/message.ts';
import { unsteered } from '../../../src/money/steering.ts';
import type { Clock } from '../../../src/ports.ts';
import type { Store } from '../../../src/stores/port/store.ts';
import { incomingRows, namedRows } from '../../support/incoming-rows.ts';
import { runOver } from '../../support/store-run.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A folder with a run, which this process works on until it is closed. */
async function openRun() {
  const folder = await temporaryFolder();
  const store = await openFolder(folder.path);
  await runOver(store).ingest(incomingRows(...namedRows(1)));
  const close = (): Promise<void> => Promise.resolve(store[Symbol.asyncDispose]());
  return {
    store,
    close,
    path: folder.path,
    invocation: readInvocation({}, { out: folder.path, dotEnv: false }),
    async [Symbol.asyncDispose]() {
      await close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** The orders that the running process reads from here on, and its notes. */
async function follow(store: Store, given: object = {}) {
  const notes: string[] = [];
  const saved = await readSavedOptions(store);
  const { number } = await readSteering(store);
  const source = steeringSource(
    store,
    { number, saved, options: { ...given } },
    {
      clock: { now: () => 1_000 } as Clock,
      reporter: { note: (said: Said) => void notes.push(inEnglish(said)), warn: () => {}, changed: () => {} },
      log: { info: () => {}, warn: () => {} },
      words: { run: './videos', file: '--out ./videos', isShared: false },
      seen: () => {},
    },
  );
  return { source, notes };
}

describe('a run that a process works on', () => {
  it('is tuned by another one: the process reads the new numbers once, and they are saved', async () => {
    await using run = await openRun();
    const { source, notes } = await follow(run.store, {
      concurrency: { from: null, most: 2 },
      'poll-interval': 5_000,
    });
    expect(await source.look()).toMatchObject({ number: 0, policy: null, isLimitNew: false });
    const end = await steerRun(run.invocation, { options: { concurrency: '30', 'max-points': '9000' } });
    expect(end).toMatchObject({ isInUse: true, before: unsteered });
    const policy = { concurrency: 30, maxPoints: 9_000, pollIntervalMs: 5_000, limit: null };
    expect(await source.look()).toMatchObject({ number: 1, policy, isLimitNew: false });
    expect(await source.look()).toMatchObject({ number: 1, policy: null });
    expect(notes).toEqual(['the run was tuned: --concurrency 30, --max-points 9000']);
    await steerRun(run.invocation, { options: { 'max-points': 'none', concurrency: '4-64' } });
    const search = { concurrency: 64, searchFrom: 4, maxPoints: null };
    expect(await source.look()).toMatchObject({ policy: search });
    expect(await readSavedOptions(run.store)).toEqual({ concurrency: '4-64', 'max-points': 'none' });
  });

  it('counts a limit from the change on, also where the number is the same; an old one does not replace its own', async () => {
    await using run = await openRun();
    await steerRun(run.invocation, { options: { limit: '100' } });
    const { source, notes } = await follow(run.store, { limit: 5 });
    expect(await source.look()).toMatchObject({ policy: null, isLimitNew: false });
    await steerRun(run.invocation, { options: { concurrency: '3' } });
    expect(await source.look()).toMatchObject({ policy: { limit: 5, concurrency: 3 }, isLimitNew: false });
    await steerRun(run.invocation, { options: { limit: '100' } });
    expect(await source.look()).toMatchObject({ policy: { limit: 100 }, isLimitNew: true });
    await steerRun(run.invocation, { options: { limit: 'none' } });
    expect(await source.look()).toMatchObject({ policy: { limit: null }, isLimitNew: true });
    expect(notes.slice(1)).toEqual(['the run was tuned: --limit 100', 'the run was tuned: --limit none']);
  });

  it('is paused and continued, and says each once', async () => {
    await using run = await openRun();
    const { source, notes } = await follow(run.store);
    await steerRun(run.invocation, { options: {}, pause: () => null });
    expect(await source.look()).toMatchObject({ pause: { until: null }, policy: null });
    await source.look();
    const end = await steerRun(run.invocation, { options: {}, pause: null });
    expect(end.before.pause).toEqual({ until: null });
    expect(await source.look()).toMatchObject({ pause: null });
    expect(notes).toEqual([
      'submitting is paused; polls and downloads go on; `batch continue ./videos` ends the pause',
      'submitting goes on: the pause has ended',
    ]);
    // One that is over is no news.
    await steerRun(run.invocation, { options: {}, pause: () => 999 });
    await source.look();
    expect(notes).toHaveLength(2);
  });

  it('loses nothing when several people tune it, and it saves its own options, at once', async () => {
    await using run = await openRun();
    const own = readInvocation({ frames: 'none' }, { out: run.path, dotEnv: false });
    await Promise.all([
      ...Array.from({ length: 8 }, () => steerRun(run.invocation, { options: { concurrency: '7' } })),
      steerRun(run.invocation, { options: { 'max-points': '50' } }),
      steerRun(run.invocation, { options: {}, pause: () => null }),
      saveOptions(run.store, own),
    ]);
    expect(await readSteering(run.store)).toEqual({
      number: 10,
      pause: { until: null },
      limitNumber: 0,
      stops: [],
    });
    expect(await readSavedOptions(run.store)).toEqual({
      concurrency: '7',
      'max-points': '50',
      frames: 'none',
    });
  });
});

describe('a run that nobody works on', () => {
  it('is tuned for the next one', async () => {
    await using run = await openRun();
    await run.close();
    const end = await steerRun(run.invocation, { options: { limit: '3' } });
    expect(end.isInUse).toBe(false);
    expect(await storeIn(run.path).isInUse()).toBe(false);
    await using store = await openFolder(run.path);
    expect(await readSavedOptions(store)).toEqual({ limit: '3' });
    // `none` of a later command takes it away.
    await saveOptions(store, readInvocation({ limit: '2' }, { out: run.path, dotEnv: false }));
    expect(await readSavedOptions(store)).toEqual({ limit: '3' });
    await saveOptions(store, readInvocation({ limit: 'none' }, { out: run.path, dotEnv: false }));
    expect(await readSavedOptions(store)).toEqual({ limit: 'none' });
  });

  it('must be there', async () => {
    await using folder = await temporaryFolder();
    const nowhere = readInvocation({}, { out: folder.path, dotEnv: false });
    await expect(steerRun(nowhere, { options: { concurrency: '3' } })).rejects.toThrow('there is no run in');
  });
});

it('a time of day is the next one that the clock shows', () => {
  const now = new Date(2026, 10, 22, 21, 30).getTime();
  expect(nextTimeOfDay('22:00', now)).toBe(new Date(2026, 10, 22, 22, 0).getTime());
  expect(nextTimeOfDay('21:30', now)).toBe(new Date(2026, 10, 23, 21, 30).getTime());
  expect(nextTimeOfDay(' 7:05 ', now)).toBe(new Date(2026, 10, 23, 7, 5).getTime());
  for (const text of ['', '24:00', '7:5', '22', '10:60', 'noon']) expect(nextTimeOfDay(text, now)).toBeNull();
});

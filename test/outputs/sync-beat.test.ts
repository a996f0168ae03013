import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { SyncBeat } from '../../src/outputs/sync-beat.ts';

let beat: SyncBeat;
beforeEach(() => {
  beat = new SyncBeat();
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Asks so many times at one moment; how many of them were let go at once, and how many with the next beat. */
async function ask(count: number): Promise<readonly [atOnce: number, onBeat: number]> {
  let gone = 0;
  for (let asked = 0; asked < count; asked++) void beat.wait().then(() => (gone += 1));
  await vi.advanceTimersByTimeAsync(0);
  const atOnce = gone;
  await vi.advanceTimersByTimeAsync(50);
  return [atOnce, gone - atOnce];
}

it('lets few syncs begin at once', async () => {
  expect(await ask(1)).toEqual([1, 0]);
  expect(await ask(19)).toEqual([19, 0]);
  expect(await ask(1)).toEqual([1, 0]);
});

it('gathers many on one beat, until they are few again', async () => {
  expect(await ask(40)).toEqual([40, 0]);
  expect(await ask(40)).toEqual([0, 40]);
  expect(await ask(2)).toEqual([0, 2]);
  expect(await ask(2)).toEqual([2, 0]);
});

it('delays nobody after a rest, whatever came before it', async () => {
  await ask(40);
  vi.advanceTimersByTime(1_000);
  expect(await ask(2)).toEqual([2, 0]);
});

import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/app/system-clock.ts';

const hourMs = 3_600_000;

describe('the system clock', () => {
  it('ends a wait without an error when the signal aborts, also when it has aborted before', async () => {
    const stop = new AbortController();
    const waiting = systemClock.wait(hourMs, stop.signal);
    stop.abort();
    await expect(waiting).resolves.toBeUndefined();
    await expect(systemClock.wait(hourMs, stop.signal)).resolves.toBeUndefined();
  });

  it('does not end a wait at once because it is longer than a timer can be', async () => {
    const stop = new AbortController();
    const long = systemClock.wait(1000 * 24 * hourMs, stop.signal).then(() => 'long');
    const short = systemClock.wait(20).then(() => 'short');
    expect(await Promise.race([long, short])).toBe('short');
    stop.abort();
    await long;
  });
});

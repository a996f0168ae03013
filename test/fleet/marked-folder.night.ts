/** A shared folder that is not shared: a disk that was not mounted, at the same path as the real one. */

import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { openFleet } from '../support/fleet.ts';

const pace = { concurrency: 6, poll: '300ms', service: ['--duration', '500ms'] } as const;
const noMark = 'does not carry the mark of this run (batch.run)';

describe('a folder without the mark of the run', () => {
  it('stops a worker with one line before anything is paid for, and nothing is delivered there', {
    timeout: 600_000,
  }, async () => {
    await using fleet = await openFleet({ ...pace, rows: 6 });
    const { out } = fleet;
    await rename(out, `${out}-real`);
    await mkdir(out);
    const seat = await fleet.openSeat();
    seat.start('--drain');
    const { code, stderr } = await seat.running.ended;
    expect(code, stderr).toBe(4);
    expect(stderr).toContain(noMark);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect((await fleet.ledger()).accepted).toBe(0);
    expect(await readdir(out)).toEqual([]);
    await rm(out, { recursive: true });
    await rename(`${out}-real`, out);
    await fleet.drain();
    expect(await fleet.allFlaws()).toEqual([]);
    expect(await fleet.counts()).toMatchObject({ completed: 6 });
  });

  it('in the middle of a run stops its workers, and what was delivered before is where it was', {
    timeout: 600_000,
  }, async () => {
    await using fleet = await openFleet({ ...pace, rows: 40 });
    await fleet.openSeats(2, '--drain');
    await fleet.until(async () => ((await fleet.counts()).completed ?? 0) > 3);
    const { out } = fleet;
    const endings = fleet.seats.map(({ running }) => running.ended);
    await rename(out, `${out}-real`);
    await mkdir(out);
    for (const { code, stderr } of await Promise.all(endings)) expect(code, stderr).toBe(4);
    expect((await readdir(out)).filter((name) => name.startsWith('q'))).toEqual([]);
    await rm(out, { recursive: true });
    await rename(`${out}-real`, out);
    await fleet.drain();
    expect(await fleet.allFlaws()).toEqual([]);
    expect(await fleet.counts()).toMatchObject({ completed: 40 });
  });
});

/** What docs/on-several-machines.md promises in passing. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openFleet } from '../support/fleet.ts';
import { journalOf } from '../support/journal-of.ts';

const pace = { concurrency: 10, poll: '300ms' } as const;
const service = ['--duration', '300ms'];
const timeout = 600_000;

describe('a worker', () => {
  it('waits when nothing is left, goes on when there is more, and leaves when it is told to', {
    timeout,
  }, async () => {
    await using fleet = await openFleet({ ...pace, rows: 6, service });
    await fleet.openSeats(1);
    const [seat] = fleet.seats;
    await fleet.until(async () => (await fleet.counts()).completed === 6);
    expect((await fleet.addRows(6)).code).toBe(0);
    await fleet.until(async () => (await fleet.counts()).completed === 12);
    expect(await seat?.kill('SIGTERM')).toMatchObject({ code: 143, stderr: expect.stringMatching(/^.+\n$/) });
    expect(await fleet.query('SELECT name FROM workers')).toEqual([]);
    expect(await fleet.allFlaws()).toEqual([]);
  });

  it('of another service or with options of the run is refused in one line, and one with a wrong key by the service', {
    timeout,
  }, async () => {
    await using fleet = await openFleet({ ...pace, rows: 1, service });
    await fleet.openSeats(1, '--drain');
    await fleet.drain();
    await fleet.addRows(1);
    const lines: readonly (readonly [readonly string[], RegExp])[] = [
      [['--base-url', 'http://127.0.0.1:9'], /the service of this run is http:\S+, not http:\S+; leave out/],
      [['--concurrency', '5'], /--concurrency/],
      [['--max-points', '5'], /--max-points/],
    ];
    for (const [more, said] of lines) {
      const { code, stderr } = await fleet.batch('worker', '--drain', ...more);
      expect([code, stderr]).toEqual([2, expect.stringMatching(said)]);
      expect(stderr.trimEnd().split('\n'), stderr).toHaveLength(1);
    }
    await writeFile(join(fleet.folder, 'key'), 'another-key');
    const wrong = await fleet.batch('worker', '--drain', '--api-key-file', 'key');
    expect(wrong).toMatchObject({ code: 3, stderr: expect.stringContaining('refused the API key') });
    expect((await fleet.ledger()).accepted).toBe(1);
  });

  it('told to stop while PostgreSQL is away leaves soon, and the next one there delivers what it was told', {
    timeout,
  }, async () => {
    await using fleet = await openFleet({
      ...pace,
      rows: 30,
      // The answers are late: some come when the database is gone.
      service: [...service, '--fault', 'slow=100%'],
    });
    await fleet.openSeats(1, '--request-timeout', '10s');
    const [seat] = fleet.seats;
    await fleet.until(async () => ((await fleet.counts()).submitting ?? 0) > 2);
    await fleet.postgres.kill();
    const kept = (): readonly string[] => journalOf(join(fleet.folder, seat?.name ?? ''));
    await fleet.until(() => kept().length > 0);
    const looked = await fleet.batch('status');
    const ending = await seat?.kill('SIGTERM');
    await fleet.postgres.start();
    const away = /^batch: postgres:\/\/\S+ does not answer \(.*\); whatever was saved is saved/m;
    for (const each of [looked, ending])
      expect(each).toMatchObject({ code: 4, stderr: expect.stringMatching(away) });
    expect(looked.stderr + ending?.stderr).not.toContain(fleet.postgres.password);
    const told = kept();
    expect(await fleet.moneyFlaws()).toEqual([]);
    await fleet.drain('--request-timeout', '10s');
    // A creation that was still unanswered is uncertain.
    const unknown = new Set(await fleet.unknownTasks());
    expect(told.filter((task) => unknown.has(task))).toEqual([]);
    expect(await fleet.allFlaws()).toEqual([]);
    const { completed = 0, uncertain = 0 } = await fleet.counts();
    expect(completed + uncertain).toBe(30);
  });
});

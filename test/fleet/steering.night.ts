/** A run on several workers is tuned and paused: what the command has said holds for all of them. */

import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Fleet } from '../support/fleet.ts';
import { startPostgres } from '../support/postgres.ts';
import { wordProblems } from '../support/word-problems.ts';

const workers = 4;
const rows = 60;

interface Claim {
  readonly at: number;
  readonly endedAt: number | null;
}

async function claimsOf(fleet: Fleet): Promise<readonly Claim[]> {
  const found = await fleet.query<{ at: string; ended: string | null }>(
    'SELECT submitted_at AS at, ended_at AS ended FROM attempts ORDER BY submitted_at',
  );
  return found.map(({ at, ended }) => ({ at: Number(at), endedAt: ended === null ? null : Number(ended) }));
}

/** By the clock that all processes share. */
async function now(fleet: Fleet): Promise<number> {
  const [row] = await fleet.query<{ now: string }>('SELECT now_ms() AS now');
  return Number(row?.now);
}

async function open(postgres: Awaited<ReturnType<typeof startPostgres>>, ...options: readonly string[]) {
  const fleet = await Fleet.open({
    postgres,
    questions: wordProblems(rows),
    service: ['--duration', '1s'],
    options: ['--poll-interval', '200ms', '--frames', 'none', ...options],
  });
  await fleet.openSeats(workers);
  return fleet;
}

/** Tasks that were open when this claim was saved, itself included. */
function openAt(claims: readonly Claim[], { at }: Claim): number {
  return claims.filter((each) => each.at <= at && (each.endedAt === null || each.endedAt > at)).length;
}

describe('a run on several workers', () => {
  it('claims nothing against a lower cap or a pause once the command has said so, whoever is killed', {
    timeout: 600_000,
  }, async () => {
    await using postgres = await startPostgres();
    await using fleet = await open(postgres, '-j', '12');
    await fleet.until(async () => ((await fleet.counts()).open ?? 0) >= 8);
    expect(await fleet.batch('tune', '-j', '2')).toMatchObject({
      code: 0,
      stdout: 'tuned: --concurrency 2; the run goes by it within two seconds\n',
    });
    const tunedAt = await now(fleet);
    await fleet.seats[0]?.kill();
    fleet.seats[0]?.start();
    await fleet.until(async () => (await claimsOf(fleet)).filter(({ at }) => at > tunedAt).length >= 6);
    expect(await fleet.batch('pause')).toMatchObject({ code: 0 });
    const pausedAt = await now(fleet);
    const claims = await claimsOf(fleet);
    for (const claim of claims.filter(({ at }) => at > tunedAt))
      expect(openAt(claims, claim)).toBeLessThanOrEqual(2);

    await fleet.until(async () => ((await fleet.counts()).open ?? 0) === 0);
    await fleet.seats[1]?.kill();
    fleet.seats[1]?.start();
    await sleep(3_000);
    expect((await claimsOf(fleet)).filter(({ at }) => at > pausedAt)).toEqual([]);
    expect((await fleet.batch('status')).stdout).toContain('Paused: nothing is submitted');

    // Seven rows more, all workers together.
    const before = (await claimsOf(fleet)).length;
    await fleet.batch('tune', '-j', '12', '--limit', '7');
    await fleet.batch('continue');
    const leftBefore = (await fleet.counts()).pending ?? 0;
    await fleet.until(async () => ((await fleet.counts()).pending ?? 0) <= leftBefore - 7);
    await sleep(2_000);
    expect((await claimsOf(fleet)).length).toBe(before + 7);

    await fleet.batch('tune', '--limit', 'none');
    await fleet.until(() => fleet.isSettled());
    for (const seat of fleet.seats) await seat.kill('SIGTERM');
    expect(await fleet.moneyFlaws()).toEqual([]);
  });

  it('has the whole of a change or nothing of it, when the command is killed at any moment', {
    timeout: 600_000,
  }, async () => {
    await using postgres = await startPostgres();
    await using fleet = await open(postgres, '-j', '3');
    let known = '3';
    for (let round = 1; round <= 12; round += 1) {
      const wanted = String(3 + (round % 5));
      const tuner = fleet.start(['tune', '-j', wanted, '--max-points', String(10_000 + round)]);
      await sleep(150 + round * 60);
      tuner.kill('SIGKILL');
      const { stdout } = await tuner.ended;
      const [row] = await fleet.query<{ options: string }>(
        `SELECT value AS options FROM settings WHERE name = 'options'`,
      );
      const options = JSON.parse(row?.options ?? '{}');
      const isNew = options['max-points'] === String(10_000 + round);
      expect(options.concurrency).toBe(isNew ? wanted : known);
      if (stdout.startsWith('tuned')) expect(isNew).toBe(true);
      known = options.concurrency;
    }
    await fleet.until(() => fleet.isSettled());
    for (const seat of fleet.seats) await seat.kill('SIGTERM');
    expect(await fleet.moneyFlaws()).toEqual([]);
    expect(await fleet.counts()).toMatchObject({ completed: rows });
  });
});

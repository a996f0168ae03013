/** Whoever starts or works while terms are changed: what is paid for from then on is paid for under the new ones. */

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Fleet, openFleet } from '../support/fleet.ts';
import { wordProblems } from '../support/word-problems.ts';

const starting = 4;
const stories = 20;
/** Between two starts (ms): the first worker reads its terms before the command has said its own, the last one after. */
const spread = 400;
/** Points of one video. */
const price = 10;
/** The terms before the change allow so many rows, at once. */
const before = { rows: 9, open: 8 };
const pace = ['--poll-interval', '200ms', '--frames', 'none'];
const timeout = 3_600_000;

/** New terms for a run that has spent so much, and how many rows they allow. */
const terms = {
  limit: () => ({ words: ['--limit', '3'], rows: 3, open: before.open }),
  cap: (spent: number) => ({
    words: ['--limit', 'none', '--max-points', String(spent + 2 * price + 5)],
    rows: 2,
    open: before.open,
  }),
  concurrency: () => ({ words: ['-j', '1', '--limit', '3'], rows: 3, open: 1 }),
} as const;

const commands = {
  resume: (fleet: Fleet, words: readonly string[]) => fleet.batch('resume', ...words),
  'run --add': (fleet: Fleet, words: readonly string[]) =>
    fleet.add(wordProblems(fleet.rowCount + 2).slice(fleet.rowCount), '--add', ...words),
  tune: (fleet: Fleet, words: readonly string[]) => fleet.batch('tune', ...words),
} as const;

const names = ['resume', 'run --add', 'tune'] as const;
const kinds = ['limit', 'cap', 'concurrency'] as const;

type Task = Awaited<ReturnType<Fleet['ledger']>>['tasks'][number];

/** The most of these that were open at once. */
function mostOpen(tasks: readonly Task[]): number {
  return Math.max(
    ...tasks.map(
      ({ created_at: at }) =>
        tasks.filter((each) => each.created_at <= at && (each.finish_at === null || each.finish_at > at))
          .length,
    ),
  );
}

it(`${stories * starting} workers start while the terms change, and none pays under the earlier ones`, {
  timeout,
}, async () => {
  await using fleet = await Fleet.open({
    questions: wordProblems(stories * 14 + 20),
    service: ['--duration', '300ms'],
    options: pace,
  });
  for (let seats = 0; seats <= starting; seats += 1) await fleet.openSeat();
  const [waiting, ...late] = fleet.seats;
  let paid = 0;
  for (let story = 0; story < stories; story += 1) {
    // Each command with each kind of terms in turn.
    const name = names[story % names.length] ?? 'resume';
    const kind = kinds[(story + Math.floor(story / names.length)) % kinds.length] ?? 'limit';
    const what = `${name}, ${kind} (${story + 1})`;
    const much = ['-j', String(before.open), '--limit', String(before.rows), '--max-points', 'none'];
    expect(await fleet.batch('resume', ...much), what).toMatchObject({ code: 4 });
    paid += before.rows;
    waiting?.start();
    const { tasks, points, accepted } = await fleet.ledger();
    expect(accepted, what).toBe(paid);
    const { words, rows, open } = terms[kind](points);
    const known = new Set(tasks.map(({ task_id }) => task_id));
    const starts = late.map(async (seat, at) => {
      await sleep(at * spread);
      seat.start('--drain');
      await seat.running.ended;
    });
    await sleep(spread);
    const { code, stderr } = await commands[name](fleet, words);
    expect([0, 4], `${what}: ${stderr}`).toContain(code);
    await Promise.all(starts);
    paid += rows;
    await fleet.until(async () => (await fleet.ledger()).accepted >= paid && (await fleet.isQuiet()));
    const now = await fleet.ledger();
    expect(now.accepted, what).toBe(paid);
    expect(mostOpen(now.tasks.filter(({ task_id }) => !known.has(task_id))), what).toBeLessThanOrEqual(open);
    expect(await fleet.moneyFlaws(), what).toEqual([]);
  }
});

it('workers that wait for a run keep to the terms and the output folder of the command that makes it', {
  timeout,
}, async () => {
  await using fleet = await Fleet.open({
    questions: [],
    service: ['--duration', '300ms'],
    options: [...pace, '-j', '2', '--limit', '3'],
  });
  for (let seats = 0; seats < starting; seats += 1) await fleet.openSeat();
  let isMade = false;
  const wait = fleet.seats.map(async (seat, at) => {
    await sleep(at * spread);
    // A worker without a run ends and is started again, as a service manager does.
    do {
      seat.start('--drain');
      await seat.running.ended;
    } while (!isMade);
  });
  expect(await fleet.add(wordProblems(20))).toMatchObject({ code: 0 });
  isMade = true;
  await Promise.all(wait);
  await fleet.drain();
  const { accepted, max_open } = await fleet.ledger();
  expect([accepted, max_open <= 2]).toEqual([3, true]);
  const [outputs] = await fleet.query<{ value: string }>(`SELECT value FROM settings WHERE name = 'outputs'`);
  expect(JSON.parse(outputs?.value ?? '')).toMatchObject({ out: fleet.out });
  expect(await fleet.allFlaws()).toEqual([]);
});

it('a worker of an earlier version pays for nothing more once the run is brought up to date, and collects what is open', {
  timeout,
}, async () => {
  await using fleet = await openFleet({
    rows: 12,
    concurrency: 3,
    poll: '200ms',
    service: ['--duration', '1s'],
  });
  await fleet.openSeats(1);
  await fleet.until(async () => (await fleet.ledger()).accepted > 0);
  const bringTo = (version: string) => fleet.query(`UPDATE run SET schema_version = ${version}`);
  await bringTo('schema_version + 1');
  const { accepted } = await fleet.ledger();
  await fleet.seats[0]?.running.said(/batch was updated; restart this worker/);
  await fleet.until(() => fleet.isQuiet());
  expect(await fleet.moneyFlaws()).toEqual([]);
  // A creation that was claimed before may have been on its way.
  expect((await fleet.ledger()).accepted).toBeLessThanOrEqual(accepted + 3);
  expect(fleet.seats[0]?.isRunning).toBe(true);
  await bringTo('schema_version - 1');
  await fleet.until(() => fleet.isSettled());
  expect(await fleet.moneyFlaws()).toEqual([]);
  expect(await fleet.counts()).toMatchObject({ completed: 12 });
});

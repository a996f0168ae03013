/** A database that went back in time: before rows were added, texts edited or corrected, or the run steered. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Fleet, openFleet } from '../support/fleet.ts';
import { steeringBelow } from '../support/sent-below.ts';

const timeout = 90_000;
const rows = 4;
const price = 10;

/** A run whose rows all have their videos, by a worker that stays. */
async function openDone(): Promise<Fleet> {
  const service = ['--duration', '300ms'];
  const fleet = await openFleet({ rows, concurrency: 4, poll: '300ms', service });
  await fleet.openSeats(1);
  await fleet.until(() => fleet.isSettled());
  return fleet;
}

async function run(fleet: Fleet, ...args: readonly string[]): Promise<void> {
  const { code, stderr } = await fleet.batch(...args);
  expect(code, stderr).toBe(0);
}

/** Reads a file with these ids, all of whose texts are others than before. */
async function read(fleet: Fleet, kind: string, ...more: readonly string[]): Promise<void> {
  const lines = Array.from({ length: rows }, (_, at) =>
    JSON.stringify({
      id: `${more.includes('--add') ? 'added' : 'q'}${at + 1}`,
      question: `${kind} ${at + 1}`,
    }),
  );
  await writeFile(join(fleet.folder, 'more.jsonl'), `${lines.join('\n')}\n`);
  await run(fleet, 'run', 'more.jsonl', '--out', fleet.out, '--detach', '--yes', ...more);
}

async function correct(fleet: Fleet): Promise<void> {
  const lines = Array.from({ length: rows }, (_, at) => `q${at + 1},bad,Corrected ${at + 1}\n`);
  await writeFile(join(fleet.folder, 'marks.csv'), `id,mark,question\n${lines.join('')}`);
  await run(fleet, 'retry', '--only', '@marks.csv', '--yes');
}

/** Once all is done and the reports are written: the rows whose video is of another text than they say. */
async function wrongVideos(fleet: Fleet): Promise<readonly string[]> {
  await fleet.until(() => fleet.isSettled());
  await fleet.seats[0]?.kill('SIGTERM');
  await run(fleet, 'report');
  const { tasks } = await fleet.ledger();
  const texts = new Map(tasks.map(({ task_id, question }) => [task_id, question]));
  const lines = fleet.outputs.text('report.jsonl').trim().split('\n');
  return lines.flatMap((line) => {
    const { id, question, task_id } = JSON.parse(line);
    return texts.get(task_id) === question ? [] : [`${id}: ${texts.get(task_id)} for ${question}`];
  });
}

it.each<[what: string, act: (fleet: Fleet) => Promise<void>, shown: number]>([
  ['texts were edited', (fleet) => read(fleet, 'Edited', '--rerun-changed'), rows],
  ['texts were corrected', correct, rows],
  ['rows were added', (fleet) => read(fleet, 'Added', '--add'), 2 * rows],
])('before %s: the same command pays nothing again', { timeout }, async (_, act, shown) => {
  await using fleet = await openDone();
  const restore = await fleet.postgres.backUp();
  await act(fleet);
  await fleet.until(async () => (await fleet.ledger()).accepted === 2 * rows && (await fleet.isSettled()));
  await restore();
  await act(fleet);
  expect(await wrongVideos(fleet)).toEqual([]);
  const { accepted } = await fleet.ledger();
  expect(accepted).toBe(2 * rows);
  expect(await fleet.counts()).toMatchObject({ completed: shown });
  expect(await fleet.unknownTasks()).toEqual([]);
});

it('before rows were added: another file with their ids gets none of their videos, and waits for a person', {
  timeout,
}, async () => {
  await using fleet = await openDone();
  const restore = await fleet.postgres.backUp();
  await read(fleet, 'Added', '--add');
  await fleet.until(async () => (await fleet.ledger()).accepted === 2 * rows && (await fleet.isSettled()));
  await restore();
  const worker = fleet.seats[0]?.running;
  await worker?.said(/does not know these creations .* \(4\): /);
  await read(fleet, 'Another', '--add');
  // A worker that comes later knows that, too.
  await worker?.kill('SIGTERM');
  fleet.seats[0]?.start('--drain');
  const held = await fleet.seats[0]?.running.ended;
  expect(held?.stderr).toMatch(/does not know these creations .* \(4\): /);
  expect((await fleet.ledger()).accepted).toBe(2 * rows);
  await run(fleet, 'resolve', '--accept-store');
  fleet.seats[0]?.start();
  await fleet.until(async () => (await fleet.ledger()).accepted === 3 * rows);
  expect(await wrongVideos(fleet)).toEqual([]);
});

it.each([
  [
    'lowered',
    ['tune', '--max-points', String(price * (rows + 1))],
    ['tune', '--max-points', 'none'],
    rows + 1,
  ],
  ['paused', ['pause'], ['continue'], rows],
])(
  'before the run was %s: that holds until a person says otherwise',
  { timeout },
  async (_, steer, free, most) => {
    await using fleet = await openDone();
    await run(fleet, 'tune', '--max-points', '1000');
    const restore = await fleet.postgres.backUp();
    const scratch = join(fleet.folder, fleet.seats[0]?.name ?? '');
    const obeyed = (steering: number): Promise<void> => fleet.until(() => steeringBelow(scratch) >= steering);
    await run(fleet, ...steer);
    await obeyed(2);
    await fleet.seats[0]?.kill();
    await restore();
    fleet.seats[0]?.start();
    await fleet.seats[0]?.running.said(/the store had forgotten/);
    await fleet.addRows(rows);
    const accepted = async (): Promise<number> => (await fleet.ledger()).accepted;
    await fleet.until(async () => (await accepted()) >= most && (await fleet.isQuiet()));
    await run(fleet, 'tune', '-j', '3');
    await obeyed(4);
    expect(await accepted()).toBe(most);
    await run(fleet, ...free);
    await fleet.until(() => fleet.isSettled());
    expect(await accepted()).toBe(2 * rows);
  },
);

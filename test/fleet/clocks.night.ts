/** Machines of a run compare the times that are saved with it: none of them is taken from the clock of one machine. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fleet, openFleet } from '../support/fleet.ts';

const hourMs = 3_600_000;

/** Every program of the fleet is so far ahead of the database. */
const ahead = `const now = Date.now; Date.now = () => now() + ${3 * hourMs};`;
const env = { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(ahead)}` };

/** How far each saved time lies in the future (ms), by where it is saved. */
const times = `
  SELECT place, max(at) - now_ms() AS ms FROM (
    SELECT 'creations' AS place, greatest(submitted_at, not_before) AS at FROM items
    UNION ALL SELECT 'ends', ended_at FROM items
    UNION ALL SELECT 'attempts', greatest(submitted_at, ended_at) FROM attempts
    UNION ALL SELECT 'calls', ended_at FROM hook_calls
    UNION ALL SELECT 'marks', at FROM marks
    UNION ALL SELECT 'pause', (value::jsonb #>> '{pause,until}')::numeric::bigint FROM settings WHERE name = 'steering'
  ) saved WHERE at IS NOT NULL GROUP BY place`;

/** As if the answer to its creation had been lost. */
const forget = (id: string): string => `
  UPDATE items SET status = 'uncertain', task_id = NULL, ended_at = NULL, version = version + 1 WHERE id = '${id}';
  UPDATE attempts SET status = 'uncertain', task_id = NULL, ended_at = NULL
  WHERE item = (SELECT key FROM items WHERE id = '${id}')`;

let fleet: Fleet;
let task = '';
beforeAll(async () => {
  fleet = await openFleet({ rows: 5, concurrency: 5, poll: '200ms', service: ['--duration', '200ms'], env });
  await fleet.openSeats(1, '--drain');
  await fleet.drain();
  const found = await fleet.query<{ id: string }>(
    `SELECT task_id AS id FROM items WHERE id = 'q1' AND status = 'completed'`,
  );
  task = found[0]?.id ?? '';
  await fleet.query(forget('q1'));
  await fleet.query(forget('q2'));
});
afterAll(() => fleet[Symbol.asyncDispose]());

describe('where the clock of a machine is three hours ahead, no time is saved that is still to come', () => {
  it.each<[name: string, line: () => readonly string[], pausedMs?: number]>([
    ['pause --for', () => ['pause', '--for', '2h'], 2 * hourMs],
    ['continue', () => ['continue']],
    ['resolve --task-id', () => ['resolve', 'q1', '--task-id', task, '--yes']],
    ['resolve --not-created', () => ['resolve', 'q2', '--not-created', '--yes']],
    ['run with one row more', () => ['run', 'questions-0.jsonl', '--detach', '--yes', '--add']],
    ['retry', () => ['retry', '--only', 'q3', '--yes']],
    ['resume', () => ['resume', '--yes', '--on-row', 'false']],
    ['collect with calls that failed', () => ['collect', '--on-row', 'true']],
    ['verify --fix', () => ['verify', '--fix', '--yes']],
    ['collect', () => ['collect']],
  ])('%s', async (_, line, pausedMs = 0) => {
    const { code, stderr, stdout } = await fleet.batch(...line());
    expect([0, 1, 4], `${stderr}${stdout}`).toContain(code);
    const found = await fleet.query<{ place: string; ms: string }>(times);
    const late = found.map(({ place, ms }) => ({
      place,
      ms: Number(ms) - (place === 'pause' ? pausedMs : 0),
    }));
    expect(late.filter(({ ms }) => ms > 0)).toEqual([]);
  });
});

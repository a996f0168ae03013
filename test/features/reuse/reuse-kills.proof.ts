/** A run that is killed while it takes videos pays for nothing that is known, and forgets no row. */

import { expect, it } from 'vitest';
import { runLine } from '../../cli/support/stage.ts';
import { openBank, questionsPaid, reuse, rowsOf } from './bank.ts';

const preload = new URL('../../cli/support/kill-at-change.ts', import.meta.url).href;

it('pays for nothing that is known when it is killed while others are made', async () => {
  await using stage = await openBank(10);
  await stage.write('next.csv', rowsOf(7, 17, 'new'));
  const known = questionsPaid(stage);
  const line = reuse('--concurrency', '2');
  const dying = stage.start(line);
  await stage.service.until(({ creations }) => creations.length > known.length + 2);
  dying.kill('SIGKILL');
  await dying.ended;
  await stage.batch(line);
  const made = stage.service.creations.slice(known.length).map(({ question }) => question);
  expect(made.filter((question) => known.includes(question))).toEqual([]);
  expect(new Set(made).size).toBe(made.length);
  const statuses = await stage.statuses();
  expect([7, 8, 9].map((at) => statuses[`new-${at}`])).toEqual(['completed', 'completed', 'completed']);
});

it('forgets no row that a killed run was about to give a video, where the other run is gone by then', async () => {
  await using stage = await openBank(2);
  await stage.write('next.csv', rowsOf(0, 2, 'new'));
  const env = { KILL_AT: '9' };
  const dying = await stage.batch(reuse(), { node: ['--import', preload], env });
  expect(dying.signal).toBe('SIGKILL');
  expect((await stage.list('videos')).some((path) => path.includes('/'))).toBe(true);
  const again = await stage.batch(runLine('next.csv', '--reuse', 'none'));
  expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('2 rows: 2 completed') });
  expect((await stage.report()).map(({ points }) => points)).toEqual(['10', '10']);
});

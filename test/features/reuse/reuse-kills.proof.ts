/** A run that is killed while it takes videos, and typed again, ends the same way, and pays for nothing that is known. */

import { expect, it } from 'vitest';
import { runLine } from '../../cli/support/stage.ts';
import { openBank, questionsPaid, reuse, rowsOf } from './bank.ts';

const preload = new URL('../../cli/support/kill-at-change.ts', import.meta.url).href;

it('ends the same wherever it was killed', async () => {
  await using stage = await openBank(2);
  await stage.write('next.csv', `${rowsOf(0, 2, 'new')}twin,Question 1,1\n`);
  const paid = questionsPaid(stage);
  expect((await stage.batch(reuse('--out', 'whole'))).code).toBe(0);
  const whole = await stage.list('whole');
  expect(whole).toEqual(expect.arrayContaining(['new-0/video.webm', 'new-1/video.webm', 'twin/video.webm']));
  let kills = 0;
  for (let at = 1; ; at += 1) {
    const out = `at-${at}`;
    const dying = await stage.batch(reuse('--out', out), {
      node: ['--import', preload],
      env: { KILL_AT: String(at) },
    });
    const again = await stage.batch(reuse('--out', out));
    expect(again, again.stderr).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('3 rows: 3 completed'),
    });
    const rows = (await stage.list(out)).filter((path) => path.includes('/'));
    expect(rows, out).toEqual(whole.filter((path) => path.includes('/')));
    expect((await stage.batch(['verify', out])).stdout).toContain(' 0 damaged or missing');
    // What follows is written by the session, as ever.
    if (dying.stderr.includes('videos taken')) break;
    expect(dying.signal).toBe('SIGKILL');
    kills += 1;
  }
  expect(kills).toBeGreaterThan(8);
  expect(questionsPaid(stage)).toEqual(paid);
}, 300_000);

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

/** A run that is killed at any change while it takes videos, and typed again, ends the same way. */

import { expect, it } from 'vitest';
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

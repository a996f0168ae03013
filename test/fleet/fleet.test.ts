/** A run on three workers, one of which dies: the whole story in a few seconds. */

import { expect, it } from 'vitest';
import { Fleet } from '../support/fleet.ts';
import { startPostgres } from '../support/postgres.ts';
import { wordProblems } from '../support/word-problems.ts';

it('finishes a run of three workers when one of them is killed, each question paid once', async () => {
  await using postgres = await startPostgres();
  await using fleet = await Fleet.open({
    postgres,
    questions: wordProblems(24),
    service: ['--duration', '3s'],
    options: ['-j', '24', '--poll-interval', '500ms', '--frames', 'none'],
  });
  await fleet.openSeats(3, '--drain');
  await fleet.until(async () => {
    const { pending = 0, submitting = 0, open = 0 } = await fleet.counts();
    return pending + submitting === 0 && open > 0;
  });
  await fleet.seats[0]?.kill();
  await fleet.drain();
  expect(await fleet.allFlaws()).toEqual([]);
  expect(await fleet.counts()).toMatchObject({ completed: 24 });
});

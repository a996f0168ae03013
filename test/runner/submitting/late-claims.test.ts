/** A claim that waited for too long: its process was paused between the commit and the request. */

import { expect, it } from 'vitest';
import { namedRows } from '../../support/incoming-rows.ts';
import { notSent } from '../../support/scripted-tasks.ts';
import { openTrial } from '../../support/virtual-run.ts';

const pauseMs = 296_000;

it('is not sent: its row is claimed again at once, and the age of its task counts from then', async () => {
  await using trial = await openTrial(namedRows(1));
  trial.checkpoint.onCommit = (changes) => {
    if (!changes.some(({ after }) => after.status === 'submitting')) return;
    trial.checkpoint.onCommit = () => {};
    trial.clock.sleep(pauseMs);
  };
  expect(await trial.run()).toMatchObject({ reason: 'done' });
  expect(trial.tasks.creations).toHaveLength(1);
  const { submittedAt } = await trial.item('q1');
  expect(submittedAt).toBeGreaterThanOrEqual(trial.clock.startedAt + pauseMs);
});

it('says nothing of the service, also where its request was on the way to a connection', async () => {
  await using trial = await openTrial(namedRows(2), {
    create: ({ attempt, question }) => {
      if (attempt > 1 || question !== 'Question 1') return undefined;
      // What the latch at the socket makes of it.
      trial.clock.sleep(pauseMs);
      return notSent;
    },
  });
  expect(await trial.run()).toMatchObject({ reason: 'done' });
  // Neither a pause nor a second question who is there.
  const [first = 0, second = 0] = trial.tasks.sentMs('Question 1');
  expect(second - first).toBeLessThan(pauseMs + 1_000);
  expect(trial.tasks.probedMs).toHaveLength(1);
  expect(await trial.statuses()).toEqual(['completed', 'completed']);
});

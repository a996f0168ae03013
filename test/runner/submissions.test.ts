import { describe, expect, it } from 'vitest';
import { fixed } from '../../src/core/policy.ts';
import { namedRows } from '../support/incoming-rows.ts';
import {
  acceptedButLost,
  failed,
  forQuestions,
  keyRefused,
  notSent,
  refused,
  type Script,
  unanswered,
  uncertain,
} from '../support/scripted-tasks.ts';
import { openTrial } from '../support/virtual-run.ts';

describe('an uncertain creation', () => {
  it('is never sent again', async () => {
    await using trial = await openTrial(namedRows(2), forQuestions([1], acceptedButLost));
    await trial.run();
    trial.tasks.follow({});
    await trial.run();
    expect(await trial.item('q1')).toMatchObject({
      status: 'uncertain',
      points: null,
      failure: 'the connection was lost',
    });
    expect(trial.tasks.sentMs('Question 1')).toHaveLength(1);
    expect(trial.notes).toEqual(['row q1 is uncertain: the connection was lost']);
  });

  it.for([
    ['at the same time', 2],
    ['one after the other', 1],
  ] as const)(
    'is what the second of two rows becomes that are given one task, %s',
    async ([, concurrency]) => {
      await using trial = await openTrial(namedRows(2), {
        create: (creation) => ({
          outcome: 'accepted',
          taskId: creation.question === 'Question 1' ? creation.make() : 'task-1',
        }),
      });
      await trial.run({ concurrency });
      expect(await trial.statuses()).toEqual(['completed', 'uncertain']);
      expect((await trial.item('q2')).failure).toBe(
        'the service answered with task task-1, which is that of row q1',
      );
    },
  );

  it('stops submitting when it is the third in a row; what is open is brought home', async () => {
    await using trial = await openTrial(
      namedRows(8),
      forQuestions([2, 3, 4], () => uncertain),
    );
    expect(await trial.run({ concurrency: 4 })).toEqual({
      reason: 'uncertain-breaker',
      failure: 'the connection was lost',
    });
    expect(await trial.statuses()).toEqual([
      'completed',
      ...Array(3).fill('uncertain'),
      ...Array(4).fill('pending'),
    ]);
    expect(trial.warnings).toEqual([
      'several creations in a row were sent and their outcome is not known; nothing more is submitted: the connection was lost',
    ]);
  });
});

describe('a creation that was refused', () => {
  it('for a passing cause is sent three times at most, after growing pauses', async () => {
    await using trial = await openTrial(namedRows(1), { create: () => refused('429 - busy', true) });
    await trial.run();
    expect(trial.tasks.sentMs()).toEqual([0, 2_200, 10_400]);
    expect(await trial.item('q1')).toMatchObject({
      status: 'rejected',
      attempt: 3,
      points: 0,
      failure: '429 - busy',
    });
  });

  it('for a passing cause is made good by a later attempt', async () => {
    await using trial = await openTrial(namedRows(1), {
      create: ({ attempt }) => (attempt < 3 ? refused('503', true) : undefined),
    });
    await trial.run();
    expect(await trial.item('q1')).toMatchObject({ status: 'completed', attempt: 3, tries: 0 });
  });

  it('waits for as long as the service asks, and no other row is sent meanwhile', async () => {
    await using trial = await openTrial(namedRows(3), {
      create: ({ attempt, question }) =>
        attempt === 1 && question === 'Question 1' ? refused('429', true, 60_000) : undefined,
    });
    await trial.run({ concurrency: 1 });
    expect(trial.tasks.sentMs()[1]).toBe(60_200);
    expect(await trial.statuses()).toEqual(['completed', 'completed', 'completed']);
  });

  it('for good is rejected at once, and the others go on', async () => {
    await using trial = await openTrial(
      namedRows(3),
      forQuestions([2], () => refused('no such quality')),
    );
    expect((await trial.run()).reason).toBe('done');
    expect(await trial.statuses()).toEqual(['completed', 'rejected', 'completed']);
    expect(trial.tasks.sentMs('Question 2')).toHaveLength(1);
  });

  it('stops submitting when it is the fifth in a row with the same message', async () => {
    await using trial = await openTrial(namedRows(8), { create: () => refused('not enough points') });
    expect(await trial.run({ concurrency: 1 })).toEqual({
      reason: 'refusal-breaker',
      failure: 'not enough points',
    });
    expect(await trial.statuses()).toEqual([...Array(5).fill('rejected'), ...Array(3).fill('pending')]);
  });

  it('does not stop submitting for reasons of its own', async () => {
    await using trial = await openTrial(namedRows(8), {
      create: ({ question }) => refused(`bad: ${question}`),
    });
    expect((await trial.run({ concurrency: 1 })).reason).toBe('done');
    expect(trial.tasks.creations).toHaveLength(8);
  });
});

describe('a clock that is put back by a day', () => {
  const putBack = -24 * 3_600_000;

  it('does not make rows wait that day for their next try', async () => {
    await using trial = await openTrial(namedRows(1), {
      create: ({ attempt }) => (attempt === 1 ? refused('503', true) : undefined),
    });
    const ending = trial.run();
    await trial.clock.reach(1_000);
    trial.clock.set(putBack);
    await ending;
    expect(await trial.statuses()).toEqual(['completed']);
    expect(trial.tasks.sentMs()).toEqual([0, 2_200]);
  });

  it('does not make a later run wait that day either', async () => {
    await using trial = await openTrial(namedRows(1), { create: () => refused('503', true, 60_000) });
    const runner = trial.createRunner();
    const ending = runner.run();
    await trial.clock.reach(1_000);
    runner.stop('interrupted');
    await ending;
    trial.tasks.follow({});
    trial.clock.set(putBack);
    await trial.run();
    expect(await trial.statuses()).toEqual(['completed']);
    expect(trial.tasks.sentMs()).toEqual([0, 1_000]);
  });

  it('does not keep open tasks from being asked about', async () => {
    await using trial = await openTrial(namedRows(1), {
      status: (task) => (task.queriedMs.length === 2 ? { ...unanswered, retryAfterMs: 60_000 } : undefined),
    });
    const ending = trial.run();
    await trial.clock.reach(31_000);
    trial.clock.set(putBack);
    await ending;
    expect(await trial.statuses()).toEqual(['completed']);
    expect(trial.clock.elapsedMs).toBeLessThan(3_600_000);
  });
});

describe('a service that cannot be reached', () => {
  /** Down from the moment a first task has failed until ten minutes. */
  const outage: Script = {
    create: (creation) => (isDown(creation.sentMs) ? notSent : undefined),
    status: (task) => {
      const now = task.queriedMs.at(-1) ?? 0;
      if (isDown(now)) return unanswered;
      return task.question === 'Question 1' && now >= 30_000 ? failed() : undefined;
    },
  };
  const isDown = (ms: number): boolean => ms > 30_050 && ms < 600_000;

  it('stops submitting, and submitting goes on when a poll is answered again', async () => {
    await using trial = await openTrial(namedRows(5), outage);
    expect(await trial.run({ concurrency: 2 })).toEqual({ reason: 'done', failure: null });
    expect(await trial.statuses()).toEqual(['failed', ...Array(4).fill('completed')]);
    expect(trial.tasks.sentMs().filter(isDown)).toEqual(
      [30_100, 32_300, 40_500].map((ms) => ms + fixed.gatherMs),
    );
    expect(trial.warnings).toEqual([
      'the service cannot be reached; nothing more is submitted: connection refused',
    ]);
    expect(trial.notes).toContain('the service answers again; submitting goes on');
  });

  it('ends a run that has nothing open, with every row as it was', async () => {
    await using trial = await openTrial(namedRows(20), { create: () => notSent });
    expect(await trial.run()).toEqual({ reason: 'unreachable', failure: 'connection refused' });
    expect(new Set(await trial.statuses())).toEqual(new Set(['pending']));
    trial.tasks.follow({});
    await trial.run();
    expect(new Set(await trial.statuses())).toEqual(new Set(['completed']));
  });

  it('counts an outage once, however many creations were on their way', async () => {
    await using trial = await openTrial(namedRows(10), {
      create: (creation) => (creation.sentMs < 1_000 ? notSent : undefined),
    });
    expect((await trial.run()).reason).toBe('done');
    expect(trial.warnings).toEqual([]);
  });
});

describe('a creation that cannot be sent by anybody', () => {
  it('puts its row back to pending when the key is refused, and nothing more is sent', async () => {
    await using trial = await openTrial(
      namedRows(6),
      forQuestions([2, 3], () => keyRefused),
    );
    expect(await trial.run({ concurrency: 3 })).toEqual({
      reason: 'key-refused',
      failure: 'Unauthorized: Invalid API key',
    });
    expect(await trial.statuses()).toEqual(['open', ...Array(5).fill('pending')]);
    expect(trial.tasks.creations).toHaveLength(3);
    trial.tasks.follow({});
    await trial.run();
    expect(new Set(await trial.statuses())).toEqual(new Set(['completed']));
    expect(trial.tasks.sentMs('Question 1')).toHaveLength(1);
  });

  it('stops the run when nothing about it can be mended by waiting', async () => {
    await using trial = await openTrial(namedRows(3), {
      create: () => ({ outcome: 'misconfigured', failure: 'bad certificate' }),
    });
    expect(await trial.run({ concurrency: 1 })).toEqual({
      reason: 'misconfigured',
      failure: 'bad certificate',
    });
    expect(await trial.statuses()).toEqual(['pending', 'pending', 'pending']);
    expect(trial.tasks.creations).toHaveLength(1);
  });

  it('stops the run when it is redirected, and is uncertain where it may have arrived', async () => {
    await using trial = await openTrial(namedRows(3), {
      create: () => ({ ...uncertain, failure: 'HTTP 303', isRedirect: true }),
    });
    expect((await trial.run({ concurrency: 1 })).reason).toBe('misconfigured');
    expect(await trial.statuses()).toEqual(['uncertain', 'pending', 'pending']);
  });
});

describe('what is asked for', () => {
  it('is the row, with the quality and the callback of the run where it has none of its own', async () => {
    await using trial = await openTrial([
      { id: 'a', question: 'A' },
      { id: 'b', question: 'B', quality: 'h' },
    ]);
    await trial.run({ quality: 'l', notifyUrl: (item) => `http://here.example/${item.id}` });
    expect(trial.tasks.creations.map((creation) => creation.body)).toEqual([
      { question: 'A', quality: 'l', notify_url: 'http://here.example/a' },
      { question: 'B', quality: 'h', notify_url: 'http://here.example/b' },
    ]);
    expect((await trial.item('a')).quality).toBe('l');
  });

  it('is nothing for a row whose image went away since the file was read', async () => {
    await using trial = await openTrial([{ id: 'a', question: 'A', image: 'cat.png' }, ...namedRows(1)]);
    await trial.run();
    expect(await trial.statuses()).toEqual(['invalid', 'completed']);
    expect(await trial.item('a')).toMatchObject({ failure: 'there are no images here', attempt: 0 });
    expect(trial.tasks.creations).toHaveLength(1);
  });
});

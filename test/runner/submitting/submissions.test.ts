import { describe, expect, it } from 'vitest';
import { defaultPolicy, fixed } from '../../../src/money/policy.ts';
import { transition } from '../../../src/money/transition.ts';
import { namedRows } from '../../support/incoming-rows.ts';
import {
  acceptedButLost,
  type Creation,
  creationBarred,
  failed,
  forQuestions,
  refused,
  refusedToAll,
  type Script,
  uncertain,
} from '../../support/scripted-tasks.ts';
import { openTrial, type Trial } from '../../support/virtual-run.ts';

/** A service that makes one task of a question, however often it is asked. */
function ownTask(creation: Creation): string {
  return creation.attempt === 1 ? creation.make() : 'task-1';
}

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
    ['at the same time', 3],
    ['one after the other', 1],
  ] as const)(
    'is what the second of two rows becomes that are given one task, %s',
    async ([, concurrency]) => {
      // The first row goes alone: the other two are sent together where there is room for both.
      await using trial = await openTrial(namedRows(3), {
        create: (creation) => ({
          type: 'creation-accepted',
          taskId: creation.question === 'Question 3' ? 'task-2' : creation.make(),
        }),
      });
      await trial.run({ concurrency });
      const [, second, third] = trial.tasks.sentMs();
      expect(second === third).toBe(concurrency === 3);
      expect(await trial.statuses()).toEqual(['completed', 'completed', 'uncertain']);
      expect((await trial.item('q3')).failure).toBe(
        'the service answered with task task-2, which belongs to row q2',
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
      'what was sent last got no readable answer; nothing more is submitted: the connection was lost',
    ]);
  });
});

describe('an ill gateway that lets no answer through', () => {
  it.for([
    [1, 1],
    [2, 2],
    [3, 3],
    [10, 3],
    [50, 3],
  ] as const)('with a concurrency of %i costs %i uncertain rows', async ([concurrency, most]) => {
    await using trial = await openTrial(namedRows(60), { create: acceptedButLost });
    expect((await trial.run({ concurrency })).reason).toBe('uncertain-breaker');
    expect(trial.tasks.creations).toHaveLength(most);
    expect(trial.tasks.mostInFlight).toBe(1);
    expect((await trial.checkpoint.ledger()).counts).toMatchObject({ uncertain: most, pending: 60 - most });
    expect(trial.clock.elapsedMs).toBeLessThan(10_000);
  });

  it('in the middle of a run costs what was on its way and no more than two after that', async () => {
    await using trial = await openTrial(namedRows(100), {
      create: (creation) => (creation.sentMs > 600 ? acceptedButLost(creation) : undefined),
    });
    await trial.run({ concurrency: 100 });
    expect(trial.tasks.mostInFlight).toBe(8);
    expect((await trial.checkpoint.ledger()).counts).toMatchObject({ completed: 7, uncertain: 8 });
  });
});

describe('a service that gives every creation the same task', () => {
  it('is not submitted to any more after three', async () => {
    await using trial = await openTrial(namedRows(20), {
      create: (creation) => {
        if (creation.question === 'Question 1') creation.make();
        return { type: 'creation-accepted', taskId: 'task-1' };
      },
    });
    expect((await trial.run()).reason).toBe('uncertain-breaker');
    expect((await trial.checkpoint.ledger()).counts).toMatchObject({
      completed: 1,
      uncertain: 3,
      pending: 16,
    });
  });
});

describe('a healthy service', () => {
  it('has sixteen creations on their way within five answers', async () => {
    await using trial = await openTrial(namedRows(100));
    const ending = trial.run({ concurrency: 100 });
    await trial.clock.reach(5 * (200 + fixed.gatherMs));
    expect(trial.tasks.mostInFlight).toBe(16);
    await ending;
    expect((await trial.checkpoint.ledger()).counts.completed).toBe(100);
    const sentMs = trial.tasks.sentMs();
    expect((sentMs.at(-1) ?? 0) - (sentMs[0] ?? 0)).toBeLessThan(3_000);
  });
});

describe('a retry that is answered with the task of its own earlier attempt', () => {
  it.for([
    ['completed', { create: (creation) => ({ type: 'creation-accepted', taskId: ownTask(creation) }) }, 10],
    [
      'failed and charged',
      {
        create: (creation) => ({ type: 'creation-accepted', taskId: ownTask(creation) }),
        status: () => failed(4),
      },
      4,
    ],
  ] as const satisfies readonly (readonly [string, Script, number])[])(
    'that was %s has it again, and its points are counted once',
    async ([, script, points]) => {
      await using trial = await openTrial(namedRows(1), script);
      await trial.run();
      const before = await trial.item('q1');
      const { item: after } = transition(
        before,
        { type: 'retry-ordered', at: trial.clock.now() },
        defaultPolicy,
      );
      await trial.checkpoint.commit([{ before, after }]);
      const runner = trial.createRunner();
      await runner.run();
      expect(await trial.item('q1')).toMatchObject({
        status: before.status,
        attempt: 2,
        taskId: 'task-1',
        points,
      });
      expect(runner.ledger).toMatchObject({ spent: points });
      expect((await trial.checkpoint.ledger()).spent).toBe(points);
    },
  );
});

describe('a creation that was refused', () => {
  it('for good is rejected at once, and the others continue', async () => {
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
    const reasons = [
      'too long',
      'too short',
      'no question',
      'a secret',
      'an image',
      'a poem',
      'rude',
      'empty',
    ];
    await using trial = await openTrial(namedRows(8), {
      create: ({ question }) => refused(`bad: ${reasons[Number(question.slice(-1)) - 1]}`),
    });
    expect((await trial.run({ concurrency: 1 })).reason).toBe('done');
    expect(trial.tasks.creations).toHaveLength(8);
  });
});

describe('a creation that cannot be sent by anybody', () => {
  it('puts its row back to pending when the key is refused, and nothing more is sent', async () => {
    await using trial: Trial = await openTrial(namedRows(6), {
      ...forQuestions([2, 3], () => creationBarred),
      probe: () => (trial.tasks.creations.length > 0 ? refusedToAll : undefined),
    });
    expect(await trial.run({ concurrency: 3 })).toEqual({
      reason: 'key-refused',
      failure: 'Unauthorized: Invalid API key',
    });
    expect(await trial.statuses()).toEqual(['completed', ...Array(5).fill('pending')]);
    expect(trial.tasks.creations).toHaveLength(3);
    trial.tasks.follow({});
    await trial.run();
    expect(new Set(await trial.statuses())).toEqual(new Set(['completed']));
    expect(trial.tasks.sentMs('Question 1')).toHaveLength(1);
  });

  it('stops the run when nothing about it can be mended by waiting', async () => {
    await using trial = await openTrial(namedRows(3), {
      create: () => ({ type: 'creation-not-sent', endsRun: 'misconfigured', failure: 'bad certificate' }),
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
      create: () => ({ ...uncertain, failure: 'HTTP 303', endsRun: 'misconfigured' }),
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

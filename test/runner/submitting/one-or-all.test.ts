/** An answer to one request may be about this request alone: the free question, and the next row, show what it is about. */

import { describe, expect, it } from 'vitest';
import type { KeyBar } from '../../../src/money/event.ts';
import { namedRows } from '../../support/incoming-rows.ts';
import {
  type CreationFact,
  done,
  forQuestions,
  inProgress,
  keyRefused,
  makingMs,
  refused,
  refusedToAll,
  type Script,
  type StatusFact,
  uncertain,
} from '../../support/scripted-tasks.ts';
import { openTrial, type Trial } from '../../support/virtual-run.ts';

const minute = 60_000;

/** What a gateway says that does not let one request pass. */
const forbidden: StatusFact = {
  type: 'poll-refused',
  failure: 'HTTP 403: Blocked by rule 949110',
  endsRun: 'key-forbidden',
};

describe('a poll that is refused', () => {
  it('for one task for ever keeps no other row from its video, and its own row from ending', async () => {
    await using trial = await openTrial(namedRows(6), {
      status: ({ question }) => (question === 'Question 2' ? forbidden : undefined),
    });
    expect(await trial.run({ taskTimeoutMs: 20 * minute })).toEqual({ reason: 'done', failure: null });
    expect(await trial.statuses()).toEqual(['completed', 'lost', ...Array(4).fill('completed')]);
    expect(await trial.item('q2')).toMatchObject({
      failure: 'the task did not end within 20 minutes (--task-timeout): HTTP 403: Blocked by rule 949110',
      taskId: 'task-2',
    });
    expect(trial.warnings).toEqual([
      'the service refuses to tell the status of row q2 (task task-2), and no other: HTTP 403: Blocked by rule 949110',
    ]);
    expect(trial.clock.elapsedMs).toBeLessThan(22 * minute);
    // Once a tick is enough to know that only this one is refused.
    expect(trial.tasks.probedMs.length).toBeLessThan(50);
  });

  it('for some of many costs one free question a tick', async () => {
    await using trial = await openTrial(namedRows(60), {
      status: ({ question, ageMs }) =>
        ageMs < makingMs && Number(question.slice(9)) % 2 === 0 ? forbidden : undefined,
    });
    expect((await trial.run({ concurrency: 60 })).reason).toBe('done');
    expect((await trial.checkpoint.ledger()).counts.completed).toBe(60);
    expect(trial.tasks.probedMs.length).toBeLessThan(30);
  });

  it('for a completed task ends the wait for its video as a link does that does not work', async () => {
    let isToldOf = false;
    await using trial = await openTrial(namedRows(2), {
      status: (task) => {
        if (task.question !== 'Question 1' || task.ageMs < makingMs) return undefined;
        const answer = isToldOf ? forbidden : done(task);
        isToldOf = true;
        return answer;
      },
      file: ({ link }) =>
        link.startsWith('task-1/') ? { outcome: 'link-refused', failure: 'HTTP 403' } : undefined,
    });
    expect((await trial.run()).reason).toBe('done');
    expect(await trial.statuses()).toEqual(['undelivered', 'completed']);
    expect((await trial.item('q1')).failure).toBe(forbidden.failure);
  });

  it('as the free question is, stops the run: the key is refused for all', async () => {
    await using trial: Trial = await openTrial(namedRows(4), {
      status: (task) => (task.queriedMs.length > 1 ? keyRefused : undefined),
      probe: () => (trial.tasks.creations.length > 0 ? refusedToAll : undefined),
    });
    expect(await trial.run()).toEqual({ reason: 'key-refused', failure: keyRefused.failure });
    expect(await trial.statuses()).toEqual(Array(4).fill('open'));
    trial.tasks.follow({});
    expect((await trial.run()).reason).toBe('done');
    expect(trial.tasks.tasks.size).toBe(4);
  });

  it('while nobody answers the free question is a poll without an answer', async () => {
    await using trial: Trial = await openTrial(namedRows(1), {
      status: (task) =>
        task.ageMs < makingMs ? (task.queriedMs.length > 2 ? forbidden : inProgress()) : done(task),
      probe: () =>
        trial.tasks.creations.length > 0
          ? { outcome: 'unreachable', failure: 'connection refused', obstacle: null }
          : undefined,
    });
    expect((await trial.run()).reason).toBe('done');
    expect(trial.notes).toContain(
      'the service answers no status request; polling goes on at every tick: HTTP 403: Blocked by rule 949110',
    );
  });
});

describe('a start in an outage', () => {
  const gateway = { outcome: 'gateway', failure: 'HTTP 502: Bad Gateway' } as const;
  const page = { outcome: 'foreign', failure: 'a page answered: HTTP 200: 系统维护中' } as const;

  it('sends nothing while a gateway answers the free question, and ends after --outage-timeout', async () => {
    await using trial = await openTrial(namedRows(20), { probe: () => gateway, create: () => uncertain });
    const outageTimeoutMs = 5 * minute;
    for (const night of [1, 2, 3]) {
      expect(await trial.run({ outageTimeoutMs })).toEqual({
        reason: 'unreachable',
        failure: gateway.failure,
      });
      expect(trial.clock.elapsedMs).toBeGreaterThanOrEqual(night * outageTimeoutMs);
      expect(trial.clock.elapsedMs).toBeLessThan(night * (outageTimeoutMs + 61_000));
    }
    expect(trial.tasks.creations).toEqual([]);
    expect((await trial.checkpoint.ledger()).counts.pending).toBe(20);
  });

  it('continues as soon as the service answers it', async () => {
    await using trial: Trial = await openTrial(namedRows(5));
    trial.tasks.follow({ probe: () => (trial.clock.elapsedMs < 3 * minute ? gateway : undefined) });
    expect((await trial.run()).reason).toBe('done');
    expect(trial.tasks.sentMs()[0]).toBeGreaterThanOrEqual(3 * minute);
    expect(trial.tasks.sentMs()[0]).toBeLessThan(5 * minute);
  });

  it('waits for a page, too, where the service was at this address before', async () => {
    await using trial = await openTrial(namedRows(3));
    await trial.run({ limit: 1 });
    trial.tasks.follow({ probe: () => page });
    expect((await trial.run({ isSameService: true })).reason).toBe('unreachable');
    expect((await trial.run({ isSameService: false })).reason).toBe('wrong-service');
    expect(trial.tasks.creations).toHaveLength(1);
  });
});

describe('a service that refuses everything while tasks are open', () => {
  it('ends the run after --outage-timeout, whatever pause it asks for', async () => {
    await using trial = await openTrial(namedRows(8), {
      create: ({ sentMs }) => (sentMs < 400 ? undefined : refused('HTTP 429', true, 86_400_000)),
    });
    expect((await trial.run({ concurrency: 8 })).reason).toBe('busy');
    expect(trial.clock.elapsedMs).toBeLessThan(makingMs + 13 * minute);
    expect((await trial.checkpoint.ledger()).counts).toMatchObject({ completed: 3, pending: 5 });
  });
});

describe('a status that cannot be read', () => {
  const unreadable: StatusFact = {
    type: 'poll-unanswered',
    failure: 'db error',
    retryAfterMs: null,
    isWhole: true,
  };

  it('for ever ends the wait for its task in time, and takes no place from the others for longer', async () => {
    await using trial = await openTrial(namedRows(4), {
      status: ({ question }) => (Number(question.slice(9)) <= 2 ? unreadable : undefined),
    });
    const ending = await trial.run({ concurrency: 2, taskTimeoutMs: 20 * minute });
    expect(ending).toEqual({ reason: 'done', failure: null });
    expect(await trial.statuses()).toEqual(['lost', 'lost', 'completed', 'completed']);
    expect(await trial.item('q1')).toMatchObject({
      failure: 'the task did not end within 20 minutes (--task-timeout): db error',
      taskId: 'task-1',
    });
    expect(trial.clock.elapsedMs).toBeLessThan(40 * minute);
  });

  it('for ever, of a completed task, ends the wait for its video as a link does that does not work', async () => {
    await using trial: Trial = await openTrial(namedRows(1), {
      status: (task) => (task.ageMs < makingMs || task.queriedMs.length < 13 ? undefined : unreadable),
      file: () => ({ outcome: 'link-refused', failure: 'HTTP 403' }),
    });
    expect((await trial.run()).reason).toBe('done');
    expect(await trial.item('q1')).toMatchObject({ status: 'undelivered', failure: 'db error' });
    expect(trial.clock.elapsedMs).toBeLessThan(30 * minute);
  });

  it.each([
    [
      'while the free question is not answered',
      { outcome: 'unreachable', failure: 'refused', obstacle: null },
    ],
    ['while the service answers no question now', { outcome: 'service', isBusy: true }],
  ] as const)('is waited for %s', async (_name, away) => {
    const answersFrom = 3 * 60 * minute;
    await using trial: Trial = await openTrial(namedRows(1), {
      status: (task) =>
        task.ageMs > answersFrom
          ? undefined
          : { ...unreadable, retryAfterMs: 'isBusy' in away ? 1_000 : null },
      probe: () => (trial.tasks.creations.length > 0 ? away : undefined),
    });
    expect((await trial.run({ taskTimeoutMs: 20 * minute })).reason).toBe('done');
    expect(await trial.statuses()).toEqual(['completed']);
  });

  it('is waited for where an outage begins after the free question was answered', async () => {
    let asked = 0;
    await using trial: Trial = await openTrial(namedRows(1), {
      status: (task) => (task.ageMs > 3 * 60 * minute ? undefined : unreadable),
      // Until then they are slow: the next tick gets its answer less than a tick later.
      statusMs: () => (asked < 2 ? 5_000 : 100),
      // The first time before the creation, the second when the time of the task has passed.
      probe: () => {
        asked += 1;
        return asked <= 2 ? undefined : { outcome: 'gateway', failure: 'HTTP 502' };
      },
    });
    expect((await trial.run({ taskTimeoutMs: 20 * minute })).reason).toBe('done');
    expect(await trial.statuses()).toEqual(['completed']);
  });
});

/** How a creation is answered that is barred. */
const barred = (bar: KeyBar | 'gateway', failure: string): CreationFact => ({
  type: 'creation-barred',
  failure,
  bar,
});
const unsuitable = barred('key-forbidden', '内容审核不通过');
const noPoints = barred('no-points', '积分不足');

/** Answers the creations of these questions like this, for ever. */
const ever = (numbers: readonly number[], answer: CreationFact): Script =>
  forQuestions(numbers, () => answer);

describe('a creation that is refused as if the key were', () => {
  it.for([
    ['403', unsuitable],
    ['402', noPoints],
    ['401', barred('key-refused', 'Unauthorized')],
  ] as const)('is about its row where the next one is accepted: HTTP %s', async ([, answer]) => {
    await using trial = await openTrial(namedRows(8), ever([3], answer));
    expect(await trial.run()).toEqual({ reason: 'done', failure: null });
    expect(await trial.statuses()).toEqual([
      ...Array(2).fill('completed'),
      'rejected',
      ...Array(5).fill('completed'),
    ]);
    expect(await trial.item('q3')).toMatchObject({
      failure: answer.type === 'creation-barred' && answer.failure,
      points: 0,
    });
    expect(trial.tasks.sentMs('Question 3')).toHaveLength(1);
    expect(trial.tasks.tasks.size).toBe(7);
    expect(trial.warnings).toEqual([
      expect.stringMatching(/^row q3 is refused, and perhaps no other; it waits/),
    ]);
    expect(trial.notes).toContainEqual(expect.stringMatching(/^row q3 is rejected: /));
  });

  it('leaves nothing to do but to wait where the last other row is on its way: no turn follows the other', async () => {
    const tookMs = [100, 100, 200, minute];
    await using trial = await openTrial(namedRows(4), {
      create: ({ question }) => (question === 'Question 2' ? unsuitable : undefined),
      createMs: () => tookMs.shift() ?? 100,
    });
    let waits = 0;
    const wait = trial.clock.wait.bind(trial.clock);
    trial.clock.wait = (ms, signal) => {
      waits += 1;
      return wait(ms, signal);
    };
    expect((await trial.run({ concurrency: 4 })).reason).toBe('done');
    expect(await trial.statuses()).toEqual(['completed', 'rejected', 'completed', 'completed']);
    expect(waits).toBeLessThan(100);
  });

  it('is about the account where the next one is refused alike: nothing more is sent, and what is paid for is brought home', async () => {
    await using trial = await openTrial(namedRows(12), ever([4, 5, 6, 7, 8, 9, 10, 11, 12], noPoints));
    expect(await trial.run({ concurrency: 2 })).toEqual({
      reason: 'no-points',
      failure: 'row q4 and row q5: 积分不足',
    });
    expect(await trial.statuses()).toEqual([...Array(3).fill('completed'), ...Array(9).fill('pending')]);
    expect(trial.tasks.creations).toHaveLength(5);
    trial.tasks.follow({});
    expect((await trial.run()).reason).toBe('done');
    expect(trial.tasks.tasks.size).toBe(12);
    // The two that were refused came after the others.
    const sent = trial.tasks.creations.slice(5).map(({ question }) => question);
    expect(sent.slice(-2)).toEqual(['Question 4', 'Question 5']);
  });

  it('does not delay a second start with the row that was refused first', async () => {
    await using trial = await openTrial(namedRows(6), ever([1, 2], unsuitable));
    expect((await trial.run({ concurrency: 1 })).reason).toBe('key-forbidden');
    expect(await trial.statuses()).toEqual(Array(6).fill('pending'));
    expect((await trial.run({ concurrency: 1 })).reason).toBe('done');
    expect(await trial.statuses()).toEqual(['rejected', 'rejected', ...Array(4).fill('completed')]);
    expect(trial.tasks.tasks.size).toBe(4);
  });

  it('is decided by the run so far where no other row is left', async () => {
    await using trial = await openTrial(namedRows(3), ever([3], unsuitable));
    expect((await trial.run()).reason).toBe('done');
    expect(await trial.statuses()).toEqual(['completed', 'completed', 'rejected']);
    await using single = await openTrial(namedRows(1), ever([1], unsuitable));
    expect(await single.run()).toEqual({ reason: 'key-forbidden', failure: 'row q1: 内容审核不通过' });
    expect(await single.statuses()).toEqual(['pending']);
    await using drained = await openTrial(namedRows(3), ever([3], noPoints));
    expect((await drained.run()).reason).toBe('no-points');
    expect(await drained.statuses()).toEqual(['completed', 'completed', 'pending']);
  });

  it('is sent again by a later run where this one died before it was known why', async () => {
    await using trial = await openTrial(namedRows(4), ever([1], unsuitable));
    const runner = trial.createRunner();
    trial.checkpoint.onCommit = (changes) => {
      if (changes.some(({ before, after }) => before.status === 'submitting' && after.status === 'pending'))
        runner.stop('interrupted');
    };
    await runner.run();
    expect(await trial.statuses()).toEqual(Array(4).fill('pending'));
    expect(await trial.item('q1')).toMatchObject({ turn: 'last', failure: '内容审核不通过' });
    expect((await trial.run()).reason).toBe('done');
    expect(await trial.statuses()).toEqual(['rejected', ...Array(3).fill('completed')]);
  });
});

describe('a page of a gateway that refuses a creation', () => {
  const tooLarge = barred('gateway', 'HTTP 413: Request Entity Too Large');

  it('concerns that row alone where the service answers the free question', async () => {
    await using trial = await openTrial(namedRows(30), ever([1, 7, 8], tooLarge));
    expect(await trial.run()).toEqual({ reason: 'done', failure: null });
    expect((await trial.checkpoint.ledger()).counts).toMatchObject({ completed: 27, rejected: 3 });
    expect(trial.tasks.creations).toHaveLength(30);
    expect(await trial.item('q7')).toMatchObject({ failure: 'HTTP 413: Request Entity Too Large' });
  });

  it('is part of an outage where a gateway answers that, too: the row is sent when it is over', async () => {
    await using trial: Trial = await openTrial(namedRows(5));
    const isAway = (): boolean => trial.clock.elapsedMs > 100 && trial.clock.elapsedMs < 2 * minute;
    trial.tasks.follow({
      create: () => (isAway() ? tooLarge : undefined),
      createMs: () => 200,
      probe: () => (isAway() ? { outcome: 'gateway', failure: 'HTTP 502' } : undefined),
    });
    expect((await trial.run({ concurrency: 1 })).reason).toBe('done');
    expect((await trial.checkpoint.ledger()).counts.completed).toBe(5);
  });
});

describe('rows that were refused in a row with the same words', () => {
  const maintenance = refused('系统维护中');

  /** The service refuses everything until then (ms since the start). */
  const closedUntil = (ms: number): Script => ({
    create: ({ sentMs }) => (sentMs < ms ? maintenance : undefined),
  });

  it('are sent once more by the next run, after the others, when the service accepts creations again', async () => {
    await using trial = await openTrial(namedRows(9), closedUntil(minute));
    expect(await trial.run()).toEqual({ reason: 'refusal-breaker', failure: '系统维护中' });
    expect(await trial.statuses()).toEqual([...Array(5).fill('rejected'), ...Array(4).fill('pending')]);
    await trial.clock.reach(2 * minute);
    expect((await trial.run()).reason).toBe('done');
    expect(await trial.statuses()).toEqual(Array(9).fill('completed'));
    expect(trial.tasks.creations).toHaveLength(14);
    const sent = trial.tasks.creations.slice(5).map(({ question }) => question);
    expect(sent.slice(4).toSorted()).toEqual([1, 2, 3, 4, 5].map((n) => `Question ${n}`));
  });

  it('are so also where somebody stops the run before the fifth is answered', async () => {
    await using trial: Trial = await openTrial(namedRows(5), {
      create: () => {
        if (trial.tasks.creations.length === 5) runner.stop('interrupted');
        return maintenance;
      },
    });
    const runner = trial.createRunner();
    expect((await runner.run()).reason).toBe('interrupted');
    expect(await trial.statuses()).toEqual(Array(5).fill('rejected'));
    trial.tasks.follow({});
    expect((await trial.run()).reason).toBe('done');
    expect(await trial.statuses()).toEqual(Array(5).fill('completed'));
  });

  it('are never sent a third time', async () => {
    await using trial: Trial = await openTrial(namedRows(9), closedUntil(minute));
    await trial.run();
    trial.tasks.follow(ever([1, 2, 3, 4, 5], maintenance));
    expect((await trial.run()).reason).toBe('refusal-breaker');
    expect(await trial.statuses()).toEqual([...Array(5).fill('rejected'), ...Array(4).fill('completed')]);
    await trial.ingest(...namedRows(10));
    trial.tasks.follow({});
    expect((await trial.run()).reason).toBe('done');
    expect(trial.tasks.creations).toHaveLength(5 + 9 + 1);
    expect((await trial.checkpoint.ledger()).counts).toMatchObject({ completed: 5, rejected: 5 });
  });

  it('are left as they are by a run that may submit only other rows', async () => {
    await using trial = await openTrial(namedRows(9), closedUntil(minute));
    await trial.run();
    await trial.clock.reach(2 * minute);
    await trial.run({ only: ['q2', 'q7'] });
    expect(await trial.statuses()).toEqual([
      ...['rejected', 'completed', ...Array(3).fill('rejected')],
      ...['pending', 'completed', 'pending', 'pending'],
    ]);
  });

  it('follow one of them where no other row waits that could show whether creations are accepted', async () => {
    await using trial = await openTrial(namedRows(5), closedUntil(minute));
    expect((await trial.run()).reason).toBe('refusal-breaker');
    expect((await trial.run()).reason).toBe('done');
    expect(await trial.statuses()).toEqual(Array(5).fill('rejected'));
    expect(trial.tasks.creations).toHaveLength(6);
    await trial.clock.reach(2 * minute);
    expect((await trial.run({ submits: false })).reason).toBe('collected');
    expect(trial.tasks.creations).toHaveLength(6);
    expect((await trial.run()).reason).toBe('done');
    expect(await trial.statuses()).toEqual(['rejected', ...Array(4).fill('completed')]);
    expect((await trial.run()).reason).toBe('done');
    expect(trial.tasks.creations).toHaveLength(10);
  });

  it('get their second chance in the same run where one is accepted after all', async () => {
    await using trial = await openTrial(namedRows(40), {
      create: ({ question, attempt }) => {
        const number = Number(question.slice(9));
        return attempt === 1 && number > 20 && number < 27 ? maintenance : undefined;
      },
      createMs: () => 200,
    });
    await trial.run({ concurrency: 40 });
    expect((await trial.run({ concurrency: 40 })).reason).toBe('done');
    expect((await trial.checkpoint.ledger()).counts.completed).toBe(40);
    expect(trial.tasks.tasks.size).toBe(40);
  });
});

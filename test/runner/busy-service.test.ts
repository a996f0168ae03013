import { describe, expect, it } from 'vitest';
import { fixed } from '../../src/money/policy.ts';
import { Dice } from '../sim/dice.ts';
import { namedRows } from '../support/incoming-rows.ts';
import { makingMs, refused, type Script, uncertain } from '../support/scripted-tasks.ts';
import { openTrial, type Trial } from '../support/virtual-run.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Refuses all creations before this time (ms since the start), in these words. */
function busyUntil(untilMs: number, retryAfterMs: number | null = null): Script {
  return {
    create: ({ sentMs }) =>
      sentMs < untilMs ? refused('HTTP 429: slow down', true, retryAfterMs) : undefined,
  };
}

/** All rows have their video, and no creation that was refused used anything up. */
async function expectAllDone(trial: Trial, rows: number): Promise<void> {
  expect((await trial.checkpoint.ledger()).counts).toMatchObject({
    completed: rows,
    rejected: 0,
    pending: 0,
  });
  expect(trial.tasks.tasks.size).toBe(rows);
}

describe('a service that refuses creations for now', () => {
  it('is waited for, with pauses that grow gently, and no row is lost to it', async () => {
    await using trial = await openTrial(namedRows(40), busyUntil(14_000));
    expect(await trial.run()).toEqual({ reason: 'done', failure: null });
    await expectAllDone(trial, 40);
    expect(trial.tasks.sentMs().slice(0, 5)).toEqual([0, 1_200, 2_900, 5_350, 8_925]);
    expect(trial.warnings).toEqual([]);
    expect(trial.notes).toEqual([
      'the service refuses creations for now (HTTP 429: slow down): they are sent when it accepts them again',
    ]);
  });

  it.for([1, 2, 3])('six times out of ten costs no row (seed %i)', async (seed) => {
    const dice = new Dice(seed, 'refusals');
    await using trial = await openTrial(namedRows(40), {
      create: () => (dice.chance(0.6) ? refused('HTTP 429', true) : undefined),
    });
    expect((await trial.run()).reason).toBe('done');
    await expectAllDone(trial, 40);
  });

  it('costs no row either where each refusal has words of its own', async () => {
    await using trial = await openTrial(namedRows(20), {
      create: ({ sentMs, question }) =>
        sentMs < minuteMs
          ? refused(
              `The video generation interface response is abnormal: 503 - ${question}, request ${sentMs}`,
              true,
            )
          : undefined,
    });
    expect((await trial.run()).reason).toBe('done');
    await expectAllDone(trial, 20);
  });

  it('while another is on its way costs that row nothing, and all rows wait together', async () => {
    const thirdMs = 3 * (200 + fixed.gatherMs);
    await using trial = await openTrial(namedRows(20), {
      create: ({ sentMs }) => (sentMs === thirdMs ? refused('HTTP 429', true, 30_000) : undefined),
    });
    await trial.run({ concurrency: 20 });
    await expectAllDone(trial, 20);
    const sentMs = trial.tasks.sentMs();
    expect(sentMs.filter((at) => at === thirdMs)).toHaveLength(8);
    expect(sentMs.filter((at) => at > thirdMs && at < thirdMs + 200 + 30_000)).toEqual([]);
  });

  it('ends the run after --outage-timeout without one that it took, and says what it said', async () => {
    await using trial = await openTrial(namedRows(5), busyUntil(Number.POSITIVE_INFINITY));
    expect(await trial.run({ outageTimeoutMs: 5 * minuteMs })).toEqual({
      reason: 'busy',
      failure: 'HTTP 429: slow down',
    });
    expect(trial.clock.elapsedMs).toBe(200 + 5 * minuteMs);
    expect((await trial.checkpoint.ledger()).counts).toMatchObject({ pending: 5, rejected: 0 });
    expect(trial.warnings).toEqual([
      'the service refused every creation for the whole --outage-timeout; nothing more is submitted: HTTP 429: slow down',
    ]);
    trial.tasks.follow({});
    expect((await trial.run()).reason).toBe('done');
    await expectAllDone(trial, 5);
  });

  it('is not what a run ends with that has nothing left to send, and waits for callbacks alone', async () => {
    const answers = [uncertain, refused('HTTP 429: slow down', true), refused('no such formula')];
    await using trial = await openTrial(namedRows(2), { create: () => answers.shift() });
    expect((await trial.run({ listens: true, outageTimeoutMs: 5 * minuteMs })).reason).toBe('done');
    expect(await trial.statuses()).toEqual(['uncertain', 'rejected']);
    expect(trial.clock.elapsedMs).toBeGreaterThan(10 * minuteMs);
    expect(trial.warnings).toEqual([]);
  });

  it('because of the tasks it has is waited for until those have ended, however long they take', async () => {
    // Nothing more for an hour, in which its one task is in the making.
    await using trial: Trial = await openTrial(namedRows(3), {
      create: ({ sentMs }) =>
        sentMs > 0 && sentMs < hourMs ? refused('one at a time, please', true) : undefined,
      status: ({ question, ageMs }) =>
        question === 'Question 1' && ageMs < hourMs ? { type: 'task-progressed', frames: [] } : undefined,
    });
    expect((await trial.run()).reason).toBe('done');
    await expectAllDone(trial, 3);
    expect(trial.tasks.creations.length).toBeLessThan(10);
  });
});

describe('a service that takes two tasks at once', () => {
  it('is given two at once: no row is lost, and it has few to refuse', async () => {
    await using trial: Trial = await openTrial(namedRows(40));
    const refusedMs: number[] = [];
    const takenMs: number[] = [];
    trial.tasks.follow({
      create: ({ sentMs }) => {
        if (takenMs.filter((at) => sentMs < at + makingMs + 200).length < 2) {
          takenMs.push(sentMs);
          return undefined;
        }
        refusedMs.push(sentMs);
        return refused('HTTP 429: two at once', true);
      },
    });
    expect((await trial.run({ concurrency: 10 })).reason).toBe('done');
    await expectAllDone(trial, 40);
    expect(trial.tasks.mostOpen).toBe(2);
    // A third is tried now and then, so that a service that takes more is given more.
    const gaps = refusedMs.slice(1).map((at, i) => at - (refusedMs[i] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThan(4 * minuteMs);
    expect(trial.clock.elapsedMs).toBeLessThan(20 * (makingMs + minuteMs));
  });
});

describe('a service that refuses one creation in ten, whatever is open', () => {
  it('is not mistaken for one that takes few tasks at once', async () => {
    await using trial = await openTrial(namedRows(200), {
      create: ({ question, attempt }) =>
        attempt === 1 && question.endsWith('0') ? refused('HTTP 429: slow down', true) : undefined,
    });
    expect((await trial.run({ concurrency: 20 })).reason).toBe('done');
    await expectAllDone(trial, 200);
    // Each refusal costs its pause; the tasks take five minutes, so that all slots are used in spite of them.
    expect(trial.tasks.mostOpen).toBe(20);
    expect(trial.clock.elapsedMs).toBeLessThan((200 / 20) * (makingMs + 2 * minuteMs));
  });
});

describe('a pause that the service asks for', () => {
  const pauseMs = 50 * minuteMs;
  const patient = { outageTimeoutMs: 2 * hourMs };

  it('is kept to the moment, and no other row is sent meanwhile', async () => {
    await using trial = await openTrial(namedRows(10), busyUntil(1_000, pauseMs));
    await trial.run(patient);
    expect(trial.tasks.sentMs().slice(0, 2)).toEqual([0, 200 + pauseMs]);
    await expectAllDone(trial, 10);
  });

  it.for([
    ['put back by a day', -24 * hourMs],
    ['put back by an hour', -hourMs],
    ['set forward by a day', 24 * hourMs],
  ] as const)('is as long where the clock is %s meanwhile', async ([, byMs]) => {
    await using trial = await openTrial(namedRows(3), busyUntil(1_000, pauseMs));
    const ending = trial.run(patient);
    await trial.clock.reach(10_000);
    trial.clock.set(byMs);
    await ending;
    expect(trial.tasks.sentMs().slice(0, 2)).toEqual([0, 200 + pauseMs]);
    await expectAllDone(trial, 3);
  });

  it.for([5_000, 10 * minuteMs, 49 * minuteMs])(
    'ends each run after an --outage-timeout of %i ms, is kept by the next ones, and uses up nothing',
    async (outageTimeoutMs) => {
      await using trial = await openTrial(namedRows(3), busyUntil(1_000, 24 * hourMs));
      expect((await trial.run({ outageTimeoutMs })).reason).toBe('busy');
      expect(trial.clock.elapsedMs).toBe(200 + outageTimeoutMs);
      for (let next = 2; next * outageTimeoutMs < hourMs && next < 5; next += 1) {
        expect(await trial.run({ outageTimeoutMs })).toEqual({
          reason: 'busy',
          failure: 'it asked an earlier run for a pause',
        });
        expect(trial.clock.elapsedMs).toBe(200 + next * outageTimeoutMs);
      }
      expect(trial.tasks.sentMs()).toEqual([0]);
      expect(await trial.statuses()).toEqual(['pending', 'pending', 'pending']);
      expect((await trial.run(patient)).reason).toBe('done');
      expect(trial.tasks.sentMs().slice(0, 2)).toEqual([0, 200 + hourMs]);
      await expectAllDone(trial, 3);
    },
  );

  it('is noticed by a later run, which tries at its end where its own patience lasts longer', async () => {
    await using trial = await openTrial(namedRows(3), busyUntil(2 * hourMs, pauseMs));
    expect((await trial.run({ outageTimeoutMs: minuteMs })).reason).toBe('busy');
    const outageTimeoutMs = pauseMs;
    expect((await trial.run({ outageTimeoutMs })).reason).toBe('busy');
    expect(trial.tasks.sentMs()).toEqual([0, 200 + pauseMs]);
    expect(trial.clock.elapsedMs).toBe(200 + minuteMs + outageTimeoutMs);
    expect(trial.notes.at(-2)).toMatch(
      /^the service asked an earlier run to send nothing for 49 more minutes: /,
    );
  });

  it('is no reason to end a run that only fetches, or that has no row to send', async () => {
    await using trial = await openTrial(namedRows(2), {
      create: ({ question }) => (question === 'Question 1' ? undefined : refused('HTTP 429', true, pauseMs)),
      status: ({ ageMs }) => (ageMs < 30 * minuteMs ? { type: 'task-progressed', frames: [] } : undefined),
    });
    const brief = { outageTimeoutMs: minuteMs, concurrency: 2 };
    const runner = trial.createRunner(brief);
    const ending = runner.run();
    await trial.clock.reach(5_000);
    runner.stop('interrupted');
    await ending;
    expect((await trial.run({ ...brief, submits: false })).reason).toBe('collected');
    expect(trial.clock.elapsedMs).toBeGreaterThan(30 * minuteMs);
    expect(await trial.statuses()).toEqual(['completed', 'pending']);
    expect((await trial.run({ ...brief, only: ['q1'] })).reason).toBe('part');
    expect(trial.notes.filter((note) => note.includes('an earlier run'))).toEqual([]);
  });

  it('is kept by a run that starts again meanwhile', async () => {
    await using trial = await openTrial(namedRows(3), busyUntil(1_000, pauseMs));
    const runner = trial.createRunner(patient);
    const ending = runner.run();
    await trial.clock.reach(10 * minuteMs);
    runner.stop('interrupted');
    await ending;
    expect((await trial.run(patient)).reason).toBe('done');
    expect(trial.tasks.sentMs().slice(0, 2)).toEqual([0, 200 + pauseMs]);
  });

  it('does not make a later run wait for a day that has been, where the clock was put back', async () => {
    await using trial = await openTrial(namedRows(1), busyUntil(500, minuteMs));
    const runner = trial.createRunner();
    const ending = runner.run();
    await trial.clock.reach(1_000);
    runner.stop('interrupted');
    await ending;
    trial.clock.set(-24 * hourMs);
    await trial.run();
    expect(await trial.statuses()).toEqual(['completed']);
    expect(trial.tasks.sentMs()).toEqual([0, 1_000]);
  });
});

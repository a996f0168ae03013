import { describe, expect, it } from 'vitest';
import { ending, events } from '../../money/lives.ts';
import { namedRows } from '../../support/incoming-rows.ts';
import { liveOn } from '../../support/saved-lives.ts';
import {
  acceptedButLost,
  done,
  failed,
  inProgress,
  makingMs,
  notFound,
  type Script,
  type StatusFact,
  type Task,
  unanswered,
} from '../../support/scripted-tasks.ts';
import { openTrial, type Trial } from '../../support/virtual-run.ts';

const numberOf = ({ question }: Pick<Task, 'question'>): number => Number(question.replace('Question ', ''));

/** A task that ends after `makingMs` and costs this; null where the service does not say it readably. */
function ended(task: Task, points: number | null): StatusFact {
  const whole = done(task);
  if (task.ageMs < makingMs || whole.type !== 'task-completed') return inProgress();
  return { ...whole, ending: { ...ending, points } };
}

/** Most rows that were submitting or open at once, as they were saved. */
function mostAtOnce({ checkpoint }: Trial): number {
  const busy = new Set<string>();
  let most = 0;
  for (const changes of checkpoint.commits) {
    for (const { after } of changes) {
      if (after.status === 'submitting' || after.status === 'open') busy.add(after.id);
      else busy.delete(after.id);
    }
    most = Math.max(most, busy.size);
  }
  return most;
}

describe('a lost task under a cap', () => {
  const rows = 60;
  /** The first task shows its price; the service forgets all others, or never ends them. */
  const forgotten: Script = { status: (task) => (numberOf(task) === 1 ? undefined : notFound) };
  const endless: Script = { status: (task) => (numberOf(task) === 1 ? undefined : inProgress()) };

  it.for([
    ['the service forgets all tasks', { status: () => notFound }, 1],
    ['the service forgets all tasks but the first', forgotten, 3],
    ['no task ends but the first', endless, 3],
  ] as const)('keeps its points reserved: %s', async ([, script, taskCount]) => {
    await using trial = await openTrial(namedRows(rows), script);
    await trial.run({ maxPoints: 30, taskTimeoutMs: 400_000 });
    expect(trial.tasks.tasks.size).toBe(taskCount);
    expect((await trial.checkpoint.ledger()).counts.pending).toBe(rows - taskCount);
    // Neither does another start free anything.
    await trial.run({ maxPoints: 30, taskTimeoutMs: 400_000 });
    expect(trial.tasks.tasks.size).toBe(taskCount);
  });

  it('that is given up sooner than any task ends reserves its points, too', async () => {
    await using trial = await openTrial(namedRows(rows), { status: () => inProgress() });
    expect((await trial.run({ maxPoints: 30, taskTimeoutMs: 1_000 })).reason).toBe('unpriced');
    expect(trial.tasks.tasks.size).toBe(1);
  });

  it('that is paid for again counts twice: what was lost may have been charged', async () => {
    await using trial = await openTrial(namedRows(rows), forgotten);
    expect((await trial.run({ maxPoints: 30 })).reason).toBe('points-cap');
    expect((await trial.statuses()).slice(0, 4)).toEqual(['completed', 'lost', 'lost', 'pending']);
    for (const id of ['q2', 'q3']) await liveOn(trial.checkpoint, id, events['retry-ordered']);
    expect((await trial.run({ maxPoints: 30 })).reason).toBe('points-cap');
    expect(trial.tasks.tasks.size).toBe(3);
    expect(trial.warnings.at(-1)).toBe(
      'the points cap is reached (10 spent, 20 more reserved by tasks that may still be charged); nothing more is submitted',
    );
    // With room for both again it is the user's will.
    await trial.run({ maxPoints: 50 });
    expect(trial.tasks.tasksOf('Question 2')).toHaveLength(2);
    expect(trial.tasks.tasks.size).toBe(5);
  });

  it('frees what it reserved once its points are known', async () => {
    await using trial = await openTrial(namedRows(rows), forgotten);
    await trial.run({ maxPoints: 30 });
    trial.tasks.follow({ status: (task) => (numberOf(task) === 2 ? failed() : undefined) });
    await trial.run({ maxPoints: 30 });
    expect((await trial.statuses()).slice(0, 4)).toEqual(['completed', 'failed', 'completed', 'completed']);
    expect(trial.tasks.tasks.size).toBe(4);
  });
});

describe('points that cannot be read', () => {
  const unpriced: Script = { status: (task) => ended(task, null) };

  it('stop a run with a cap after the first task, and it says why', async () => {
    await using trial = await openTrial(namedRows(20), unpriced);
    expect((await trial.run({ maxPoints: 30 })).reason).toBe('unpriced');
    expect(trial.tasks.tasks.size).toBe(1);
    expect(trial.warnings).toEqual([
      'the service has not said what a task of quality m costs, so --max-points cannot be guaranteed; nothing more is submitted',
    ]);
    expect((await trial.run({ maxPoints: 30 })).reason).toBe('unpriced');
    expect(trial.tasks.tasks.size).toBe(1);
  });

  it('let a run without a cap continue, and are counted', async () => {
    await using trial = await openTrial(namedRows(20), unpriced);
    const runner = trial.createRunner();
    expect((await runner.run()).reason).toBe('done');
    expect((await trial.checkpoint.ledger()).counts.completed).toBe(20);
    expect(runner.ledger).toMatchObject({ spent: 0, unpriced: 20 });
    expect(await trial.checkpoint.ledger()).toMatchObject({ spent: 0, unpriced: 20 });
  });

  it('are taken for the most that a task of that quality cost, where one is known', async () => {
    await using trial = await openTrial(namedRows(20), {
      status: (task) => ended(task, numberOf(task) === 1 ? 10 : null),
    });
    expect((await trial.run({ maxPoints: 30 })).reason).toBe('points-cap');
    expect(trial.tasks.tasks.size).toBe(3);
  });

  it('of a failed task reserve as much: it may have been charged', async () => {
    await using trial = await openTrial(namedRows(20), {
      status: (task) =>
        task.ageMs < makingMs
          ? inProgress()
          : { type: 'task-failed', ending: { ...ending, points: null }, failure: 'it cannot be drawn' },
    });
    expect((await trial.run({ maxPoints: 30 })).reason).toBe('unpriced');
    expect(trial.tasks.tasks.size).toBe(1);
  });
});

describe('a quality whose price was not seen', () => {
  const price = { l: 5, m: 10, h: 40 } as const;
  type Priced = keyof typeof price;

  /** Rows of these qualities, in this order. */
  async function openPriced(qualities: readonly Priced[]) {
    const rows = qualities.map((quality, at) => ({
      id: `q${at + 1}`,
      question: `${quality} ${at}`,
      quality,
    }));
    return openTrial(rows, { status: (task) => ended(task, price[task.question[0] as Priced]) });
  }

  const chargedOf = ({ tasks }: Trial): number =>
    [...tasks.tasks.values()].reduce((sum, { question }) => sum + price[question[0] as Priced], 0);

  it('goes alone, however cheap another one is', async () => {
    await using trial = await openPriced(['m', ...Array<Priced>(10).fill('h')]);
    expect((await trial.run({ maxPoints: 100 })).reason).toBe('points-cap');
    const [first, second, ...others] = trial.tasks.creations.map(({ question, sentMs }) => ({
      quality: question[0],
      sentMs,
    }));
    expect([first, second].map((sent) => sent?.quality)).toEqual(['m', 'h']);
    expect(others).toHaveLength(1);
    const [priced] = trial.tasks.tasksOf('h 1');
    expect(others[0]?.sentMs).toBeGreaterThanOrEqual((priced?.madeMs ?? 0) + makingMs);
    expect(chargedOf(trial)).toBe(90);
  });

  it('goes alone also where the cap has room for many of another', async () => {
    const qualities: Priced[] = ['m', 'm', 'm', 'h', 'm', 'h', 'h', 'l', 'l', 'm'];
    await using trial = await openPriced(qualities);
    await trial.run({ maxPoints: 1_000 });
    expect(trial.tasks.tasks.size).toBe(qualities.length);
    for (const quality of ['m', 'h', 'l']) {
      const [first, ...later] = trial.tasks.creations.filter(({ question }) => question[0] === quality);
      const known = (first?.sentMs ?? 0) + makingMs;
      for (const { sentMs } of later) expect(sentMs).toBeGreaterThanOrEqual(known);
    }
  });

  it.for([15, 35, 45, 60, 95] as const)(
    'is the only thing that can go over a cap of %i',
    async (maxPoints) => {
      await using trial = await openPriced(['m', 'h', 'h', 'l', 'm', 'h', 'm', 'l']);
      await trial.run({ maxPoints });
      const before = chargedOf(trial) - price.h;
      expect(Math.min(chargedOf(trial), before)).toBeLessThanOrEqual(maxPoints);
      if (chargedOf(trial) > maxPoints)
        expect(trial.tasks.creations.filter(({ question }) => question[0] === 'h')).toHaveLength(1);
      // And nothing goes after it.
      const charged = chargedOf(trial);
      await trial.run({ maxPoints });
      expect(chargedOf(trial)).toBe(charged);
    },
  );
});

describe('rows that were chosen and are not saved yet', () => {
  it('wait where an uncertain row turns out to be open in the same moment', async () => {
    // The place of the first row is free again as soon as a task has ended, in the beat in which its own is found.
    const endMs = 330_000;
    await using trial = await openTrial(namedRows(6), {
      create: (creation) => (numberOf(creation) === 1 ? acceptedButLost(creation) : undefined),
      status: (task) => {
        if (numberOf(task) === 1) return task.ageMs < 1_800_000 ? inProgress() : done(task);
        return undefined;
      },
    });
    const runner = trial.createRunner({ concurrency: 2 });
    const run = runner.run();
    await trial.clock.reach(endMs + 5);
    await runner.noteCallback((await trial.item('q1')).key, 'task-1');
    await run;
    expect(mostAtOnce(trial)).toBe(2);
    expect(new Set(await trial.statuses())).toEqual(new Set(['completed']));
  });

  it('wait where a task turns out dearer in the same moment', async () => {
    // The first shows the price; of the next two one fails and makes room, and five ms later the other costs three times as much.
    await using trial = await openTrial(namedRows(6), {
      status: (task) => {
        if (numberOf(task) === 2) return failed();
        return numberOf(task) === 3 ? ended({ ...task, ageMs: makingMs }, 29) : undefined;
      },
      statusMs: (task) => (numberOf(task) === 3 ? 105 : 100),
    });
    expect((await trial.run({ maxPoints: 39 })).reason).toBe('points-cap');
    expect((await trial.statuses()).slice(0, 4)).toEqual(['completed', 'failed', 'completed', 'pending']);
    expect(trial.tasks.sentMs('Question 4')).toEqual([]);
    expect((await trial.checkpoint.ledger()).spent).toBe(39);
  });
});

describe('points that come an answer late', () => {
  /** 0 or nothing with the video, and what it costs at every later question. */
  const late = (first: number | null): Script => {
    const reported = new Set<string>();
    return {
      status: (task) => {
        if (task.ageMs < makingMs || reported.has(task.taskId)) return ended(task, 10);
        reported.add(task.taskId);
        return ended(task, first);
      },
    };
  };

  it.for([[0], [null]])('are asked for once more after the download: %s, then 10', async ([first = null]) => {
    await using trial = await openTrial(namedRows(3), late(first));
    await trial.run();
    expect(await trial.statuses()).toEqual(['completed', 'completed', 'completed']);
    expect((await trial.checkpoint.ledger()).spent).toBe(30);
  });

  it.for([[0], [null]])(
    'count against the budget until they are said: %s, then 10',
    async ([first = null]) => {
      await using trial = await openTrial(namedRows(8), late(first));
      expect((await trial.run({ maxPoints: 35 })).reason).toBe('points-cap');
      expect((await trial.checkpoint.ledger()).spent).toBe(30);
      expect(trial.tasks.creations).toHaveLength(3);
    },
  );

  it('are asked for no more than twice: a service that charges nothing keeps no run going', async () => {
    await using trial = await openTrial(namedRows(1), { status: (task) => ended(task, 0) });
    expect((await trial.run()).reason).toBe('done');
    expect(trial.clock.elapsedMs).toBeLessThan(makingMs + 4 * 30_000);
  });

  it('are asked for until two answers have come: ticks without one are none of them', async () => {
    const said: number[] = [];
    await using trial = await openTrial(namedRows(1), {
      status: (task) => {
        const askedMs = task.queriedMs.at(-1) ?? 0;
        const isSilent = said.length > 0 && askedMs < makingMs + 4 * 30_000;
        if (isSilent) return unanswered;
        if (task.ageMs >= makingMs) said.push(askedMs);
        return task.ageMs < makingMs ? inProgress() : ended(task, said.length > 2 ? 10 : 0);
      },
    });
    await trial.run();
    expect(await trial.item('q1')).toMatchObject({ status: 'completed', points: 10 });
  });

  it('are asked for on few ticks where no answer comes at all', async () => {
    let isAnnounced = false;
    await using trial = await openTrial(namedRows(1), {
      status: (task) => {
        if (isAnnounced) return unanswered;
        isAnnounced = task.ageMs >= makingMs;
        return isAnnounced ? ended(task, 0) : inProgress();
      },
    });
    expect((await trial.run()).reason).toBe('done');
    expect(trial.clock.elapsedMs).toBeLessThan(makingMs + 20 * 60_000);
  });

  it('are asked for by `collect` too, which submits nothing', async () => {
    await using trial = await openTrial(namedRows(1), { status: (task) => ended(task, 0) });
    await trial.run();
    trial.tasks.follow({ status: (task) => ended(task, 10) });
    await trial.run({ submits: false });
    expect(await trial.item('q1')).toMatchObject({ status: 'completed', points: 10 });
    expect((await trial.checkpoint.ledger()).spent).toBe(10);
  });

  it('that change from one number to another are those that were said last', async () => {
    await using trial = await openTrial(namedRows(1), late(4));
    await trial.run();
    expect((await trial.checkpoint.ledger()).spent).toBe(4);
  });
});

describe('a price that rises under a cap', () => {
  /** What the ticks say of a task's points, from its end on. */
  const saying = (pointsOf: (task: Task, endedMs: number) => number): Script => ({
    status: (task) => ended(task, pointsOf(task, task.ageMs - makingMs)),
  });

  it('from 0 is waited for: the cap is kept, and the points are those that were charged', async () => {
    await using trial = await openTrial(
      namedRows(20),
      saying((_, endedMs) => (endedMs < 200_000 ? 0 : 100)),
    );
    expect((await trial.run({ maxPoints: 300 })).reason).toBe('points-cap');
    expect(trial.tasks.creations).toHaveLength(3);
    expect((await trial.checkpoint.ledger()).spent).toBe(300);
  });

  it('step by step is no price before it stands still', async () => {
    await using trial = await openTrial(
      namedRows(20),
      saying((_, endedMs) => (endedMs < 100_000 ? 0 : endedMs < 300_000 ? 10 : 100)),
    );
    expect((await trial.run({ maxPoints: 300 })).reason).toBe('points-cap');
    expect(trial.tasks.creations).toHaveLength(3);
    expect((await trial.checkpoint.ledger()).spent).toBe(300);
  });

  it('is waited for by the next process, too', async () => {
    await using trial = await openTrial(
      namedRows(20),
      saying((_, endedMs) => (endedMs < 200_000 ? 0 : 100)),
    );
    const first = trial.createRunner({ maxPoints: 300 });
    const ending = first.run();
    await trial.clock.reach(makingMs + 60_000);
    first.stop('interrupted');
    await ending;
    expect(await trial.item('q1')).toMatchObject({ status: 'completed', points: null });
    expect((await trial.run({ maxPoints: 300 })).reason).toBe('points-cap');
    expect(trial.tasks.creations).toHaveLength(3);
    expect((await trial.checkpoint.ledger()).spent).toBe(300);
  });

  it('above all that was ever charged counts for the open tasks at once: only they pass the cap', async () => {
    await using trial = await openTrial(
      namedRows(60),
      saying((task) => (numberOf(task) <= 3 ? 1 : 200)),
    );
    expect((await trial.run({ maxPoints: 500, concurrency: 4 })).reason).toBe('points-cap');
    const open = trial.tasks.creations.length - 3;
    expect(open).toBeLessThanOrEqual(4);
    expect((await trial.checkpoint.ledger()).spent).toBe(3 + 200 * open);
  });

  it('that is 0 for good lets the run continue after ten minutes, and end', async () => {
    await using trial = await openTrial(
      namedRows(3),
      saying(() => 0),
    );
    expect((await trial.run({ maxPoints: 300 })).reason).toBe('done');
    expect(await trial.statuses()).toEqual(['completed', 'completed', 'completed']);
    expect(await trial.checkpoint.ledger()).toMatchObject({ spent: 0, unpriced: 0 });
    expect(trial.clock.elapsedMs).toBeLessThan(3 * (makingMs + 12 * 60_000));
  });

  it('does not delay tasks whose price is said with their end', async () => {
    await using trial = await openTrial(
      namedRows(6),
      saying(() => 10),
    );
    expect((await trial.run({ maxPoints: 300, concurrency: 6 })).reason).toBe('done');
    expect(trial.clock.elapsedMs).toBeLessThan(3 * makingMs);
  });

  it('of an earlier attempt is waited for, too', async () => {
    await using trial = await openTrial(namedRows(4), {
      status: (task) => (numberOf(task) === 2 ? notFound : ended(task, 100)),
    });
    await trial.run({ maxPoints: 200 });
    await liveOn(trial.checkpoint, 'q2', events['retry-ordered']);
    trial.tasks.follow(saying((task) => (numberOf(task) === 2 ? 0 : 100)));
    expect((await trial.run({ maxPoints: 200 })).reason).toBe('points-cap');
    expect(trial.tasks.creations).toHaveLength(2);
  });

  it('is no price for `collect`, which does not wait either', async () => {
    await using trial = await openTrial(
      namedRows(20),
      saying(() => 0),
    );
    const first = trial.createRunner({ maxPoints: 300 });
    const ending = first.run();
    await trial.clock.reach(makingMs + 60_000);
    first.stop('interrupted');
    await ending;
    const isCheap = (task: Task, endedMs: number): boolean => numberOf(task) === 1 && endedMs < 400_000;
    trial.tasks.follow(saying((task, endedMs) => (isCheap(task, endedMs) ? 10 : 100)));
    await trial.run({ maxPoints: 300, submits: false });
    expect(trial.clock.elapsedMs).toBeLessThan(makingMs + 4 * 60_000);
    expect(await trial.item('q1')).toMatchObject({ status: 'completed', points: null });
    expect((await trial.run({ maxPoints: 300 })).reason).toBe('points-cap');
    expect((await trial.checkpoint.ledger()).spent).toBe(300);
  });
});

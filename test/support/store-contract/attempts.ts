import { describe, expect, it } from 'vitest';
import { StaleItemError } from '../../../src/errors.ts';
import type { ItemEvent } from '../../../src/money/event.ts';
import { type Item, type Status, statuses } from '../../../src/money/item.ts';
import { defaultPolicy } from '../../../src/money/policy.ts';
import { isCounted } from '../../../src/money/standing-attempt.ts';
import { isLegal, transition } from '../../../src/money/transition.ts';
import { saveLateTasks } from '../../../src/runner/late-answers/late-tasks.ts';
import type { Change } from '../../../src/stores/port/checkpoint.ts';
import { at, eventOf, events } from '../../money/lives.ts';
import { incomingRows, namedRows } from '../incoming-rows.ts';
import { accepted, completed } from '../saved-lives.ts';
import type { StoreRun } from '../store-run.ts';
import type { Runs } from './runs.ts';

const claimed = (token: string) => eventOf('claimed', { token, quality: null });

/** Lost and ordered again: the task may still be charged. */
const lostAndRetried = (taskId: string): readonly ItemEvent[] => [
  ...accepted(taskId),
  events['task-overdue'],
  events['retry-ordered'],
];

async function attemptsOf({ checkpoint }: StoreRun, id: string) {
  const rows = await Array.fromAsync(checkpoint.reportRows());
  return rows.find(({ item }) => item.id === id)?.attempts ?? [];
}

/** Its creation is answered with the task `task-1`. */
function answeredWithTask(before: Item): Change {
  const event = eventOf('creation-accepted', { taskId: 'task-1' });
  return { before, after: transition(before, event, defaultPolicy).item };
}

/** Whose task is whose, and what comes late. */
export function describeAttempts(runs: Runs): void {
  describe('a task', () => {
    const taken: Readonly<Record<string, readonly ItemEvent[]>> = {
      'of another row': accepted('task-1'),
      'of another row that is done': completed('task-1'),
      'of an attempt that another row has left': lostAndRetried('task-1'),
      'of an earlier attempt of another row': [...lostAndRetried('task-1'), ...accepted('task-2')],
    };

    it.each(Object.entries(taken))('%s is no answer to a creation', async (_, story) => {
      await using run = await runs.open(...namedRows(3));
      await run.live('q1', ...story);
      const before = await run.live('q2', claimed('t2'));
      const other = await run.item('q3');
      const changes = [
        { before: other, after: transition(other, claimed('t3'), defaultPolicy).item },
        {
          before,
          after: transition(before, eventOf('creation-accepted', { taskId: 'task-1' }), defaultPolicy).item,
        },
      ];
      const refusal = await run.checkpoint.commit(changes).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(StaleItemError);
      expect(refusal).toMatchObject({ keys: [before.key] });
      expect([await run.item('q2'), await run.item('q3')]).toEqual([before, other]);
      expect((await run.checkpoint.itemOfTask('task-1'))?.id).toBe('q1');
      expect((await attemptsOf(run, 'q2')).map(({ taskId }) => taskId)).toEqual([null]);
    });

    /** How two rows come to be on their way, in which order they come with the task, and which of them cannot have it. */
    const rivals: readonly (readonly [
      name: string,
      lives: readonly (readonly ItemEvent[])[],
      order: readonly string[],
      stale: string,
    ])[] = [
      ['the first has it', [[claimed('t1')], [claimed('t2')]], ['q1', 'q2'], 'q2'],
      [
        'the first does not have that of an earlier attempt of the second',
        [[claimed('t1')], [...lostAndRetried('task-1'), claimed('t2')]],
        ['q1', 'q2'],
        'q1',
      ],
      [
        'the second does not have that of an earlier attempt of the first',
        [[claimed('t1')], [...lostAndRetried('task-1'), claimed('t2')]],
        ['q2', 'q1'],
        'q1',
      ],
    ];

    it.each(rivals)(
      'goes to one of two rows that come with it at once, and then neither is written: %s',
      async (_, lives, order, stale) => {
        await using run = await runs.open(...namedRows(2));
        for (const [place, story] of lives.entries()) await run.live(`q${place + 1}`, ...story);
        const before = await run.all();
        const owner = await run.checkpoint.itemOfTask('task-1');
        const changes = (await Promise.all(order.map((id) => run.item(id)))).map(answeredWithTask);
        const { key } = await run.item(stale);
        await expect(run.checkpoint.commit(changes)).rejects.toMatchObject({ keys: [key] });
        expect(await run.all()).toEqual(before);
        expect(await run.checkpoint.itemOfTask('task-1')).toEqual(owner);
      },
    );

    it('that comes first to a row which has moved on is there for the next one', async () => {
      await using run = await runs.open(...namedRows(2));
      const changes = [await run.live('q1', claimed('t1')), await run.live('q2', claimed('t2'))].map(
        answeredWithTask,
      );
      const { key } = await run.live('q1', events['creation-uncertain']);
      await expect(run.checkpoint.commit(changes)).rejects.toMatchObject({ keys: [key] });
    });

    it('passes from an attempt to a later one of the same row, and its points are counted once', async () => {
      await using run = await runs.open(...namedRows(1));
      await run.live('q1', ...completed('task-1'), events['retry-ordered'], ...accepted('task-1'));
      expect(await attemptsOf(run, 'q1')).toMatchObject([
        { attempt: 1, taskId: null, points: 0 },
        { attempt: 2, taskId: 'task-1', points: null },
      ]);
      expect((await run.checkpoint.ledger()).spent).toBe(0);
      expect((await run.checkpoint.itemOfTask('task-1'))?.attempt).toBe(2);
      expect(await run.checkpoint.unpricedAttempts(10)).toEqual([]);
    });

    it('that passes on may be charged once, though its first attempt was lost', async () => {
      await using run = await runs.open(...namedRows(1));
      await run.live('q1', ...lostAndRetried('task-1'), ...accepted('task-1'));
      expect((await run.checkpoint.ledger()).reserving).toEqual(new Map([['m', 1]]));
      await run.live('q1', events['task-failed']);
      expect((await run.checkpoint.ledger()).reserving).toEqual(new Map());
    });
  });

  it('a creation that was refused for a passing reason waits, and is told from the one that is sent again', async () => {
    await using run = await runs.open(...namedRows(1));
    await run.live('q1', claimed('t1'), { ...events['creation-refused'], passing: true });
    await run.live('q1', ...accepted('task-2'));
    expect((await attemptsOf(run, 'q1')).map((attempt) => [attempt.attempt, isCounted(attempt)])).toEqual([
      [1, false],
      [2, true],
    ]);
  });

  describe('a task that comes late', () => {
    /** How the row that waits for it comes to each status it may have meanwhile; its attempt is still the current one. */
    const meanwhile: Readonly<Partial<Record<Status, readonly ItemEvent[]>>> = {
      submitting: [claimed('t1')],
      uncertain: [claimed('t1'), events['creation-uncertain']],
      pending: [claimed('t1'), events['creation-uncertain'], events['not-created']],
      rejected: [claimed('t1'), events['creation-refused']],
      open: [claimed('t1'), events['creation-accepted']],
      lost: [claimed('t1'), events['creation-accepted'], events['task-overdue']],
      downloading: [claimed('t1'), events['creation-accepted'], events['task-completed']],
      completed: completed('task-2').with(0, claimed('t1')),
      failed: [claimed('t1'), events['creation-accepted'], events['task-failed']],
      undelivered: [
        claimed('t1'),
        events['creation-accepted'],
        { ...events['task-completed'], frames: [] },
        { ...events['video-not-had'], newLink: false },
      ],
    };
    const settled: ReadonlySet<Status> = new Set<Status>(['submitting', 'uncertain', 'pending']);
    const late = [{ token: 't1', taskId: 'late' }];

    it.each(Object.keys(meanwhile) as Status[])(
      'moves the row that waits for it, and no other: %s',
      async (status) => {
        await using run = await runs.open(...namedRows(2));
        const before = await run.live('q1', ...(meanwhile[status] ?? []));
        expect(before).toMatchObject({ status, token: 't1' });
        const saved = await saveLateTasks(run.checkpoint, late, at);
        const after = await run.item('q1');
        if (settled.has(status)) {
          expect(saved).toEqual(late);
          expect(after).toMatchObject({
            status: 'open',
            taskId: 'late',
            token: 't1',
            version: before.version + 1,
          });
          expect((await run.checkpoint.itemOfTask('late'))?.key).toBe(before.key);
          expect(await attemptsOf(run, 'q1')).toMatchObject([{ status: 'open', taskId: 'late' }]);
        } else {
          expect(saved).toEqual([]);
          expect(after).toEqual(before);
          expect(await run.checkpoint.itemOfTask('late')).toBeNull();
        }
        expect((await run.item('q2')).status).toBe('pending');
      },
    );

    it('is tried in every status in which an attempt can be answered', () => {
      const answered = statuses.filter((status) => isLegal(status, 'creation-accepted'));
      expect(Object.keys(meanwhile).sort()).toEqual([...answered].sort());
    });

    it('is the one that was found by a user: his word gives way to the answer', async () => {
      await using run = await runs.open(...namedRows(1));
      await run.live(
        'q1',
        claimed('t1'),
        events['creation-uncertain'],
        eventOf('task-adopted', { taskId: 'found' }),
      );
      expect(await saveLateTasks(run.checkpoint, late, at)).toEqual(late);
      expect(await run.item('q1')).toMatchObject({ status: 'open', taskId: 'late' });
      expect(await run.checkpoint.itemOfTask('found')).toBeNull();
    });

    /** What becomes of a task that the user named by mistake. */
    const found = eventOf('task-adopted', { taskId: 'found' });
    const named = [claimed('t1'), events['creation-uncertain'], found];
    const afterwards: Readonly<Partial<Record<Status, readonly ItemEvent[]>>> = {
      downloading: [events['task-completed']],
      completed: completed('found').slice(2),
      failed: [events['task-failed']],
      lost: [events['task-overdue']],
      undelivered: (meanwhile.undelivered ?? []).slice(2),
    };

    it.each(Object.entries(afterwards))(
      'is the task of its row when the one that a user found is %s',
      async (status, story) => {
        await using run = await runs.open(...namedRows(1));
        expect(await run.live('q1', ...named, ...story)).toMatchObject({ status, taskId: 'found' });
        expect(await saveLateTasks(run.checkpoint, late, at)).toEqual(late);
        expect(await run.item('q1')).toMatchObject({ status: 'open', taskId: 'late', points: null });
        expect(await attemptsOf(run, 'q1')).toMatchObject([{ taskId: 'late', points: null }]);
        expect(await run.checkpoint.ledger()).toMatchObject({ spent: 0, reserving: new Map([['m', 1]]) });
        expect(await saveLateTasks(run.checkpoint, late, at + 1_000)).toEqual(late);
      },
    );

    it.each([
      ['completed', completed('found').slice(2)],
      ['failed', [events['task-failed']]],
      ['lost', [events['task-overdue']]],
    ] as const)(
      'is that of its attempt when the row was sent again after the one that a user found was %s',
      async (_, story) => {
        await using run = await runs.open(...namedRows(1));
        await run.live('q1', ...named, ...story, events['retry-ordered']);
        const before = await run.live('q1', ...accepted('task-2'));
        expect(await saveLateTasks(run.checkpoint, late, at)).toEqual(late);
        expect(await run.item('q1')).toEqual(before);
        const open = { attempt: 1, status: 'open', taskId: 'late', points: null, endedAt: null, title: null };
        expect(await attemptsOf(run, 'q1')).toMatchObject([open, { attempt: 2, taskId: 'task-2' }]);
        expect(await run.checkpoint.unpricedAttempts(10)).toEqual([
          { token: 't1', taskId: 'late', endedAt: null },
        ]);
        expect(await run.checkpoint.ledger()).toMatchObject({ spent: 0, reserving: new Map([['m', 2]]) });
        await run.checkpoint.savePoints(
          { token: 't1', taskId: 'late' },
          { status: 'completed', at, points: 7 },
        );
        expect((await run.checkpoint.ledger()).spent).toBe(7);
      },
    );

    it('belongs to its attempt where the row has left that, and the row stays as it is', async () => {
      await using run = await runs.open(...namedRows(1));
      await run.live('q1', claimed('t1'), events['creation-uncertain'], events['not-created']);
      const before = await run.live('q1', ...accepted('task-2'));
      expect(await saveLateTasks(run.checkpoint, late, at)).toEqual(late);
      expect(await run.item('q1')).toEqual(before);
      expect(await attemptsOf(run, 'q1')).toMatchObject([
        { attempt: 1, status: 'open', taskId: 'late', points: null, failure: null, endedAt: null },
        { attempt: 2, status: 'open', taskId: 'task-2' },
      ]);
      expect((await run.checkpoint.itemOfTask('late'))?.id).toBe('q1');
      expect(await run.checkpoint.unpricedAttempts(10)).toEqual(
        late.map((task) => ({ ...task, endedAt: null })),
      );
      // Both tasks may be charged.
      expect((await run.checkpoint.ledger()).reserving).toEqual(new Map([['m', 2]]));
    });

    it('belongs to its attempt where the row has taken another text since, and the row waits with that text', async () => {
      await using run = await runs.open(...namedRows(1));
      await run.live('q1', claimed('t1'), events['creation-uncertain']);
      await run.ingest(incomingRows({ id: 'q1', question: 'Another text' }));
      await run.live('q1', events['not-created']);
      expect(await saveLateTasks(run.checkpoint, late, at)).toEqual(late);
      const item = await run.item('q1');
      expect(item).toMatchObject({ status: 'pending', taskId: null, token: null });
      expect((await run.checkpoint.input(item.key)).input.question).toBe('Another text');
      expect(await attemptsOf(run, 'q1')).toMatchObject([{ attempt: 1, taskId: 'late', points: null }]);
    });

    it.each([
      ['current', [claimed('t1')]],
      ['left', [claimed('t1'), events['creation-uncertain'], events['not-created'], ...accepted('task-2')]],
    ] as const)('may come twice to a %s attempt', async (_, story) => {
      await using run = await runs.open(...namedRows(1));
      await run.live('q1', ...story);
      expect(await saveLateTasks(run.checkpoint, [...late, ...late], at)).toEqual([...late, ...late]);
      const before = [await run.all(), await attemptsOf(run, 'q1')];
      expect(await saveLateTasks(run.checkpoint, late, at + 1_000)).toEqual(late);
      expect([await run.all(), await attemptsOf(run, 'q1')]).toEqual(before);
    });

    it('is no second task of an attempt that has one', async () => {
      await using run = await runs.open(...namedRows(1));
      await run.live('q1', ...lostAndRetried('task-1'));
      const again = [{ token: 'token of task-1', taskId: 'late' }];
      expect(await saveLateTasks(run.checkpoint, again, at)).toEqual([]);
      expect((await attemptsOf(run, 'q1')).map(({ taskId }) => taskId)).toEqual(['task-1']);
    });

    it('is refused where it belongs to another attempt, of whichever row', async () => {
      await using run = await runs.open(...namedRows(4));
      await run.live('q1', ...lostAndRetried('task-1'), ...accepted('task-2'));
      await run.live('q2', claimed('t2'));
      await run.live('q3', claimed('t3'), events['creation-uncertain'], events['not-created'], claimed('t4'));
      const before = await run.all();
      const others = ['t2', 't3', 't4'].flatMap((token) => [
        { token, taskId: 'task-1' },
        { token, taskId: 'task-2' },
      ]);
      const nobody = { token: 'of nobody', taskId: 'task-3' };
      expect(await saveLateTasks(run.checkpoint, [...others, nobody], at)).toEqual([]);
      expect(await run.all()).toEqual(before);
      expect(await run.checkpoint.itemOfTask('task-3')).toBeNull();
    });

    it('is saved though others that come with it are refused', async () => {
      await using run = await runs.open(...namedRows(5));
      await run.live('q1', claimed('t1'));
      await run.live('q2', claimed('t2'), events['run-started']);
      await run.live('q3', claimed('t3'));
      await run.live('q4', ...accepted('task-4'));
      await run.live('q5', claimed('t5'), events['creation-refused']);
      const kept = [
        { token: 't1', taskId: 'task-1' },
        { token: 't2', taskId: 'task-2' },
        { token: 't3', taskId: 'task-4' },
        { token: 'token of task-4', taskId: 'task-4' },
        { token: 't5', taskId: 'task-5' },
        { token: 'of nobody', taskId: 'task-6' },
      ];
      expect(await saveLateTasks(run.checkpoint, kept, at)).toEqual([kept[0], kept[1], kept[3]]);
      expect((await run.all()).map(({ status, taskId }) => [status, taskId])).toEqual([
        ['open', 'task-1'],
        ['open', 'task-2'],
        ['submitting', null],
        ['open', 'task-4'],
        ['rejected', null],
      ]);
    });
  });

  describe('points of an attempt that its row has left', () => {
    const taskOf = (taskId: string) => ({ token: `token of ${taskId}`, taskId });
    const end = { status: 'completed', at: at + 5_000, points: 7.5 } as const;

    it('are asked for while they are not known, as many as are wanted', async () => {
      await using run = await runs.open(...namedRows(5));
      await run.live('q1', ...lostAndRetried('task-1'));
      await run.live('q2', ...lostAndRetried('task-2'), ...accepted('task-3'));
      await run.live('q3', ...completed('task-4'), events['retry-ordered']);
      await run.live('q4', ...accepted('task-5'), events['task-overdue']);
      await run.live('q5', claimed('t5'), events['creation-uncertain'], events['not-created']);
      const unpriced = await run.checkpoint.unpricedAttempts(10);
      expect(unpriced.toSorted((a, b) => a.taskId.localeCompare(b.taskId))).toEqual([
        { ...taskOf('task-1'), endedAt: null },
        { ...taskOf('task-2'), endedAt: null },
      ]);
      expect(await run.checkpoint.unpricedAttempts(1)).toHaveLength(1);
      expect(await run.checkpoint.unpricedAttempts(0)).toEqual([]);
    });

    it('are saved with how the task ended, and count', async () => {
      await using run = await runs.open(...namedRows(1));
      const before = await run.live('q1', ...lostAndRetried('task-1'), ...accepted('task-2'));
      expect(await run.checkpoint.ledger()).toMatchObject({ spent: 0, reserving: new Map([['m', 2]]) });
      await run.checkpoint.savePoints(taskOf('task-1'), end);
      expect(await attemptsOf(run, 'q1')).toMatchObject([
        { attempt: 1, status: 'completed', points: 7.5, endedAt: at + 5_000 },
        { attempt: 2, status: 'open', points: null },
      ]);
      expect(await run.item('q1')).toEqual(before);
      expect(await run.checkpoint.ledger()).toMatchObject({ spent: 7.5, reserving: new Map([['m', 1]]) });
      expect(await run.checkpoint.unpricedAttempts(10)).toEqual([]);
      expect(await run.store.totals.prices()).toEqual({ charged: 1, perVideo: 7.5 });
    });

    it('stay unknown where the service named none, and are not forgotten where it did before', async () => {
      await using run = await runs.open(...namedRows(1));
      await run.live('q1', ...lostAndRetried('task-1'));
      await run.checkpoint.savePoints(taskOf('task-1'), { ...end, status: 'failed', points: null });
      expect(await attemptsOf(run, 'q1')).toMatchObject([{ status: 'failed', points: null }]);
      expect(await run.checkpoint.unpricedAttempts(10)).toEqual([{ ...taskOf('task-1'), endedAt: end.at }]);
      expect(await run.checkpoint.ledger()).toMatchObject({ unpriced: 1, reserving: new Map([['m', 1]]) });
      await run.checkpoint.savePoints(taskOf('task-1'), { ...end, at: at + 9_000 });
      // The last word comes last: that the end is known since the first one is no accident.
      await run.checkpoint.savePoints(taskOf('task-1'), { ...end, at: at + 12_000, points: null });
      expect(await attemptsOf(run, 'q1')).toMatchObject([{ points: 7.5, endedAt: at + 5_000 }]);
    });

    it.each([
      ['whose task is open', accepted('task-1')],
      ['that is lost', [...accepted('task-1'), events['task-overdue']]],
      ['that has its video', completed('task-1')],
    ] as const)('are never those of the current attempt of a row %s', async (_, story) => {
      await using run = await runs.open(...namedRows(1));
      await run.live('q1', ...story);
      const before = [await run.all(), await attemptsOf(run, 'q1'), await run.checkpoint.ledger()];
      await run.checkpoint.savePoints(taskOf('task-1'), end);
      expect([await run.all(), await attemptsOf(run, 'q1'), await run.checkpoint.ledger()]).toEqual(before);
    });

    it('are not saved for another task than that of the attempt', async () => {
      await using run = await runs.open(...namedRows(1));
      await run.live('q1', ...lostAndRetried('task-1'));
      const before = await attemptsOf(run, 'q1');
      await run.checkpoint.savePoints({ ...taskOf('task-1'), taskId: 'task-2' }, end);
      await run.checkpoint.savePoints({ ...taskOf('task-1'), token: 'another' }, end);
      expect(await attemptsOf(run, 'q1')).toEqual(before);
    });
  });
}

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Invocation } from '../../../src/app/options/invocation.ts';
import { readInvocation } from '../../../src/app/options/settings.ts';
import { openFolder } from '../../../src/app/output-folder.ts';
import { runIdOf } from '../../../src/app/run-id.ts';
import { resolveRow, type SureOfNone } from '../../../src/features/resolve/resolve-row.ts';
import { resolveRows } from '../../../src/features/resolve/resolve-rows.ts';
import { uncertainRows } from '../../../src/features/resolve/uncertain-rows.ts';
import type { Item } from '../../../src/money/item.ts';
import { planCorrection } from '../../../src/money/review.ts';
import { renderRowKey } from '../../../src/text/ids/row-key.ts';
import { apiKey, bare, type ScriptedService, startService } from '../../cli/support/scripted-service.ts';
import { eventOf, events } from '../../money/lives.ts';
import { openCheckpointFolder } from '../../support/checkpoint-folder.ts';
import { incomingRows } from '../../support/incoming-rows.ts';
import { accepted, completed, liveOn } from '../../support/saved-lives.ts';

/** Somebody who trusts the address of the service. */
const agree = async (): Promise<boolean> => true;

const claimedAt = Date.UTC(2026, 2, 1, 9);
const claimed = (id: string) => eventOf('claimed', { token: `token of ${id}`, quality: null, at: claimedAt });

interface Scene extends AsyncDisposable {
  readonly service: ScriptedService;
  readonly invocation: Invocation;
  /** The tasks that the service has. */
  readonly tasks: readonly string[];
  /** Settles by this table. */
  settle(...lines: readonly string[]): ReturnType<typeof resolveRows>;
  /** Leads a row further. */
  live(id: string, ...events: Parameters<typeof liveOn>[2][]): Promise<void>;
  /** Saves a corrected question for the next attempt of a row. */
  correct(id: string, question: string): Promise<void>;
  /** Status and task of each row. */
  rows(): Promise<Record<string, readonly [Item['status'], string | null]>>;
}

/** `u1` to `u3` are uncertain, `cut` was cut off while it was sent; the others are settled. The service has three tasks. */
async function openScene(sure: SureOfNone = agree): Promise<Scene> {
  const folder = await openCheckpointFolder();
  const service = await startService();
  const ids = ['u1', 'u2', 'u3', 'cut', 'done', 'lost', 'new'];
  await folder.ingest(incomingRows(...ids.map((id) => ({ id, question: `What is ${id}?` }))));
  for (const id of ['u1', 'u2', 'u3'])
    await liveOn(folder.checkpoint, id, claimed(id), events['creation-uncertain']);
  await liveOn(folder.checkpoint, 'cut', claimed('cut'));
  await liveOn(folder.checkpoint, 'done', ...completed('task-of-done'));
  await liveOn(
    folder.checkpoint,
    'lost',
    ...accepted('task-of-lost'),
    eventOf('task-overdue', { failure: 'too long' }),
  );
  folder.db.close();
  const tasks: string[] = [];
  for (const question of ['1', '2', '3']) {
    const body = {
      method: 'POST',
      body: JSON.stringify({ question }),
      headers: { authorization: `Bearer ${apiKey}` },
    };
    const answer = await fetch(`${service.url}/api/gen_video`, body);
    tasks.push(((await answer.json()) as { data: { task_id: string } }).data.task_id);
  }
  const invocation = readInvocation({ 'base-url': service.url }, { out: folder.path, apiKey, dotEnv: false });
  return {
    service,
    invocation,
    tasks,
    async settle(...lines) {
      const file = join(folder.path, 'found.csv');
      await writeFile(file, ['id,task_id,batch', ...lines, ''].join('\n'));
      return resolveRows(invocation, file, agree, sure);
    },
    async live(id, ...lived) {
      await using store = await openFolder(folder.path);
      await liveOn(store.checkpoint, id, ...lived);
    },
    async correct(id, question) {
      await using store = await openFolder(folder.path);
      const [item] = await store.checkpoint.itemsWithIds([id]);
      if (item === undefined) throw new Error(`no row ${id}`);
      const correction = planCorrection(
        { question: `What is ${id}?`, answer: '' },
        { question, answer: null },
        item.attempt + 1,
      );
      await store.reviews.correct(new Map([[item.key, correction]]));
    },
    async rows() {
      await using store = await openFolder(folder.path);
      const items = await store.checkpoint.itemsWithIds(ids);
      return Object.fromEntries(items.map(({ id, status, taskId }) => [id, [status, taskId]] as const));
    },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

describe('a table of what was found', () => {
  it('settles all its rows at once; an empty cell leaves the row as it is', async () => {
    await using scene = await openScene();
    const [first, second] = scene.tasks;
    const settled = await scene.settle(
      `u1,${first}`,
      'u2,not-created',
      'u3,',
      `cut,${second}`,
      'new,',
      'done,',
    );
    expect(settled).toMatchObject({ adopted: 2, returned: 1, gone: 0, left: 3, note: null });
    expect(await scene.rows()).toEqual({
      u1: ['open', first],
      u2: ['pending', null],
      u3: ['uncertain', null],
      cut: ['open', second],
      done: ['completed', 'task-of-done'],
      lost: ['lost', 'task-of-lost'],
      new: ['pending', null],
    });
  });

  it('adopts a task for an attempt that an older copy of the store forgot, and settles no other', async () => {
    await using scene = await openScene();
    const { out } = scene.invocation;
    const keyOf = (attempt: number): string =>
      renderRowKey(runIdOf(out), { key: 7, attempt, token: 'forgotten' }, 'What is new?');
    {
      await using store = await openFolder(out);
      await store.settings.save('older-store', JSON.stringify({ least: 1, foundAt: 2, acceptedAt: 1 }));
    }
    await expect(scene.settle(`new,${scene.tasks[0]},${keyOf(2)}`)).rejects.toThrow('does not know');
    await expect(scene.settle(`new,not-created,${keyOf(1)}`)).rejects.toThrow('new is pending');
    expect(await scene.settle(`new,${scene.tasks[0]},${keyOf(1)}`)).toMatchObject({ adopted: 1 });
    expect(await scene.rows()).toMatchObject({ new: ['open', scene.tasks[0]] });
  });

  it('may be given twice: a row that has its task already is left alone', async () => {
    await using scene = await openScene();
    const [first] = scene.tasks;
    await scene.settle(`u1,${first}`);
    expect(await scene.settle(`u1,${first}`, 'u2,')).toMatchObject({
      adopted: 0,
      returned: 0,
      gone: 0,
      left: 2,
      note: null,
    });
  });

  it('is refused as a whole, with each problem and its line', async () => {
    await using scene = await openScene();
    const before = await scene.rows();
    const [first, second] = scene.tasks;
    const refused = scene.settle(
      `u1,${first}`,
      'nobody,not-created',
      `u1,${second}`,
      `u2,${first}`,
      'u3,task-of-done',
      'cut,task-9',
      'done,not-created',
      'lost,not-created',
      ',task-2',
    );
    await expect(refused).rejects.toMatchObject({
      exitCode: 2,
      problems: [
        { line: 3, message: 'no row has the id nobody' },
        { line: 4, message: 'the id u1 stands on line 2 already' },
        { line: 5, message: `the task ${first} stands on line 2 already` },
        { line: 6, message: 'task task-of-done belongs to row done; look the task up again' },
        {
          line: 7,
          message: expect.stringMatching(/^the service does not know the task task-9 \(.*not found\)/),
        },
        { line: 8, message: expect.stringMatching(/^row done is completed, not uncertain/) },
        {
          line: 9,
          message: expect.stringMatching(/^row lost is lost, not uncertain; settle a lost row by itself/),
        },
        { line: 10, message: 'a task without the id of its row' },
      ],
    });
    expect(await scene.rows()).toEqual(before);
  });

  it('changes nothing where somebody who is asked has not looked for what may have become a task after all', async () => {
    const asked: unknown[] = [];
    await using scene = await openScene(async (doubted) => {
      asked.push(doubted);
      return false;
    });
    const before = await scene.rows();
    await expect(scene.settle(`u1,${scene.tasks[0]}`, 'u2,not-created', 'cut,not-created')).rejects.toThrow(
      'nothing was changed',
    );
    expect(asked).toEqual([[{ why: 'answered', ids: ['u2'], ageMs: expect.any(Number) }]]);
    expect(await scene.rows()).toEqual(before);
    // Nobody was there to receive an answer, and that is long ago.
    expect(await scene.settle('cut,not-created')).toMatchObject({ returned: 1 });
  });

  it('changes nothing where the service cannot say whether it knows the tasks', async () => {
    await using scene = await openScene();
    const before = await scene.rows();
    scene.service.follow({ status: () => bare(502) });
    await expect(scene.settle(`u1,${scene.tasks[0]}`, 'u2,not-created')).rejects.toThrow(
      /the service could not be asked about the tasks in .*found\.csv: .*502.*; nothing was changed/,
    );
    expect(await scene.rows()).toEqual(before);
    // Without a task there is nothing to ask.
    await scene.service.close();
    expect(await scene.settle('u2,not-created')).toMatchObject({ returned: 1 });
  });

  it('asks again where the service did not answer, and settles all about which it has answered', async () => {
    await using scene = await openScene();
    const [first = '', second = '', third = ''] = scene.tasks;
    const lines = [`u1,${first}`, `u2,${second}`, `u3,${third}`];
    let asked = 0;
    scene.service.follow({
      status: ({ taskId }) => {
        asked += 1;
        return taskId === third || asked <= 2 ? bare(503) : undefined;
      },
    });
    expect(await scene.settle(...lines)).toMatchObject({
      adopted: 2,
      left: 0,
      unasked: { ids: ['u3'], why: expect.stringContaining('503') },
    });
    expect(await scene.rows()).toMatchObject({
      u1: ['open', first],
      u2: ['open', second],
      u3: ['uncertain', null],
    });
    scene.service.follow({});
    expect(await scene.settle(...lines)).toMatchObject({ adopted: 1, left: 2, unasked: null });
  });

  it('needs its two columns', async () => {
    await using scene = await openScene();
    const file = join(scene.invocation.out, 'other.csv');
    await writeFile(file, 'id,question\nu1,x\n');
    await expect(resolveRows(scene.invocation, file, agree, agree)).rejects.toThrow(
      /has no columns "id" and "task_id"/,
    );
  });
});

describe('the task of another attempt', () => {
  const bad = eventOf('task-failed', { failure: 'No.' });

  it('of the same row is refused, in a table and alone: it is of what was sent before', async () => {
    await using scene = await openScene();
    const [first = '', second = ''] = scene.tasks;
    await scene.live(
      'new',
      ...accepted(first),
      bad,
      events['retry-ordered'],
      claimed('new again'),
      events['creation-uncertain'],
    );
    const why = `task ${first} belongs to an earlier attempt of this row; look the task up again`;
    await expect(scene.settle(`new,${first}`)).rejects.toMatchObject({
      problems: [{ line: 2, message: why }],
    });
    const alone = (taskId: string) =>
      resolveRow({
        invocation: scene.invocation,
        id: 'new',
        taskId,
        agree,
        sure: agree,
        unchecked: () => {},
      });
    await expect(alone(first)).rejects.toThrow(why);
    await alone(second);
    expect((await scene.rows()).new).toEqual(['open', second]);
  });
});

it('an uncertain row is listed with the corrected text that was sent', async () => {
  await using scene = await openScene();
  await scene.live(
    'new',
    ...accepted('task-1'),
    eventOf('task-failed', { failure: 'No.' }),
    events['retry-ordered'],
  );
  await scene.correct('new', 'What is newer?');
  await scene.live('new', claimed('new again'), events['creation-uncertain']);
  const rows = await Array.fromAsync(uncertainRows(scene.invocation));
  expect(rows.find(({ id }) => id === 'new')?.question).toBe('What is newer?');
});

it('the uncertain rows are listed with the times between which their task would have been created', async () => {
  await using scene = await openScene();
  const rows = await Array.fromAsync(uncertainRows(scene.invocation));
  expect(rows.map(({ id }) => id)).toEqual(['u1', 'u2', 'u3', 'cut']);
  expect(rows[0]).toEqual({
    id: 'u1',
    run: runIdOf(scene.invocation.out),
    key: 1,
    attempt: 1,
    token: expect.any(String),
    createdAfter: claimedAt,
    createdBefore: claimedAt + 90_000,
    question: 'What is u1?',
    answer: '',
    likelyTask: '',
  });
});

it('an uncertain row is listed with what was answered, and with the only id in it', async () => {
  await using scene = await openScene();
  const failure = 'HTTP 200 without a readable task id; answer: {"ok":1,"taskId":"t-9"}';
  await scene.live('new', claimed('new'), eventOf('creation-uncertain', { failure }));
  const rows = await Array.fromAsync(uncertainRows(scene.invocation));
  expect(rows.find(({ id }) => id === 'new')).toMatchObject({
    answer: '{"ok":1,"taskId":"t-9"}',
    likelyTask: 't-9',
  });
});

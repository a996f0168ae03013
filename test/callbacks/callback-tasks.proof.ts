import { describe, expect, it } from 'vitest';
import {
  apiKey,
  bare,
  completed,
  errorEnvelope,
  inProgress,
  notFound,
  type Reply,
  reset,
  type Script,
  success,
} from '../cli/support/scripted-service.ts';
import { questions, type Stage } from '../cli/support/stage.ts';
import { call, type Listening, openListening } from './callers.ts';

/** Answers about tasks that somebody else made: none of them says that the task is there. */
const refusals: Readonly<Record<string, Reply>> = {
  'Foreign unknown': notFound,
  'Foreign error': errorEnvelope('Server error: try later', 500),
  'Foreign key': errorEnvelope('Unauthorized: Invalid API key', 401),
  'Foreign page': bare(200),
  'Foreign redirect': bare(302, '', { location: '/elsewhere' }),
  'Foreign other': success({ task_id: 'task-999', status: 'COMPLETED' }),
  'Foreign stateless': success({ task_id: 'task-1' }),
};

/** Creations of these questions make a task, and their answer is lost; `Question b` is made for as long as the test runs. */
function losing(...lost: readonly string[]): Script {
  return {
    create: ({ question }, accept) => {
      if (!lost.includes(question)) return undefined;
      accept();
      return reset;
    },
    status: (task) =>
      refusals[task.question] ?? (task.question === 'Question b' ? inProgress(task) : completed(task)),
  };
}

/** The id of a task that is not of this run. */
async function makeForeign(stage: Stage, question: string): Promise<string> {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  await fetch(`${stage.service.url}/api/gen_video`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ question }),
  });
  return taskOf(stage, question);
}

function taskOf(stage: Stage, question: string): string {
  return stage.service.taskIds.get(question) ?? '';
}

function nameTask(stage: Listening, question: string, body: object): Promise<number> {
  return call(stage.addressOf(question), JSON.stringify(body));
}

/** What the report says of each row. */
async function rowsOf(stage: Stage) {
  return (await stage.report()).map(({ id, status, points, task_id }) => ({ id, status, points, task_id }));
}

describe.concurrent('a callback that names the task of an uncertain row', () => {
  it.for([
    ['at its top', (id: string) => ({ task_id: id })],
    [
      'below data, as an answer of the service has it',
      (id: string) => ({ status: 'success', data: { task_id: id } }),
    ],
    [
      'below data, with a name that is none above it',
      (id: string) => ({ task_id: '', data: { task_id: id } }),
    ],
  ] as const)('settles the row: %s', async ([, bodyOf]) => {
    await using stage = await openListening(questions('a', 'b'), losing('Question a'));
    await stage.program.said(/row a is uncertain/);
    await stage.program.said(/"id":"b",.*"to":"open"/);
    expect(await nameTask(stage, 'Question a', bodyOf(taskOf(stage, 'Question a')))).toBe(204);
    await stage.program.said(/"id":"a",.*"to":"completed"/);
    stage.program.kill('SIGINT');
    await stage.program.ended;
    expect(await rowsOf(stage)).toEqual([
      { id: 'a', status: 'completed', points: '10', task_id: taskOf(stage, 'Question a') },
      { id: 'b', status: 'open', points: '', task_id: taskOf(stage, 'Question b') },
    ]);
    expect(stage.service.creations).toHaveLength(2);
  });

  it('settles nothing unless the service confirms that very task, and it is not that of another row', async () => {
    await using stage = await openListening(questions('a', 'b'), losing('Question a'));
    await stage.program.said(/row a is uncertain/);
    await stage.program.said(/"id":"b",.*"to":"open"/);
    const foreign = await Promise.all(Object.keys(refusals).map((question) => makeForeign(stage, question)));
    const taskOfB = taskOf(stage, 'Question b');
    for (const id of ['no-such-task', `../get_status/${taskOfB}`, taskOfB, ...foreign])
      await nameTask(stage, 'Question a', { task_id: id });
    // Names are tried in their order: when this one has settled the row, the others have not.
    await nameTask(stage, 'Question a', { task_id: taskOf(stage, 'Question a') });
    await stage.program.said(/"id":"a",.*"to":"completed"/);
    stage.program.kill('SIGINT');
    await stage.program.ended;
    expect(await rowsOf(stage)).toMatchObject([
      { task_id: taskOf(stage, 'Question a') },
      { status: 'open', task_id: taskOfB },
    ]);
    for (const question of ['Foreign error', 'Foreign other'])
      expect(stage.service.events).toContain(`status ${question}`);
  });

  it('settles one row only, when it is named for two', async () => {
    await using stage = await openListening(questions('a', 'b', 'c'), losing('Question a', 'Question c'));
    await stage.program.said(/row a is uncertain/);
    await stage.program.said(/row c is uncertain/);
    const body = { task_id: taskOf(stage, 'Question a') };
    await Promise.all(
      ['Question a', 'Question c', 'Question a', 'Question c'].map((each) => nameTask(stage, each, body)),
    );
    await stage.program.said(/"id":"[ac]",.*"to":"completed"/);
    // A name that is asked for later finds the task taken.
    await nameTask(stage, 'Question a', body);
    await nameTask(stage, 'Question c', body);
    stage.service.follow({});
    await call(stage.addressOf('Question b'));
    expect((await stage.program.ended).code).toBe(5);
    const rows = await rowsOf(stage);
    expect(rows.map(({ status }) => status).sort()).toEqual(['completed', 'completed', 'uncertain']);
    expect(rows.filter(({ task_id }) => task_id === body.task_id)).toHaveLength(1);
    expect(stage.service.creations).toHaveLength(3);
  });
});

describe.concurrent('a callback that names a task', () => {
  it('does not move an open row from its own task to another', async () => {
    await using stage = await openListening(questions('b'), losing());
    await stage.service.until(({ events }) => events.includes('status Question b'));
    const foreign = await makeForeign(stage, 'Foreign video');
    await nameTask(stage, 'Question b', { task_id: foreign });
    await stage.service.until(
      ({ events }) => events.filter((event) => event === 'status Question b').length === 2,
    );
    stage.service.follow({});
    await nameTask(stage, 'Question b', { task_id: foreign });
    expect((await stage.program.ended).code).toBe(0);
    expect(await rowsOf(stage)).toMatchObject([
      { status: 'completed', task_id: taskOf(stage, 'Question b') },
    ]);
    expect(stage.service.events).not.toContain('status Foreign video');
  });
});

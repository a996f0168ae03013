/** Values that are well-formed and mad, through the whole program: what the reports and the exit code make of them. */

import { describe, expect, it } from 'vitest';
import { completed, type Script } from '../cli/support/scripted-service.ts';
import { openStage, questions, runLine } from '../cli/support/stage.ts';
import { answer, openService, startServer, thenClose } from '../service/wire.ts';
import { openCheckpointFolder } from '../support/checkpoint-folder.ts';
import { incomingRows } from '../support/incoming-rows.ts';
import { accepted, itemNamed, liveOn } from '../support/saved-lives.ts';

const never = new AbortController().signal;

const charging = (...values: readonly unknown[]): Script => ({
  status: (task) => completed(task, { consumption: values.map((value) => ({ type: 'score', value })) }),
});

describe.concurrent('points', () => {
  it.for([
    ['no number', charging('many')],
    ['beyond all numbers', charging('1e999')],
    ['beyond every price', charging(1e308)],
    ['beyond all numbers in sum', charging(1e308, 1e308)],
    ['less than nothing', charging(-5)],
    ['not there', charging()],
  ] as const)('that are %s are unknown, and shown as no number anywhere', async ([, script]) => {
    await using stage = await openStage(script);
    await stage.write('q.csv', questions('a', 'b'));
    const ending = await stage.batch(runLine('q.csv', '--json'));
    expect(ending.code).toBe(0);
    expect(JSON.parse(ending.stdout)).toMatchObject({ points: { spent: 0, reserved: null } });
    expect((await stage.report()).map(({ points }) => points)).toEqual(['', '']);
    expect(await stage.read('videos/report.csv')).not.toMatch(/Infinity|NaN|1e\+?308/);
  });

  it('that are taken back in part are summed', async () => {
    await using stage = await openStage(charging(15, '-5', 0.5));
    await stage.write('q.csv', questions('a', 'b'));
    const ending = await stage.batch(runLine('q.csv', '--json'));
    expect(JSON.parse(ending.stdout)).toMatchObject({ points: { spent: 21 } });
  });
});

it.for([
  ['half a character', 'a\ud800b'],
  ['a zero byte', 'a\0b'],
  ['a way up the path', '../../etc'],
  ['letters of many scripts', '任务-é-\u{1f600}'],
  ['5,000 letters', 'x'.repeat(5_000)],
] as const)('a task whose id holds %s is still the same task after a restart', async ([, id]) => {
  const said = answer(200, { status: 'success', data: { task_id: id, status: 'IN_PROGRESS' } });
  await using server = await startServer(thenClose(said));
  await using service = openService(`http://127.0.0.1:${server.port}`);
  const creation = await service.create('{}', never);
  const taskId = creation.type === 'creation-accepted' ? creation.taskId : '';
  await using folder = await openCheckpointFolder();
  await folder.ingest(incomingRows({ id: 'a', question: 'Why?' }));
  await liveOn(folder.checkpoint, 'a', ...accepted(taskId));

  const kept = (await itemNamed(folder.checkpoint, 'a')).taskId;
  expect(await service.status(`${kept}`, never)).toMatchObject({ type: 'task-progressed' });
  expect(server.received[1]).toContain(`GET /api/get_status/${encodeURIComponent(id.toWellFormed())} HTTP`);
});

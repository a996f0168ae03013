import { describe, expect, expectTypeOf, it } from 'vitest';
import type { BatchSummary } from '../../src/app/events/events.ts';
import { reportColumns } from '../../src/reports/columns.ts';
import { manifestColumns } from '../../src/reports/manifest.ts';
import { manifestEntry } from '../../src/schemas/manifest.ts';
import { reportEntry } from '../../src/schemas/report.ts';
import type { EndSummary } from '../../src/schemas/run-state.ts';
import { failed } from '../cli/support/scripted-service.ts';
import { openStage, questions, runLine } from '../cli/support/stage.ts';
import { checkedFile, checkHookInput, checkOutput } from '../support/written.ts';

it('what a run writes for programs is as its schemas say', async () => {
  await using stage = await openStage({
    status: (task) => (task.question === 'Question b' ? failed(task, 'No picture') : undefined),
  });
  await stage.write('q.csv', questions('a', 'b'));
  await stage.write(
    'keep.mjs',
    "import { appendFileSync, readFileSync } from 'node:fs'; appendFileSync('heard', readFileSync(0));",
  );
  const keep = `"${process.execPath}" keep.mjs`;
  const ended = await stage.batch(
    runLine('q.csv', '--json', '--inspect', '--on-row', keep, '--on-end', keep),
  );
  expect(JSON.parse(ended.stdout)).toMatchObject({ reason: 'done', exitCode: 1, plan: { newRows: 2 } });
  const { stdout } = await stage.batch(['status', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ running: false, onRow: { done: 1 }, failures: [{ count: 1 }] });
  expect(await stage.read('videos/report.jsonl')).toContain('"status":"failed"');
  const heard = (await stage.read('heard'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(heard).toMatchObject([
    { id: 'a', status: 'completed' },
    { rows: 2, exitCode: 1 },
  ]);
  for (const call of heard) checkHookInput(call);
  expect((await stage.batch(['export', '--to', 'course'])).code).toBe(0);
  expect(await stage.read('course/manifest.jsonl')).toContain('"id":"a"');

  const more = (text: string): string =>
    text.replace('{', '{"more":1,').replace('{"more":1,"rows"', '{"rows":1,"more":1,"rows"');
  expect(() => checkOutput(['status', '--json'], more(stdout))).toThrow('Unrecognized key: "more"');
  expect(() => checkOutput(['run', '--json'], more(ended.stdout))).toThrow('Unrecognized key: "more"');
  for (const call of heard)
    expect(() => checkHookInput({ ...call, more: 1 })).toThrow('Unrecognized key: "more"');
  for (const path of ['videos/report.jsonl', 'course/manifest.jsonl']) {
    const text = await stage.read(path);
    expect(() => checkedFile(path, more(text))).toThrow('Unrecognized key: "more"');
  }
});

describe('schemas and tables', () => {
  it('have the same columns, in the same order', () => {
    expect(Object.keys(reportEntry.shape).slice(0, reportColumns.length)).toEqual(reportColumns);
    expect(Object.keys(manifestEntry.shape)).toEqual([...manifestColumns, 'url', 'input', 'batch']);
  });

  it('the summary of the library has the types of its schema', () => {
    expectTypeOf<EndSummary>().toExtend<BatchSummary>();
    expectTypeOf<keyof BatchSummary>().toEqualTypeOf<keyof EndSummary>();
  });
});

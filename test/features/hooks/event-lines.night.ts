import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { z } from 'zod';
import type { EventLine } from '../../../src/features/hooks/event-log.ts';
import { completed, errorEnvelope, failed, type Script } from '../../cli/support/scripted-service.ts';
import { openStage, questions, type Stage } from '../../cli/support/stage.ts';
import { eventLine } from '../../docs/events-schema.ts';

/** `a` gets its video with two frames, `b` fails, `c` is refused. */
const mixed: Script = {
  create: ({ question }) => (question === 'Question c' ? errorEnvelope('Too long') : undefined),
  status: (task) =>
    task.question === 'Question b' ? failed(task, 'No picture') : completed(task, { frameCount: 2 }),
};

type Plain<T> = T extends readonly (infer Each)[]
  ? Plain<Each>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Plain<T[Key]> }
    : T;

const run = ['run', 'q.csv', '--poll-interval', '100ms', '--events'];

/** The lines, each checked against the schema. */
function linesOf(text: string): EventLine[] {
  expect(text).toMatch(/\n$/);
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => eventLine.parse(JSON.parse(line)) as EventLine);
}

async function openMixed(): Promise<Stage> {
  const stage = await openStage(mixed);
  await stage.write('q.csv', questions('a', 'b', 'c'));
  return stage;
}

describe.concurrent('--events', () => {
  it('writes nothing that its schema does not have', () => {
    expectTypeOf<Plain<EventLine>>().toExtend<z.input<typeof eventLine>>();
  });

  it('writes one line per event, as in the schema, and a later command appends its own', async () => {
    await using stage = await openMixed();
    const ending = await stage.batch([...run, 'events.jsonl']);
    expect(ending).toMatchObject({ code: 1, stdout: expect.stringContaining('3 rows: 1 completed') });
    const lines = linesOf(await stage.read('events.jsonl'));
    expect(lines[0]).toMatchObject({ version: 1, type: 'plan', file: { path: 'q.csv', newRows: 3 } });
    const rows = lines.filter((line) => line.type === 'row');
    const last = Object.fromEntries(rows.map(({ id, status }) => [id, status]));
    expect(last).toEqual({ a: 'completed', b: 'failed', c: 'rejected' });
    expect(lines.filter(({ type }) => type === 'frame')).toHaveLength(2);
    expect(lines.at(-1)).toMatchObject({ type: 'end', summary: { reason: 'done', exitCode: 1 } });

    await stage.batch(['resume', '--events', 'events.jsonl']);
    const all = linesOf(await stage.read('events.jsonl'));
    expect(all.slice(0, lines.length)).toEqual(lines);
    expect(all[lines.length]).toMatchObject({ type: 'plan', file: null, rows: 3 });
    expect(all.at(-1)?.type).toBe('end');
  });

  it('with - has standard output to itself', async () => {
    await using stage = await openMixed();
    const { stdout, stderr } = await stage.batch([...run, '-']);
    const types = linesOf(stdout).map(({ type }) => type);
    expect([types[0], types.at(-1)]).toEqual(['plan', 'end']);
    expect(stderr).toContain('3 rows: 1 completed');
    const fixed = await stage.batch(['verify', '--fix', '--events', '-']);
    expect(fixed).toMatchObject({ stdout: '', stderr: expect.stringContaining('3 files, 3 whole') });
  });

  it('continues when its reader leaves', async () => {
    await using stage = await openMixed();
    const reader = spawn('head', ['-c', '1'], { stdio: ['pipe', 'ignore', 'ignore'] });
    const program = stage.start([...run, '-'], { stdio: ['pipe', reader.stdin, 'pipe'] });
    reader.stdin.destroy();
    const { code, stderr } = await program.ended;
    expect(stderr.match(/--events could not be written/g)).toHaveLength(1);
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('3 rows: 1 completed'),
    });
  });

  it.each([
    [['-', '--json'], '--json and --events - both want standard output'],
    [['/dev/full'], '/dev/full is not a regular file'],
    [['q.csv'], '--events q.csv holds something that was not written by this command'],
    [[join('missing', 'events.jsonl')], 'cannot be written'],
  ])('%j is refused before anything is sent', async (more, message) => {
    await using stage = await openMixed();
    const ending = await stage.batch([...run, ...more]);
    expect(ending).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
    expect(stage.service.creations).toEqual([]);
  });
});

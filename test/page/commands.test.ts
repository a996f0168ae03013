import { describe, expect, it, test } from 'vitest';
import { resolveCommands, retryCommand, stopCommand } from '../../src/page/commands.ts';

describe('the command for the bad rows', () => {
  it.each([
    ['./videos', ['q-1', '题目-2'], 'batch retry ./videos --only q-1,题目-2 --attempt 2'],
    ['my videos', ['a b', "it's"], "batch retry 'my videos' --only 'a b,it'\\''s' --attempt 2"],
    ['-out', ['@at'], 'batch retry ./-out --only @@at --attempt 2'],
    ['v', ['-x', 'y'], "batch retry v --only='-x,y' --attempt 2"],
    ['v', ['a,b'], 'batch retry v --only @marks.csv'],
    ['v', Array.from({ length: 1_000 }, (_, n) => `q-${n}`), 'batch retry v --only @marks.csv'],
  ])('names them, or the exported file: %s %j', (out, ids, command) => {
    expect(retryCommand({ out }, ids, 2)).toBe(command);
  });

  it('uses the exported file where a text was corrected, or rows have other attempts', () => {
    expect(retryCommand({ out: 'v' }, ['a'], null)).toBe('batch retry v --only @marks.csv');
  });

  it('names a run that machines share by its name', () => {
    expect(retryCommand({ out: 's3://bucket/algebra', shared: 'algebra' }, ['a'], 1)).toBe(
      'batch retry --run algebra --only a --attempt 1',
    );
  });
});

test('a command begins as its user types the program', () => {
  const run = { out: './videos', program: 'npx batch' };
  expect(retryCommand(run, ['a'], 1)).toBe('npx batch retry ./videos --only a --attempt 1');
  expect(resolveCommands(run, 'a').list).toBe('npx batch resolve ./videos --list');
});

test('an uncertain row is settled by its id, also where that looks like an option', () => {
  expect(resolveCommands({ out: 'my videos' }, 'q 1')).toEqual({
    found: "batch resolve 'my videos' 'q 1' --task-id TASK_ID",
    notCreated: "batch resolve 'my videos' 'q 1' --not-created",
    list: "batch resolve 'my videos' --list",
  });
  expect(resolveCommands({ out: './videos' }, '-x')).toMatchObject({
    found: "batch resolve ./videos --task-id TASK_ID -- '-x'",
    notCreated: "batch resolve ./videos --not-created -- '-x'",
  });
});

test('a run that goes is ended by its folder or its name', () => {
  expect(stopCommand({ out: 'my videos' })).toBe("batch stop 'my videos'");
  expect(stopCommand({ out: 's3://bucket/algebra', shared: 'algebra' })).toBe('batch stop --run algebra');
});

import { describe, expect, it, test } from 'vitest';
import { unreadFailure } from '../../src/money/answers/unread-answer.ts';
import { retryCommand, stepsFor, stopCommand } from '../../src/page/commands.ts';

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
  expect(stepsFor(run, { ...stuck, status: 'undelivered' })[0]?.command).toBe('npx batch collect ./videos');
});

/** A row that was sent once. */
const stuck = { row: 1, id: 'q 1', attempts: 1, failure: null };

describe('what helps a stuck row, what is free first', () => {
  it.each([
    [
      { status: 'uncertain' },
      [
        "batch resolve 'my videos' 'q 1' --task-id TASK_ID",
        "batch resolve 'my videos' 'q 1' --not-created",
        "batch resolve 'my videos' --list",
      ],
    ],
    [
      { status: 'uncertain', id: '-x' },
      [
        "batch resolve 'my videos' --task-id TASK_ID -- '-x'",
        "batch resolve 'my videos' --not-created -- '-x'",
        "batch resolve 'my videos' --list",
      ],
    ],
    [{ status: 'failed', attempts: 2 }, ["batch retry 'my videos' --only 'q 1' --attempt 2"]],
    [{ status: 'rejected' }, ["batch retry 'my videos' --only 'q 1' --attempt 1"]],
    [{ status: 'failed', row: null }, []],
    [{ status: 'failed', id: 'a,b' }, []],
    [{ status: 'undelivered' }, ["batch collect 'my videos'"]],
    [{ status: 'lost' }, ["batch collect 'my videos'", "batch retry 'my videos' --only 'q 1' --attempt 1"]],
    [
      { status: 'lost', failure: unreadFailure('too late', 'HTTP 500') },
      ["batch links 'my videos' --only 'q 1'", "batch retry 'my videos' --only 'q 1' --attempt 1"],
    ],
    [{ status: 'invalid' }, ["batch run FILE --out 'my videos'"]],
    [{ status: 'completed' }, []],
    [{ status: 'open' }, []],
  ] as const)('%j', (part, commands) => {
    expect(stepsFor({ out: 'my videos' }, { ...stuck, ...part }).map(({ command }) => command)).toEqual(
      commands,
    );
  });

  it('names a run that machines share by its name, and the file that was read', () => {
    const run = { out: 's3://bucket/algebra', shared: 'algebra', input: 'q.csv --add' };
    expect(stepsFor(run, { ...stuck, status: 'invalid' })).toEqual([
      { step: 'mend', command: 'batch run q.csv --add --run algebra' },
    ]);
  });
});

test('a run that goes is ended by its folder or its name', () => {
  expect(stopCommand({ out: 'my videos' })).toBe("batch stop 'my videos'");
  expect(stopCommand({ out: 's3://bucket/algebra', shared: 'algebra' })).toBe('batch stop --run algebra');
});

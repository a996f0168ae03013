import { describe, expect, it } from 'vitest';
import { fitsTime, proposeTasks } from '../../../src/features/audit/propose-tasks.ts';
import type { StatementTask } from '../../../src/features/audit/statement-books.ts';

const row = (after: number, text: string) => ({ after, before: after + 100, text });

function task(taskId: string, at: number | null, text: string | null, span = 1): StatementTask {
  return { line: 1, taskId, at, span, day: '', text, points: 10, charges: 1 };
}

const cases: readonly (readonly [
  string,
  readonly ReturnType<typeof row>[],
  readonly ReturnType<typeof row>[],
  readonly StatementTask[],
  readonly string[],
])[] = [
  ['one row and one task', [row(1_000, 'a')], [], [task('t', 1_050, 'a')], ['a=t']],
  ['no text in the statement', [row(1_000, 'a')], [], [task('t', 1_050, null)], ['a=t']],
  ['a row of pictures', [row(1_000, '')], [], [task('t', 1_050, 'picture')], ['=t']],
  ['another text', [row(1_000, 'a')], [], [task('t', 1_050, 'b')], []],
  [
    'a text that is cut',
    [row(1_000, 'What is 1 + 1?')],
    [],
    [task('t', 1_050, 'What is…')],
    ['What is 1 + 1?=t'],
  ],
  ['other blanks and widths', [row(1_000, 'a  ＋\nb')], [], [task('t', 1_050, 'a + b')], ['a  ＋\nb=t']],
  ['a time before', [row(1_000, 'a')], [], [task('t', 999, 'a')], []],
  ['a time after', [row(1_000, 'a')], [], [task('t', 1_101, 'a')], []],
  ['a time without its end', [row(1_000, 'a')], [], [task('t', 400, 'a', 1_000)], ['a=t']],
  ['no time', [row(1_000, 'a')], [], [task('t', null, 'a')], []],
  ['a second task without a time', [row(1_000, 'a')], [], [task('t', 1_001, 'a'), task('u', null, 'a')], []],
  ['two tasks', [row(1_000, 'a')], [], [task('t', 1_050, 'a'), task('u', 1_060, 'a')], []],
  ['two rows', [row(1_000, 'a'), row(1_020, 'a')], [], [task('t', 1_050, 'a')], []],
  ['another creation that nobody settles', [row(1_000, 'a')], [row(1_020, 'a')], [task('t', 1_050, 'a')], []],
  [
    'two rows with tasks of their own',
    [row(1_000, 'a'), row(1_020, 'b'), row(5_000, 'a')],
    [row(1_000, 'c')],
    [
      task('t', 1_050, 'b'),
      task('u', 1_060, 'a'),
      task('v', 5_010, 'a'),
      task('w', 9_000, 'a'),
      task('x', 2, 'a'),
    ],
    ['a=u', 'b=t', 'a=v'],
  ],
];

describe('a task is proposed for an uncertain row', () => {
  it.each(cases)('with %s', (_, rows, others, tasks, expected) => {
    const found = proposeTasks(rows, others, tasks).map(
      ({ row: { text }, task: { taskId } }) => `${text}=${taskId}`,
    );
    expect(found).toEqual(expected);
  });
});

it('a time that is not known may be any', () => {
  expect(fitsTime({ after: 1, before: 2 }, { at: null, span: 0 })).toBe(true);
});

import { describe, expect, it } from 'vitest';
import {
  chooseColumns,
  isStatementHeader,
  namedCount,
  type StatementColumns,
} from '../../../src/features/audit/statement-columns.ts';

const chosen = (columns: string, given: StatementColumns = {}) => chooseColumns(columns.split('|'), given);

describe('the columns of a statement', () => {
  it.each([
    ['task_id|points', { task_id: 'task_id', amount: 'points' }],
    ['Task ID|Consumption', { task_id: 'Task ID', amount: 'Consumption' }],
    ['任务ID|消耗', { task_id: '任务ID', amount: '消耗' }],
    ['任务编号|积分', { task_id: '任务编号', amount: '积分' }],
    ['任务号|扣费', { task_id: '任务号', amount: '扣费' }],
    ['task_id|cost|created_at', { task_id: 'task_id', amount: 'cost', time: 'created_at' }],
    [
      '时间|类型|任务ID|消耗积分|题目',
      { task_id: '任务ID', amount: '消耗积分', time: '时间', question: '题目', kind: '类型' },
    ],
    [
      'finish time|创建时间|content|type|task_id|points',
      { task_id: 'task_id', amount: 'points', time: '创建时间', question: 'content', kind: 'type' },
    ],
  ])('of %s are found by their names', (columns, expected) => {
    expect(chosen(columns)).toMatchObject({ columns: expected, problems: [] });
  });

  it.each([
    ['task_id|points|amount (CNY)', 'points', ['amount (CNY)']],
    ['任务ID|金额(元)|消耗积分', '消耗积分', ['金额(元)']],
    ['任务ID|积分|消耗积分', '消耗积分', ['积分']],
    ['task_id|price|cost', 'cost', ['price']],
    ['任务ID|消耗积分|积分余额', '消耗积分', []],
  ])('of %s are the points %s; %j is said to be there', (columns, amount, others) => {
    expect(chosen(columns)).toMatchObject({ columns: { amount }, others, problems: [] });
  });

  it.each([
    ['task_id|points', []],
    ['task_id|费用', ['amount']],
    ['关联任务编号|积分', ['task_id']],
    ['task_id|cost', ['amount']],
  ])('of %s are a guess in %j', (columns, guessed) => {
    expect(chosen(columns)).toMatchObject({ guessed, problems: [] });
  });

  it.each([
    [
      'id|points',
      'no column is surely the task id; the statement has "id", "points": name it with --map task_id=COLUMN',
    ],
    [
      '任务ID|金额（元）',
      'no column is surely the points; the statement has "任务ID", "金额（元）": name it with --map amount=COLUMN',
    ],
    [
      'task_id|when',
      'no column is surely the points; the statement has "task_id", "when": name it with --map amount=COLUMN',
    ],
    [
      'task_id|cost|consumption',
      '"cost", "consumption" are equally likely for amount; choose one: --map amount=cost, --map amount=consumption',
    ],
    [
      'task_id|任务编号|points',
      '"task_id", "任务编号" are equally likely for task_id; choose one: --map task_id=task_id, --map task_id=任务编号',
    ],
  ])('of %s cannot be told for sure', (columns, says) => {
    expect(chosen(columns).problems.map(({ text }) => text)).toEqual([says]);
  });

  it.each(['金额（元）', 'amount ¥', 'cost (USD)', '费用￥', 'RMB'])(
    'take no money for points: %s',
    (money) => {
      expect(isStatementHeader(['task_id', money], {})).toBe(false);
      expect(isStatementHeader(['task_id', money], { amount: money })).toBe(true);
      expect(chosen(`task_id|points|${money}`)).toMatchObject({
        columns: { amount: 'points' },
        others: [money],
      });
    },
  );

  it('are those that --map names, in any spelling', () => {
    const given = { task_id: 'ID', amount: 'consumption', time: 'TIME' };
    expect(chosen('id|cost|consumption|time|created_at', given)).toMatchObject({
      columns: { task_id: 'id', amount: 'consumption', time: 'time' },
      others: ['cost'],
      problems: [],
    });
    expect(chosen('id|cost', { task_id: 'ref' }).problems.map(({ text }) => text)).toEqual([
      expect.stringContaining('task_id=ref'),
    ]);
  });

  it('make a header, or nearly one', () => {
    expect(isStatementHeader(['task_id', 'points'], {})).toBe(true);
    expect(isStatementHeader(['Statement of', 'November'], {})).toBe(false);
    expect(namedCount(['time', 'ref', 'points'], {})).toBe(2);
    expect(namedCount(['time', 'ref', 'points'], { task_id: 'ref', amount: 'sum' })).toBe(2);
  });
});

import { describe, expect, it } from 'vitest';
import { isSameTask, taskKey } from '../../src/money/task-id.ts';

describe('the id of a task', () => {
  it.for([
    ['B5F1C0DE-0000-4000-8000-00000000ABCD', 'b5f1c0de-0000-4000-8000-00000000abcd'],
    ['0042', '42'],
    ['0', '000'],
    ['Task-7', 'task-7'],
  ] as const)('is the same as %s and as %s', ([one, other]) => {
    expect(isSameTask(one, other)).toBe(true);
    expect(taskKey(one)).toBe(taskKey(other));
  });

  it.for([
    ['42', '420'],
    ['task-7', 'task-07'],
    ['task-7', 'task 7'],
    ['Ü-1', 'ü-1'],
  ] as const)('is another one as %s and as %s', ([one, other]) => {
    expect(isSameTask(one, other)).toBe(false);
    expect(taskKey(one)).not.toBe(taskKey(other));
  });
});

import { expect, test } from 'vitest';
import { namedTask } from '../../../src/money/answers/service-envelope.ts';

test.each([
  ['{"task_id":" abc "}', 'abc'],
  ['{"data":{"task_id":12345678901234567890}}', '12345678901234567890'],
  ['{"task_id":"a","data":{"task_id":"b"}}', 'a'],
  ['{"data":{"task_id":"abc","cost":NaN,},}', 'abc'],
  ['{"data":"{\\"task_id\\":\\"abc\\"}"}', 'abc'],
  ['{"data":"none"}', null],
  ['["task_id"]', null],
  ['task_id=abc', null],
  ['', null],
])('a message of %j names the task %j', (text, taskId) => {
  expect(namedTask(text)).toBe(taskId);
});

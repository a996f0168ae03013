import { expect, it } from 'vitest';
import { message, sayIn } from '../../src/messages/message.ts';
import { renderNames, renderNamesInChinese } from '../../src/messages/numbers.ts';

const names = Array.from({ length: 12 }, (_, at) => `q${at + 1}`);

it('a sentence lists ten names, and counts the others', () => {
  expect(renderNames(names.slice(0, 2))).toBe('q1, q2');
  expect(renderNames(names)).toBe('q1, q2, q3, q4, q5, q6, q7, q8, q9, q10 and 2 more');
  expect(renderNamesInChinese(names.slice(0, 2))).toBe('q1、q2');
  expect(renderNamesInChinese(names)).toBe('q1、q2、q3、q4、q5、q6、q7、q8、q9、q10，另有 2 个');
});

it.each([
  [message('returned.other-attempt', { table: 'a.csv', ids: ['q1'] }), 'this row has'],
  [message('returned.left-alone', { ids: ['q1'] }), '1 line of a text'],
  [message('rows.odd-sent', { count: 1, held: [] }), '1 row looks odd and is sent'],
  [message('rows.odd-sent', { count: 2, held: [] }), '2 rows look odd and are sent'],
  [message('rows.odd-sent', { count: 0, held: [] }), '0 rows look odd'],
  [message('rows.odd-unheld', { count: 1 }), '1 row that looks odd and was held back'],
  [message('rows.odd-unheld', { count: 2 }), '2 rows that look odd and were held back'],
  [message('retry.finals-ended', { ended: [] }), '0 finals ordered and not sent yet fall away'],
  [
    message('retry.finals-ended', { ended: [{ id: 'q1', why: 'changed' }] }),
    '1 final ordered and not sent yet falls away',
  ],
  [message('watched.others-again', { count: 1 }), 'was not drawn and was made again'],
  [message('decision.odd', { count: null }), 'rows that look odd are sent'],
  [message('store.runs', { name: 'db', runs: [] }), 'db has no runs yet'],
  [message('store.held', { program: '', pid: 7, time: '10:00' }), 'waiting for a program (process 7'],
  [message('audit.made', { made: null }), 'this is a table that batch wrote'],
])('one is said as one, and none as nothing: %s', (said, words) => {
  expect(said.text).toContain(words);
  expect(sayIn('zh', said)).not.toBe('');
});

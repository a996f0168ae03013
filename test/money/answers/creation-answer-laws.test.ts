import fc from 'fast-check';
import { expect, test } from 'vitest';
import { judgeCreation } from '../../../src/money/answers/creation-answer.ts';
import { answerIn, likelyTask } from '../../../src/money/answers/unread-answer.ts';
import { createRedact } from '../../../src/text/redact.ts';
import { wordOf } from '../../support/creation-word.ts';

const context = { url: 'https://service.example/api/gen_video', now: 0, redact: createRedact([]) };
const outcomeOf = (status: number, body: string, defect: string | null = null) =>
  judgeCreation({ status, body, defect, location: null, retryAfter: null }, context);

/** Statuses that say by themselves that nothing was made: a refused request, a refused key, too many, moved. */
const refusing: ReadonlySet<number> = new Set([
  ...[400, 401, 402, 403, 404, 405, 413, 414, 415, 422, 431, 429, 301, 307, 308],
]);
const telling = fc.integer({ min: 200, max: 599 }).filter((status) => !refusing.has(status));
const settled = /^(accepted|refused|misconfigured|barred)$/;

/** JSON that is no envelope of the service: it neither says error nor names a task. */
const foreign = fc.oneof(
  fc.jsonValue(),
  fc.record({ status: fc.constantFrom('success', 'ok', 'failed', null, 200), data: fc.jsonValue() }),
);
const namesNothing = (value: unknown): boolean => !/task_id|"error"/i.test(JSON.stringify(value) ?? '');

test('a creation whose answer is no envelope of the service is uncertain, whatever else it says', () => {
  fc.assert(
    fc.property(telling, foreign.filter(namesNothing), (status, value) => {
      expect(outcomeOf(status, JSON.stringify(value)).type).toBe('creation-uncertain');
    }),
    { numRuns: 1_000 },
  );
});

test('a creation whose answer is no JSON is uncertain', () => {
  const isJson = (text: string): boolean => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  const text = fc
    .string({ unit: fc.constantFrom(...'{}[]":, \n\\<>ok1视\ud800'.split('')) })
    .filter((each) => !isJson(each));
  fc.assert(
    fc.property(telling, text, (status, body) => {
      expect(outcomeOf(status, body).type).toBe('creation-uncertain');
    }),
  );
});

const taskId = fc
  .string({ unit: 'grapheme', minLength: 1 })
  .map((id) => id.trim())
  .filter((id) => id !== '' && id.isWellFormed());
const order = fc.boolean();

test('a cut acceptance is the whole task id or uncertain, never a piece of an id and never a refusal', () => {
  fc.assert(
    fc.property(taskId, order, telling, (id, dataFirst, status) => {
      const data = { note: 'x', task_id: id, more: 1 };
      const body = JSON.stringify(dataFirst ? { data, status: 'success' } : { status: 'success', data });
      expect(outcomeOf(status, body)).toEqual({ type: 'creation-accepted', at: 0, taskId: id });
      for (let length = 0; length < body.length; length++) {
        const verdict = outcomeOf(status, body.slice(0, length), 'other side closed');
        if (verdict.type === 'creation-accepted') expect(verdict.taskId).toBe(id);
        else expect(verdict.type).toBe('creation-uncertain');
      }
    }),
  );
});

test('a cut refusal is uncertain until its last brace has come', () => {
  fc.assert(
    fc.property(fc.string(), order, telling, (messages, dataFirst, status) => {
      const data = { messages };
      const body = JSON.stringify(dataFirst ? { data, status: 'error' } : { status: 'error', data });
      expect(wordOf(outcomeOf(status, body))).toMatch(/^(refused|misconfigured)$/);
      for (let length = 0; length < body.length; length++)
        expect(outcomeOf(status, body.slice(0, length), 'other side closed').type).toBe('creation-uncertain');
    }),
  );
});

test('an acceptance is believed with any status: a task that was named is paid', () => {
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 599 }), taskId, fc.jsonValue(), (status, id, more) => {
      const body = JSON.stringify({ more, status: 'success', data: { task_id: id } });
      expect(outcomeOf(status, body)).toEqual({ type: 'creation-accepted', at: 0, taskId: id });
    }),
  );
});

/** One object of an answer, its texts as long as an excerpt, with the id among them and others around it. */
const carrying = (id: string): fc.Arbitrary<unknown> => {
  const long = fc.nat(3_000).map((length) => 'no '.repeat(length));
  const name = fc.constantFrom('task_id', 'taskId', 'TaskID', 'task-id');
  const holder = fc.tuple(long, name, fc.boolean()).map(([text, key, isFirst]) => ({
    ...(isFirst ? { [key]: id, messages: text } : { messages: text, [key]: id }),
  }));
  const around = [
    (inner: unknown) => ({ data: inner }),
    (inner: unknown) => [inner],
    (inner: unknown) => ({ note: '{"x":1}', data: JSON.stringify(inner) }),
    (inner: unknown) => ({ ...Object(inner), request_id: 'r-1' }),
  ];
  const layers = fc.array(fc.constantFrom(...around), { maxLength: 3 });
  return fc
    .tuple(holder, layers)
    .map(([inner, all]) => all.reduce<unknown>((value, wrap) => wrap(value), inner));
};

test('an id in an answer is never lost: it is accepted, or uncertain with it as the likely one', () => {
  const anyStatus = fc.integer({ min: 200, max: 599 });
  const word = fc.constantFrom('success', 'error', 'Error', 'failed', null);
  const id = fc.stringMatching(/^[a-z][\w.-]{0,30}[a-z0-9]$/).filter((each) => !/^(?:n|f|t|u)/.test(each));
  const cases = id.chain((each) => fc.tuple(fc.constant(each), carrying(each), word, anyStatus));
  const around = fc.constantFrom('', 'Notice: x\n', '<p>');
  fc.assert(
    fc.property(cases, around, ([each, inner, says, status], before) => {
      const body = `${before}${JSON.stringify({ status: says, ...Object(inner) })}`;
      const verdict = outcomeOf(status, body);
      if (verdict.type === 'creation-accepted') expect(verdict.taskId).toBe(each);
      else if (verdict.type !== 'creation-uncertain') throw new Error(`${verdict.type} of ${body}`);
      else expect(likelyTask(answerIn(verdict.failure) ?? '')).toBe(each);
    }),
  );
});

test('a status that refuses is a refusal without any body, and the others never are', () => {
  for (let status = 200; status <= 599; status++)
    expect(settled.test(wordOf(outcomeOf(status, ''))), `HTTP ${status}`).toBe(refusing.has(status));
});

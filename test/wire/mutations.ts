/** Damaged envelopes, thrown from a seed: the same seed, the same bytes. */

import type { Dice } from '../sim/dice.ts';

const acceptance = JSON.stringify({ status: 'success', data: { task_id: 'task-4711' } });
const refusal = JSON.stringify({ status: 'error', data: { messages: 'no points left' } });
const doubtfulRefusal = JSON.stringify({
  status: 'error',
  data: { task_id: 'task-4711', messages: 'busy' },
});
const passingRefusal = JSON.stringify({
  status: 'error',
  data: { messages: 'The video generation interface response is abnormal: 503 - busy' },
});

const link = 'http://127.0.0.1/files/1?signature=s3cret';
const inProgress = JSON.stringify({
  status: 'success',
  data: { task_id: 'task-4711', status: 'IN_PROGRESS', progress: [{ id: 'frame-1', image: link }] },
});
const completed = JSON.stringify({
  status: 'success',
  data: {
    task_id: 'task-4711',
    status: 'COMPLETED',
    progress: [{ id: 'frame-1', image: link }],
    consumption: [{ type: 'score', value: 10, detail: 'one video' }],
    result: [{ type: 'video', content: link }],
    title: '一元二次方程',
    created_at: '2026-01-02T03:04:05Z',
    finish_at: '2026-01-02T03:09:05Z',
  },
});
const failed = JSON.stringify({
  status: 'success',
  data: {
    task_id: 'task-4711',
    status: 'FAILED',
    consumption: [{ type: 'score', value: 0 }],
    result: [{ type: 'text', content: 'it cannot be drawn' }],
  },
});

const unknown = JSON.stringify({ status: 'error', data: { messages: 'Task not found' } });

/** Envelopes as the service writes them. */
export const envelopes = [
  acceptance,
  refusal,
  doubtfulRefusal,
  passingRefusal,
  inProgress,
  completed,
  failed,
  unknown,
] as const;

/** What may stand where another JSON value stood. */
const values = [
  ...['null', 'true', 'false', '0', '-1', '1.5', '1e999', '1e308', '9007199254740993', '""', '" "', '"x"'],
  ...['[]', '{}', '[null]', '{"a":1}', '"\\ud800"', '"\\u0000"', '"success"', '"error"', '"COMPLETED"'],
] as const;
/** Whole JSON strings and numbers, keys included. */
const token = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?/g;

type Damage = (text: string, dice: Dice) => string;

/** Two places in a text, in order. */
function span(text: string, dice: Dice): readonly [number, number] {
  const [a, b] = [dice.integer(0, text.length), dice.integer(0, text.length)];
  return a < b ? [a, b] : [b, a];
}

const flip: Damage = (text, dice) => {
  const at = dice.integer(0, Math.max(0, text.length - 1));
  const flipped = String.fromCharCode(text.charCodeAt(at) ^ (1 << dice.integer(0, 7)));
  return text.slice(0, at) + flipped + text.slice(at + 1);
};
const truncate: Damage = (text, dice) => text.slice(0, dice.integer(0, text.length));
const behead: Damage = (text, dice) => text.slice(dice.integer(0, text.length));
const drop: Damage = (text, dice) => {
  const [from, to] = span(text, dice);
  return text.slice(0, from) + text.slice(to);
};
const double: Damage = (text, dice) => {
  const [from, to] = span(text, dice);
  return text.slice(0, to) + text.slice(from);
};
const splice: Damage = (text, dice) => {
  const other = Buffer.from(dice.pick(envelopes)).toString('latin1');
  return text.slice(0, dice.integer(0, text.length)) + other.slice(dice.integer(0, other.length));
};
const swap: Damage = (text, dice) => {
  const found = [...text.matchAll(token)];
  const [old = { 0: '', index: 0 }] = found.slice(dice.integer(0, Math.max(0, found.length - 1)));
  return text.slice(0, old.index) + dice.pick(values) + text.slice(old.index + old[0].length);
};
const nest: Damage = (text, dice) => {
  const depth = dice.integer(1, 2_000);
  const [open, close] = dice.chance(0.5) ? ['[', ']'] : ['{"data":', '}'];
  return open.repeat(depth) + text + close.repeat(dice.chance(0.8) ? depth : depth - 1);
};
const noise: Damage = (text, dice) => {
  const at = dice.integer(0, text.length);
  const letters = Array.from({ length: dice.integer(1, 8) }, () => String.fromCharCode(dice.integer(0, 255)));
  return text.slice(0, at) + letters.join('') + text.slice(at);
};

const damages = [flip, truncate, behead, drop, double, splice, swap, swap, nest, noise] as const;

/** This envelope, damaged one to four times; a byte is a letter meanwhile, so that damage can cut characters. */
export function mutate(envelope: string, dice: Dice): Buffer {
  let text = Buffer.from(envelope).toString('latin1');
  for (let rounds = dice.integer(1, 4); rounds > 0; rounds--) text = dice.pick(damages)(text, dice);
  return Buffer.from(text, 'latin1');
}

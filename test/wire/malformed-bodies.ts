/** Lies of the body: what stands where an envelope or a file should be, in an answer that is well-formed HTTP. */

import type { PollEnd } from '../../src/money/answers/status-answer.ts';
import { body, bytesOf, json, type Lie, says, whole } from './lies.ts';

type Ends = Omit<Lie, 'tell'>;

const taskId = 'task-1';
const success = (data: unknown) => ({ status: 'success', data });
const error = (data: unknown) => ({ status: 'error', data });

const text = (said: string | Uint8Array, ends: Ends = {}): Lie => ({ tell: body(said), ...ends });
const value = (told: unknown, ends: Ends = {}): Lie => ({ tell: json(told), ...ends });
const around = (make: (right: Buffer) => string | Uint8Array, ends: Ends = {}): Lie => ({
  tell: says((right) => whole(make(right))),
  ...ends,
});
/** The envelope of a creation whose task is named like this. */
const named = (id: unknown, ends: Ends = {}): Lie => value(success({ task_id: id }), ends);
/** A status of the right task; a creation that gets it reads the id of the task in it. */
const state = (status: PollEnd['type'], data: object): Lie =>
  value(success({ task_id: taskId, ...data }), { creation: 'accepted', status });
const progressing = (progress: unknown): Lie => state('task-progressed', { status: 'IN_PROGRESS', progress });
const completing = (data: object): Lie => state('task-completed', { status: 'COMPLETED', ...data });
const linked = (content: unknown): Lie => completing({ result: [{ type: 'video', content }] });
const charged = (...values: readonly unknown[]): Lie =>
  completing({ consumption: values.map((points) => ({ type: 'score', value: points })) });

const accepted = { creation: 'accepted' } as const;
/** Where it is the answer to a status it is about another task, and says nothing of this one. */
const ofAnother = { ...accepted, status: 'poll-unanswered' } as const;
const refused = { creation: 'refused' } as const;

/** Is read all the same. */
const careless = { creation: 'accepted', status: 'task-progressed' } as const;
const slip = (more: string): Lie =>
  text(`{"status":"success","data":{"task_id":"${taskId}","status":"IN_PROGRESS",${more}}}`, careless);

const depth = 100_000;
const frame = { id: 'f1', image: 'http://files.example/1' };
const short = { id: 1, image: 'http://f' };

export const malformedBodies: Readonly<Record<string, Lie>> = {
  // No envelope at all.
  'an empty body': text(''),
  'white space': text(' \r\n\t'),
  'a page': text('<!doctype html><title>Sign in</title>'),
  'a page with an envelope in it': text('<p>{"status":"success","data":{"task_id":"x"}}</p>'),
  'a fragment of a page': text('<h1>502 Bad Gateway</h1><hr>nginx'),
  'an answer in XML': text('<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>'),
  'a plain text': text('Internal error, please try again later.'),
  'a form': text('status=success&task_id=x'),
  'an empty object': text('{}'),
  'an empty list': text('[]'),
  'the value null': text('null'),
  'the value true': text('true'),
  'a number': text('42'),
  'a string': text('"success"'),
  'a list of envelopes': value([success({ task_id: 'x', status: 'COMPLETED' })]),
  NaN: text('NaN'),
  'single quotes': text("{'status':'success','data':{'task_id':'x'}}"),
  'JSON behind a guard': around((right) => bytesOf(")]}',\n", right), { ...careless, file: 'plausible' }),
  'a call with JSON': around((right) => bytesOf('callback(', right, ')'), { file: 'plausible' }),
  'lists of depth 100,000': text(`${'['.repeat(depth)}${']'.repeat(depth)}`),
  'lists that never close': text('['.repeat(depth)),
  'objects of depth 100,000': text(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`),
  'objects that never close': text('{"data":'.repeat(depth)),
  'UTF-16': text(
    Buffer.from(`\ufeff${JSON.stringify(success({ task_id: taskId, status: 'FAILED' }))}`, 'utf16le'),
  ),

  // The right bytes, and something that does not belong there.
  'a byte order mark': around((right) => bytesOf('\ufeff', right), {
    creation: 'accepted',
    status: 'task-progressed',
    file: 'plausible',
  }),
  'the right bytes twice': around((right) => bytesOf(right, right), { ...accepted, file: 'plausible' }),
  'a zero byte behind': around((right) => bytesOf(right, '\0'), { ...careless, file: 'plausible' }),
  'a notice before': around((right) => bytesOf('<br />\n<b>Notice</b>: x<br />\n', right), {
    ...careless,
    file: 'plausible',
  }),
  'a notice behind': around((right) => bytesOf(right, '\n<b>Warning</b>: {x}'), {
    ...careless,
    file: 'plausible',
  }),
  'a comment before': around((right) => bytesOf('// 3 ms\n', right), { ...careless, file: 'plausible' }),
  'JSON in a string': around((right) => JSON.stringify(right.toString()), { ...careless, file: 'plausible' }),
  NaNs: slip('"cost":NaN,"more":[-Infinity,Infinity]'),
  'commas too many': slip('"more":[1,2,],'),
  'a raw line break': slip('"title":"one\r\ntwo"'),
  comments: slip('/* one */"more":1 // two\n'),
  'a blank around the id': value(success({ task_id: ' task-1 ', status: 'IN_PROGRESS' }), careless),
  'data in a string': value(success(JSON.stringify({ task_id: taskId, status: 'IN_PROGRESS' })), careless),
  'a video without the word success': value(
    { data: { task_id: taskId, status: 'COMPLETED', result: [{ type: 'video', content: 'http://f/v' }] } },
    { creation: 'accepted', status: 'task-completed' },
  ),
  'half of the right bytes': around((right) => right.subarray(0, right.length / 2), { file: 'plausible' }),

  // Envelopes that say nothing, or too much.
  'no word of success': value({ data: { task_id: taskId, status: 'COMPLETED' } }, accepted),
  'another word': value({ status: 'ok', data: { task_id: taskId, status: 'COMPLETED' } }, accepted),
  'success as a list': value({ status: ['success'], data: { task_id: taskId, status: 'FAILED' } }, accepted),
  'success in capitals and spaces': value(
    { status: ' SUCCESS ', data: { task_id: taskId, status: 'IN_PROGRESS' } },
    { creation: 'accepted', status: 'task-progressed' },
  ),
  'no data': value({ status: 'success' }),
  'data as a list': value(success([{ task_id: taskId, status: 'FAILED' }])),
  'data as a string': value(success('task-1')),
  'data in data': value(success({ data: { task_id: taskId, status: 'FAILED' } })),
  'an inherited envelope': text(
    '{"__proto__":{"status":"success","data":{"task_id":"x","status":"FAILED"}}}',
  ),
  'inherited data': text('{"status":"success","data":{"__proto__":{"task_id":"x","status":"FAILED"}}}'),
  'a constructor': text('{"status":"success","data":{"constructor":{"prototype":{"task_id":"x"}}}}'),
  'a key twice, the last one wins': text(
    '{"status":"error","data":{"task_id":"x"},"status":"success","data":{"task_id":"task-1","status":"IN_PROGRESS"}}',
    { creation: 'accepted', status: 'task-progressed' },
  ),
  'an error without words': value(error({}), refused),
  'an error with a number for words': value(error({ messages: 5 }), refused),
  'an error with words of depth 5,000': text(
    `{"status":"error","data":{"messages":${'['.repeat(5_000)}${']'.repeat(5_000)}}}`,
    refused,
  ),
  'an error of 900 kB': value(error({ messages: 'no '.repeat(300_000) }), refused),
  'an error that is cut': text('{"status":"error","data":{"messages":"no poi'),
  'an error that names the task': value(error({ task_id: taskId, messages: 'no' })),
  'an unknown task': value(error({ messages: 'Server error: Task not found' }), {
    ...refused,
    status: 'task-not-found',
  }),

  // Ids of tasks.
  'no id': named(undefined),
  'the id null': named(null),
  'an empty id': named(''),
  'a blank id': named(' \n\u3000'),
  'an id of true': named(true),
  'an object for an id': named({ id: taskId }),
  'a list for an id': named([taskId]),
  'a fraction for an id': named(1.5),
  'a negative number for an id': named(-7),
  'a number beyond all numbers for an id': text('{"status":"success","data":{"task_id":1e999}}'),
  'a number for an id': named(7, ofAnother),
  'an id of 20 digits': text('{"status":"success","data":{"task_id":12345678901234567890}}', ofAnother),
  'an id of 10 MB': named('x'.repeat(10_000_000), { status: 'poll-unanswered' }),
  'an id that is cut': text('{"status":"success","data":{"task_id":"task-'),
  'an id with slashes': named('../../api/gen_video?x=1#y', ofAnother),
  'an id of dots': named('..', ofAnother),
  'an id with control characters': named('a\0b\u001b[2J\r\nx: y\u202e', ofAnother),
  'an id in many scripts': named('任务-é-\u{1f600}', ofAnother),
  'half a surrogate for an id': text('{"status":"success","data":{"task_id":"\\ud800"}}', ofAnother),
  'an id in the wrong encoding': text(
    Buffer.from('{"status":"success","data":{"task_id":"\xff\xfe"}}', 'latin1'),
    ofAnother,
  ),

  // States of a task.
  'no state': state('poll-unanswered', {}),
  'a number for a state': state('poll-unanswered', { status: 3 }),
  'a blank state': state('poll-unanswered', { status: ' \t' }),
  'a state nobody knows': state('task-progressed', { status: 'QUEUED\u001b[2J' }),
  'a state of 1 MB': { ...state('task-progressed', { status: 'Q'.repeat(1_000_000) }), creation: 'accepted' },
  'a state in other letters': state('task-completed', { status: ' Completed ' }),
  'a state with a dash': state('task-progressed', { status: 'in-progress' }),
  'a failure without a reason': state('task-failed', { status: 'failed' }),
  'a failure with a thousand reasons': state('task-failed', {
    status: 'FAILED',
    result: Array.from({ length: 1_000 }, () => ({ type: 'text', content: 'no' })),
  }),
  'the state of another task': value(success({ task_id: 'task-2', status: 'FAILED' }), ofAnother),

  // Points, frames and links.
  'points as a text': charged('10'),
  'points as NaN': charged('NaN'),
  'points as null': charged(null),
  'negative points': charged(-5),
  'points up to infinity': charged(1e308, 1e308),
  'points as a list': completing({ consumption: [[10]] }),
  'points as one object': completing({ consumption: { type: 'score', value: 10 } }),
  'points as a string': completing({ consumption: 'ten' }),
  'no result': completing({}),
  'results of other kinds': completing({
    result: [{ type: 'audio', content: 'http://f/a' }, null, 7, 'x', []],
  }),
  'a result as one object': completing({ result: { type: 'Video', content: 'http://f/v' } }),
  'a link of javascript:': linked('javascript:alert(1)'),
  'a link of file:': linked('file:///etc/passwd'),
  'a link of data:': linked('data:video/mp4;base64,AAAA'),
  'a link of ftp:': linked('ftp://files.example/v.mp4'),
  'a link with a password': linked('http://user:word@files.example/v.mp4'),
  'a link with line breaks': linked('http://files.example/v.mp4\r\nx: y'),
  'a link of 1 MB': { ...linked(`http://files.example/${'x'.repeat(1_000_000)}`), creation: 'accepted' },
  'a link that is no text': linked(['http://files.example/v.mp4']),
  'a title that is an object': completing({ title: { a: 1 }, created_at: [], finish_at: 5 }),
  'no frames': progressing(undefined),
  'frames as a string': progressing('none'),
  'frames that are none': progressing([
    null,
    7,
    'x',
    [],
    {},
    { id: '' },
    { id: 1, image: '' },
    { id: {}, image: 'x' },
  ]),
  '500 frames with one id': progressing(Array.from({ length: 500 }, () => frame)),
  '100,000 frames': progressing(Array.from({ length: 100_000 }, (_, id) => ({ ...short, id }))),
  'frames that inherit': text(
    '{"status":"success","data":{"task_id":"task-1","status":"IN_PROGRESS","progress":[{"__proto__":{"id":"1","image":"http://f"}}]}}',
    { creation: 'accepted', status: 'task-progressed' },
  ),
};

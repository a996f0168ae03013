import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judgeCreation } from '../../src/core/creation-answer.ts';
import type { ServiceReply } from '../../src/core/service-reply.ts';
import { judgeProbe, judgeStatus } from '../../src/core/status-answer.ts';
import { createRedact } from '../../src/core/text/redact.ts';
import { wordOf } from '../support/creation-word.ts';
import { anyText } from './any-text.ts';

const key = 'sk-very-secret-key';
const context = {
  url: 'https://service.example/v1/api/gen_video',
  now: Date.UTC(2026, 0, 1),
  redact: createRedact([key]),
};

function reply(status: number, body: unknown, rest: Partial<ServiceReply> = {}): ServiceReply {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status, body: text, defect: null, location: null, retryAfter: null, ...rest };
}

const creation = (status: number, body: unknown, rest: Partial<ServiceReply> = {}) =>
  judgeCreation(reply(status, body, rest), context);
const status = (body: unknown, httpStatus = 200, rest: Partial<ServiceReply> = {}) =>
  judgeStatus(reply(httpStatus, body, rest), 'task-1', context);

const accepted = (taskId: string) => ({ type: 'creation-accepted', at: context.now, taskId });
const notFound = (failure: string) => ({ type: 'task-not-found', at: context.now, failure, unknownMs: 0 });
const success = (data: unknown) => ({ status: 'success', data });
const error = (messages: unknown) => ({ status: 'error', data: { messages } });

describe('a creation is accepted', () => {
  test.each([200, 201, 202, 302, 400, 401, 429, 500])(
    'when a success envelope names a task, also with HTTP %i',
    (httpStatus) => {
      expect(creation(httpStatus, success({ task_id: 'abc' }))).toEqual(accepted('abc'));
    },
  );

  test('in any case of letters, and with an id that is kept exactly', () => {
    expect(creation(200, { status: ' SUCCESS ', data: { task_id: ' a/b?c ' } })).toEqual(accepted(' a/b?c '));
  });

  test.each([
    ['{"status":"success","data":{"task_id":7}}', '7'],
    ['{"status":"success","data":{"task_id": 12345678901234567890123}}', '12345678901234567890123'],
    ['{"data":{"task_id":9007199254740993},"status":"success","task_id":1}', '9007199254740993'],
  ])('with a number for an id, digit by digit: %s', (body, taskId) => {
    expect(creation(200, body)).toEqual(accepted(taskId));
  });

  test('without the word success when the status says it', () => {
    expect(creation(201, { data: { task_id: 'abc' } })).toEqual(accepted('abc'));
    expect(creation(500, { data: { task_id: 'abc' } }).type).toBe('creation-uncertain');
  });

  test.each([
    '{"status":"success","data":{"task_id":"a\\u00e9\\"b"',
    '{"status":"success","data":{"task_id":"a\\u00e9\\"b"}}}',
    '{"data":{"task_id" : "a\\u00e9\\"b", "status":"suc',
  ])('from a body that was cut after the id: %s', (body) => {
    expect(creation(200, body, { defect: 'other side closed' })).toEqual(accepted('aé"b'));
  });

  test('from a cut body with a number for an id, once the number is at its end', () => {
    expect(creation(200, '{"status":"success","data":{"task_id":123}')).toEqual(accepted('123'));
    expect(creation(200, '{"status":"success","data":{"task_id":12').type).toBe('creation-uncertain');
  });
});

describe('a creation is uncertain', () => {
  test.each<[unknown, string]>([
    ['', 'an empty body'],
    ['OK', 'a text'],
    ['[]', 'a list'],
    ['null', 'null'],
    ['"success"', 'a string'],
    [success({}), 'no id'],
    [success({ task_id: '' }), 'an empty id'],
    [success({ task_id: ' \n' }), 'a blank id'],
    [success({ task_id: null }), 'null for an id'],
    [success({ task_id: true }), 'true for an id'],
    [success({ task_id: 1.5 }), 'a fraction for an id'],
    ['{"status":"success","data":{"task_id":1e30}}', 'an id in exponent form'],
    [success({ task_id: { id: 'x' } }), 'an object for an id'],
    [success([{ task_id: 'x' }]), 'a list for data'],
    [success('x'), 'a string for data'],
    ['{"status":"success","data":{"task_id":"ab', 'an id that was cut'],
    ['{"status":"error","data":{"messages":"no po', 'an error that was cut'],
    ['{"status":"success","data":{"task_id":"x","status":"error"', 'a cut body that says both'],
    ['{"__proto__":{"status":"success","data":{"task_id":"x"}}}', 'an inherited envelope'],
    ['{"status":"success","data":{"__proto__":{"task_id":"x"}}}', 'an inherited id'],
    ['<p>"status":"success","task_id":"x"</p>', 'a page that shows an envelope'],
  ])('after HTTP 200 with %j (%s)', (body) => {
    expect(creation(200, body)).toMatchObject({
      type: 'creation-uncertain',
      failure: 'HTTP 200 without a readable task id',
    });
  });

  test.each([302, 303, 300, 304, 305, 408, 409, 425, 405, 418, 500, 502, 503, 504, 599])(
    'after HTTP %i without an envelope',
    (httpStatus) => {
      const verdict = creation(httpStatus, '<html>oops</html>', { location: '/else' });
      expect(verdict).toMatchObject({
        type: 'creation-uncertain',
        failure: expect.stringContaining(`HTTP ${httpStatus}`),
      });
    },
  );

  test('and its failure says what was wrong with the body', () => {
    expect(creation(200, '{"sta', { defect: 'other side closed' })).toMatchObject({
      type: 'creation-uncertain',
      failure: 'HTTP 200, but other side closed',
    });
  });
});

describe('a creation is refused', () => {
  test.each([200, 201, 400, 404, 408, 409, 500, 502])('by an error envelope with HTTP %i', (httpStatus) => {
    expect(creation(httpStatus, error('no points left'))).toMatchObject({
      type: 'creation-refused',
      failure: 'no points left',
      passing: false,
      retryAfterMs: null,
    });
  });

  test('by a whole error envelope although the body was not at its announced end', () => {
    expect(creation(500, error('no points'), { defect: 'other side closed' }).type).toBe('creation-refused');
  });

  test('by an error envelope that carries a task id all the same', () => {
    expect(creation(200, { status: 'Error', data: { task_id: 'x', messages: 'no' } }).type).toBe(
      'creation-refused',
    );
  });

  test.each([400, 404, 413, 415, 422])('by HTTP %i alone', (httpStatus) => {
    const page =
      '<html><head><style>p{}</style><script>x()</script></head><body><h1>Not   here</h1>\n</body>';
    expect(creation(httpStatus, page)).toMatchObject({
      type: 'creation-refused',
      failure: `HTTP ${httpStatus}: Not here`,
      passing: false,
      retryAfterMs: null,
    });
  });

  test.each([error('slow down'), 'slow down', '', success({})])('for a while by HTTP 429 with %j', (body) => {
    expect(creation(429, body, { retryAfter: '7' })).toMatchObject({
      type: 'creation-refused',
      passing: true,
      retryAfterMs: 7_000,
    });
  });

  test('for a while by an error envelope with HTTP 503, whatever it says', () => {
    expect(creation(503, error('no points left'), { retryAfter: '7' })).toMatchObject({
      type: 'creation-refused',
      passing: true,
      retryAfterMs: 7_000,
    });
  });

  test.each([
    ['The video generation interface response is abnormal: 429 - busy', true],
    ['The video generation interface response is abnormal: 503 - down', true],
    ['the video generation INTERFACE RESPONSE IS ABNORMAL:500', true],
    ['The video generation interface response is abnormal: 400 - bad question', false],
    ['The video generation interface response is abnormal: 5000', false],
    ['Server error 503', false],
  ])('with the cause %j, passing is %s', (message, passing) => {
    expect(creation(500, error(message))).toMatchObject({
      type: 'creation-refused',
      failure: message,
      passing,
    });
  });

  test.each([
    [['one', 'two'], 'one; two'],
    [{ code: 7 }, '{"code":7}'],
    [42, '42'],
    [undefined, 'HTTP 500'],
    [null, 'HTTP 500'],
    ['', 'HTTP 500'],
  ])('with messages %j, which read as %j', (messages, failure) => {
    expect(creation(500, error(messages))).toMatchObject({ type: 'creation-refused', failure });
  });
});

const bars: Readonly<Record<number, string>> = { 401: 'key-refused', 402: 'no-points', 403: 'key-forbidden' };

test.each([401, 402, 403])('HTTP %i refuses the key, with or without an envelope', (httpStatus) => {
  expect(creation(httpStatus, error('Unauthorized: Invalid API key'))).toMatchObject({
    type: 'creation-not-sent',
    endsRun: bars[httpStatus],
    failure: 'Unauthorized: Invalid API key',
  });
  expect(creation(httpStatus, '')).toMatchObject({
    endsRun: bars[httpStatus],
    failure: `HTTP ${httpStatus}`,
  });
  expect(status(error('no'), httpStatus)).toEqual({
    type: 'poll-refused',
    failure: 'no',
    endsRun: bars[httpStatus],
  });
});

describe('who answers a creation', () => {
  test.each([
    ['the service, by its envelope', 200, success({}), 'service'],
    ['the service, by its envelope', 404, error('no'), 'service'],
    ['a gateway before it', 502, '<html>bad gateway</html>', 'service'],
    ['somebody with pages', 200, '\n<!doctype html><html>', 'page'],
    ['somebody with pages', 404, '<h1>Not found</h1>', 'page'],
    ['somebody else', 200, 'OK', 'bare'],
    ['somebody else', 404, '', 'bare'],
    ['somebody else', 405, { detail: 'Method Not Allowed' }, 'bare'],
  ])('is %s: HTTP %i with %j', (_, httpStatus, body, origin) => {
    expect(creation(httpStatus, body)).toMatchObject({ origin });
  });
});

describe('who answers the question about a task that cannot exist', () => {
  const probe = (httpStatus: number, body: unknown, rest: Partial<ServiceReply> = {}) =>
    judgeProbe(reply(httpStatus, body, rest), context);

  test.each([
    [200, error('Server error: Task not found')],
    [404, error('x')],
    [500, error('x')],
    [503, error('busy')],
    [200, success({})],
  ])('is the service, by its envelope: HTTP %i with %j', (httpStatus, body) => {
    expect(probe(httpStatus, body)).toEqual({ outcome: 'service' });
  });

  test.each([401, 402, 403])('may refuse the key: HTTP %i', (httpStatus) => {
    expect(probe(httpStatus, error('no'))).toEqual({
      outcome: 'refused',
      failure: 'no',
      endsRun: bars[httpStatus],
    });
  });

  test('is surely not the service where a page or a redirect comes', () => {
    expect(probe(200, '<html>It works!</html>')).toEqual({
      outcome: 'foreign',
      failure: 'a page answered: HTTP 200: It works!',
    });
    expect(probe(404, '<h1>Not found</h1>').outcome).toBe('foreign');
    expect(probe(302, '', { location: '/login?to=x' })).toEqual({
      outcome: 'foreign',
      failure: 'it redirects to https://service.example/login',
    });
    expect(probe(301, '')).toEqual({ outcome: 'foreign', failure: 'it redirects' });
  });

  test.each([
    [404, ''],
    [404, { detail: 'Not Found' }],
    [200, 'OK'],
    [500, '<html>oops</html>'],
  ])('may be the service: HTTP %i with %j', (httpStatus, body) => {
    expect(probe(httpStatus, body).outcome).toBe('odd');
  });
});

test.each([301, 307, 308])('HTTP %i is a matter of configuration', (httpStatus) => {
  expect(creation(httpStatus, '', { location: '/v2/api/gen_video?token=x' })).toEqual({
    type: 'creation-not-sent',
    at: context.now,
    endsRun: 'misconfigured',
    failure:
      'the service redirects creations to https://service.example/v2/api/gen_video; put the final address in --base-url',
  });
  for (const location of [null, 'http://[', 'mailto:a@b.example']) {
    expect(creation(httpStatus, '', { location })).toMatchObject({ endsRun: 'misconfigured' });
  }
});

test('a redirect with an error envelope surely made no task', () => {
  expect(creation(302, error('moved'))).toMatchObject({ endsRun: 'misconfigured' });
});

describe('a task', () => {
  test('progresses, with its frames', () => {
    const progress = [
      { id: '1', image: 'https://f.example/1?sig=a' },
      { id: 2, image: 'https://f.example/2' },
      { id: '1', image: 'https://f.example/again' },
      { id: '', image: 'https://f.example/3' },
      { id: '4', image: ' ' },
      { id: '5' },
      { image: 'x' },
      null,
      'x',
      [],
    ];
    expect(status(success({ task_id: 'task-1', status: 'IN_PROGRESS', progress }))).toEqual({
      type: 'task-progressed',
      at: context.now,
      frames: [
        { id: '1', url: 'https://f.example/1?sig=a' },
        { id: '2', url: 'https://f.example/2' },
        { id: '', url: 'https://f.example/3' },
      ],
    });
  });

  test.each(['in_progress', ' In Progress ', 'in-progress'])('in the state %j is known', (state) => {
    expect(status(success({ status: state }))).toEqual({
      type: 'task-progressed',
      at: context.now,
      frames: [],
    });
  });

  test('in a state that is not documented counts as open', () => {
    expect(status(success({ status: 'Queued' }))).toMatchObject({
      type: 'task-progressed',
      unknownState: 'Queued',
    });
  });

  test('has as many frames as before where their ids are alike but for what may be secret in them', () => {
    const progress = ['a', 'b'].map((sig) => ({ id: `https://f.example/1?sig=${sig}`, image: 'x' }));
    const verdict = status(success({ status: 'IN_PROGRESS', progress }));
    const ids = verdict.type === 'task-progressed' ? verdict.frames.map(({ id }) => id) : [];
    expect(new Set(ids).size).toBe(2);
    expect(ids.join()).not.toContain('sig');
  });

  test('has no more frames than a video can have', () => {
    const progress = Array.from({ length: 10_001 }, (_, id) => ({ id, image: 'x' }));
    expect(status(success({ status: 'IN_PROGRESS', progress }))).toMatchObject({
      frames: { length: 10_000 },
    });
  });

  test('completes, with all that the service says of it', () => {
    const data = {
      task_id: 'task-1',
      status: 'Completed',
      progress: [{ id: 'a', image: 'https://f.example/a' }],
      consumption: [
        { type: 'score', value: 12, detail: '讲解' },
        { type: 'SCORE', value: '0.5', detail: 'voice' },
        { type: 'money', value: 99, detail: '' },
      ],
      result: [
        { type: 'audio', content: 'x' },
        { type: 'video', content: '' },
        { type: 'Video', content: 'https://f.example/v.mp4?sig=%2Fa+b' },
        { type: 'video', content: 'https://f.example/other.mp4' },
      ],
      title: 'Area\u0000 of a\u001b[31m circle',
      created_at: '2026-01-01T00:00:00Z',
      finish_at: 1767225600,
    };
    expect(status(success(data))).toEqual({
      type: 'task-completed',
      at: context.now,
      videoUrl: 'https://f.example/v.mp4?sig=%2Fa+b',
      spareUrls: ['https://f.example/other.mp4'],
      frames: [{ id: 'a', url: 'https://f.example/a' }],
      ending: {
        points: 12.5,
        detail: '讲解; voice',
        title: 'Area of a[31m circle',
        createdAt: '2026-01-01T00:00:00Z',
        finishAt: '1767225600',
      },
    });
  });

  test('completes with each link to its video once, and no more of them than are worth a request', () => {
    const content = (n: number) => ({ type: 'video', content: `https://f.example/${n}` });
    const verdict = status(success({ status: 'COMPLETED', result: [1, 1, 2, 3, 4, 5, 6, 7].map(content) }));
    expect(verdict).toMatchObject({
      videoUrl: 'https://f.example/1',
      spareUrls: [2, 3, 4, 5].map((n) => content(n).content),
    });
  });

  test('completes with a text in the place of a video, and with no text beside one', () => {
    const text = { type: 'text', content: '内容\u0007不符合规范' };
    expect(status(success({ status: 'COMPLETED', result: [text] }))).toMatchObject({
      videoUrl: null,
      text: '内容不符合规范',
    });
    const video = { type: 'video', content: 'https://f.example/v' };
    const both = status(success({ status: 'COMPLETED', result: [text, video] }));
    expect(both).toMatchObject({ videoUrl: 'https://f.example/v' });
    expect(both).not.toHaveProperty('text');
  });

  test('completes with single objects in the place of lists', () => {
    const data = {
      status: 'COMPLETED',
      consumption: { type: 'score', value: 3 },
      result: { type: 'video', content: 'https://f.example/v' },
      progress: { id: '1', image: 'https://f.example/1' },
    };
    expect(status(success(data))).toMatchObject({
      videoUrl: 'https://f.example/v',
      frames: { length: 1 },
      ending: { points: 3, title: null, detail: null },
    });
  });

  test.each([
    [undefined],
    [[]],
    [[{ type: 'money', value: 1 }]],
    [[{ type: 'score', value: 'many' }]],
    [[{ type: 'score' }]],
    ['free'],
  ])('completes with unknown points when consumption is %j', (consumption) => {
    const verdict = status(success({ status: 'COMPLETED', consumption }));
    expect(verdict).toMatchObject({ type: 'task-completed', videoUrl: null, ending: { points: null } });
  });

  test('fails, with the reasons of the service and what it charged', () => {
    const result = [
      { type: 'text', content: 'first' },
      { type: 'text', content: 'second' },
    ];
    expect(status(success({ status: 'failed', result }))).toMatchObject({
      type: 'task-failed',
      failure: 'first\nsecond',
      ending: { points: 0 },
    });
    const charged = { status: 'FAILED', consumption: [{ type: 'score', value: 2 }] };
    expect(status(success(charged))).toMatchObject({
      type: 'task-failed',
      failure: 'the service gave no reason',
      ending: { points: 2 },
    });
    const unreadable = { status: 'FAILED', consumption: [{ type: 'score', value: 'two' }] };
    expect(status(success(unreadable))).toMatchObject({ ending: { points: null } });
  });

  test.each<[number, string]>([
    [200, 'Server error: Task not found'],
    [500, 'task NOT FOUND'],
    [404, "Task 'task-1' not found"],
    [400, 'Task task-1 does not exist'],
    [200, 'no such task'],
    [404, 'Not Found'],
  ])('is not found by HTTP %i and %j', (httpStatus, message) => {
    expect(status(error(message), httpStatus)).toEqual(notFound(message));
  });

  test.each<[number, unknown]>([
    [200, error('Not Found')],
    [500, error('task database not found')],
    [404, '<h1>Not Found</h1>'],
    [404, success({ task_id: 'task-1', status: 'COMPLETED' })],
    [200, success({ task_id: 'task-1' })],
    [200, success({ task_id: 'task-1', status: 3 })],
    [200, { data: { status: 'COMPLETED' } }],
    [200, '{"status":"success","data":{"status":"COMPLETED"'],
    [200, ''],
    [204, ''],
    [302, ''],
    [502, 'bad gateway'],
  ])('is told nothing about by HTTP %i and %j', (httpStatus, body) => {
    expect(status(body, httpStatus).type).toBe('poll-unanswered');
  });

  test('is asked for again when the server says, where it is overloaded', () => {
    for (const httpStatus of [429, 503]) {
      expect(status('', httpStatus, { retryAfter: '3' })).toMatchObject({
        type: 'poll-unanswered',
        retryAfterMs: 3_000,
      });
    }
    expect(status('', 500, { retryAfter: '3' })).toMatchObject({
      type: 'poll-unanswered',
      retryAfterMs: null,
    });
  });

  test('with a number for an id is compared digit by digit', () => {
    const body = '{"status":"success","data":{"task_id":9007199254740993,"status":"IN_PROGRESS"}}';
    expect(judgeStatus(reply(200, body), '9007199254740993', context).type).toBe('task-progressed');
    expect(judgeStatus(reply(200, body), '9007199254740992', context).type).toBe('task-not-found');
  });

  test('is not known where the answer is about another one, whatever it says of that', () => {
    expect(status(success({ task_id: 'task-2', status: 'COMPLETED' }))).toEqual(
      notFound('the answer is about another task, task-2'),
    );
  });
});

describe('text of the service', () => {
  test('never brings the key back, however it was echoed', () => {
    const echoes = [
      creation(400, error(`no such key: ${key}`)),
      creation(400, error({ sent: key })),
      creation(400, error(`sk-very\u0000-secret\u001b-key`)),
      creation(400, error(`${'x'.repeat(1_990)}${key}`)),
      creation(404, `<p>${key}</p>`),
      creation(502, `${'y'.repeat(190)}${key}`),
      creation(307, '', { location: `/${key}/` }),
      status(error(`task not found for ${key}`)),
      status(success({ task_id: key, status: 'X' })),
      status(success({ status: key })),
      status(success({ status: 'COMPLETED', title: key, created_at: key, consumption: { detail: key } })),
      status(success({ status: 'FAILED', result: { type: 'text', content: key } })),
    ];
    for (const verdict of echoes) expect(JSON.stringify(verdict)).not.toMatch(/sk-very|secret-key/);
  });

  test('keeps links and task ids as they are, also where they look like secrets', () => {
    const url = `https://f.example/v?sig=${key}`;
    expect(creation(200, success({ task_id: key }))).toEqual(accepted(key));
    expect(status(success({ status: 'COMPLETED', result: { type: 'video', content: url } }))).toMatchObject({
      videoUrl: url,
    });
  });

  test('is well-formed and has an end', () => {
    const verdict = creation(400, error(`\ud800${'😀'.repeat(5_000)}`));
    const failure = verdict.type === 'creation-refused' ? verdict.failure : '';
    expect(failure.length).toBeLessThanOrEqual(2_000);
    expect(failure.isWellFormed()).toBe(true);
    expect(failure.startsWith('\ufffd😀')).toBe(true);
  });
});

describe('no body', () => {
  const outcomes =
    /^(accepted|refused|misconfigured|key-refused|uncertain|task-(progressed|completed|failed|not-found)|poll-(unanswered|refused))$/;
  const bothVerdicts = (body: string, httpStatus = 200): string[] => [
    wordOf(creation(httpStatus, body)),
    status(body, httpStatus).type,
  ];

  test('of any JSON can break the judgement', () => {
    const word = fc.constantFrom(
      'status',
      'data',
      'task_id',
      'messages',
      'progress',
      'consumption',
      'result',
      'type',
      'value',
      'content',
      'id',
      'image',
      'title',
      'detail',
      '__proto__',
      'constructor',
      'toString',
    );
    const value = fc.oneof(
      fc.constantFrom('success', 'error', 'COMPLETED', 'FAILED', 'score', 'video', 'text'),
      fc.jsonValue(),
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof({ depthSize: 'small' }, value, fc.array(tie('tree')), fc.dictionary(word, tie('tree'))),
    }));
    const data = fc.dictionary(word, tree);
    const envelope = fc.record({
      status: fc.constantFrom('success', 'error', null),
      data: fc.oneof(data, tree),
    });
    fc.assert(
      fc.property(
        fc.oneof(tree, envelope),
        fc.integer({ min: 200, max: 599 }),
        fc.nat(),
        (body, httpStatus, cut) => {
          const text = JSON.stringify(body) ?? '';
          for (const piece of [text, text.slice(0, cut % (text.length + 1)), `${text}}`]) {
            for (const verdict of bothVerdicts(piece, httpStatus)) expect(verdict).toMatch(outcomes);
          }
        },
      ),
      { numRuns: 400 },
    );
  });

  test('of any text can break the judgement', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 200, max: 599 }), (body, httpStatus) => {
        for (const verdict of bothVerdicts(body, httpStatus)) expect(verdict).toMatch(outcomes);
      }),
    );
  });

  test.each([
    ['lists', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['objects', `${'{"data":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
    ['messages', `{"status":"error","data":{"messages":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`],
    ['a cut start', '{"data":'.repeat(100_000)],
    ['an endless id', `{"status":"success","data":{"task_id":"${'x'.repeat(1_000_000)}`],
    ['open tags', '<'.repeat(1_000_000)],
    ['white space', `{"task_id"${' '.repeat(500_000)}`],
  ])('of great depth or length (%s) can break or stall the judgement', (_, body) => {
    for (const verdict of bothVerdicts(body))
      expect(verdict).toMatch(/^(uncertain|refused|poll-unanswered)$/);
    expect(bothVerdicts(body, 404)).toHaveLength(2);
  });

  test('can change what other objects inherit', () => {
    bothVerdicts(
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"status":"success"}',
    );
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

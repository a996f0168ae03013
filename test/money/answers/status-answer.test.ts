import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ServiceReply } from '../../../src/money/answers/service-reply.ts';
import { judgeProbe, judgeStatus } from '../../../src/money/answers/status-answer.ts';
import { bars, context, error, key, notFound, reply, status, success } from '../replies.ts';
import { answerOf, reason, undocumentedStates } from '../undocumented-states.ts';

describe('who answers the question about a task that cannot exist', () => {
  const probe = (httpStatus: number, body: unknown, rest: Partial<ServiceReply> = {}) =>
    judgeProbe(reply(httpStatus, body, rest), context);

  test.each([
    [404, error('x')],
    [404, error('Not found')],
    [500, error('x')],
    [200, success({})],
  ])('is the service, by its envelope: HTTP %i with %j', (httpStatus, body) => {
    expect(probe(httpStatus, body)).toEqual({ outcome: 'service' });
  });

  test.each(['Server error: Task not found', '任务不存在'])(
    'says of the task that it is not there: %s',
    (said) => {
      expect(probe(200, error(said))).toEqual({ outcome: 'service', knowsTasks: true });
    },
  );

  test.each([429, 503])('is the service, which answers nothing now: HTTP %i', (httpStatus) => {
    expect(probe(httpStatus, error('slow down'))).toEqual({ outcome: 'service', isBusy: true });
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
    [502, ''],
    [503, { detail: 'no upstream' }],
    [504, '<h1>Gateway Time-out</h1>'],
    [500, '<html>oops</html>'],
    [522, 'error code: 522'],
    [530, ''],
  ])('is away where a gateway answers in its place: HTTP %i with %j', (httpStatus, body) => {
    expect(probe(httpStatus, body).outcome).toBe('gateway');
    expect(probe(httpStatus, error('busy')).outcome).toBe('service');
  });

  test.each([
    [404, ''],
    [404, { detail: 'Not Found' }],
    [200, 'OK'],
    [500, 'oops'],
  ])('may be the service: HTTP %i with %j', (httpStatus, body) => {
    expect(probe(httpStatus, body).outcome).toBe('odd');
  });
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

  test.each([
    ['B5F1C0DE-ABCD', 'b5f1c0de-abcd'],
    ['0042', '42'],
    ['0042', 42],
  ] as const)('%j is the task that the answer calls %j', (taskId, task_id) => {
    const body = success({ task_id, status: 'IN_PROGRESS' });
    expect(judgeStatus(reply(200, body), taskId, context)).toMatchObject({ type: 'task-progressed' });
  });

  test.each(['in_progress', ' In Progress ', 'in-progress'])('in the state %j is known', (state) => {
    expect(status(success({ status: state }))).toEqual({
      type: 'task-progressed',
      at: context.now,
      frames: [],
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
    [200, '任务不存在'],
    [500, '找不到该任务'],
    [500, 'task NOT FOUND'],
    [404, "Task 'task-1' not found"],
    [400, 'Task task-1 does not exist'],
    [200, 'no such task'],
    [404, 'Not Found'],
  ])('is not found by HTTP %i and %j', (httpStatus, message) => {
    expect(status(error(message), httpStatus)).toEqual(notFound(message));
  });

  const link = 'https://f.example/v.mp4?a=1&sig=2';
  const video = { type: 'video', content: link };
  const made = JSON.stringify({ task_id: ' task-1 ', status: 'COMPLETED', result: [video] });

  test.each([
    ['NaN', `{"status":"success","data":{"x":NaN,${made.slice(1)}}`],
    ['raw breaks', `{"status":"success","title":"a\nb","data":${made}}`],
    ['a comma too many', `{"status":"success","data":${made},}`],
    ['comments', `{/* one */"status":"success","data":${made} // two\n}`],
    ['a notice before it', `<br />\n<b>Notice</b>: x<br />\n{"status":"success","data":${made}}`],
    ['a notice behind it', `{"status":"success","data":${made}}\nWarning: {x}`],
    ['a string around it', JSON.stringify(`{"status":"success","data":${made}}`)],
    ['a string around its data', JSON.stringify({ status: 'success', data: made })],
    ['no word of success', `{"data":${made}}`],
    ['another word', `{"status":"ok","data":${made}}`],
  ])('completes with its video also where the answer has %s', (_, body) => {
    expect(status(body)).toMatchObject({ type: 'task-completed', videoUrl: link });
  });

  test('has unknown points where they are no number', () => {
    const points = '"consumption":[{"type":"score","value":NaN}]';
    for (const state of ['COMPLETED', 'FAILED'])
      expect(status(`{"status":"success","data":{"status":"${state}",${points}}}`)).toMatchObject({
        ending: { points: null },
      });
  });

  test.each([
    `<p>{"status":"error","data":{"messages":"Task not found"}}</p>`,
    `[{"status":"error","data":{"messages":"Task not found"}}`,
    '{"status":"success","data":{"status":"FAILED"}}{"status":"success","data":{"status":"IN_PROGRESS"}}',
    '{"data":{"status":"FAILED"}}',
    '{"data":{"status":"COMPLETED"}}',
  ])('is neither gone nor failed by what cannot be read for sure: %s', (body) => {
    expect(status(body)).toMatchObject({ type: 'poll-unanswered', isWhole: true, isUnread: true });
  });

  test('is not gone where a notice stands around the word', () => {
    const said = `Notice: x\n${JSON.stringify(error('Server error: Task not found'))}`;
    expect(status(said)).toMatchObject({
      type: 'poll-unanswered',
      failure: expect.stringContaining('not found'),
    });
  });

  test('that cannot be read is told with the answer', () => {
    const said = status(`<p>${key} {'video': '${link}'}</p>`);
    expect(said).toMatchObject({
      failure: expect.stringMatching(/^HTTP 200, but the body is not JSON; answer: <p>\[secret\] /),
    });
    expect(JSON.stringify(said)).not.toMatch(/sig|sk-very/);
    const asked = { ...context, wantsLinks: true };
    expect(judgeStatus(reply(500, `<p>${link}</p>`), 'task-1', asked)).toMatchObject({ links: [link] });
    expect(status(error('db error'))).not.toHaveProperty('isUnread');
  });

  test.each<[number, unknown]>([
    [200, error('Not Found')],
    [500, error('task database not found')],
    [404, '<h1>Not Found</h1>'],
    [404, success({ task_id: 'task-1', status: 'COMPLETED' })],
    [200, success({ task_id: 'task-1' })],
    [200, success({ task_id: 'task-1', status: 3 })],
    [200, success({ task_id: 'task-1', result: [{ type: 'text', content: 'x' }] })],
    [200, { data: { status: 'COMPLETED' } }],
    [200, '{"status":"success","data":{"status":"COMPLETED"'],
    [200, ''],
    [204, ''],
    [302, ''],
    [502, 'bad gateway'],
  ])('is told nothing about by HTTP %i and %j', (httpStatus, body) => {
    expect(status(body, httpStatus).type).toBe('poll-unanswered');
  });

  test('was answered all the same where the answer came to its end, whatever it was', () => {
    for (const [httpStatus, body] of [
      [200, error('db error')],
      [500, error('db error')],
      [404, '{"detail":"Not Found"}'],
      [200, success([])],
      [200, success({})],
      [502, 'bad gateway'],
      [503, error('db error')],
    ] as const)
      expect(status(body, httpStatus)).toMatchObject({ type: 'poll-unanswered', isWhole: true });
  });

  test.each<[number, unknown, Partial<ServiceReply>]>([
    [200, '{"status":"succ', { defect: 'it is cut' }],
    [429, error('slow down'), {}],
    [429, error('slow down'), { retryAfter: '30' }],
    [503, '<h1>down</h1>', { retryAfter: '30' }],
  ])('was not answered by HTTP %i and %j, %j', (httpStatus, body, more) => {
    const said = status(body, httpStatus, more);
    expect(said.type).toBe('poll-unanswered');
    expect(said).not.toHaveProperty('isWhole');
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
    expect(judgeStatus(reply(200, body), '9007199254740992', context).type).toBe('poll-unanswered');
  });

  test('is waited for where the answer is about another one, whatever it says of that', () => {
    expect(status(success({ task_id: 'task-2', status: 'COMPLETED' }))).toEqual({
      type: 'poll-unanswered',
      failure: 'the answer is about another task, task-2',
      retryAfterMs: null,
      isWhole: true,
    });
  });
});

describe('a task that is answered about otherwise than documented', () => {
  const link = 'https://f.example/v.mp4';

  test.each(undocumentedStates.map((state) => [state.judged, state.name, state] as const))(
    'counts as %s with %s',
    (judged, _, state) => {
      const { http = 200, word, contrary } = state;
      const data = state.data(link);
      const verdict = status(answerOf(state, 'task-1', link), http);
      const asked = status(success({ task_id: 'task-1', ...data, status: judged }));
      const said = [
        http === 200 ? '' : `HTTP ${http}`,
        word === 'error' ? word : '',
        'status' in data && data.status,
      ];
      expect(verdict).toEqual({
        ...asked,
        unknownState: said
          .filter((part) => part !== false && part !== '')
          .join(' ')
          .trim(),
        ...(contrary && { ...contrary, isContrary: true }),
      });
      if (judged === 'COMPLETED') expect(verdict).toMatchObject({ videoUrl: link });
      if (judged === 'FAILED') expect(verdict).toMatchObject({ failure: reason, ending: { points: 0 } });
    },
  );

  test('has its video whatever stands around it, and no other task has that', () => {
    const around = fc.oneof(fc.constantFrom('success', 'error', 'IN_PROGRESS', 'FAILED'), fc.jsonValue());
    const consumption = fc.oneof(fc.jsonValue(), fc.constant([{ type: 'score', value: 0 }]));
    fc.assert(
      fc.property(
        fc.record({ http: fc.integer({ min: 200, max: 599 }), word: around, state: around, consumption }),
        fc.array(fc.jsonValue(), { maxLength: 3 }),
        ({ http, word, state, consumption }, others) => {
          const result = [...others, { type: 'video', content: link }];
          const data = (task_id: string) => ({ task_id, status: state, consumption, result });
          expect(status({ status: word, data: data('task-1') }, http)).toMatchObject({ videoUrl: link });
          expect(status({ status: word, data: data('task-2') }, http)).not.toHaveProperty('videoUrl');
        },
      ),
    );
  });

  test('is not judged where the answer is about another one', () => {
    for (const state of undocumentedStates) {
      const verdict = status(answerOf(state, 'task-2', link), state.http);
      expect(verdict.type).toMatch(/^poll-(?:unanswered|refused)$/);
    }
  });

  test('is not judged by a video that names no task, where the answer is an error', () => {
    const result = [{ type: 'video', content: link }];
    expect(status(success({ status: 'COMPLETED', result }), 500).type).toBe('poll-unanswered');
    expect(status({ status: 'error', data: { result } }).type).toBe('poll-unanswered');
    expect(status({ data: { status: 'DONE', result } }).type).toBe('poll-unanswered');
  });

  test('is told without what is secret or no text in its name, and shortened', () => {
    const named = (state: unknown) =>
      status(success({ status: state, result: { type: 'video', content: link } }));
    expect(named(`DONE\u001b[2J ${key}`)).toMatchObject({
      unknownState: expect.stringMatching(/^DONE\[2J /),
    });
    expect(JSON.stringify(named(`DONE ${key}`))).not.toContain(key);
    expect(named('D'.repeat(1_000))).toMatchObject({ unknownState: `${'D'.repeat(99)}…` });
    expect(named({ code: 5 })).toMatchObject({ unknownState: '{"code":5}' });
  });
});

describe('a task in a documented state', () => {
  const consumption = [{ type: 'score', value: 0 }];
  const video = { type: 'video', content: 'https://f.example/v.mp4' };

  test.each([
    ['IN_PROGRESS', 'task-progressed'],
    ['FAILED', 'task-failed'],
    ['COMPLETED', 'task-completed'],
  ])('is %s, whatever comes with it but a video', (state, type) => {
    const made = state === 'COMPLETED' ? [video] : [];
    for (const result of [[], made, [{ type: 'text', content: 'x' }]]) {
      const verdict = status(success({ status: state, result, consumption }));
      expect(verdict).toMatchObject({ type });
      expect(verdict).not.toHaveProperty('unknownState');
    }
  });
});

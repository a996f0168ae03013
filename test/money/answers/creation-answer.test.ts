import { describe, expect, test } from 'vitest';
import { accepted, context, creation, error, key, success } from '../replies.ts';

describe('a creation is accepted', () => {
  test.each([200, 201, 202, 302, 400, 401, 429, 500])(
    'when a success envelope names a task, also with HTTP %i',
    (httpStatus) => {
      expect(creation(httpStatus, success({ task_id: 'abc' }))).toEqual(accepted('abc'));
    },
  );

  test('in any case of letters, and with an id that is kept exactly, but for blanks around it', () => {
    expect(creation(200, { status: ' SUCCESS ', data: { task_id: ' a/b?c ' } })).toEqual(accepted('a/b?c'));
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

describe('a creation that is answered carelessly', () => {
  const taskId = '"task_id":"abc"';

  test.each([
    `{"status":"success","data":{${taskId},"cost":NaN,},}`,
    `{"status":"success","note":"a\nb","data":{${taskId}}}`,
    `<br />\n<b>Notice</b>: Undefined index <br />\n{"status":"success","data":{${taskId}}}`,
    `{"status":"success","data":{${taskId}}}<!-- 3 ms -->`,
    JSON.stringify(`{"status":"success","data":{${taskId}}}`),
    JSON.stringify({ status: 'success', data: `{${taskId}}` }),
    `{"status":"success","data":{"task_id":" abc\\n"}}`,
  ])('is accepted: %s', (body) => {
    expect(creation(200, body)).toEqual(accepted('abc'));
  });

  test('is refused where the error is all of the answer, and not where anything else stands with it', () => {
    const refusal = JSON.stringify(error('no points'));
    const careless = refusal.replace('{', '{"at": NaN, ').replace(/\}\}$/, ',},}');
    for (const body of [`\ufeff ${refusal}\n`, careless])
      expect(creation(200, body)).toMatchObject({ type: 'creation-refused' });
    for (const body of [
      `Notice: x\n${refusal}`,
      `${refusal}\nNotice: x`,
      `<p>${refusal}</p>`,
      `[${refusal}`,
      refusal + refusal,
      `{"x":${refusal}`,
    ])
      expect(creation(200, body)).toMatchObject({ type: 'creation-uncertain' });
  });

  test('keeps more of its answer for the log than fits into a failure', () => {
    const verdict = creation(200, `id ${'x'.repeat(5_000)} ${key}`, { defect: 'd'.repeat(3_000) });
    if (verdict.type !== 'creation-uncertain') throw new Error(verdict.type);
    expect(verdict.answer).toHaveLength(4_000);
    expect(verdict.failure.length).toBeLessThanOrEqual(2_000);
    expect(verdict.failure).toContain('; answer: id xxx');
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
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const answer = text.replace(/\s+/g, ' ');
    expect(creation(200, body)).toMatchObject({
      type: 'creation-uncertain',
      failure: `HTTP 200 without a readable task id${answer === '' ? '' : `; answer: ${answer}`}`,
      answer,
    });
  });

  test.each([302, 303, 300, 304, 305, 408, 409, 425, 418, 500, 502, 503, 504, 599])(
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
      failure: 'HTTP 200, but other side closed; answer: {"sta',
    });
  });
});

describe('a creation that is refused, in an answer that names a task, is uncertain', () => {
  const named = { messages: 'no', task_id: 't-1' };
  test.each<[number, unknown]>([
    [200, { status: 'Error', data: named }],
    [503, { status: 'error', data: named }],
    [200, { status: 'error', task_id: 7, data: { messages: 'no' } }],
    [500, { status: 'error', data: JSON.stringify(named) }],
    [500, { status: 'error', data: { messages: `${'no '.repeat(3_000)} taskId: t-1` } }],
    [400, { status: 'error', data: { task: { id: 't-1' } } }],
    [200, { status: 'error', data: { result: [{ type: 'video', content: 'https://f.example/t-1.mp4' }] } }],
    [401, { data: named }],
    [429, named],
    [404, '<p>task-id=t-1</p>'],
    [307, { status: 'error', data: named }],
  ])('HTTP %i with %j', (httpStatus, body) => {
    const verdict = creation(httpStatus, body, { location: '/else' });
    if (verdict.type !== 'creation-uncertain') throw new Error(verdict.type);
    expect(verdict.failure).toMatch(`HTTP ${httpStatus}, an error that names a task; answer: `);
    expect(verdict.failure).toMatch(/t-1|7/);
    expect(verdict.endsRun).toBe(httpStatus === 307 ? 'misconfigured' : undefined);
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

  test.each<unknown>([null, 0, -1, '', [], {}])('by an error envelope whose task id is none: %j', (none) => {
    for (const data of [
      { task_id: none, messages: 'no' },
      { request_id: 'r-1', task: { id: none } },
    ])
      expect(creation(200, { status: 'error', data }).type).toBe('creation-refused');
  });

  test.each([400, 404, 405, 413, 414, 415, 422, 431])(
    'by HTTP %i alone, perhaps of a gateway',
    (httpStatus) => {
      const page =
        '<html><head><style>p{}</style><script>x()</script></head><body><h1>Not   here</h1>\n</body>';
      expect(creation(httpStatus, page)).toMatchObject({
        type: 'creation-barred',
        failure: `HTTP ${httpStatus}: Not here`,
        bar: 'gateway',
      });
      expect(creation(httpStatus, error('too large'))).toMatchObject({
        type: 'creation-refused',
        passing: false,
      });
    },
  );

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

describe('who answers a creation', () => {
  test.each([
    ['the service, by its envelope', 200, success({}), 'service'],
    ['a gateway before it', 502, '<html>bad gateway</html>', 'service'],
    ['somebody with pages', 200, '\n<!doctype html><html>', 'page'],
    ['somebody else', 200, 'OK', 'bare'],
    ['somebody else', 418, { detail: 'I am a teapot' }, 'bare'],
  ])('is %s: HTTP %i with %j', (_, httpStatus, body, origin) => {
    expect(creation(httpStatus, body)).toMatchObject({ origin });
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

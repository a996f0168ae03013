import { describe, expect, it } from 'vitest';
import { bare, errorEnvelope, type Reply, reset, silence, success } from './support/scripted-service.ts';
import { openStage, questions, runLine, type Stage } from './support/stage.ts';

/** A run of row `a` alone whose creations all get this answer. */
async function openAnswered(reply: Reply): Promise<Stage> {
  const stage = await openStage({ create: () => reply });
  await stage.write('q.csv', questions('a'));
  return stage;
}

const abnormal = (cause: string): Reply =>
  errorEnvelope(`The video generation interface response is abnormal: ${cause}`);

describe.concurrent('a creation that is refused makes its row rejected, for 0 points', () => {
  it.for([
    [
      '200 with an error envelope',
      errorEnvelope('The picture is not a question'),
      'The picture is not a question',
    ],
    ['500 with an error envelope', errorEnvelope('The picture is empty', 500), 'The picture is empty'],
    ['an error of the step below that does not pass', abnormal('400 - bad picture'), '400 - bad picture'],
    ['400', bare(400), 'HTTP 400'],
    ['404', bare(404), 'HTTP 404'],
    ['413', bare(413), 'HTTP 413'],
    ['415', bare(415), 'HTTP 415'],
    ['422', bare(422), 'HTTP 422'],
  ] as const)('%s', async ([, reply, failure]) => {
    await using stage = await openAnswered(reply);
    const ending = await stage.batch(runLine('q.csv', '--json'));
    expect(ending.code).toBe(1);
    expect(JSON.parse(ending.stdout)).toMatchObject({
      statuses: { rejected: 1 },
      points: { spent: 0, reserved: 0 },
    });
    const [line] = await stage.report();
    expect(line).toMatchObject({ status: 'rejected', points: '0', attempts: '1' });
    expect(line?.failure).toContain(failure);
    expect(stage.service.creations).toHaveLength(1);
  });
});

describe.concurrent('a creation whose outcome is not known makes its row uncertain, for unknown points', () => {
  it.for([
    ['a bare 500', bare(500)],
    ['a bare 502', bare(502)],
    ['a bare 408', bare(408)],
    ['a bare 409', bare(409)],
    ['a bare 425', bare(425)],
    ['a reset after the request', reset],
    ['an answer that is no JSON', bare(200, '{"status":"succ', { 'content-type': 'application/json' })],
    ['a page where an answer should be', bare(200)],
    ['200 without a task id', success({})],
    ['an error that names a task', bare(200, '{"status":"error","data":{"task_id":"t-1"}}')],
    ['200 without a body', bare(200, '')],
  ] as const)('%s', async ([, reply]) => {
    await using stage = await openAnswered(reply);
    const ending = await stage.batch(runLine('q.csv', '--json'));
    expect(ending.code).toBe(5);
    expect(JSON.parse(ending.stdout)).toMatchObject({
      statuses: { uncertain: 1 },
      points: { spent: 0, reserved: null },
    });
    const [line] = await stage.report();
    expect(line).toMatchObject({ status: 'uncertain', points: '', task_id: '', attempts: '1' });
    expect(line?.failure).not.toBe('');
    expect(stage.service.creations).toHaveLength(1);
  });

  it('no answer within --request-timeout', async () => {
    await using stage = await openAnswered(silence);
    const ending = await stage.batch(runLine('q.csv', '--request-timeout', '500ms'));
    expect(ending).toMatchObject({ code: 5, stdout: expect.stringContaining('batch resolve ./videos a') });
    expect(await stage.statuses()).toEqual({ a: 'uncertain' });
    expect(stage.service.creations).toHaveLength(1);
  });

  it('and no command but resolve sends it again', async () => {
    await using stage = await openAnswered(reset);
    await stage.batch(runLine('q.csv'));
    stage.service.follow({});
    expect((await stage.batch(runLine('q.csv'))).code).toBe(5);
    expect((await stage.batch(['resume'])).code).toBe(5);
    expect((await stage.batch(['collect'])).code).toBe(5);
    expect((await stage.batch(['retry', '--failed', '--rejected', '--lost'])).code).toBe(5);
    const retry = await stage.batch(['retry', '--only', 'a']);
    expect(retry).toMatchObject({ code: 2, stderr: expect.stringContaining('batch resolve') });
    expect((await stage.batch(runLine('q.csv', '--rerun-changed'))).code).toBe(5);
    expect(stage.service.creations).toHaveLength(1);
  });

  it('and resolve is named so that it can be typed for an id that looks like an option', async () => {
    await using stage = await openAnswered(reset);
    await stage.write('q.csv', questions('-x'));
    const ending = await stage.batch(runLine('q.csv'));
    const command = "batch resolve ./videos --task-id T -- '-x'";
    expect(ending.stdout.split(command)).toHaveLength(2);
    const resolved = await stage.batch(['resolve', './videos', '--not-created', '--yes', '--', '-x']);
    expect(resolved).toMatchObject({ code: 0, stdout: expect.stringContaining('row -x is pending') });
  });
});

describe.concurrent('a key that is refused for two rows stops the run and leaves the rows pending', () => {
  it.for([
    [
      401,
      'Unauthorized: Invalid API key',
      /refused the API key: row a and row b: Unauthorized/,
      /set a valid key in BATCH_API_KEY/,
    ],
    [
      402,
      'Insufficient balance',
      /the account has no points left: row a and row b: Insuff/,
      /add points to the account/,
    ],
    [
      403,
      'This key may only read',
      /the API key lacks permission: row a and row b: This key/,
      /give the key this permission/,
    ],
  ] as const)('%i is told for what it is, and what to do', async ([status, words, why, advice]) => {
    await using stage = await openAnswered(errorEnvelope(words, status));
    await stage.write('q.csv', questions('a', 'b', 'c'));
    const ending = await stage.batch(runLine('q.csv', '-j', '1'));
    expect(ending).toMatchObject({ code: 3, stdout: expect.stringMatching(why) });
    expect(ending.stdout).toMatch(advice);
    expect(await stage.statuses()).toEqual({ a: 'pending', b: 'pending', c: 'pending' });
    expect(stage.service.creations).toHaveLength(2);
    stage.service.follow({});
    expect((await stage.batch(runLine('q.csv', '-j', '1'))).code).toBe(0);
    expect(stage.service.events.filter((event) => event.startsWith('create')).slice(2)).toEqual([
      'create Question c',
      'create Question a',
      'create Question b',
    ]);
  });

  it('also for the only row, where the answer is no message of the service', async () => {
    await using stage = await openAnswered(
      bare(402, '{"detail":"Insufficient balance"}', { 'content-type': 'application/json' }),
    );
    expect(await stage.batch(runLine('q.csv'))).toMatchObject({
      code: 3,
      stdout: expect.stringMatching(/no points left: row a: HTTP 402: .*Insufficient balance/),
    });
  });
});

describe.concurrent('a creation is sent again by itself', () => {
  it.for([
    ['429', bare(429, '', { 'retry-after': '1' })],
    ['an error of the step below that passes', abnormal('503 - Service Unavailable')],
  ] as const)('after %s', async ([, reply]) => {
    await using stage = await openStage({ create: ({ attempt }) => (attempt === 1 ? reply : undefined) });
    await stage.write('q.csv', questions('a'));
    expect((await stage.batch(runLine('q.csv'))).code).toBe(0);
    expect(stage.service.creations).toHaveLength(2);
    expect(await stage.report()).toMatchObject([{ status: 'completed', points: '10', attempts: '1' }]);
  });
});

describe.concurrent('a redirect of a creation stops the run, and its target sees nothing', () => {
  it.for([
    [301, 'pending', 4],
    [302, 'uncertain', 5],
    [303, 'uncertain', 5],
    [307, 'pending', 4],
    [308, 'pending', 4],
  ] as const)('%i leaves the row %s', async ([status, rowStatus, code]) => {
    await using stage = await openAnswered(bare(status, '', { location: '/elsewhere/api/gen_video' }));
    await stage.write('q.csv', questions('a', 'b', 'c'));
    const ending = await stage.batch(runLine('q.csv', '-j', '1'));
    expect(ending).toMatchObject({ code, stdout: expect.stringContaining('/elsewhere/api/gen_video') });
    expect(await stage.statuses()).toEqual({ a: rowStatus, b: 'pending', c: 'pending' });
    expect(stage.service.events).toEqual(['create Question a']);
  });
});

describe.concurrent('what one request is answered', () => {
  it('concerns no other: a page for one row, and a gateway that never tells of one task', async () => {
    await using stage = await openStage({
      create: ({ question }) => (question === 'Question b' ? bare(413) : undefined),
      status: ({ question }) => (question === 'Question c' ? bare(403) : undefined),
    });
    await stage.write('q.csv', questions('a', 'b', 'c', 'd', 'e'));
    const ending = await stage.batch(runLine('q.csv', '--task-timeout', '2s'));
    expect(ending.code).toBe(1);
    expect(await stage.statuses()).toEqual({
      a: 'completed',
      b: 'rejected',
      c: 'lost',
      d: 'completed',
      e: 'completed',
    });
    const [, b, c] = await stage.report();
    expect([b?.failure, c?.failure]).toEqual([
      expect.stringContaining('HTTP 413'),
      expect.stringContaining('HTTP 403'),
    ]);
    expect(stage.service.creations).toHaveLength(5);
  });
});

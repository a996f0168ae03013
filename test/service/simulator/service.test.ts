import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { parseFault } from '../../../src/service/simulator/faults.ts';
import { sha256 } from '../../../src/service/simulator/seeded-random.ts';
import { askStatus, create, createTaskId, foreverMs, startRehearsal, statusOf } from './rehearsal.ts';

/** The text of an error envelope; anything else throws. */
async function errorOf(response: Response): Promise<string> {
  const envelope = (await response.json()) as { status: string; data: { messages: string } };
  expect(Object.keys(envelope.data)).toEqual(['messages']);
  expect(envelope.status).toBe('error');
  return envelope.data.messages;
}

describe('the key', () => {
  test('is asked for by both endpoints', async () => {
    await using simulator = await startRehearsal();
    const wrong = await create(simulator, { question: 'q' }, { authorization: 'Bearer other' });
    expect([wrong.status, await errorOf(wrong)]).toEqual([401, 'Unauthorized: Invalid API key']);
    const missing = await fetch(`${simulator.baseUrl}/api/get_status/x`);
    expect([missing.status, await errorOf(missing)]).toEqual([401, 'Unauthorized: Invalid API key']);
    expect(simulator.ledger()).toMatchObject({ accepted: 0, refused: 0 });
  });
});

describe('a creation', () => {
  test('is answered with a task id alone', async () => {
    await using simulator = await startRehearsal({ durationMs: foreverMs });
    const response = await create(simulator, { question: 'What is 2+2?', answer: '4', quality: 'h' });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      status: 'success',
      data: { task_id: expect.stringMatching(/^sim-/) },
    });
  });

  test('beyond its capacity is refused for now, and taken once a task has ended', async () => {
    await using simulator = await startRehearsal({
      durationMs: foreverMs,
      faults: new Map([['capacity', 2]]),
    });
    await createTaskId(simulator, { question: 'one' });
    await createTaskId(simulator, { question: 'two' });
    const response = await create(simulator, { question: 'three' });
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '1']);
    expect(simulator.ledger()).toMatchObject({ accepted: 2, refused: 1, max_open: 2 });
    await using quick = await startRehearsal({ durationMs: 0, faults: new Map([['capacity', 1]]) });
    await createTaskId(quick, { question: 'one' });
    expect((await create(quick, { question: 'two' })).status).toBe(200);
  });

  test('may ask with images alone', async () => {
    await using simulator = await startRehearsal();
    const taskId = await createTaskId(simulator, { questionImages: ['https://example.org/q.png'] });
    expect((await statusOf(simulator, taskId)).title).toBe('A question in pictures');
  });

  test.each([
    ['no question and no image', { answer: '4' }, 400, /question or questionImages/],
    ['a blank question', { question: ' \n' }, 400, /question or questionImages/],
    ['broken JSON', '{"question": ', 400, /not JSON/],
    ['an array', [], 400, /JSON object/],
    ['a question that is no string', { question: 4 }, 400, /question must be a string/],
    ['a question that is null', { question: null }, 400, /question must be a string/],
    ['images that are no array', { question: 'q', questionImages: 'x' }, 400, /questionImages must be/],
    ['an empty image', { question: 'q', answerImages: [''] }, 400, /answerImages must be/],
    ['an unknown quality', { question: 'q', quality: 'high' }, 400, /quality must be one of h, m, l/],
    ['a callback address without scheme', { question: 'q', notify_url: 'example.org/x' }, 400, /notify_url/],
    ['a callback address of another scheme', { question: 'q', notify_url: 'file:///x' }, 400, /notify_url/],
    ['more than 32 MiB', JSON.stringify({ question: 'q'.repeat(33 * 2 ** 20) }), 413, /over 33554432 bytes/],
  ])('with %s is refused with the error envelope', async (_, body, statusCode, message) => {
    await using simulator = await startRehearsal();
    const response = await create(simulator, body);
    expect(await errorOf(response)).toMatch(message);
    expect(response.status).toBe(statusCode);
    expect(simulator.ledger()).toMatchObject({ accepted: 0, refused: 1 });
  });

  test('that does not say it is JSON is refused', async () => {
    await using simulator = await startRehearsal();
    const response = await create(simulator, { question: 'q' }, { 'content-type': 'text/plain' });
    expect([response.status, await errorOf(response)]).toEqual([415, expect.stringMatching(/Content-Type/)]);
  });
});

describe('the status of a task', () => {
  test('in progress has three fields', async () => {
    await using simulator = await startRehearsal({ durationMs: foreverMs });
    const task_id = await createTaskId(simulator, { question: 'q' });
    expect(await statusOf(simulator, task_id)).toEqual({ task_id, status: 'IN_PROGRESS', progress: [] });
  });

  test.each([
    ['l', 5],
    ['m', 10],
    ['h', 20],
  ])(
    'that is completed at quality %s tells frames, %i points, video, title and times',
    async (quality, value) => {
      await using simulator = await startRehearsal();
      const question = `Why is the sky blue?\n${'And the sea? '.repeat(20)}`;
      const task_id = await createTaskId(simulator, { question, quality });
      const link = (name: string) =>
        expect.stringMatching(
          new RegExp(`^${simulator.baseUrl}/files/${task_id}/${name}\\?expires=\\d+&signature=[0-9a-f]{64}$`),
        );
      const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(await statusOf(simulator, task_id)).toEqual({
        task_id,
        status: 'COMPLETED',
        progress: [1, 2, 3].map((step) => ({ id: `frame-${step}`, image: link(`frame-${step}.png`) })),
        consumption: [{ type: 'score', value, detail: expect.stringContaining('quality') }],
        result: [{ type: 'video', content: link('video.webm') }],
        title: 'Why is the sky blue? And the sea? And the sea? And the sea?',
        created_at: iso,
        finish_at: iso,
      });
    },
  );

  test('that failed tells no points and a text, and has no progress', async () => {
    await using simulator = await startRehearsal({ failRate: 1 });
    const task_id = await createTaskId(simulator, { question: 'q' });
    expect(await statusOf(simulator, task_id)).toEqual({
      task_id,
      status: 'FAILED',
      consumption: [{ type: 'score', value: 0, detail: expect.any(String) }],
      result: [{ type: 'text', content: expect.stringMatching(/failed|失败/) }],
    });
    expect(simulator.ledger()).toMatchObject({ accepted: 1, failed: 1, points: 0 });
  });

  test('that is unknown is an error envelope', async () => {
    await using simulator = await startRehearsal();
    expect(await errorOf(await askStatus(simulator, 'sim-0'))).toBe('Server error: Task not found');
  });
});

test.each(['/', '/api/gen_video', '/api/gen_video/x', '/api/get_status', '/api/get_status/a/b', '/other'])(
  'a GET of %s is a 404 error envelope',
  async (path) => {
    await using simulator = await startRehearsal();
    const headers = { authorization: `Bearer ${simulator.apiKey}` };
    const response = await fetch(simulator.baseUrl + path, { headers });
    expect([response.status, await errorOf(response)]).toEqual([404, 'Not found']);
  },
);

test('the callback address hears once that its task has ended', async () => {
  await using simulator = await startRehearsal();
  await using listener = createServer();
  await once(listener.listen(0, '127.0.0.1'), 'listening');
  const { port } = listener.address() as AddressInfo;
  const hit = once(listener, 'request');
  const task_id = await createTaskId(simulator, {
    question: 'q',
    notify_url: `http://127.0.0.1:${port}/secret-path?row=1`,
  });
  const [request, response] = await hit;
  expect([request.method, request.url]).toEqual(['POST', '/secret-path?row=1']);
  expect(JSON.parse((await buffer(request)).toString())).toEqual({ task_id, status: 'COMPLETED' });
  response.end();
});

describe('the ledger', () => {
  test('is told to whoever calls the service by a name of its own, as another name may be that of another site', async () => {
    await using simulator = await startRehearsal();
    const { port } = new URL(simulator.baseUrl);
    const ask = async (host: string, path = 'ledger'): Promise<number | undefined> => {
      const asked = get(`${simulator.baseUrl}/${path}`, { headers: { host } });
      const [response] = (await once(asked, 'response')) as [IncomingMessage];
      response.resume();
      return response.statusCode;
    };
    for (const name of ['127.0.0.1', 'localhost', 'LocalHost', '[::1]'])
      expect(await ask(`${name}:${port}`)).toBe(200);
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      'localhost',
      'localhost:1',
      `a.localhost:${port}`,
    ])
      expect(await ask(host)).toBe(403);
    expect(await ask('evil.example', 'statement')).toBe(403);
  });

  test('is written as a statement too: what was charged, as the page of an account would export it', async () => {
    await using simulator = await startRehearsal();
    const task_id = await createTaskId(simulator, { question: 'What is "1, 2"?\n3', quality: 'h' });
    const other = await createTaskId(simulator, { question: '为什么' });
    await using open = await startRehearsal({ durationMs: foreverMs });
    await createTaskId(open, { question: 'not yet' });
    const statement = async ({ baseUrl }: typeof simulator): Promise<string> => {
      const response = await fetch(`${baseUrl}/statement`);
      expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
      return response.text();
    };
    const [first, second] = simulator.ledger().tasks;
    expect(await statement(simulator)).toBe(
      'task_id,time,points,question,type\r\n' +
        `${task_id},${first?.created_at},20,"What is ""1, 2""?\n3",gen_video\r\n` +
        `${other},${second?.created_at},10,为什么,gen_video\r\n`,
    );
    expect(await statement(open)).toBe('task_id,time,points,question,type\r\n');
  });

  test('tells what was accepted and charged, over the wire as in the process', async () => {
    await using simulator = await startRehearsal();
    const body = JSON.stringify({ question: '为什么?', quality: 'h' });
    const task_id = await createTaskId(simulator, body);
    await create(simulator, {});
    const ledger = await (await fetch(`${simulator.baseUrl}/ledger`)).json();
    expect(ledger).toEqual(simulator.ledger());
    expect(ledger).toEqual({
      accepted: 1,
      completed: 1,
      failed: 0,
      vanished: 0,
      open: 0,
      points: 20,
      refused: 1,
      max_open: 1,
      tasks: [
        {
          task_id,
          question: '为什么?',
          quality: 'h',
          status: 'COMPLETED',
          points: 20,
          created_at: expect.any(String),
          finish_at: expect.any(String),
          body_sha256: sha256(body),
          question_image_sha256: [],
          answer_image_sha256: [],
        },
      ],
    });
  });

  test('knows each image by the digest of its bytes, however they came; an address has none', async () => {
    await using simulator = await startRehearsal();
    const bytes = Buffer.from('a picture');
    const base64 = bytes.toString('base64');
    await createTaskId(simulator, {
      question: 'q',
      questionImages: [base64, 'https://example.com/a.png', `data:image/png;base64,${base64}`],
      answerImages: [base64],
    });
    expect(simulator.ledger().tasks[0]).toMatchObject({
      question_image_sha256: [sha256(bytes), null, sha256(bytes)],
      answer_image_sha256: [sha256(bytes)],
    });
  });

  test('counts a thousand tasks, and the most that were open at once', async () => {
    await using simulator = await startRehearsal({ durationMs: foreverMs });
    for (let done = 0; done < 1000; done += 50) {
      await Promise.all(
        Array.from({ length: 50 }, (_, i) => createTaskId(simulator, { question: `q${done + i}` })),
      );
    }
    const ledger = simulator.ledger();
    expect(ledger).toMatchObject({ accepted: 1000, open: 1000, max_open: 1000, points: 0 });
    expect(new Set(ledger.tasks.map((task) => task.task_id)).size).toBe(1000);
    expect(ledger.tasks.every((task) => task.finish_at === null)).toBe(true);
  });
});

describe('chance', () => {
  const rates = ['busy=20%', 'refuse=10%', 'vanish=10%', 'no-video=10%'].flatMap(
    (text) => parseFault(text) ?? [],
  );
  const faults = new Map(rates.map(({ name, rate }) => [name, rate]));
  const questions = Array.from({ length: 60 }, (_, i) => `question ${i % 50}`);

  /** What became of each question, in the order in which it was asked that often. */
  async function outcomes(
    seed: number,
    asked: readonly string[],
    callback: string,
  ): Promise<Map<string, string[]>> {
    await using simulator = await startRehearsal({ seed, faults, failRate: 0.3, durationMs: 9 });
    const fateOf = new Map<string, string[]>();
    for (const question of asked) {
      const response = await create(simulator, { question, notify_url: callback });
      const { data } = (await response.json()) as { data: { task_id?: string } };
      fateOf.set(question, [...(fateOf.get(question) ?? []), data.task_id ?? 'refused']);
    }
    await expect.poll(() => simulator.ledger().open).toBe(0);
    const ends = new Map(
      simulator.ledger().tasks.map(({ task_id, status, created_at, finish_at, points }) => {
        const lifeMs = Date.parse(finish_at ?? '') - Date.parse(created_at);
        return [task_id, `${status} ${points} ${lifeMs}`];
      }),
    );
    return new Map([...fateOf].map(([question, ids]) => [question, ids.map((id) => ends.get(id) ?? id)]));
  }

  test('is the same for the same seed and questions, whatever their order and callback address', async () => {
    const forwards = await outcomes(7, questions, 'http://127.0.0.1:9/a');
    const backwards = await outcomes(7, questions.toReversed(), 'http://127.0.0.1:9/b');
    expect(new Map([...backwards].sort())).toEqual(new Map([...forwards].sort()));
    const kinds = new Set([...forwards.values()].flat().map((outcome) => outcome.split(' ')[0]));
    expect(kinds).toEqual(new Set(['COMPLETED', 'FAILED', 'VANISHED', 'refused']));
  });

  test('is another for another seed', async () => {
    expect(await outcomes(8, questions, 'http://127.0.0.1:9/a')).not.toEqual(
      await outcomes(7, questions, 'http://127.0.0.1:9/a'),
    );
  });
});

test('a port that is taken is refused', async () => {
  await using simulator = await startRehearsal();
  const port = Number(new URL(simulator.baseUrl).port);
  await expect(startRehearsal({ port })).rejects.toThrow('EADDRINUSE');
});

test('closing ends open connections at once', async () => {
  const simulator = await startRehearsal();
  await createTaskId(simulator, { question: 'q' });
  await simulator.close();
  await expect(createTaskId(simulator, { question: 'q' })).rejects.toThrow('fetch failed');
});

import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import {
  type FaultName,
  faultMeaning,
  faultNames,
  parseFault,
} from '../../../src/service/simulator/faults.ts';
import type { Simulator } from '../../../src/service/simulator/service.ts';
import {
  apiKey,
  askStatus,
  create,
  createTaskId,
  startRehearsal,
  statusOf,
  videoLinkOf,
} from './rehearsal.ts';

/** A service at which one fault always happens. */
function startWith(name: FaultName): Promise<Simulator> {
  return startRehearsal({ faults: new Map([[name, 1]]) });
}

/** The error code with which the connection of a creation breaks. */
function createAndBreak({ baseUrl }: Simulator): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(`${baseUrl}/api/gen_video`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    });
    sent.on('error', (error) => resolve('code' in error ? String(error.code) : error.message));
    sent.on('response', (response) => reject(new Error(`answered with ${response.statusCode}`)));
    sent.end(JSON.stringify({ question: 'q' }));
  });
}

describe('a fault of the command line', () => {
  test.each([
    ['busy=0.05', 'busy', 0.05],
    ['busy=5%', 'busy', 0.05],
    ['cut-download=1', 'cut-download', 1],
    [' slow = 100 % ', 'slow', 1],
    ['slow=.5', 'slow', 0.5],
    ['slow=0', 'slow', 0],
  ])('%s is understood', (text, name, rate) => {
    expect(parseFault(text)).toEqual({ name, rate });
  });

  test.each(['busy', 'busy=', 'busy=2', 'busy=101%', 'busy=-1', 'busy=often', 'busy=1e-1'])(
    '%s is none',
    (text) => {
      expect(parseFault(text)).toBeNull();
    },
  );

  test('of an unknown name is none', () => {
    expect(parseFault('flood=1')).toBeNull();
  });

  test('has one line of meaning for every name', () => {
    for (const name of faultNames) expect(faultMeaning[name]).toMatch(/^[^\n]+$/);
  });
});

describe('a creation that makes no task', () => {
  const stepFailure = 'The video generation interface response is abnormal: ';

  test.each([
    ['busy', 200, `${stepFailure}503 - Service Unavailable`, null],
    ['refuse', 200, `${stepFailure}400 - The question was refused`, null],
    ['rate-limit', 429, 'Too many requests', '1'],
  ] as const)('%s', async (name, statusCode, messages, retryAfter) => {
    await using simulator = await startWith(name);
    const response = await create(simulator, { question: 'q' });
    expect([response.status, response.headers.get('retry-after')]).toEqual([statusCode, retryAfter]);
    expect(await response.json()).toEqual({ status: 'error', data: { messages } });
    expect(simulator.ledger()).toMatchObject({ accepted: 0, refused: 1 });
  });

  test('server-error', async () => {
    await using simulator = await startWith('server-error');
    const response = await create(simulator, { question: 'q' });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      502,
      'text/html; charset=utf-8',
    ]);
    expect(simulator.ledger()).toMatchObject({ accepted: 0, refused: 1 });
  });

  test('reset-before', async () => {
    await using simulator = await startWith('reset-before');
    expect(await createAndBreak(simulator)).toBe('ECONNRESET');
    expect(simulator.ledger()).toMatchObject({ accepted: 0, refused: 1 });
  });
});

describe('a creation whose answer is lost', () => {
  test('reset-after', async () => {
    await using simulator = await startWith('reset-after');
    expect(await createAndBreak(simulator)).toBe('ECONNRESET');
    expect(simulator.ledger()).toMatchObject({ accepted: 1, refused: 0, points: 10 });
  });

  test('garbled', async () => {
    await using simulator = await startWith('garbled');
    const response = await create(simulator, { question: 'q' });
    expect(response.status).toBe(200);
    await expect(response.json()).rejects.toThrow(SyntaxError);
    expect(simulator.ledger()).toMatchObject({ accepted: 1, refused: 0, points: 10 });
  });

  test('slow: it is in the ledger while its answer still waits', async () => {
    const simulator = await startWith('slow');
    const answer = createTaskId(simulator, { question: 'q' }).catch(() => 'broken off');
    await expect.poll(() => simulator.ledger().accepted).toBe(1);
    await simulator.close();
    expect(await answer).toBe('broken off');
  });
});

test('each sending of the same question has its own chance', async () => {
  await using simulator = await startRehearsal({ faults: new Map([['busy', 0.5]]) });
  for (let i = 0; i < 40; i++) await create(simulator, { question: 'q' });
  const { accepted, refused } = simulator.ledger();
  expect(accepted + refused).toBe(40);
  expect(Math.min(accepted, refused)).toBeGreaterThan(5);
});

describe('a task that goes strange ways', () => {
  test('poll-error: its status is a page without an envelope', async () => {
    await using simulator = await startWith('poll-error');
    const response = await askStatus(simulator, await createTaskId(simulator, { question: 'q' }));
    expect([response.status, response.headers.get('content-type')]).toEqual([
      503,
      'text/html; charset=utf-8',
    ]);
  });

  test('vanish: it is forgotten and not charged', async () => {
    await using simulator = await startWith('vanish');
    const response = await askStatus(simulator, await createTaskId(simulator, { question: 'q' }));
    expect(await response.json()).toEqual({
      status: 'error',
      data: { messages: 'Server error: Task not found' },
    });
    expect(simulator.ledger()).toMatchObject({ accepted: 1, vanished: 1, open: 0, points: 0 });
  });

  test('no-video: it is completed and charged, with a text', async () => {
    await using simulator = await startWith('no-video');
    const taskId = await createTaskId(simulator, { question: 'q' });
    const { status, result } = await statusOf(simulator, taskId);
    expect([status, result]).toEqual(['COMPLETED', [{ type: 'text', content: expect.any(String) }]]);
    expect(simulator.ledger().points).toBe(10);
  });
});

describe('a file that is hard to get', () => {
  test('expired-link: the first link is refused, the next one works', async () => {
    await using simulator = await startWith('expired-link');
    const taskId = await createTaskId(simulator, { question: 'q' });
    const refused = await fetch(await videoLinkOf(simulator, taskId));
    expect([refused.status, await refused.text()]).toEqual([
      403,
      expect.stringContaining('Request has expired'),
    ]);
    expect((await fetch(await videoLinkOf(simulator, taskId))).status).toBe(200);
  });

  test('error-page: the first download is an HTML page, the next one the video', async () => {
    await using simulator = await startWith('error-page');
    const link = await videoLinkOf(simulator, await createTaskId(simulator, { question: 'q' }));
    const page = await fetch(link);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect((await fetch(link)).headers.get('content-type')).toBe('video/webm');
  });

  test('cut-download: half of the file comes, the rest with a range', async () => {
    await using simulator = await startWith('cut-download');
    const link = await videoLinkOf(simulator, await createTaskId(simulator, { question: 'q' }));
    const cut = await fetch(link);
    const sizeBytes = Number(cut.headers.get('content-length'));
    const half: Uint8Array[] = [];
    const reading = (async () => {
      for await (const chunk of cut.body ?? []) half.push(chunk);
    })();
    await expect(reading).rejects.toThrow('terminated');
    const head = Buffer.concat(half);
    expect(head.length).toBe(Math.floor(sizeBytes / 2));
    const range = `bytes=${head.length}-`;
    const rest = await fetch(link, { headers: { range, 'if-range': cut.headers.get('etag') ?? '' } });
    const whole = Buffer.concat([head, Buffer.from(await rest.arrayBuffer())]);
    expect(rest.status).toBe(206);
    expect(whole).toEqual(Buffer.from(await (await fetch(link)).arrayBuffer()));
  });

  test('damaged-video: the video arrives whole each time; it is cut off, short, or that of another question', async () => {
    await using damaged = await startWith('damaged-video');
    await using sound = await startRehearsal({});
    const bytesOf = async (simulator: Simulator, question: string): Promise<Buffer> => {
      const link = await videoLinkOf(simulator, await createTaskId(simulator, { question }));
      const response = await fetch(link);
      const bytes = Buffer.from(await response.arrayBuffer());
      expect(bytes).toHaveLength(Number(response.headers.get('content-length')));
      return bytes;
    };
    const another = await bytesOf(sound, 'Another question');
    const seen = new Set<string>();
    for (let n = 1; n <= 12; n += 1) {
      const bytes = await bytesOf(damaged, `question ${n}`);
      const right = await bytesOf(sound, `question ${n}`);
      expect(bytes).not.toEqual(right);
      if (bytes.equals(another)) seen.add('another question');
      else if (bytes.equals(right.subarray(0, bytes.length))) seen.add('cut off');
      else seen.add('short');
    }
    expect([...seen].sort()).toEqual(['another question', 'cut off', 'short']);
  });
});

/** Was the paid creation sent? The same question put to the whole program: what the row is afterwards, and what a second run does. */

import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { openStage, questions, runLine } from '../cli/support/stage.ts';
import { unknown } from '../service/certificates.ts';
import { answer, type Behaviour, startServer } from '../service/wire.ts';
import { type Place, straight, toProxy, type Way } from './ways.ts';

const resets: Behaviour = (socket) => socket.once('data', () => socket.resetAndDestroy());
const silent: Behaviour = () => undefined;

/** Tells the truth about a task that cannot exist, which is asked for first, and does this with a creation. */
const onCreation =
  (act: (socket: Socket) => unknown): Behaviour =>
  async (socket, request) => {
    if ((await request).startsWith('POST')) act(socket);
    else socket.end(answer(200, { status: 'error', data: { messages: 'Server error: Task not found' } }));
  };

const events: readonly (readonly [event: string, way: Way, Behaviour, status: string, code: number])[] = [
  ['nobody vouches for the certificate', straight('https', unknown), silent, 'pending', 2],
  ['the TLS handshake is silent', straight('https'), silent, 'pending', 4],
  ['the proxy resets', toProxy('https'), resets, 'pending', 4],
  ['the peer resets', straight('http'), onCreation((socket) => socket.resetAndDestroy()), 'uncertain', 5],
  ['no answer comes', straight('http'), onCreation(() => undefined), 'uncertain', 5],
];

/** Where the program finds this server. */
const surroundings = ({ baseUrl, env }: Place) => ({ env: { ...env, BATCH_BASE_URL: baseUrl } });

describe.concurrent('a row whose creation met a service where', () => {
  it.for(events)('%s', async ([, way, behave, status, code]) => {
    await using open = new AsyncDisposableStack();
    const place = await way(behave, open);
    await using stage = await openStage();
    await stage.write('q.csv', questions('a'));
    const first = await stage.batch(
      runLine('q.csv', '--request-timeout', '2s', '--outage-timeout', '5s'),
      surroundings(place),
    );
    expect(first.code, first.stderr).toBe(code);
    expect(await stage.statuses()).toEqual({ a: status });
    expect(place.seen()).toBe(status === 'uncertain' ? 1 : 0);

    // The service is well again: what was not sent is sent now, what may have been is not.
    const second = await stage.batch(runLine('q.csv'));
    expect(second.code).toBe(status === 'uncertain' ? 5 : 0);
    expect(stage.service.creations).toHaveLength(status === 'uncertain' ? 0 : 1);
  });

  it('the program is killed while the answer is on its way: it is found uncertain at the next start', async () => {
    const heard = Promise.withResolvers<void>();
    await using server = await startServer(onCreation(() => heard.resolve()));
    await using stage = await openStage();
    await stage.write('q.csv', questions('a'));
    const program = stage.start(runLine('q.csv', '--base-url', `http://127.0.0.1:${server.port}`));
    await heard.promise;
    program.kill('SIGKILL');
    await program.ended;
    expect((await stage.batch(runLine('q.csv'))).code).toBe(5);
    expect(await stage.statuses()).toEqual({ a: 'uncertain' });
    expect([server.count('POST'), stage.service.creations.length]).toEqual([1, 0]);
  });
});

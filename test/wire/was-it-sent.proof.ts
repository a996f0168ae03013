/**
 * Was the paid creation sent? Every way in which a creation can end without a plain answer, on real sockets: what the
 * adapter makes of it, and that the service saw the creation once at most, and not at all where it counts as not sent.
 */

import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { otherName, trusted, trustInTests, unknown } from '../service/certificates.ts';
import {
  acceptance,
  always,
  answer,
  type Behaviour,
  closedPort,
  openService,
  thenClose,
} from '../service/wire.ts';
import { wordOf } from '../support/creation-word.ts';
import { blockedListener, farServer } from './blocked-listener.ts';
import { nowhere, type Place, proxied, straight, through, toProxy, type Way, ways } from './ways.ts';

trustInTests(trusted, otherName);

const body = JSON.stringify({ question: 'Why?' });
/** More than a socket takes at once, so that the peer can leave in the middle of it. */
const longBody = JSON.stringify({ question: 'Why? '.repeat(1_500_000) });

/** What the program itself does meanwhile. */
interface Circumstances {
  readonly body?: string;
  readonly apiKey?: string;
  readonly timeoutMs?: number;
  /** Leaves, or closes the service by force: before it asks, as soon as it has asked, or once the server heard something. */
  readonly leaves?: readonly ['aborts' | 'destroys', 'before' | 'at once' | 'when heard'];
}

/** One creation, and how often the service saw it. */
async function create(place: Place, circumstances: Circumstances, heard: Promise<unknown>) {
  const { leaves, timeoutMs = 20_000, body: sent = body, ...settings } = circumstances;
  const leave = new AbortController();
  await using service = openService(place.baseUrl, {
    ...settings,
    requestTimeoutMs: timeoutMs,
    env: place.env,
  });
  const [how, when] = leaves ?? [];
  const go = () => (how === 'aborts' ? leave.abort() : service.close(true));
  if (when === 'before') await go();
  const creation = service.create(sent, leave.signal);
  if (when === 'when heard') await heard;
  if (when === 'at once' || when === 'when heard') await go();
  return { outcome: wordOf(await creation), seen: place.seen() };
}

/** One creation to a server that behaves like this, on this way. */
async function meet(way: Way, behave: Behaviour, circumstances: Circumstances = {}) {
  await using open = new AsyncDisposableStack();
  const heard = Promise.withResolvers<void>();
  const place = await way((socket, request) => {
    socket.once('data', () => heard.resolve());
    return behave(socket, request);
  }, open);
  return await create(place, circumstances, heard.promise);
}

/** What a peer does that never becomes a server: it hears some bytes, and then... */
const onFirstBytes =
  (act: (socket: Socket) => unknown): Behaviour =>
  (socket) =>
    socket.once('data', () => act(socket));
const silent: Behaviour = () => undefined;
const accepts = always(acceptance);
const resets = onFirstBytes((socket) => socket.resetAndDestroy());
const closes = onFirstBytes((socket) => socket.end());
const says = (bytes: string | Uint8Array) => onFirstBytes((socket) => socket.end(bytes));

/** A record of TLS: fatal alert, handshake_failure. */
const tlsAlert = Buffer.from([0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x28]);
const otherCiphers = { ...trusted, maxVersion: 'TLSv1.2', ciphers: 'ECDHE-RSA-AES128-GCM-SHA256' } as const;

const closed = nowhere(async () => ({ baseUrl: `http://127.0.0.1:${await closedPort()}` }));
const unnamed = nowhere(async () => ({ baseUrl: 'http://no-such-host.invalid' }));
const frozen = nowhere(async (open) => ({
  baseUrl: `http://127.0.0.1:${open.use(await blockedListener()).port}`,
}));
const far: Way = async (behave, open) => {
  const { baseUrl, count } = await farServer(behave, open);
  return { baseUrl, env: {}, seen: () => count('POST') ?? 0 };
};
const noProxy = (scheme: string) =>
  nowhere(async () => ({ baseUrl: `${scheme}://service.invalid`, env: through(await closedPort()) }));

type Row = readonly [event: string, means: string, way: Way, behave: Behaviour, Circumstances?];

/** Before the first byte of the creation is on a connected socket: there surely is no task. */
const before: readonly Row[] = [
  ['the connection is refused', 'not-sent', closed, silent],
  ['the name is not known', 'not-sent', unnamed, silent],
  ['the TLS handshake never answers', 'not-sent', straight('https'), silent, { timeoutMs: 300 }],
  ['the TLS handshake is reset', 'not-sent', straight('https'), resets],
  ['the TLS handshake is closed', 'not-sent', straight('https'), closes],
  ['nobody vouches for the certificate', 'not-sent', straight('https', unknown), accepts],
  ['the certificate is for another name', 'not-sent', straight('https', otherName), accepts],
  ['no cipher is in common', 'not-sent', straight('https', otherCiphers), accepts],
  ['the TLS handshake ends with an alert', 'not-sent', straight('https'), says(tlsAlert)],
  ['plain HTTP answers on a TLS port', 'not-sent', straight('https'), says('HTTP/1.1 400 X\r\n\r\n')],
  ['the key cannot stand in a header', 'misconfigured', straight('http'), accepts, { apiKey: 'sk-\u952e\n' }],
  ['nobody listens at the proxy to http', 'not-sent', noProxy('http'), silent],
  ['nobody listens at the proxy to https', 'not-sent', noProxy('https'), silent],
  ['the proxy refuses the tunnel', 'not-sent', toProxy('https'), says(answer(403, 'no'))],
  ['the proxy to a tunnel wants a password', 'not-sent', toProxy('https'), says(answer(407, 'no'))],
  ['the proxy cannot reach the end of the tunnel', 'not-sent', toProxy('https'), says(answer(502, ''))],
  ['the proxy to a tunnel closes', 'not-sent', toProxy('https'), closes],
  ['the proxy to a tunnel resets', 'not-sent', toProxy('https'), resets],
  ['the proxy to a tunnel speaks no HTTP', 'not-sent', toProxy('https'), says('what?\r\n\r\n')],
  ['the proxy to a tunnel is silent', 'not-sent', toProxy('https'), silent, { timeoutMs: 300 }],
  [
    'the program aborts while the proxy to a tunnel is silent',
    'not-sent',
    toProxy('https'),
    silent,
    { leaves: ['aborts', 'when heard'] },
  ],
  ['the handshake in the tunnel is silent', 'not-sent', proxied('https'), silent, { timeoutMs: 400 }],
  ['the handshake in the tunnel is reset', 'not-sent', proxied('https'), resets],
  ['nobody vouches for the end of the tunnel', 'not-sent', proxied('https', unknown), accepts],
  ...(['aborts', 'destroys'] as const).flatMap((how): Row[] => [
    [`the program ${how} before it asks`, 'not-sent', straight('http'), accepts, { leaves: [how, 'before'] }],
    [
      `the program ${how} while connecting`,
      'not-sent',
      straight('http'),
      accepts,
      { leaves: [how, 'at once'] },
    ],
    [
      `the program ${how} in the TLS handshake`,
      'not-sent',
      straight('https'),
      silent,
      { leaves: [how, 'when heard'] },
    ],
  ]),
];

describe('a creation was not sent, and no server saw it,', () => {
  test.for(before)('when %s: %s', async ([, means, way, behave, circumstances]) => {
    expect(await meet(way, behave, circumstances)).toEqual({ outcome: means, seen: 0 });
  });

  test.skipIf(process.platform !== 'linux')(
    'when connecting never ends: not-sent (needs a full queue of connections as Linux has it)',
    async () => {
      expect(await meet(frozen, silent, { timeoutMs: 300 })).toEqual({ outcome: 'not-sent', seen: 0 });
    },
  );
});

test.skipIf(process.platform !== 'linux')(
  'a creation arrives once where the way to the first address is long, and nobody is at the second',
  async () => {
    expect(await meet(far, accepts)).toEqual({ outcome: 'accepted', seen: 1 });
  },
);

const ok = 'HTTP/1.1 200 OK\r\n';
const start = '{"status":"success","data":{"task';
const tooLong = `${start.slice(0, -4)}"pad":"${'x'.repeat(2_000_000)}","task_id":"task-1"}}`;
const resetsAtOnce: Behaviour = (socket) => socket.resetAndDestroy();
const closesAtOnce: Behaviour = (socket) => socket.end();

/** After the first byte: only a readable task id, or a refusal, could say more. */
const after: readonly (readonly [event: string, behave: Behaviour, Circumstances?])[] = [
  ['the peer closes without a word', thenClose('')],
  ['the peer closes in the middle of the request', closes, { body: longBody }],
  ['the peer resets', async (socket, request) => request.then(() => socket.resetAndDestroy())],
  ['the peer resets in the middle of the request', resets, { body: longBody }],
  ['no answer comes', silent, { timeoutMs: 300 }],
  ['the program aborts', silent, { leaves: ['aborts', 'when heard'] }],
  ['the service is closed by force', silent, { leaves: ['destroys', 'when heard'] }],
  ['the answer is not HTTP', thenClose('hello there\r\n\r\n')],
  ['the head is cut', thenClose(`${ok}content-le`)],
  ['the head is too long', always(`${ok}x: ${'y'.repeat(100_000)}\r\n\r\n`)],
  ['the head has two lengths', always(`${ok}content-length: 2\r\ncontent-length: 3\r\n\r\nabc`)],
  ['the body is cut', thenClose(`${ok}content-length: 900\r\n\r\n${start}`)],
  ['the chunked body is cut', thenClose(`${ok}transfer-encoding: chunked\r\n\r\n5\r\n{"sta\r\n`)],
  ['the body stalls', always(`${ok}content-length: 900\r\n\r\n${start}`), { timeoutMs: 300 }],
  ['the body is longer than it may be', always(answer(200, tooLong))],
  ['the body without a length is cut', thenClose(`${ok}\r\n${start}`)],
];

describe.each(ways)('a creation that was sent once %s is uncertain', (_, way) => {
  test.for(after)('when %s', async ([, behave, circumstances]) => {
    expect(await meet(way, behave, circumstances)).toEqual({ outcome: 'uncertain', seen: 1 });
  });
});

describe('a creation that a proxy was to pass on', () => {
  test.for([
    ['wants a password', 'not-sent', says(answer(407, 'no'))],
    ['may not pass it on', 'barred', says(answer(403, 'no'))],
    ['cannot reach the service', 'uncertain', says(answer(502, ''))],
    ['closes', 'uncertain', closes],
    ['resets', 'uncertain', resets],
    ['speaks no HTTP', 'uncertain', says('what?\r\n\r\n')],
  ] as const)('and that %s: %s', async ([, outcome, behave]) => {
    expect(await meet(toProxy('http'), behave)).toEqual({ outcome, seen: 1 });
  });
});

test.each([
  ['closes', closesAtOnce],
  ['resets', resetsAtOnce],
])(
  'a creation to a peer that %s on connecting is uncertain or not sent, and seen once at most',
  async (_, behave) => {
    const { outcome, seen } = await meet(straight('http'), behave);
    expect(['uncertain', 'not-sent']).toContain(outcome);
    expect(seen).toBeLessThanOrEqual(outcome === 'not-sent' ? 0 : 1);
  },
);

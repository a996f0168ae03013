import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { describe, expect, it } from 'vitest';
import type { FileAnswer, FileHost } from '../../src/ports.ts';
import { openHost } from '../support/file-host.ts';
import { farServer } from '../wire/blocked-listener.ts';
import { trusted } from './certificates.ts';
import { answer, thenClose } from './wire.ts';

type From = Parameters<FileHost['get']>[1];

const never = new AbortController().signal;
const fromStart = { offset: 0, validator: null };
const file = Buffer.from('0123456789abcdefghij');

/** A listening server that is closed, with its connections, at the end of the scope. */
async function listening<T extends Server>(server: T) {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

async function webServer(handler: Handler) {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    seen.push(request);
    handler(request, response);
  });
  return Object.assign(await listening(server), { seen });
}

/** Answers every connection with the same bytes, then does what `after` says. */
async function rawServer(answer: string, after: (socket: Socket) => void) {
  const server = createTcpServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.write(answer, () => after(socket)));
  });
  return listening(server);
}

async function read(answer: FileAnswer): Promise<string> {
  if (answer.outcome !== 'content') throw new Error(`no content: ${JSON.stringify(answer)}`);
  const pieces: Uint8Array[] = [];
  for await (const bytes of answer.body) pieces.push(Buffer.from(bytes));
  return Buffer.concat(pieces).toString();
}

describe('a request for a file', () => {
  it('brings the bytes, the length, the type and the strong ETag', async () => {
    await using server = await webServer((_, response) => {
      response.writeHead(200, { etag: '"v1"', 'content-type': 'video/mp4', 'content-length': file.length });
      response.end(file);
    });
    await using host = openHost();
    const answer = await host.get(`${server.url}/video`, fromStart, never);
    expect(answer).toMatchObject({
      outcome: 'content',
      offset: 0,
      totalBytes: 20,
      validator: '"v1"',
      contentType: 'video/mp4',
    });
    expect(await read(answer)).toBe(file.toString());
  });

  it('carries no key and no cookie and asks for no encoding', async () => {
    await using server = await webServer((_, response) => response.end(file));
    await using host = openHost();
    await read(await host.get(`${server.url}/video`, fromStart, never));
    const { headers } = server.seen[0] ?? {};
    expect(Object.keys(headers ?? {}).sort()).toEqual([
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ]);
    expect(headers?.['accept-encoding']).toBe('identity');
  });

  it.each([
    `/a%2Fb?sig=%2b+~'()`,
    '/a/../b//c/./d?x=1?y=2',
    '/?',
    '/%e4%bd%a0.mp4?Signature=a/b+c==&Expires=1|2',
    `/"<>^\`{}[]?q=;,:@!$*`,
    '/a\\b',
  ])('sends %s byte for byte', async (path) => {
    await using server = await webServer((_, response) => response.end(file));
    await using host = openHost();
    await read(await host.get(`${server.url}${path}`, fromStart, never));
    expect(server.seen[0]?.url).toBe(path);
  });

  it.each([
    ['a fragment is left out', '/a?b#c', '/a?b'],
    ['a query without a path gets the root', '?a=1', '/?a=1'],
    ['nothing at all is the root', '', '/'],
    [
      'what no request line can contain is sent in percent',
      '/题 目?x=答',
      '/%E9%A2%98%20%E7%9B%AE?x=%E7%AD%94',
    ],
  ])('%s', async (_name, link, path) => {
    await using server = await webServer((_, response) => response.end(file));
    await using host = openHost();
    await read(await host.get(`${server.url}${link}`, fromStart, never));
    expect(server.seen[0]?.url).toBe(path);
  });

  it.each([
    'file:///etc/passwd',
    'ftp://127.0.0.1/x',
    'data:text/plain,x',
    '/relative',
    '',
    'http://',
    'http://127.0.0.1:99999/',
    'http:\\\\127.0.0.1\\x',
    'http://a b/',
    'javascript:alert(1)',
  ])('is refused for %j, and the message does not repeat it', async (link) => {
    await using host = openHost();
    const answer = await host.get(link, fromStart, never);
    expect(answer).toEqual({
      outcome: 'link-refused',
      failure: 'the link is not a plain http(s) address',
    });
  });

  it.each([
    [400, 'link-refused'],
    [401, 'link-refused'],
    [403, 'link-refused'],
    [404, 'link-refused'],
    [410, 'link-refused'],
    [402, 'unanswered'],
    [408, 'unanswered'],
    [416, 'unanswered'],
    [429, 'unanswered'],
    [500, 'unanswered'],
    [503, 'unanswered'],
    [204, 'unanswered'],
    [304, 'unanswered'],
  ] as const)('answered with HTTP %i is %s, named without the query', async (status, outcome) => {
    await using server = await webServer((_, response) => response.writeHead(status).end());
    await using host = openHost();
    const answer = await host.get(`${server.url}/v.mp4?sig=SECRET`, fromStart, never);
    expect(answer).toMatchObject({ outcome, failure: expect.stringContaining(`${server.url}/v.mp4: `) });
    expect(JSON.stringify(answer)).not.toContain('SECRET');
  });

  it.each(['W/"v1"', 'v1', '"v1', '"a"b"'])('has no validator in the ETag %s', async (etag) => {
    await using server = await webServer((_, response) => response.writeHead(200, { etag }).end(file));
    await using host = openHost();
    const answer = await host.get(server.url, fromStart, never);
    expect(answer).toMatchObject({ outcome: 'content', validator: null });
  });

  it('names a refused connection and a host that is none', async () => {
    const gone = await webServer((_, response) => response.end());
    await gone[Symbol.asyncDispose]();
    await using host = openHost();
    const refused = await host.get(`${gone.url}/v?sig=SECRET`, fromStart, never);
    expect(refused).toMatchObject({
      outcome: 'unanswered',
      failure: expect.stringContaining('ECONNREFUSED'),
    });
    expect(JSON.stringify(refused)).not.toContain('SECRET');
    const unknown = await host.get('http://nowhere.invalid/v', fromStart, never);
    expect(unknown).toMatchObject({
      outcome: 'unanswered',
      failure: expect.stringContaining('nowhere.invalid'),
    });
  });
});

describe('a request for the rest of a file', () => {
  const rest = { offset: 5, validator: '"v1"' };

  async function ask(
    status: number,
    headers: Record<string, string | number>,
    { body = 'x'.repeat(15), from = rest }: { readonly body?: string; readonly from?: From } = {},
  ) {
    const server = await webServer((_, response) => response.writeHead(status, headers).end(body));
    await using host = openHost();
    const answer = await host.get(server.url, from, never);
    if (answer.outcome === 'content') await read(answer);
    await server[Symbol.asyncDispose]();
    return { answer, request: server.seen[0] };
  }

  it('sends Range and If-Range and takes the part that was asked for', async () => {
    const { answer, request } = await ask(206, { 'content-range': 'bytes 5-19/20', etag: '"v1"' });
    expect(request?.headers).toMatchObject({ range: 'bytes=5-', 'if-range': '"v1"' });
    expect(answer).toMatchObject({ outcome: 'content', offset: 5, totalBytes: 20, validator: '"v1"' });
  });

  it('takes a shorter part than the rest, with the length of the whole', async () => {
    const { answer } = await ask(206, { 'content-range': 'bytes 5-9/20', etag: '"v1"' }, { body: 'xxxxx' });
    expect(answer).toMatchObject({ outcome: 'content', offset: 5, totalBytes: 20 });
  });

  it('says that the host starts again when it sends the whole file', async () => {
    const { answer } = await ask(200, { etag: '"v2"', 'content-length': 15 });
    expect(answer).toMatchObject({ outcome: 'content', offset: 0, totalBytes: 15, validator: '"v2"' });
  });

  it.each([
    ['no Content-Range', { etag: '"v1"' }],
    ['another start', { etag: '"v1"', 'content-range': 'bytes 4-19/20' }],
    ['an end before the start', { etag: '"v1"', 'content-range': 'bytes 5-3/20' }],
    ['an end after the total', { etag: '"v1"', 'content-range': 'bytes 5-20/20' }],
    ['an unknown total', { etag: '"v1"', 'content-range': 'bytes 5-19/*' }],
    ['another unit', { etag: '"v1"', 'content-range': 'items 5-19/20' }],
    ['another ETag', { etag: '"v2"', 'content-range': 'bytes 5-19/20' }],
    ['a weak ETag', { etag: 'W/"v1"', 'content-range': 'bytes 5-19/20' }],
    ['an encoding', { etag: '"v1"', 'content-range': 'bytes 5-19/20', 'content-encoding': 'gzip' }],
    ['no ETag', { 'content-range': 'bytes 5-19/20' }],
  ] as const)('is out of range for a part with %s', async (_name, headers) => {
    expect((await ask(206, headers)).answer).toEqual({ outcome: 'out-of-range' });
  });

  it.each([
    ['out-of-range', { 'content-range': 'bytes */5' }],
    ['already-whole', { 'content-range': 'bytes */5', etag: '"v1"' }],
    ['out-of-range', { 'content-range': 'bytes */5', etag: '"v2"' }],
    ['out-of-range', { 'content-range': 'bytes */4' }],
    ['out-of-range', { 'content-range': 'bytes */*' }],
    ['out-of-range', { 'content-range': 'bytes 0-4/5' }],
    ['out-of-range', {}],
  ] as const)('is %s for a 416 with %j', async (outcome, headers) => {
    expect((await ask(416, headers)).answer).toEqual({ outcome });
  });

  const date = 'Sat, 01 Jan 2022 00:00:00 GMT';
  const weak = { etag: 'W/"v1"', 'last-modified': date };
  const ofWeak = { offset: 5, validator: '[20,"W/\\"v1\\"","Sat, 01 Jan 2022 00:00:00 GMT"]' };

  it.each([
    ['content', 206, { ...weak, 'content-range': 'bytes 5-19/20' }],
    ['out-of-range', 206, { ...weak, 'content-range': 'bytes 5-20/21' }],
    ['out-of-range', 206, { etag: 'W/"v1"', 'content-range': 'bytes 5-19/20' }],
    ['out-of-range', 206, { ...weak, etag: 'W/"v2"', 'content-range': 'bytes 5-19/20' }],
    ['out-of-range', 206, { ...weak, etag: '"v1"', 'content-range': 'bytes 5-19/20' }],
    ['out-of-range', 416, { ...weak, 'content-range': 'bytes */5' }],
  ] as const)('without a strong ETag is %s for a %d with %j', async (outcome, status, headers) => {
    const { answer, request } = await ask(status, headers, { from: ofWeak });
    expect(answer.outcome).toBe(outcome);
    expect(request?.headers.range).toBe('bytes=5-');
    expect(request?.headers).not.toHaveProperty('if-range');
  });

  it.each([
    [{ 'content-range': 'bytes 0-19/20' }, 20],
    [{ 'content-range': 'bytes 0-19/*', 'content-length': 20 }, 20],
    [{ 'content-range': 'bytes 0-19/*' }, null],
    [{ 'content-length': 20 }, 20],
  ])(
    'that sends no Range takes a part from the start, whose total may be unknown: %j',
    async (headers, totalBytes) => {
      const { answer } = await ask(206, headers, { body: '\n'.repeat(20), from: fromStart });
      expect(answer).toMatchObject({ outcome: 'content', offset: 0, totalBytes });
    },
  );

  it('that sends no Range takes no other part', async () => {
    const { answer } = await ask(206, { 'content-range': 'bytes 5-19/*' }, { from: fromStart });
    expect(answer).toMatchObject({ outcome: 'unanswered' });
  });

  it('that sends no Range takes no part of unknown length that ends before the video does', async () => {
    const cut = Buffer.from('\0\0\0\x20ftypisom').toString();
    const asked = ask(206, { 'content-range': 'bytes 0-11/*' }, { body: cut, from: fromStart });
    await expect(asked).rejects.toThrow('cut before the end of the file');
  });

  it.each([201, 203])('takes a file that comes with HTTP %i', async (status) => {
    for (const headers of [{ 'content-length': 20 }, {}]) {
      const { answer } = await ask(status, headers, { body: file.toString(), from: fromStart });
      expect(answer).toMatchObject({ outcome: 'content', offset: 0 });
    }
  });
});

describe('a body', () => {
  it.each([
    ['with a length', 'HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\n0123456789'],
    ['in chunks', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\na\r\n0123456789\r\n'],
    ['in chunks, cut inside one', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n14\r\n0123456789'],
  ])('%s that is cut throws, however the connection ends', async (_name, answer) => {
    for (const end of [(socket: Socket) => socket.end(), (socket: Socket) => socket.resetAndDestroy()]) {
      await using server = await rawServer(answer, end);
      await using host = openHost();
      const cut = await host.get(`${server.url}/v.mp4?sig=SECRET`, fromStart, never);
      // A reset may overtake the headers.
      const failure = cut.outcome === 'unanswered' ? cut.failure : await read(cut).catch(String);
      expect(failure).toContain(`${server.url}/v.mp4: `);
      expect(failure).not.toContain('SECRET');
    }
  });

  it('that is cut before anybody reads it throws when it is read', async () => {
    const closed = Promise.withResolvers<void>();
    const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\n0123456789';
    await using server = await rawServer(answer, (socket) => {
      socket.on('close', closed.resolve);
      socket.end();
    });
    await using host = openHost();
    const cut = await host.get(server.url, fromStart, never);
    await closed.promise;
    await new Promise(setImmediate);
    await expect(read(cut)).rejects.toThrow('the transfer was cut');
  });

  it('in chunks that ends by itself is whole', async () => {
    const chunks = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n';
    await using server = await rawServer(chunks, () => {});
    await using host = openHost();
    const answer = await host.get(server.url, fromStart, never);
    expect(answer).toMatchObject({ totalBytes: null });
    expect(await read(answer)).toBe('abcde');
  });

  it('that ends with its connection is whole when a second reading brings the same', async () => {
    await using server = await rawServer('HTTP/1.1 200 OK\r\n\r\nabcde', (socket) => socket.end());
    await using host = openHost();
    expect(await read(await host.get(server.url, fromStart, never))).toBe('abcde');
  });

  it('that ends with its connection throws when a second reading brings more', async () => {
    let readings = 0;
    const server = createTcpServer((socket) => {
      readings += 1;
      const body = readings === 1 ? 'abc' : 'abcde';
      socket.once('data', () => socket.end(`HTTP/1.0 200 OK\r\n\r\n${body}`));
    });
    await using place = await listening(server);
    await using host = openHost();
    await expect(read(await host.get(place.url, fromStart, never))).rejects.toThrow('two readings differ');
    expect(readings).toBe(2);
  });

  it.each([
    ['is refused', 'HTTP/1.0 410 Gone\r\n\r\n'],
    ['gets a page', 'HTTP/1.0 200 OK\r\n\r\n<html>This link was used already</html>'],
  ])(
    'that ends with its connection is what the link gave when a second reading %s',
    async (_name, second) => {
      const bytes = '\x01\x00\x02';
      let readings = 0;
      const server = createTcpServer((socket) => {
        readings += 1;
        const answer = readings === 1 ? `HTTP/1.0 200 OK\r\n\r\n${bytes}` : second;
        socket.once('data', () => socket.end(answer));
      });
      await using place = await listening(server);
      await using host = openHost();
      expect(await read(await host.get(place.url, fromStart, never))).toBe(bytes);
    },
  );

  it('that ends with its connection throws when a second reading is not answered', async () => {
    let readings = 0;
    const server = createTcpServer((socket) => {
      readings += 1;
      const answer = readings === 1 ? '200 OK\r\n\r\nabc' : '503 Busy\r\n\r\n';
      socket.once('data', () => socket.end(`HTTP/1.0 ${answer}`));
    });
    await using place = await listening(server);
    await using host = openHost();
    await expect(read(await host.get(place.url, fromStart, never))).rejects.toThrow('HTTP 503');
  });

  it.each([
    ['is read once where the video says that it is whole', 0, 'saved'],
    ['is cut where the video says that it is not', 10, 'cut'],
  ])('that ends with its connection %s', async (_name, missing, outcome) => {
    const box = (name: string, sizeBytes: number): Buffer => {
      const bytes = Buffer.alloc(sizeBytes);
      bytes.writeUInt32BE(sizeBytes);
      bytes.write(name, 4, 'latin1');
      return bytes;
    };
    const video = Buffer.concat([box('ftyp', 20), box('free', 8), box('moov', 300), box('mdat', 70_000)]);
    let readings = 0;
    const server = createTcpServer((socket) => {
      readings += 1;
      socket.once('data', () => {
        socket.write('HTTP/1.0 200 OK\r\n\r\n');
        socket.end(video.subarray(0, video.length - missing));
      });
    });
    await using place = await listening(server);
    await using host = openHost();
    const answer = await host.get(place.url, fromStart, never);
    const text = await read(answer).catch(String);
    expect(
      outcome === 'saved' ? text === video.toString() : text.includes('before the end of the file'),
    ).toBe(true);
    expect(readings).toBe(1);
  });

  it('that stalls is cut', async () => {
    const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\n0123456789';
    await using server = await rawServer(answer, () => {});
    await using host = openHost({ stallMs: 100 });
    await expect(read(await host.get(server.url, fromStart, never))).rejects.toThrow('no data arrived');
  });

  it('ends when the signal aborts', async () => {
    const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\n0123456789';
    await using server = await rawServer(answer, () => {});
    await using host = openHost();
    const stop = new AbortController();
    const content = await host.get(server.url, fromStart, stop.signal);
    const reading = read(content);
    stop.abort();
    await expect(reading).rejects.toThrow('the transfer was cut');
  });

  it('that nobody reads on closes its connection', async () => {
    const closed = Promise.withResolvers<void>();
    await using server = await webServer((_, response) => {
      response.on('close', closed.resolve);
      response.writeHead(200, { 'content-length': 1e9 }).write(file);
    });
    await using host = openHost();
    const answer = await host.get(server.url, fromStart, never);
    if (answer.outcome === 'content') for await (const _ of answer.body) break;
    await closed.promise;
  });

  it('is not read ahead of its reader', async () => {
    const pieceBytes = 2 ** 20;
    const pieceCount = 128;
    const sentPieces = { slow: 0, fast: 0 };
    await using server = await webServer((request, response) => {
      const reader = request.url === '/slow' ? 'slow' : 'fast';
      response.writeHead(200, { 'content-length': pieceCount * pieceBytes });
      const more = () => {
        while (sentPieces[reader] < pieceCount) {
          sentPieces[reader] += 1;
          if (!response.write(Buffer.alloc(pieceBytes))) return;
        }
      };
      response.on('drain', more);
      more();
    });
    await using host = openHost();
    const slow = await host.get(`${server.url}/slow`, fromStart, never);
    const fast = await host.get(`${server.url}/fast`, fromStart, never);
    if (slow.outcome !== 'content' || fast.outcome !== 'content') throw new Error('no content');
    // Without brakes the unread body would keep pace with the one that is read to its end.
    for await (const _ of fast.body);
    expect(sentPieces.fast).toBe(pieceCount);
    expect(sentPieces.slow).toBeLessThan(pieceCount / 2);
    for await (const _ of slow.body) break;
  });
});

describe('silence before the headers', () => {
  it('ends at the deadline', async () => {
    await using server = await webServer(() => {});
    await using host = openHost({ requestTimeoutMs: 50 });
    const answer = await host.get(server.url, fromStart, never);
    expect(answer).toMatchObject({
      outcome: 'unanswered',
      failure: expect.stringContaining('within 0.05 s'),
    });
  });

  it('ends at the deadline behind a proxy that says nothing', async () => {
    await using proxy = await listening(createTcpServer(() => {}));
    await using host = openHost({ requestTimeoutMs: 50, env: { https_proxy: proxy.url } });
    const answer = await host.get('https://files.example/v', fromStart, never);
    expect(answer).toMatchObject({ outcome: 'unanswered', failure: expect.stringContaining('within') });
  });

  it('ends at once when the signal aborts, and before anything is sent when it has aborted', async () => {
    const asked = Promise.withResolvers<void>();
    await using server = await webServer(() => asked.resolve());
    await using host = openHost();
    const stop = new AbortController();
    const answer = host.get(server.url, fromStart, stop.signal);
    await asked.promise;
    stop.abort();
    expect(await answer).toMatchObject({ outcome: 'unanswered' });
    expect(await host.get(server.url, fromStart, stop.signal)).toMatchObject({ outcome: 'unanswered' });
    expect(server.seen).toHaveLength(1);
  });

  it('and a waiting body end when the host is closed by force', async () => {
    const asked = Promise.withResolvers<void>();
    await using server = await webServer((request, response) => {
      if (request.url === '/body') response.writeHead(200, { 'content-length': 10 }).write('x');
      else asked.resolve();
    });
    const host = openHost();
    const reading = read(await host.get(`${server.url}/body`, fromStart, never));
    const answer = host.get(`${server.url}/silent`, fromStart, never);
    await asked.promise;
    await host.close(true);
    expect(await answer).toMatchObject({ outcome: 'unanswered' });
    await expect(reading).rejects.toThrow('the transfer was cut');
  });
});

describe('a closed host', () => {
  it.each([true, false])('answers no more (force: %s), and may be closed again by force', async (force) => {
    await using server = await webServer((_, response) => response.end(file));
    const host = openHost();
    await read(await host.get(server.url, fromStart, never));
    await host.close(force);
    expect(await host.get(server.url, fromStart, never)).toMatchObject({ outcome: 'unanswered' });
    await host.close(true);
    expect(server.seen).toHaveLength(1);
  });
});

describe('a redirect', () => {
  function redirecting(lengthOfChain: number): Handler {
    return (request, response) => {
      const hop = Number(request.url?.slice(2));
      if (hop === lengthOfChain) response.end(file);
      else response.writeHead([301, 302, 303, 307, 308][hop % 5] ?? 302, { location: `/r${hop + 1}` }).end();
    };
  }

  it('is followed five times, with the range, and not a sixth time', async () => {
    await using five = await webServer(redirecting(5));
    await using six = await webServer(redirecting(6));
    await using host = openHost();
    const rest = { offset: 5, validator: '"v1"' };
    expect(await read(await host.get(`${five.url}/r0`, rest, never))).toBe(file.toString());
    expect(five.seen.map((request) => request.headers['if-range'])).toEqual(Array(6).fill('"v1"'));
    const answer = await host.get(`${six.url}/r0`, fromStart, never);
    expect(answer).toMatchObject({
      outcome: 'link-refused',
      failure: expect.stringContaining('5 redirects'),
    });
    expect(six.seen).toHaveLength(6);
  });

  it.each([
    ['an absolute target', (own: string) => `${own}/x/../y%2F?a=+%2b`, '/x/../y%2F?a=+%2b'],
    ['a target without scheme', (own: string) => `${own.slice(5)}/y`, '/y'],
    ['a path', () => '/x%2F?a=+', '/x%2F?a=+'],
    ['a path next to the first', () => 'y?b', '/dir/y?b'],
    ['a query', () => '?b=1', '/dir/start?b=1'],
  ])('to %s arrives there', async (_name, target, path) => {
    await using server = await webServer((request, response) => {
      if (request.url === '/dir/start?a') response.writeHead(302, { location: target(server.url) }).end();
      else response.end(file);
    });
    await using host = openHost();
    await read(await host.get(`${server.url}/dir/start?a`, fromStart, never));
    expect(server.seen[1]?.url).toBe(path);
  });

  it.each(['file:///etc/passwd', 'ftp://127.0.0.1/x', 'http://'])('to %s is refused', async (location) => {
    await using server = await webServer((_, response) => response.writeHead(302, { location }).end());
    await using host = openHost();
    expect(await host.get(server.url, fromStart, never)).toMatchObject({ outcome: 'link-refused' });
  });

  it('that checks a cookie gets it back, and no other host does', async () => {
    await using server = await webServer(({ headers, url = '' }, response) => {
      const other = `http://localhost:${server.port}/file`;
      if (url === '/file') response.end(file);
      else if (headers.cookie === 'a=1; b=3') response.writeHead(302, { location: other }).end();
      else {
        const cookies = url === '/v' ? ['a=1; Path=/; HttpOnly', 'b=2'] : 'b=3';
        response.writeHead(302, { location: '/again', 'set-cookie': cookies }).end();
      }
    });
    await using host = openHost();
    expect(await read(await host.get(`${server.url}/v`, fromStart, never))).toBe(file.toString());
    const sent = [undefined, 'a=1; b=2', 'a=1; b=3', undefined];
    expect(server.seen.map(({ headers }) => headers.cookie)).toEqual(sent);
    await host.get(`${server.url}/file`, fromStart, never);
    expect(server.seen.at(-1)?.headers.cookie).toBeUndefined();
  });

  it('of HTTP 300 is followed where it names a place', async () => {
    await using server = await webServer(({ url }, response) => {
      if (url === '/file') response.end(file);
      else response.writeHead(300, url === '/one' ? { location: '/file' } : {}).end('many');
    });
    await using host = openHost();
    expect(await read(await host.get(`${server.url}/one`, fromStart, never))).toBe(file.toString());
    expect(await host.get(`${server.url}/none`, fromStart, never)).toMatchObject({ outcome: 'unanswered' });
  });

  it('takes the user and password of a link along to its host alone, and they are never said', async () => {
    await using server = await webServer(({ url }, response) => {
      const location = url === '/v' ? '/next' : `http://localhost:${server.port}/gone`;
      response.writeHead(url === '/gone' ? 404 : 302, { location }).end();
    });
    await using host = openHost();
    const link = `http://us%C3%A9r:s3cr%40t@127.0.0.1:${server.port}/v`;
    const answer = await host.get(link, fromStart, never);
    const basic = `Basic ${Buffer.from('usér:s3cr@t').toString('base64')}`;
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual([basic, basic, undefined]);
    expect(answer).toMatchObject({ outcome: 'link-refused', failure: expect.stringContaining('HTTP 404') });
    expect(JSON.stringify(answer)).not.toMatch(/usér|us%|s3cr/);
  });

  it('from https leads to https and never to http', async () => {
    await using plain = await webServer((_, response) => response.end('plain'));
    const server = createTlsServer(trusted, (request, response) => {
      if (request.url === '/down') response.writeHead(302, { location: plain.url }).end();
      else if (request.url === '/up') response.writeHead(302, { location: '/file' }).end();
      else response.end(file);
    });
    await using secure = await listening(server);
    const defaults = getCACertificates('default');
    setDefaultCACertificates([...defaults, trusted.cert]);
    try {
      await using host = openHost();
      const origin = `https://127.0.0.1:${secure.port}`;
      expect(await read(await host.get(`${origin}/up`, fromStart, never))).toBe(file.toString());
      const answer = await host.get(`${origin}/down`, fromStart, never);
      expect(answer).toMatchObject({
        outcome: 'link-refused',
        failure: expect.stringContaining('https to http'),
      });
      expect(plain.seen).toHaveLength(0);
    } finally {
      setDefaultCACertificates(defaults);
    }
  });

  it('without a target is refused', async () => {
    await using server = await webServer((_, response) => response.writeHead(302).end());
    await using host = openHost();
    expect(await host.get(server.url, fromStart, never)).toMatchObject({ outcome: 'link-refused' });
  });
});

describe('a service at a public address', () => {
  const publicService = { serviceUrl: 'http://203.0.113.1' };

  it('lets no link lead to this machine, and nothing is connected to', async () => {
    let connections = 0;
    await using server = await listening(createTcpServer(() => (connections += 1)));
    await using host = openHost(publicService);
    const names = ['127.0.0.1', 'localhost', '2130706433', '0x7f.1', '0177.0.0.1', '[::ffff:127.0.0.1]', '0'];
    for (const name of names) {
      const answer = await host.get(`http://${name}:${server.port}/v?sig=SECRET`, fromStart, never);
      expect(answer).toMatchObject({ outcome: 'link-refused', failure: expect.stringContaining('private') });
      expect(JSON.stringify(answer)).not.toContain('SECRET');
    }
    expect(connections).toBe(0);
  });

  it('says the rule, and what to do where a name resolves to a private address', async () => {
    await using host = openHost(publicService);
    expect(await host.get('http://localhost:9/v', fromStart, never)).toMatchObject({
      failure: expect.stringMatching(
        /localhost resolves here to (?:127\.0\.0\.1|::1), a loopback, private .* correct the DNS of this computer/,
      ),
    });
  });

  it.each([
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '169.254.169.254',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '[::]',
    '[::1]',
    '[fc00::1]',
    '[fd12::1]',
    '[fe80::1]',
    '[ff02::1]',
    '[::ffff:10.0.0.1]',
    '[64:ff9b::10.0.0.1]',
  ])('lets no link lead to %s', async (address) => {
    await using host = openHost(publicService);
    const answer = await host.get(`http://${address}:9/`, fromStart, never);
    expect(answer).toMatchObject({ outcome: 'link-refused', failure: expect.stringContaining('private') });
  });

  it('lets no redirect lead to this machine', async () => {
    let connections = 0;
    await using inside = await listening(createTcpServer(() => (connections += 1)));
    // A proxy stands in for a public host: it is asked for one and answers with the redirect.
    await using proxy = await webServer((_, response) =>
      response.writeHead(302, { location: `http://127.0.0.1:${inside.port}/` }).end(),
    );
    await using host = openHost({ ...publicService, env: { HTTP_PROXY: proxy.url } });
    const answer = await host.get('http://files.example/v', fromStart, never);
    expect(answer).toMatchObject({ outcome: 'link-refused', failure: expect.stringContaining('127.0.0.1') });
    expect(proxy.seen.map((request) => request.url)).toEqual(['http://files.example/v']);
    expect(connections).toBe(0);
  });
});

describe('a service on this machine', () => {
  it.each(['http://localhost', 'http://[::1]:8080/v1', 'http://10.0.0.1'])(
    'lets links lead to this machine (%s)',
    async (serviceUrl) => {
      await using server = await webServer((_, response) => response.end(file));
      await using host = openHost({ serviceUrl });
      expect(await read(await host.get(server.url, fromStart, never))).toBe(file.toString());
      const byName = `http://localhost:${server.port}/`;
      expect(await read(await host.get(byName, fromStart, never))).toBe(file.toString());
    },
  );
});

describe('a proxy', () => {
  it('is used for other hosts, byte for byte, and never for this machine', async () => {
    await using proxy = await webServer((_, response) => response.end('by proxy'));
    await using server = await webServer((_, response) => response.end('direct'));
    await using host = openHost({ env: { http_proxy: proxy.url.replace('http://', '') } });
    const link = `http://files.example/a%2Fb?sig=%2b+~'()`;
    expect(await read(await host.get(link, fromStart, never))).toBe('by proxy');
    expect(proxy.seen.map((request) => request.url)).toEqual([link]);
    expect(await read(await host.get(server.url, fromStart, never))).toBe('direct');
  });

  it('that is no address is named by its variable only', async () => {
    await using host = openHost({ env: { HTTP_PROXY: 'http://:SECRET@' } });
    const answer = await host.get('http://files.example/', fromStart, never);
    expect(answer).toMatchObject({ outcome: 'unanswered', failure: expect.stringContaining('HTTP_PROXY') });
    expect(JSON.stringify(answer)).not.toContain('SECRET');
  });
});

it.skipIf(process.platform !== 'linux')(
  'a file comes from the first address, however long the way is',
  async () => {
    await using open = new AsyncDisposableStack();
    const { baseUrl } = await farServer(thenClose(answer(200, 'all')), open);
    await using host = openHost();
    expect(await host.get(`${baseUrl}/file`, fromStart, never)).toMatchObject({
      outcome: 'content',
      totalBytes: 3,
    });
  },
);

import { once } from 'node:events';
import { createServer, type OutgoingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as zlib from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { FileAnswer } from '../../src/ports.ts';
import { Exchange } from '../../src/service/exchange.ts';
import { replyOf } from '../../src/service/read-reply.ts';
import { planRoute } from '../../src/service/route.ts';
import { openHost } from '../support/file-host.ts';

const never = new AbortController().signal;

/** An MP4 by its first bytes, larger than one piece on the wire. */
const video = Buffer.alloc(300_000, 7);
video.set(Buffer.from('\0\0\0\x20ftypisom'));

async function serve(headers: OutgoingHttpHeaders, body: Buffer) {
  const server = createServer((_, response) => response.writeHead(200, headers).end(body));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v.mp4`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function bytesOf(answer: FileAnswer): Promise<Buffer> {
  if (answer.outcome !== 'content') throw new Error(`no content: ${JSON.stringify(answer)}`);
  const pieces: Uint8Array[] = [];
  for await (const bytes of answer.body) pieces.push(bytes);
  return Buffer.concat(pieces);
}

async function fetched(headers: OutgoingHttpHeaders, body: Buffer): Promise<Buffer> {
  await using server = await serve(headers, body);
  await using host = openHost();
  return await bytesOf(await host.get(server.url, { offset: 0, validator: null }, never));
}

describe('a file that was sent in an encoding', () => {
  it.each([
    ['gzip', zlib.gzipSync(video)],
    ['x-gzip', zlib.gzipSync(video)],
    ['deflate', zlib.deflateSync(video)],
    ['deflate', zlib.deflateRawSync(video)],
    ['br', zlib.brotliCompressSync(video)],
    ['zstd', zlib.zstdCompressSync(video)],
    ['gzip, br', zlib.brotliCompressSync(zlib.gzipSync(video))],
    ['aws-chunked, gzip', zlib.gzipSync(video)],
    ['gzip, aws-chunked', zlib.gzipSync(video)],
    ['utf-8, br, binary', zlib.brotliCompressSync(video)],
    ['GZIP', zlib.gzipSync(Buffer.concat([video, video]))],
  ])('arrives as it was: %s', async (encoding, body) => {
    const plain = encoding === 'GZIP' ? Buffer.concat([video, video]) : video;
    for (const headers of [{}, { 'content-length': body.length }]) {
      const got = await fetched({ 'content-encoding': encoding, ...headers }, body);
      expect(got.equals(plain)).toBe(true);
    }
  });

  it.each(['aws-chunked', 'utf-8', 'identity', 'binary', 'gzip', 'br', 'deflate'])(
    'is taken as it is where it is a video already: %s',
    async (encoding) => {
      const headers = { 'content-encoding': encoding, 'content-length': video.length };
      expect((await fetched(headers, video)).equals(video)).toBe(true);
    },
  );

  it('keeps its length and version where the encoding changes nothing', async () => {
    const headers = { 'content-encoding': 'aws-chunked', 'content-length': video.length, etag: '"v1"' };
    await using server = await serve(headers, video);
    await using host = openHost();
    const answer = await host.get(server.url, { offset: 0, validator: null }, never);
    expect(answer).toMatchObject({ totalBytes: video.length, validator: '"v1"' });
    await bytesOf(answer);
  });

  it('has neither its length nor its version, which are those of other bytes', async () => {
    const body = zlib.gzipSync(video);
    await using server = await serve(
      { 'content-encoding': 'gzip', 'content-length': body.length, etag: '"v1"' },
      body,
    );
    await using host = openHost();
    const answer = await host.get(server.url, { offset: 0, validator: null }, never);
    expect(answer).toMatchObject({ totalBytes: null, validator: null });
    await bytesOf(answer);
  });

  it.each([
    ['gzip that is cut', 'gzip', zlib.gzipSync(video).subarray(0, -9)],
    ['brotli that is cut', 'br', zlib.brotliCompressSync(video).subarray(0, -1)],
    ['gzip that is broken', 'gzip', Buffer.concat([zlib.gzipSync(video).subarray(0, 30), Buffer.alloc(99)])],
    ['an encoding that nobody knows', 'compress', Buffer.from('\x1f\x9d and what follows')],
    ['aws-chunked that is one', 'aws-chunked', Buffer.from(`493e0;chunk-signature=0\r\n${video}`)],
  ])('is not taken from %s', async (_name, encoding, body) => {
    const failure = await fetched({ 'content-encoding': encoding }, body).catch(String);
    expect(failure).toMatch(/127\.0\.0\.1:\d+\/v\.mp4: .*encoding/);
  });

  it('is not taken where it unpacks to far more than was sent', async () => {
    const bomb = zlib.gzipSync(Buffer.concat([Buffer.from('not a video'), Buffer.alloc(80 * 2 ** 20)]), {
      level: 1,
    });
    await expect(fetched({ 'content-encoding': 'gzip' }, bomb)).rejects.toThrow('far more than was sent');
  });

  it('that is empty is empty', async () => {
    expect((await fetched({ 'content-encoding': 'gzip' }, Buffer.alloc(0))).length).toBe(0);
  });
});

/** Text that came as these bytes of an answer, under this header. */
function textOf(bytes: Uint8Array, encoding: string | undefined) {
  const exchange = new Exchange(2 ** 20);
  const controller = { paused: false, aborted: false, reason: null, rawHeaders: null } as never;
  exchange.onResponseStart(controller, 200, encoding === undefined ? {} : { 'content-encoding': encoding });
  exchange.onResponseData(controller, Buffer.from(bytes));
  exchange.onResponseEnd();
  const route = planRoute({ baseUrl: 'http://127.0.0.1', requestTimeoutMs: 1, env: {} });
  return replyOf(exchange, route, 2 ** 20, String);
}

test('an answer is read by its bytes: what its header says of them changes nothing, and a broken end takes only the end', () => {
  const packs: readonly ((bytes: Uint8Array) => Buffer)[] = [
    zlib.gzipSync,
    zlib.zstdCompressSync,
    zlib.brotliCompressSync,
    zlib.deflateSync,
    zlib.deflateRawSync,
  ];
  const header = fc.constantFrom(undefined, 'utf-8', 'none', 'identity', 'gzip', 'br', 'deflate', 'zstd');
  const answer = fc.record({ status: fc.string(), task_id: fc.string({ unit: 'grapheme' }) });
  fc.assert(
    fc.property(
      answer,
      fc.array(fc.constantFrom(...packs), { maxLength: 2 }),
      header,
      (said, layers, named) => {
        const text = JSON.stringify(said);
        const packed = layers.reduce<Uint8Array>((bytes, pack) => pack(bytes), Buffer.from(text));
        expect(textOf(packed, named)).toMatchObject({ body: text, defect: null });
      },
    ),
    { numRuns: 300 },
  );
  const text = '{"status":"success","data":{"task_id":"task-4711"}}';
  const broken = zlib.gzipSync(text).map((byte, at, all) => (at < all.length - 8 ? byte : 0));
  const noisy = Buffer.concat([zlib.gzipSync(text), Buffer.from('and more')]);
  for (const bytes of [broken, noisy])
    expect(textOf(bytes, 'gzip')).toMatchObject({
      body: text,
      defect: 'its content-encoding gzip cannot be read',
    });
  const unknown = Buffer.from('\x1f\x9d\x90 task-4711', 'latin1');
  expect(textOf(unknown, 'compress')).toMatchObject({
    body: expect.stringContaining('task-4711'),
    defect: 'its content-encoding compress cannot be read',
  });
});

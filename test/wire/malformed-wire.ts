/** Lies of the wire: what surrounds a body that would be right. */

import {
  brotliCompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import { body, bytesOf, ends, firstThen, forever, head, type Lie, resetsAfter, says, whole } from './lies.ts';

/** The right answer all the same. */
const honest = { creation: 'accepted', status: 'task-progressed', file: 'honest' } as const;
/** Only the id of a task that was paid for is read. */
const idAlone = { creation: 'accepted' } as const;
/** What is right can be read, but no file counts as whole. */
const readable = { creation: 'accepted', status: 'task-progressed' } as const;

const half = (bytes: Buffer): Buffer => bytes.subarray(0, Math.floor(bytes.length / 2));
const chunk = (bytes: Uint8Array): Buffer => bytesOf(`${bytes.length.toString(16)}\r\n`, bytes, '\r\n');
const chunked = head(200, 'transfer-encoding: chunked');
const long = (count: number): string => 'y'.repeat(count);
const bomb = Buffer.alloc(50_000_000, ' ');
const brotli = (bytes: Buffer) =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
/** As large as a status or a file may be, and larger than the answer to a creation: its start is read. */
const longStatus = { ...readable, file: 'plausible' } as const;
const encoded = (encoding: string, pack: (bytes: Buffer) => Uint8Array) =>
  says((right) => whole(pack(right), 200, `content-encoding: ${encoding}`));

export const malformedWire: Readonly<Record<string, Lie>> = {
  'nothing, and a close': { tell: ends(() => '') },
  'a reset': { tell: resetsAfter(() => '') },
  'a text that is no HTTP': { tell: ends(() => 'hello there\r\n\r\n') },
  'HTTP/0.9': { ...idAlone, tell: ends((right) => right) },
  'a preface of HTTP/2': {
    tell: ends(() => bytesOf('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', Buffer.from('000000040000000000', 'hex'))),
  },
  'a frame of HTTP/2': { tell: ends(() => Buffer.from('00000c04000000000000030000006400040000ffff', 'hex')) },
  'an alert of TLS': { tell: ends(() => Buffer.from('15030300020228', 'hex')) },
  'a status line alone': { tell: ends(() => 'HTTP/1.1 200 OK\r\n') },
  'half a head': { tell: ends(() => 'HTTP/1.1 200 OK\r\ncontent-le') },
  'a version that does not exist': {
    ...idAlone,
    tell: ends((right) => bytesOf('HTTP/9.9 200 OK\r\n\r\n', right)),
  },
  'status 99': { ...idAlone, tell: ends((right) => whole(right, 99)) },
  'status 1000': { ...idAlone, tell: ends((right) => whole(right, 1000)) },
  'status OK': { ...idAlone, tell: ends((right) => whole(right, 'OK')) },
  'a head that never comes': { hangs: true, tell: () => () => undefined },
  'a head that drips': { hangs: true, tell: forever('HTTP/1.1 200 OK\r\nx: ', 'y', 5) },
  'a head of many drips': { hangs: true, tell: forever('HTTP/1.1 200 OK\r\n', 'x: y\r\n', 5) },
  'a head without an end': { tell: forever('HTTP/1.1 200 OK\r\n', 'x: y\r\n'.repeat(1_000)) },
  'a header of 20 kB': { tell: says((right) => whole(right, 200, `x: ${long(20_000)}`)), ...honest },
  'a header of 40 kB': { tell: says((right) => whole(right, 200, `x: ${long(40_000)}`)), ...honest },
  'a header of 400 kB': { tell: says((right) => whole(right, 200, `x: ${long(400_000)}`)) },
  '10,000 headers': {
    tell: says((right) => whole(right, 200, ...Array.from({ length: 10_000 }, (_, i) => `x-${i}: y`))),
  },
  'a header without a colon': { tell: ends((right) => whole(right, 200, 'nothing')), ...honest },
  'a header with a zero byte': { tell: ends((right) => whole(right, 200, 'x: a\0b')), ...honest },
  'a header with a bare carriage return': {
    tell: says((right) => whole(right, 200, 'x: a\rb\x1f')),
    ...honest,
  },
  'a header over two lines': { tell: says((right) => whole(right, 200, 'x: a', ' b')), ...honest },
  'a blank before each colon': {
    tell: says((right) => bytesOf(head(200, `content-length : ${right.length}`, 'x : y'), right)),
    ...honest,
  },
  'a name with a blank in it': { tell: says((right) => whole(right, 200, 'x y: z')), ...honest },
  'a head with bare line feeds': {
    tell: says((right) => bytesOf(`HTTP/1.1 200 OK\ncontent-length: ${right.length}\n\n`, right)),
    ...honest,
  },
  'a head and chunks with bare line feeds': {
    tell: says((right) =>
      bytesOf(chunked.replaceAll('\r', ''), `${right.length.toString(16)}\n`, right, '\n0\n\n'),
    ),
    ...honest,
  },
  'a length that is too short': {
    tell: says((right) => bytesOf(head(200, `content-length: ${half(right).length}`), right)),
    file: 'plausible',
  },
  'a length of 0 before a body': { tell: says((right) => bytesOf(head(200, 'content-length: 0'), right)) },
  'a length that is too long, and a close': {
    tell: ends((right) => bytesOf(head(200, `content-length: ${right.length + 9}`), right)),
    ...readable,
  },
  'a length that is too long, and silence': {
    hangs: true,
    tell: says((right) => bytesOf(head(200, `content-length: ${right.length + 9}`), right)),
    ...readable,
  },
  'a body that is cut': {
    tell: ends((right) => bytesOf(head(200, `content-length: ${right.length}`), half(right))),
  },
  'a body that stalls': {
    hangs: true,
    tell: says((right) => bytesOf(head(200, `content-length: ${right.length}`), half(right))),
  },
  'a body that is reset': {
    tell: resetsAfter((right) => bytesOf(head(200, `content-length: ${right.length}`), half(right))),
  },
  'a body that drips': { hangs: true, tell: forever(head(200, 'content-length: 99999999'), ' ', 5) },
  'a body without an end': { tell: forever(chunked, chunk(Buffer.alloc(65_536, ' '))), fileKind: 'frame' },
  'a body of 1 TB': { tell: forever(head(200, 'content-length: 1099511627776'), Buffer.alloc(65_536, ' ')) },
  'two lengths': { tell: says((right) => whole(right, 200, `content-length: ${right.length - 1}`)) },
  'the same length twice': {
    tell: says((right) => whole(right, 200, `Content-Length: ${right.length}`)),
    ...honest,
  },
  'the same length in a list': {
    tell: says((right) =>
      bytesOf(head(200, `content-length: ${right.length}, ${right.length}`, 'x: y'), right),
    ),
    ...honest,
  },
  'a length in a list': {
    tell: says((right) => bytesOf(head(200, `content-length: 9, ${right.length}`), right)),
  },
  'a negative length': {
    ...idAlone,
    tell: says((right) => bytesOf(head(200, `content-length: -${right.length}`), right)),
  },
  'a length in hex': { ...idAlone, tell: says((right) => bytesOf(head(200, 'content-length: 0x20'), right)) },
  'a length beyond all numbers': {
    tell: says((right) => bytesOf(head(200, `content-length: ${'9'.repeat(30)}`), right)),
  },
  'a length and chunks': {
    tell: says((right) =>
      bytesOf(head(200, 'content-length: 5', 'transfer-encoding: chunked'), chunk(right), '0\r\n\r\n'),
    ),
    ...honest,
  },
  'a length and chunks that are cut': {
    tell: ends((right) =>
      bytesOf(
        head(200, `content-length: ${half(right).length}`, 'transfer-encoding: chunked'),
        `${right.length.toString(16)}\r\n`,
        half(right),
      ),
    ),
  },
  'blanks around the size of a chunk': {
    tell: says((right) => bytesOf(chunked, ` ${right.length.toString(16)}  \r\n`, right, '\r\n0 \r\n\r\n')),
    ...honest,
  },
  'chunks that end at once': { tell: says(() => bytesOf(chunked, '0\r\n\r\n')) },
  'chunks that are cut': { tell: ends((right) => bytesOf(chunked, chunk(half(right)))) },
  'chunks without an end': { tell: ends((right) => bytesOf(chunked, chunk(right))), ...readable },
  'a chunk of a bad size': { ...idAlone, tell: ends((right) => bytesOf(chunked, 'zz\r\n', right)) },
  'a chunk larger than all numbers': {
    ...idAlone,
    tell: ends((right) => bytesOf(chunked, `${'f'.repeat(20)}\r\n`, right)),
  },
  'a chunk that is longer than it says': {
    ...idAlone,
    tell: ends((right) => bytesOf(chunked, '2\r\n', right, '\r\n0\r\n\r\n')),
  },
  'chunks with long extensions': {
    tell: says((right) =>
      bytesOf(chunked, `${right.length.toString(16)};${long(10_000)}\r\n`, right, '\r\n0\r\n\r\n'),
    ),
    ...honest,
  },
  'chunks and 10,000 trailers': {
    tell: says((right) => bytesOf(chunked, chunk(right), `0\r\n${'x: y\r\n'.repeat(10_000)}\r\n`)),
    ...honest,
  },
  'the transfer-encoding identity, cut the first time': {
    tell: firstThen(
      ends((right) => bytesOf(head(200, 'transfer-encoding: identity'), half(right))),
      ends((right) => bytesOf(head(200, 'transfer-encoding: identity'), right)),
    ),
    file: 'honest',
  },
  'the transfer-encoding gzip and chunks': {
    tell: says((right) =>
      bytesOf(head(200, 'transfer-encoding: gzip, chunked'), chunk(gzipSync(right)), '0\r\n\r\n'),
    ),
    ...honest,
  },
  'a body without a length, cut in one place': {
    tell: ends((right) => bytesOf(head(200), half(right))),
  },
  'a body without a length, cut the first time': {
    tell: firstThen(
      ends((right) => bytesOf(head(200), half(right))),
      ends((right) => bytesOf(head(200), right)),
    ),
    file: 'honest',
  },
  'gzip, unasked': { tell: encoded('gzip', gzipSync), ...honest },
  'deflate, unasked': { tell: encoded('deflate', deflateSync), ...honest },
  'bare deflate, unasked': { tell: encoded('deflate', deflateRawSync), ...honest },
  'brotli, unasked': { tell: encoded('br', brotli), ...honest },
  'zstd, unasked': { tell: encoded('zstd', zstdCompressSync), ...honest },
  'gzip twice': { tell: encoded('gzip, gzip', (right) => gzipSync(gzipSync(right))), ...honest },
  'an encoding that does not exist': { tell: encoded('none', (right) => right), ...honest },
  'a charset for an encoding': { tell: encoded('utf-8', (right) => right), ...honest },
  'gzip that is none': { tell: encoded('gzip', (right) => right), ...honest },
  'two encodings in two headers': {
    tell: says((right) =>
      whole(gzipSync(right), 200, 'content-encoding: identity', 'content-encoding: gzip'),
    ),
    ...honest,
  },
  'a bomb in gzip': { tell: encoded('gzip', (right) => gzipSync(bytesOf(right, bomb))), ...longStatus },
  'a bomb in deflate': {
    tell: encoded('deflate', (right) => deflateSync(bytesOf(right, bomb))),
    ...longStatus,
  },
  'a bomb in brotli': { tell: encoded('br', (right) => brotli(bytesOf(right, bomb))), ...longStatus },
  'a bomb in zstd': {
    tell: encoded('zstd', (right) => zstdCompressSync(bytesOf(right, bomb))),
    ...longStatus,
  },
  'status 204 before a body': { tell: says((right) => whole(right, 204)) },
  'status 205 with a body': { tell: says((right) => whole(right, 205)), ...readable },
  'status 206 with a body': { tell: says((right) => whole(right, 206)), ...honest },
  'status 206 of a part that is all there is': {
    tell: says((right) => whole(right, 206, `content-range: bytes 0-${right.length - 1}/*`)),
    ...honest,
  },
  'status 201 with a body': { tell: says((right) => whole(right, 201)), ...honest },
  'status 203 with a body': { tell: says((right) => whole(right, 203)), ...honest },
  'status 304 before a body': { tell: says((right) => whole(right, 304)) },
  'a hundred that nobody asked for': {
    tell: says((right) => bytesOf('HTTP/1.1 100 Continue\r\n\r\n', whole(right))),
    ...honest,
  },
  'every kind of interim answer': {
    tell: says((right) =>
      bytesOf(
        'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 100\r\nx: y\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n',
        whole(right),
      ),
    ),
    ...honest,
  },
  'a hundred in pieces, and an answer in pieces': {
    tell: (right) => async (socket) => {
      for (const byte of bytesOf(
        'HTTP/1.1 100 Continue\r\n\r\n',
        head(200, `content-length: ${right.length}`),
      ))
        await new Promise<void>((resolve) => socket.write(Buffer.of(byte), () => setImmediate(resolve)));
      socket.write(right);
    },
    ...honest,
  },
  'a hundred and nothing more': { hangs: true, tell: says(() => 'HTTP/1.1 100 Continue\r\n\r\n') },
  'a thousand hints': {
    tell: says((right) =>
      bytesOf('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'.repeat(1_000), whole(right)),
    ),
    ...honest,
  },
  'hints without an end': {
    tell: forever('', 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'.repeat(1_000)),
    hangs: true,
  },
  'a switch of protocols': { tell: says(() => head(101, 'connection: upgrade', 'upgrade: h2c')) },
  'two answers at once': { tell: says((right) => bytesOf(whole(right), whole(right))), ...honest },
  'a close that does not come': { tell: says((right) => whole(right, 200, 'connection: close')), ...honest },
  'a close that was not announced': {
    tell: ends((right) => whole(right, 200, 'connection: keep-alive')),
    ...honest,
  },
  'HTTP/1.0': { tell: ends((right) => bytesOf('HTTP/1.0 200 OK\r\n\r\n', right)), ...honest },
  '50 MB behind the right bytes': {
    tell: says((right) => whole(bytesOf(right, bomb))),
    ...readable,
    file: 'plausible',
  },
  'the wrong type': {
    tell: says((right) => whole(right, 200, 'content-type: text/html; charset=utf-16')),
    ...honest,
  },
  'zero bytes': { tell: body(Buffer.alloc(1_000)), file: 'plausible' },
};

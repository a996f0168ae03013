import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AnswerHeads, mendAnswers } from '../../src/service/answer-heads.ts';

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const text = (all: readonly Uint8Array[]): string => all.map((part) => String.fromCharCode(...part)).join('');

/** What is read of this, in pieces of these sizes, over and over. */
function read(said: string, sizes: readonly number[] = [said.length]): string {
  const heads = new AnswerHeads();
  const parts: Uint8Array[] = [];
  for (let from = 0, at = 0; from < said.length; at++) {
    const size = Math.max(1, sizes[at % sizes.length] ?? 1);
    parts.push(heads.pass(bytes(said.slice(from, from + size))));
    from += size;
  }
  return text([...parts, heads.end()]);
}

const plain = 'HTTP/1.1 200 OK\r\ncontent-length: 4\r\nx: y\r\n\r\nbody';
const chunked = 'transfer-encoding: Chunked\r\n\r\n';
const soundChunks = '4\r\nbody\r\nc\r\n of an answe\r\n1\r\nr\r\n0\r\n\r\n';

describe('the heads of answers', () => {
  it.for([
    ['a plain answer', plain, plain],
    ['a hundred before it', `HTTP/1.1 100 Continue\r\n\r\n${plain}`, plain],
    ['a hundred without a reason', `HTTP/1.1 100\r\n\r\n${plain}`, plain],
    ['several interim answers', `HTTP/1.1 102 P\r\na: b\r\n\r\nHTTP/1.0 103 E\r\n\r\n${plain}`, plain],
    [
      'a length said twice',
      'HTTP/1.1 200 OK\r\nContent-Length: 4\r\nx: y\r\ncontent-length:4\r\n\r\nbody',
      'HTTP/1.1 200 OK\r\ncontent-length: 4\r\nx: y\r\n\r\nbody',
    ],
    [
      'a length said three times in a list',
      'HTTP/1.1 200 OK\r\ncontent-length: 4, 4 ,4\r\n\r\nbody',
      'HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nbody',
    ],
    ['empty lines before it', `\r\n\n${plain}`, plain],
    ['bare line feeds', plain.replaceAll('\r', ''), plain],
    ['bare line feeds in an answer before it', `HTTP/1.1 100\n\n${plain}`, plain],
    [
      'blanks before a colon',
      'HTTP/1.1 200 OK\r\ncontent-length \t: 4\r\nX : y : z\r\n\r\nbody',
      'HTTP/1.1 200 OK\r\ncontent-length: 4\r\nX: y : z\r\n\r\nbody',
    ],
    [
      'control characters in its lines',
      'HTTP/1.1 200 O\x01K\r\nx: a\0b\rc\x7fd\te\x80\xe9\r\ncontent-length: 4\r\r\n\r\nbody',
      'HTTP/1.1 200 O K\r\nx: a b c d\te\x80\xe9\r\ncontent-length: 4 \r\n\r\nbody',
    ],
    [
      'lines that are no header',
      'HTTP/1.1 200 OK\r\n folded\r\nnothing\r\n: y\r\nx y: z\r\nx: y\r\n\r\nbody',
      'HTTP/1.1 200 OK folded\r\nx: y\r\n\r\nbody',
    ],
    [
      'a header over several lines',
      'HTTP/1.1 200 OK\r\nx: a\r\n  b\r\n\tc\r\n\r\nbody',
      'HTTP/1.1 200 OK\r\nx: a b c\r\n\r\nbody',
    ],
    [
      'a length next to the encoding identity',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: identity\r\ncontent-length: 4\r\n\r\nbody',
      'HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nbody',
    ],
    [
      'a length next to chunks, after which nothing else is read on this connection',
      `HTTP/1.1 200 OK\r\ncontent-length: 5\r\nconnection: keep-alive\r\n${chunked}4\r\nbody\r\n0\r\n\r\n`,
      `HTTP/1.1 200 OK\r\ntransfer-encoding: Chunked\r\nconnection: close\r\n\r\n4\r\nbody\r\n0\r\n\r\n`,
    ],
    [
      'sound chunks',
      `HTTP/1.1 200 OK\r\n${chunked}${soundChunks}`,
      `HTTP/1.1 200 OK\r\n${chunked}${soundChunks}`,
    ],
    [
      'blanks around sizes, extensions and trailers',
      `HTTP/1.1 200 OK\r\n${chunked} 4 \r\nbody\r\n0A\t;x=" y"\r\n\n 2 \r\n\r\n\n\n\r\n00 \r\nx: y\r\nz\r\n\r\nmore 1 \n`,
      `HTTP/1.1 200 OK\r\n${chunked}4\r\nbody\r\n0A\r\n\n 2 \r\n\r\n\n\n\r\n00\r\n\r\nmore 1 \n`,
    ],
    [
      'chunks between bare line feeds',
      `HTTP/1.1 200 OK\n${chunked.replaceAll('\r', '')}${soundChunks.replaceAll('\r', '')}`,
      `HTTP/1.1 200 OK\r\n${chunked}${soundChunks}`,
    ],
  ])('%s: in whatever pieces it comes', ([, said = '', expected]) => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1 }), (sizes) => {
        expect(read(said, sizes)).toBe(expected);
      }),
      { numRuns: 50 },
    );
  });

  it.for([
    'HTTP/1.1 200 OK\r\ncontent-length: 4\r\ncontent-length: 5\r\n\r\nbody',
    'HTTP/1.1 200 OK\r\ncontent-length: 4, x\r\n\r\nbody',
    'HTTP/1.1 200 OK\r\ncontent-length: x\r\ncontent-length: x\r\n\r\nbody',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: gzip\r\ncontent-length: 4\r\n\r\nbody',
    `HTTP/1.1 200 OK\r\n${chunked}zz \r\nbody\r\n0 \r\n\r\n`,
    `HTTP/1.1 200 OK\r\n${chunked}${'f'.repeat(20)} \r\nbody\r\n0 \r\n\r\n`,
    `HTTP/1.1 200 OK\r\n${chunked}2\r\nbody\r\n0 \r\n\r\n`,
    `HTTP/1.1 200 OK\r\n${chunked}4\r\nbody\r\n0`,
    `HTTP/1.1 200 OK\r\n${chunked}${'0'.repeat(70_000)}`,
    'HTTP/1.1 101 Switching\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n',
    'no HTTP at all',
    'no HTTP\nat all\n\nbody',
    'HTTP/1.1 200 OK\r\nx: y',
    `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(70_000)}\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n`,
    `${plain}HTTP/1.1 100 Continue\r\n\r\n`,
  ])('leave what they cannot mend as it is: %#', (said) => {
    expect(read(said)).toBe(said);
    expect(read(said, [1_000])).toBe(said);
  });

  it('are looked for again after the next request has left, on the socket itself', () => {
    const received: (Uint8Array | null)[] = [];
    const socket = {
      push: (part: Uint8Array | null): boolean => received.push(part) > 0,
      write: (): boolean => true,
    };
    mendAnswers(socket);
    for (let count = 0; count < 2; count++) {
      socket.write();
      socket.push(bytes(`HTTP/1.1 100 Continue\r\n\r\n${plain}`));
    }
    socket.write();
    socket.push(bytes('HTTP/1.1 20'));
    socket.push(null);
    expect(received.at(-1)).toBeNull();
    expect(text(received.filter((part) => part !== null))).toBe(`${plain}${plain}HTTP/1.1 20`);
    socket.push(null);
    expect(received.at(-2)).toBeNull();
  });
});

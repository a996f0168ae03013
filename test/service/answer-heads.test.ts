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
    'HTTP/1.1 101 Switching\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n',
    'no HTTP at all',
    'HTTP/1.1 200 OK\r\nx: y',
    `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(70_000)}\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n`,
    `${plain}HTTP/1.1 100 Continue\r\n\r\n`,
  ])('leave what they cannot mend as it is: %#', (said) => {
    expect(read(said)).toBe(said);
    expect(read(said, [1_000])).toBe(said);
  });

  it('are looked for again after the next request has left, on the socket itself', () => {
    const heard: (Uint8Array | null)[] = [];
    const socket = {
      push: (part: Uint8Array | null): boolean => heard.push(part) > 0,
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
    expect(heard.at(-1)).toBeNull();
    expect(text(heard.filter((part) => part !== null))).toBe(`${plain}${plain}HTTP/1.1 20`);
    socket.push(null);
    expect(heard.at(-2)).toBeNull();
  });
});

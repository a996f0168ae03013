/** A line on which nothing moves: a network that swallows everything tells nobody, and what is copied would be awaited for ever. */

import type { Socket } from 'node:net';

/** Bytes that came, and that the system took. */
const moved = ({ bytesRead, bytesWritten, writableLength }: Socket): number =>
  bytesRead + bytesWritten - writableLength;

/** Breaks the line when nothing has moved on it for so long (ms) while this work goes on. */
export async function unlessSilent<T>(line: Socket, ms: number, work: Promise<T>): Promise<T> {
  let before = moved(line);
  const look = (): void => {
    const now = moved(line);
    if (now === before) line.destroy(new Error(`timeout exceeded: nothing came for ${ms / 1_000} s`));
    before = now;
  };
  // Of a process that stood still the timer comes before what has arrived meanwhile.
  const timer = setInterval(() => setImmediate(look), ms);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}

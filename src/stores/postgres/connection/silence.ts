/** A line on which nothing moves: a network that swallows everything reports nothing, and a copy would be awaited for ever. */

import type { Socket } from 'node:net';

/** Bytes received, and bytes that the system accepted. */
const moved = ({ bytesRead, bytesWritten, writableLength }: Socket): number =>
  bytesRead + bytesWritten - writableLength;

/** Breaks the line when nothing has moved on it for so long (ms) while this work runs. */
export async function unlessSilent<T>(line: Socket, ms: number, work: Promise<T>): Promise<T> {
  let before = moved(line);
  const look = (): void => {
    const now = moved(line);
    if (now === before) line.destroy(new Error(`timeout exceeded: nothing came for ${ms / 1_000} s`));
    before = now;
  };
  // In a process that stood still the timer runs before what has arrived meanwhile is read.
  const timer = setInterval(() => setImmediate(look), ms);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}

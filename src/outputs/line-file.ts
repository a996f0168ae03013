/** Appends lines to a file or to standard output, each whole or not at all. */

import { type FileHandle, open } from 'node:fs/promises';
import { messageOf } from '../errors.ts';
import { message } from '../messages/message.ts';
import { ReasonError } from '../messages/reasons/reason-error.ts';
import type { LineSink } from '../ports.ts';

/** How much of the end of a file is searched for a line that was cut. */
const tailBytes = 1024 * 1024;

/**
 * Opens a file of lines to append to it. Removes a last line that was cut when a process or its disk ended. Rejects where
 * the file cannot be written. A reader can rely on it to contain nothing else.
 */
export async function openLineFile(path: string): Promise<LineSink> {
  // A pipe without a reader would block the run: only a regular file is opened for writing.
  const file = await open(path, 'a+', 0o666);
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw new ReasonError(message('lines.no-file'));
    await cutLastLine(file, stat.size);
  } catch (error) {
    await file.close();
    throw error;
  }
  return {
    write: (lines) => appendWhole(file, lines),
    close: () => file.close(),
  };
}

/** Lines to a stream that others print to; resolves when they have left the process. */
export function openLineStream(stream: NodeJS.WritableStream): LineSink {
  return {
    write: (lines) =>
      new Promise((resolve, reject) => {
        stream.write(lines, (error) => (error ? reject(error) : resolve()));
      }),
    close: async () => {},
  };
}

async function cutLastLine(file: FileHandle, size: number): Promise<void> {
  const start = Math.max(0, size - tailBytes);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start);
  const end = buffer.subarray(0, bytesRead).lastIndexOf('\n') + 1;
  if (end === bytesRead) return;
  if (end === 0 && start > 0) throw new ReasonError(message('lines.no-end'));
  await file.truncate(start + end);
}

async function appendWhole(file: FileHandle, lines: string): Promise<void> {
  const bytes = Buffer.from(lines);
  let written = 0;
  try {
    while (written < bytes.length) {
      const { bytesWritten } = await file.write(bytes, written);
      written += bytesWritten;
    }
  } catch (error) {
    const whole = bytes.subarray(0, written).lastIndexOf('\n') + 1;
    if (written > whole) await file.truncate((await file.stat()).size - (written - whole));
    throw new Error(messageOf(error), { cause: error });
  }
}

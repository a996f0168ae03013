import { createReadStream } from 'node:fs';
import { codeOf } from '../../errors.ts';

/** The lines of a file, split at line feeds alone; none where there is no file. */
export async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = '';
  try {
    for await (const text of createReadStream(file, { encoding: 'utf8', highWaterMark: 1 << 18 })) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  if (rest !== '') yield rest;
}

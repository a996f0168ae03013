/**
 * Reads a Parquet file in a thread of its own. The library trusts the numbers in the file: one flipped bit can keep it
 * counting for years, or make it fill the memory. The thread is ended then, and the program continues. Any other thread ends
 * by itself and is waited for: one that is ended in the middle of a call of Node may take the program with it.
 */

import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { systemClock } from '../../app/system-clock.ts';
import { damagedParquet } from '../../input/parquet/parquet-library.ts';
import type { Problems } from '../../input/read-problems.ts';
import type { FieldColumns, RowPage, RowReader } from '../../input/read-rows.ts';
import { message, type Said } from '../../messages/message.ts';

/** What the thread reads. */
export interface ParquetOrder {
  readonly file: string;
  readonly sizeBytes: number;
  readonly overrides: FieldColumns;
}

/** What the thread says. After a page it waits until it is asked to continue. */
export type ParquetReply =
  /** It has read something from the file. */
  | { readonly type: 'step' }
  | { readonly type: 'page'; readonly page: RowPage }
  | { readonly type: 'problem'; readonly line: number | null; readonly said: Said }
  /** It has ended. */
  | { readonly type: 'end' };

interface ParquetFile extends ParquetOrder {
  readonly problems: Problems;
  /** How long (ms) the thread may neither read nor give a page; a minute by default. */
  readonly silenceMs?: number;
}

/** A group of rows is decoded at once and has at most 512 MB, which takes some ten seconds. */
const longestSilenceMs = 60_000;

/** Decoded texts of one group; where it is not enough, only the thread ends. Pictures are not counted here. */
const resourceLimits = { maxOldGenerationSizeMb: 1_024 };

/** The source and the compiled worker share the extension of this file. */
const workerUrl = new URL(`./parquet-worker${extname(import.meta.url)}`, import.meta.url);

/** The rows of a file; their numbers count from 1. */
export function readParquetFile({
  problems,
  silenceMs = longestSilenceMs,
  ...order
}: ParquetFile): RowReader {
  async function* pages(): AsyncGenerator<RowPage> {
    const worker = new Worker(workerUrl, { workerData: order satisfies ParquetOrder, resourceLimits });
    const replies: ParquetReply[] = [];
    let wake = (): void => {};
    const receive = (reply: ParquetReply): void => {
      replies.push(reply);
      wake();
    };
    worker.on('message', receive);
    worker.on('error', (error) => receive({ type: 'problem', line: null, said: damagedParquet(error) }));
    worker.on('exit', () => receive({ type: 'end' }));
    /** The next reply; null where none comes. */
    const nextReply = async (): Promise<ParquetReply | null> => {
      if (replies.length === 0) {
        const received = new AbortController();
        wake = () => received.abort();
        await systemClock.wait(silenceMs, received.signal);
      }
      return replies.shift() ?? null;
    };
    try {
      while (true) {
        const reply = await nextReply();
        if (reply === null)
          problems.add(null, message('parquet.damaged', { detail: message('parquet.endless') }));
        if (reply === null || reply.type === 'end') return;
        if (reply.type === 'problem') problems.add(reply.line, reply.said);
        if (reply.type !== 'page') continue;
        yield reply.page;
        worker.postMessage('go on');
      }
    } finally {
      await worker.terminate();
    }
  }
  return { pages: pages(), delimiter: () => null, notes: () => [] };
}

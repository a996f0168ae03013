/**
 * The memory of a worker: every creation that left it, in `batch.sent`, one line for each and one for its answer, and one for each
 * change of the terms that it obeys. A line is on disk before the creation leaves, and stays for the life of the run: how far back
 * its store may go is not known.
 */

import { closeSync, createReadStream, existsSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DiskError, refusalOf } from '../errors.ts';
import { message } from '../messages/message.ts';
import type { SentCreation } from '../money/answers/late-answers.ts';
import type { Pause } from '../money/steering.ts';

export const sentLogName = 'batch.sent';

/** A creation as it leaves. */
export type LeavingCreation = Omit<SentCreation, 'taskId' | 'isVoid'>;

/** How a creation was answered; `taskId` is null where it surely made no task. */
interface SentAnswer {
  readonly token: string;
  readonly taskId: string | null;
}

/** How far a run may spend, as a worker read it. */
export interface KeptTerms {
  /** The server that said so (`SharedState.server`). */
  readonly server: string;
  readonly round: number;
  /** The last change of the steering. */
  readonly steering: number;
  /** Null for none. */
  readonly cap: number | null;
  readonly pause: Pause | null;
}

/** The memory of one worker, open to be written. */
export interface SentLog extends Disposable {
  /** Throws `DiskError` where they cannot be kept: then they must not leave. */
  leave(creations: readonly LeavingCreation[]): void;
  /** Never throws: without it the creation is one whose answer is not known. Not synced. */
  answer(answer: SentAnswer): void;
  /** Never throws: without it the worker forgets them when it dies. */
  obey(terms: KeptTerms): void;
}

/** `syncFolder` makes names last: it knows which systems cannot. */
export function openSentLog(folder: string, syncFolder: (folder: string) => void): SentLog {
  const path = join(folder, sentLogName);
  const failed = (error: unknown): DiskError =>
    new DiskError(message('disk.file', { path, act: 'written', ...refusalOf(error) }), error);
  const isNew = !existsSync(path);
  let file: number;
  try {
    file = openSync(path, 'a');
    if (isNew) syncFolder(folder);
  } catch (error) {
    throw failed(error);
  }
  // The last line of a process that was killed may have no end.
  let mayBeCut = !isNew;
  const write = (lines: readonly object[]): void => {
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    const bytes = Buffer.from(mayBeCut ? `\n${text}` : text);
    mayBeCut = true;
    for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
    mayBeCut = false;
  };
  return {
    leave(creations) {
      try {
        write(creations);
        fsyncSync(file);
      } catch (error) {
        throw failed(error);
      }
    },
    answer({ token, taskId }) {
      try {
        write([{ token, taskId }]);
      } catch {
        // The journal has room for it.
      }
    },
    obey(terms) {
      try {
        write([{ terms }]);
        fsyncSync(file);
      } catch {
        // The disk is full: nothing more leaves this machine.
      }
    },
    [Symbol.dispose]: () => closeSync(file),
  };
}

/** One line of the memory. */
export type SentLine = LeavingCreation | SentAnswer | { readonly terms: KeptTerms };

export function isLeaving(line: SentLine): line is LeavingCreation {
  return 'key' in line;
}

const pageLines = 1_000;

/** The lines of this folder in the order in which they were written, in pages; none where there is no memory. */
export async function* readSentLog(folder: string): AsyncGenerator<readonly SentLine[]> {
  const path = join(folder, sentLogName);
  if (!existsSync(path)) return;
  let page: SentLine[] = [];
  for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    const line = parseLine(text);
    if (line === null) continue;
    page.push(line);
    if (page.length < pageLines) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

/** A line that was cut while it was written says nothing: its creation has not left. */
function parseLine(text: string): SentLine | null {
  try {
    const line = JSON.parse(text);
    return typeof line?.token === 'string' || typeof line?.terms === 'object' ? line : null;
  } catch {
    return null;
  }
}

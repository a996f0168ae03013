/** The bytes of the input: of a file that must not change while it is read, or of standard input. */

import { createReadStream, statSync } from 'node:fs';
import {
  ChangedFileError,
  type FileState,
  fileState,
  isSameState,
} from '../adapters/local-images/steady-file.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { fixed } from '../core/policy.ts';
import { codeOf, UsageError } from '../errors.ts';
import type { Clock } from '../ports.ts';
import { shownName, standardInput } from './standard-input.ts';

/** An input that is read once, from start to end. */
export interface InputBytes {
  /** Throws `UsageError` when the file cannot be read or changes while it is read. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Throws `UsageError` when the file has changed since it was read. */
  refuseChanged(): void;
  /** A remark about the bytes, once they have ended; null for none. */
  note(): string | null;
}

/** `remedy` is further advice for a missing file. Throws `UsageError` when the path is not a file. */
export function openInput(file: string, remedy: string, clock: Clock = systemClock): InputBytes {
  const isStandard = file === standardInput;
  if (!isStandard) refuseNoFile(file, remedy);
  const look = (): FileState | null => fileState(isStandard ? process.stdin.fd : file);
  const before = look();
  const refuseChanged = (): void => {
    if (isSameState(before, look())) return;
    const changed = new ChangedFileError(shownName(file));
    throw new UsageError(`${changed.message}; nothing was imported`, changed);
  };

  /** A program that writes in blocks may pause in the middle of a row. */
  const waitForQuiet = async (): Promise<void> => {
    if (before === null) return;
    const agoMs = clock.now() - Number(before.mtimeNs / 1_000_000n);
    if (Math.abs(agoMs) < fixed.inputQuietMs) await clock.wait(fixed.inputQuietMs - agoMs);
  };

  let end: Uint8Array = new Uint8Array();
  async function* bytes(): AsyncGenerator<Uint8Array> {
    let size = 0n;
    for await (const chunk of isStandard ? process.stdin : readable(file)) {
      yield chunk;
      end = chunk.subarray(-2);
      size += BigInt(chunk.length);
      // A file that grows as fast as it is read would never end.
      if (before !== null && size > before.size) refuseChanged();
    }
    if (!isLineEnd(end)) await waitForQuiet();
    refuseChanged();
  }

  // A pipe does not show whether its sender had finished.
  const isOpenEnd = (): boolean => before === null && end.length > 0 && !isLineEnd(end);
  return {
    bytes: bytes(),
    refuseChanged,
    note: () =>
      isOpenEnd()
        ? 'it ends in the middle of a line; if its sender was cut off, the last row is incomplete'
        : null,
  };
}

/** True when these last two bytes end a line, also in UTF-16. */
function isLineEnd(bytes: Uint8Array): boolean {
  const last = bytes.at(-1) === 0 ? bytes.at(-2) : bytes.at(-1);
  return last === 10 || last === 13;
}

/** The files that hold questions, for messages. */
const use = 'use an Excel, CSV or JSONL file';

function refuseNoFile(file: string, remedy: string): void {
  if (/^https?:\/\//i.test(file)) {
    const isGoogle = /^https?:\/\/docs\.google\.com\//i.test(file);
    throw new UsageError(
      isGoogle
        ? 'this is the address of a Google sheet; there, choose File > Download > Microsoft Excel (.xlsx), and give that file'
        : 'this is an address and not a file; download it, and give the file',
    );
  }
  try {
    if (statSync(file).isDirectory()) throw new UsageError(`${file} is a folder; ${use}`);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const what = codeOf(error) === 'ENOENT' ? 'does not exist' : 'cannot be read';
    throw new UsageError(`${file} ${what}; ${use}${remedy}`, error);
  }
}

async function* readable(file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(file);
  } catch (error) {
    throw new UsageError(`${file} cannot be read (${codeOf(error)})`, error);
  }
}

/** The bytes of the input: of a file that must not change while it is read, or of standard input. */

import { createReadStream, statSync } from 'node:fs';
import { shownName, standardInput } from '../../app/options/standard-input.ts';
import { systemClock } from '../../app/system-clock.ts';
import { codeOf, UsageError } from '../../errors.ts';
import { type Message, message, several } from '../../messages/message.ts';
import { fixed } from '../../money/policy.ts';
import { type FileState, fileState, isSameState } from '../../outputs/pictures/steady-file.ts';
import type { Clock } from '../../ports.ts';

/** An input that is read once, from start to end. */
export interface InputBytes {
  /** Throws `UsageError` when the file cannot be read or changes while it is read. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Throws `UsageError` when the file has changed since it was read. */
  refuseChanged(): void;
  /** A remark about the bytes, once they have ended; null for none. */
  note(): Message | null;
}

/** What to do about a missing file. */
export interface Remedy {
  /** The command that continues without the file; null where there is none. */
  readonly resume: string | null;
  readonly more?: Message;
}

/** Throws `UsageError` when the path is not a file. */
export function openInput(file: string, remedy: Remedy, clock: Clock = systemClock): InputBytes {
  const isStandard = file === standardInput;
  if (!isStandard) refuseNoFile(file, remedy);
  const look = (): FileState | null => fileState(isStandard ? process.stdin.fd : file);
  const before = look();
  const refuseChanged = (): void => {
    if (isSameState(before, look())) return;
    throw new UsageError(message('input.changed', { path: shownName(file) }));
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
    note: () => (isOpenEnd() ? message('file.cut-off') : null),
  };
}

/** True when these last two bytes end a line, also in UTF-16, or a text of DOS. */
function isLineEnd(bytes: Uint8Array): boolean {
  const last = bytes.at(-1) === 0 ? bytes.at(-2) : bytes.at(-1);
  return last === 10 || last === 13 || last === 26;
}

function refuseNoFile(file: string, { resume, more }: Remedy): void {
  if (/^https?:\/\//i.test(file)) {
    const isGoogle = /^https?:\/\/docs\.google\.com\//i.test(file);
    throw new UsageError(message(isGoogle ? 'input.google' : 'input.address'));
  }
  try {
    if (statSync(file).isDirectory()) throw new UsageError(message('input.folder', { path: file }));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const id = codeOf(error) === 'ENOENT' ? 'input.missing' : 'input.unreadable';
    const said = message(id, { path: file, resume });
    throw new UsageError(more === undefined ? said : several([said, more]), error);
  }
}

async function* readable(file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(file);
  } catch (error) {
    throw new UsageError(message('refused.unreadable', { path: file, failure: codeOf(error) }), error);
  }
}

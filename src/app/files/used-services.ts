/**
 * Which addresses of services this user has sent a key to, on this machine. A folder may come from somebody else, and its
 * address would be sent this user's key; so what was used before stands in the user's own folder for state, not in the run's.
 */

import { createHash } from 'node:crypto';
import { stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { UsageError } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import { makeFolders } from '../../outputs/make-folders.ts';
import type { Origin } from '../options/environment.ts';
import type { Invocation } from '../options/invocation.ts';
import { stateFolder } from './beginnings.ts';

/** An address, and what may have come with it: a file by its name, `folder` for a run there. */
export interface UnknownService {
  readonly address: string;
  readonly from: string;
}

/**
 * Null where the key may be sent to the address without a question: the user named it, its file has the key, too, or this user
 * has used it before. What stands in a store that the user names is the user's own.
 */
export async function unknownServiceOf(
  given: Pick<Invocation, 'addressFrom' | 'storeFrom' | 'keyFrom' | 'shared' | 'outShown'>,
  address: string,
): Promise<UnknownService | null> {
  const from = given.addressFrom ?? given.storeFrom ?? 'run';
  if (from === 'user' || (from !== 'run' && isSameFile(from, given.keyFrom))) return null;
  const isKnown = await stat(markOf(address)).then(
    () => true,
    () => false,
  );
  if (isKnown) return null;
  return { address, from: from === 'run' ? (given.shared?.run ?? given.outShown) : basename(from.file) };
}

function isSameFile(one: Exclude<Origin, 'user'>, other: Origin): boolean {
  return other !== 'user' && one.file === other.file;
}

/** Remembers that the user has used this address. Where nothing can be written, the next time asks again. */
export async function noteService(address: string): Promise<void> {
  const mark = markOf(address);
  try {
    makeFolders(join(mark, '..'), 0o700);
    await writeFile(mark, '', { mode: 0o600 });
  } catch {}
}

/** Why the key is not sent, where nobody can be asked. */
export function unknownService(service: UnknownService): UsageError {
  return new UsageError(message('key.new-address', service));
}

function markOf(address: string): string {
  const name = createHash('sha256').update(address).digest('hex');
  return join(stateFolder(), 'services', name);
}

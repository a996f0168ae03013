/**
 * The mark of a run in its outputs: a small file with the run's id. A machine whose disk is not mounted, or that looks into
 * another bucket, finds none, and nothing that it puts there counts as delivered.
 */

import { createHash } from 'node:crypto';
import { readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DiskError, UsageError } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import type { Destination } from '../../ports.ts';
import { withoutPassword } from '../../text/store-address.ts';
import { markName, ownerName, type RunOwner } from '../place/shared-folder.ts';

/** More than an id. */
const mostBytes = 1_024;

/** Throws `DiskError` where the mark of this run is not there. */
export async function checkMark(destination: Destination, runId: string): Promise<void> {
  const found = await readMark(destination);
  if (found !== runId) throw noMark(destination.name, found);
}

/** The same for a folder, at once: cheap enough for each file that is put there. */
export function checkMarkNow(folder: string, runId: string): void {
  let found: string | null = null;
  try {
    found = readFileSync(join(folder, markName), 'utf8').trim();
  } catch {
    // Whatever the reason: this is not the place any more.
  }
  if (found !== runId) throw noMark(folder, found);
}

/** `found`: the mark that is there; null for none. */
function noMark(name: string, found: string | null): DiskError {
  return new DiskError(
    message(found === null ? 'output.no-mark' : 'output.other-mark', { name, mark: markName }),
  );
}

/** True where the mark of this run is there. Throws `UsageError` where another run has the place. */
export async function hasOwnMark(destination: Destination, runId: string): Promise<boolean> {
  const found = await readMark(destination);
  if (found === null || found === runId) return found !== null;
  throw new UsageError(message('output.mark-of-another', { name: destination.name, mark: markName }));
}

/**
 * Puts the mark there, and beside it who has the place; `scratch` is a folder for a moment. Throws `UsageError` where another run has
 * it.
 */
export async function writeMark(
  destination: Destination,
  runId: string,
  { url, run }: { readonly url: string; readonly run: string },
  scratch: string,
): Promise<void> {
  const isMarked = await hasOwnMark(destination, runId);
  const owner: RunOwner = { run, store: withoutPassword(url) };
  await putText(destination, ownerName, JSON.stringify(owner), scratch);
  if (!isMarked) await putText(destination, markName, runId, scratch);
}

async function putText(destination: Destination, name: string, text: string, scratch: string): Promise<void> {
  const file = join(scratch, name);
  const bytes = Buffer.from(text);
  writeFileSync(file, bytes);
  try {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    await destination.put(file, name, { sizeBytes: bytes.length, sha256 });
  } finally {
    unlinkSync(file);
  }
}

async function readMark(destination: Destination): Promise<string | null> {
  await using found = await destination.read(markName);
  if (found === null) return null;
  let text = '';
  for await (const bytes of found.body) {
    text += Buffer.from(bytes).toString();
    if (text.length > mostBytes) break;
  }
  return text.trim();
}

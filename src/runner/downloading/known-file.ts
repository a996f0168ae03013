/** Compares a file that was saved with what is on disk now. */

import { ItemFilesError } from '../../errors.ts';
import { type Message, message } from '../../messages/message.ts';
import type { Artifact, SavedFile } from '../../money/item.ts';
import type { OutputTree } from '../../ports.ts';

/** The state of a file on disk; null for one that was never saved. */
export type FileState =
  | { readonly is: 'whole'; readonly file: SavedFile }
  | { readonly is: 'missing' | 'damaged'; readonly path: string; readonly failure: Message };

/** Compares all bytes. Throws `DiskError` where the disk cannot be read. */
export async function compareWithDisk(
  tree: Pick<OutputTree, 'inspect'>,
  { path, sizeBytes, sha256 }: Artifact,
): Promise<FileState | null> {
  if (path === null || sizeBytes === null || sha256 === null) return null;
  const onDisk = await inspect(tree, path);
  if (onDisk === 'unreadable') return { is: 'damaged', path, failure: message('saved.unreadable') };
  if (onDisk === null) return { is: 'missing', path, failure: message('saved.missing') };
  if (onDisk.sizeBytes !== sizeBytes)
    return {
      is: 'damaged',
      path,
      failure: message('saved.size', { there: onDisk.sizeBytes, saved: sizeBytes }),
    };
  if (onDisk.sha256 !== sha256) return { is: 'damaged', path, failure: message('saved.differs') };
  return { is: 'whole', file: { path, sizeBytes, sha256 } };
}

/** An unreadable file is not whole. */
async function inspect(tree: Pick<OutputTree, 'inspect'>, path: string) {
  try {
    return await tree.inspect(path);
  } catch (error) {
    if (error instanceof ItemFilesError) return 'unreadable' as const;
    throw error;
  }
}

/** A file that is wanted again and has reappeared unchanged needs no download. */
export async function findAgain(
  tree: Pick<OutputTree, 'inspect'>,
  artifact: Artifact | undefined,
): Promise<SavedFile | null> {
  if (artifact?.state !== 'wanted') return null;
  const state = await compareWithDisk(tree, artifact);
  return state?.is === 'whole' ? state.file : null;
}

/** Saves a file that an earlier try received whole; null where there is none, or where its folder does not accept it. */
export async function saveReceived(
  tree: Pick<OutputTree, 'saveReceived'>,
  target: string,
): Promise<SavedFile | null> {
  try {
    return await tree.saveReceived(target);
  } catch (error) {
    // The download will meet the same refusal, and say so.
    if (error instanceof ItemFilesError) return null;
    throw error;
  }
}

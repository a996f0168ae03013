/** Prepares what a claim needs: its request, and the files of the earlier attempt set aside. */

import { ItemFilesError } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import type { Item } from '../../money/item.ts';
import type { Policy } from '../../money/policy.ts';
import type { ImageFiles, OutputTree } from '../../ports.ts';
import type { Checkpoint } from '../../stores/port/checkpoint.ts';
import { type PreparedRequest, prepareRequest } from './prepare-request.ts';

/** A request ready to leave and the folder of its item's earlier files, or why it cannot be sent. */
export type PreparedClaim =
  | (PreparedRequest & { readonly aside: string | null })
  | { readonly failure: string };

/**
 * The files of an earlier attempt get second names before the claim is saved, and lose their old ones only when the new
 * attempt has files: whenever the process dies, the checkpoint names existing files.
 */
export async function prepareClaim(
  ports: { readonly checkpoint: Checkpoint; readonly images: ImageFiles; readonly tree: OutputTree },
  item: Item,
  { quality, maxImageBytes }: Policy,
  notifyUrl: string | null,
): Promise<PreparedClaim> {
  const { tree } = ports;
  let aside: string | null = null;
  try {
    // A row that reused a video has files before its first attempt.
    const hasFiles = item.attempt > 0 || item.artifacts.length > 0;
    const foreign = hasFiles ? null : await tree.foreignFile(item.folder);
    if (foreign !== null) return { failure: message('row.foreign-file', { path: foreign }).text };
    if (hasFiles) aside = await tree.setAside(item.folder, item.attempt);
  } catch (error) {
    if (error instanceof ItemFilesError) return { failure: error.message };
    throw error;
  }
  const request = await prepareRequest(ports, item, { quality, maxImageBytes, notifyUrl });
  return 'failure' in request ? request : { ...request, aside };
}

/** What has to be there before a row may be claimed: its request, and the files of its earlier attempt out of the way. */

import type { Item } from '../core/item.ts';
import type { Policy } from '../core/policy.ts';
import { ItemFilesError } from '../errors.ts';
import type { ImageFiles, OutputTree } from '../ports.ts';
import type { Checkpoint } from '../store.ts';
import { type PreparedRequest, prepareRequest } from './prepare-request.ts';

/** A request that is ready to leave and where its item's earlier files are, or why it cannot be sent. */
export type PreparedClaim =
  | (PreparedRequest & { readonly aside: string | null })
  | { readonly failure: string };

/**
 * The files of an earlier attempt get names aside before the claim is saved, and lose their old ones only when the new attempt
 * has files of its own: whenever the process dies, the checkpoint names files that are there.
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
    const foreign = item.attempt > 0 ? null : await tree.foreignFile(item.folder);
    if (foreign !== null) return { failure: `${foreign} is there and not of this run; move it away` };
    if (item.attempt > 0) aside = await tree.setAside(item.folder, item.attempt);
  } catch (error) {
    if (error instanceof ItemFilesError) return { failure: error.message };
    throw error;
  }
  const request = await prepareRequest(ports, item, { quality, maxImageBytes, notifyUrl });
  return 'failure' in request ? request : { ...request, aside };
}

/** The outputs of a run that machines share, for a page that shows them. */

import { DiskError } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import { createStoredImages } from '../../outputs/pictures/image-store.ts';
import { openShownFile } from '../../outputs/shown-file.ts';
import type { Destination, ShownFile } from '../../ports.ts';
import type { Store } from '../../stores/port/store.ts';
import { isBucketAddress } from '../files/bucket-address.ts';
import { openReadOnly } from '../outputs.ts';
import type { OpenRun, ShownOutputs } from '../run-handles.ts';
import { sharingOf } from '../scratch.ts';

/** Opens the outputs of the run for a page that only shows them. */
export async function openSharedOutputs({ store, invocation }: OpenRun): Promise<ShownOutputs> {
  const destination = await openReadOnly({ store, invocation });
  return {
    images: createStoredImages(destination, digestsIn(store)),
    openFile: async (path) => {
      if (!isBucketAddress(invocation.out)) return openShownFile(invocation.out, path);
      const found = await destination.stat(path);
      return found === null ? null : fileOf(destination, path, found);
    },
    [Symbol.asyncDispose]: async () => destination.close(),
  };
}

/** The digests of local pictures by their paths, as the store knows them. */
export function digestsIn(store: Store): Parameters<typeof createStoredImages>[1] {
  return (paths) => sharingOf(store).pictureDigests(paths);
}

/** A file that is read from the outputs part by part. */
function fileOf(
  destination: Destination,
  path: string,
  { sizeBytes, sha256 }: { readonly sizeBytes: number; readonly sha256: string | null },
): ShownFile {
  let reading: AsyncDisposable | null = null;
  return {
    sizeBytes,
    // Each attempt has paths of its own, so what is at one never changes, but for reports.
    etag: `"${sha256 ?? sizeBytes}"`,
    async read(start, end) {
      const found = await destination.read(path, { start, end });
      if (found === null) throw new DiskError(message('output.gone', { path, name: destination.name }));
      reading = found;
      return found.body;
    },
    [Symbol.asyncDispose]: async () => reading?.[Symbol.asyncDispose](),
  };
}

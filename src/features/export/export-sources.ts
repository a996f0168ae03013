/** Where an export reads the files of a run: its folder, or a bucket. */

import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { isBucketAddress } from '../../app/files/bucket-address.ts';
import { openReadOnly } from '../../app/outputs.ts';
import type { SeenRun } from '../../app/run-handles.ts';
import type { ExportSource } from '../../outputs/export-folder.ts';
import { isRealFolder, segmentsOf } from '../../outputs/guarded-disk.ts';
import { openSavedFile } from '../../outputs/saved-file.ts';

/** The files of a run. */
export interface ExportSources extends Disposable {
  /** The file at this path of the outputs; null where it is known that there is none. */
  find(path: string): ExportSource | null;
}

/** Bytes read at once. */
const readBytes = 1 << 20;

/** Opens the files of the run, read-only. */
export async function openExportSources(run: SeenRun): Promise<ExportSources> {
  const { out } = run.invocation;
  if (!isBucketAddress(out)) return { find: (path) => localSource(out, path), [Symbol.dispose]: () => {} };
  const bucket = await openReadOnly(run);
  return {
    find: (path) => ({ local: null, open: () => bucket.read(path) }),
    [Symbol.dispose]: () => bucket.close(),
  };
}

/** A regular file in this folder (absolute); null where there is none. */
export function localSource(root: string, path: string): ExportSource | null {
  const segments = segmentsOf(path);
  const full = join(root, ...segments);
  const stats = lstatSync(full, { throwIfNoEntry: false });
  if (!stats?.isFile() || !isRealFolder(root, segments.slice(0, -1))) return null;
  return {
    local: { path: full, stats },
    async open() {
      const handle = await openSavedFile(root, path);
      if (handle === null) return null;
      const body = handle.createReadStream({ autoClose: false, highWaterMark: readBytes });
      return { body, [Symbol.asyncDispose]: () => handle.close() };
    },
  };
}

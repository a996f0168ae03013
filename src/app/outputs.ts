/** Opens the outputs of a run on several machines: a folder that all of them see, or a bucket. */

import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { openFileOutputTree } from '../outputs/file-output-tree.ts';
import { openFolderDestination } from '../outputs/folder-destination.ts';
import { openS3Destination } from '../outputs/s3/s3-destination.ts';
import { openSharedOutputTree, type SharedOutputTree } from '../outputs/shared-output-tree.ts';
import type { Destination } from '../ports.ts';
import { isBucketAddress } from './files/bucket-address.ts';
import { checkMark, checkMarkNow } from './fleet/run-mark.ts';
import type { Invocation } from './options/invocation.ts';
import type { ReportedRun } from './run-handles.ts';
import { scratchBase } from './scratch.ts';
import { systemClock } from './system-clock.ts';

/** Where the outputs of a run are. */
export interface OutputsPlace {
  /** A folder, or `s3://bucket/prefix`. */
  readonly out: string;
  /** Address of the bucket's service; null for the default. */
  readonly endpoint: string | null;
  /** The scratch folder of this worker (absolute), which no other process uses. */
  readonly scratch: string;
  /** The mark that must be there, whenever a file is put there; null or left out for none. */
  readonly carries?: string | null;
}

/** The outputs of a run, open for a worker. */
export interface Outputs extends Disposable {
  readonly tree: SharedOutputTree;
  readonly destination: Destination;
}

/** Opens the outputs for a worker: parts go to its scratch folder. Throws `DiskError` where no file can be written. */
export async function openOutputs(place: OutputsPlace): Promise<Outputs> {
  const destination = await openDestination(place);
  try {
    if (place.carries != null) await checkMark(destination, place.carries);
    await destination.checkWritable();
    const folder = join(place.scratch, 'files');
    const scratch = { folder, tree: await openFileOutputTree(folder, systemClock.now) };
    const tree = await openSharedOutputTree(scratch, destination, systemClock.now());
    return { tree, destination, [Symbol.dispose]: () => destination.close() };
  } catch (error) {
    destination.close();
    throw error;
  }
}

/** The outputs of an opened run, for a worker with this scratch folder. */
export function outputsPlace(
  { out, shared }: Pick<Invocation, 'out' | 'shared'>,
  scratch: string,
): OutputsPlace {
  return { out, endpoint: shared?.endpoint ?? null, scratch };
}

/** Opens the outputs of a run that machines share. Nothing is written, so no scratch folder is taken. */
export function openReadOnly({ store, invocation }: ReportedRun): Promise<Destination> {
  return openDestination(outputsPlace(invocation, scratchBase(invocation, store)));
}

/** Opens where the outputs are, for those who read them or import a file. */
export async function openDestination({
  out,
  endpoint,
  scratch,
  carries,
}: OutputsPlace): Promise<Destination> {
  if (!isBucketAddress(out)) {
    // The same at every start, and of this worker alone.
    const worker = `${hostname()} ${scratch}`;
    const folder = resolve(out);
    const checkNow = carries == null ? {} : { check: () => checkMarkNow(folder, carries) };
    return openFolderDestination(folder, { worker, now: systemClock.now, ...checkNow });
  }
  return openS3Destination({
    address: out,
    endpoint,
    wait: (ms) => systemClock.wait(ms),
  });
}

/** Copies the files of a run that moves to its new outputs, each with its digest. What is there already stays. */

import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../../errors.ts';
import { movedPath, taskFilePath } from '../../files/output-paths.ts';
import { type Artifact, type Item, statuses } from '../../money/item.ts';
import { storeImages } from '../../outputs/pictures/image-store.ts';
import { pictureOnDisk } from '../../outputs/pictures/path-on-disk.ts';
import type { Destination, FileDigest } from '../../ports.ts';
import { counted } from '../../stores/counted.ts';
import type { Store } from '../../stores/port/store.ts';

/** Files copied at once: enough to hide the time of a request. */
const atOnce = 8;

/** From where to where. */
export interface FileMove {
  readonly from: Destination;
  readonly to: Destination;
  /** A folder that no other process uses (absolute). */
  readonly scratch: string;
}

/** How many files were copied, and how many saved ones are not there as they were saved. */
export interface MovedFiles {
  readonly files: number;
  readonly flawed: number;
}

/** A file, where it is and where it belongs. */
interface Passage {
  readonly path: string;
  readonly target: string;
  /** Null where the store does not know it. */
  readonly saved: FileDigest | null;
}

/** The item with the paths that its files have in a shared run. */
export function movedItem(item: Item): Item {
  const artifacts = item.artifacts.map((artifact) => {
    const { path } = artifact;
    return path === null
      ? artifact
      : { ...artifact, path: movedPath(path, item, earlierAttempt(item, artifact)) };
  });
  return { ...item, artifacts };
}

/** The earlier attempt that made the file; null for the current one. */
function earlierAttempt({ attempt }: Item, { kind, ordinal }: Artifact): number | null {
  if (kind === 'earlier-video') return ordinal;
  return kind === 'earlier' ? attempt - 1 : null;
}

/** Copies all saved files. Damaged and missing ones are counted: the store still knows what they were. */
export async function moveFiles(
  { checkpoint }: Pick<Store, 'checkpoint'>,
  move: FileMove,
  onRow: (rows: number) => void,
): Promise<MovedFiles> {
  const passages = passagesOf(counted(checkpoint.items(statuses), onRow));
  let files = 0;
  let flawed = 0;
  const lane = async (_: unknown, number: number): Promise<void> => {
    const temporary = join(move.scratch, `move-${number}.tmp`);
    try {
      for (;;) {
        const next = await passages.next();
        if (next.done) return;
        const isWhole = await pass(next.value, move, temporary);
        if (next.value.saved === null) continue;
        if (isWhole) files += 1;
        else flawed += 1;
      }
    } finally {
      rmSync(temporary, { force: true });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return { files, flawed };
}

async function* passagesOf(items: AsyncIterable<Item>): AsyncGenerator<Passage, undefined> {
  for await (const item of items) {
    if (item.artifacts.length === 0 && item.attempt === 0) continue;
    const moved = movedItem(item).artifacts;
    for (const [at, { path, state, sizeBytes, sha256 }] of item.artifacts.entries()) {
      const target = moved[at]?.path ?? null;
      if (path === null || target === null || state !== 'saved' || sizeBytes === null || sha256 === null)
        continue;
      yield { path, target, saved: { sizeBytes, sha256 } };
    }
    // Only a reader of the folder needs it, and a run writes it anew.
    yield { path: taskFilePath(item, 'by-item'), target: taskFilePath(item, 'by-attempt'), saved: null };
  }
}

/** True when the file is whole where it belongs. */
async function pass(
  { path, target, saved }: Passage,
  { from, to }: FileMove,
  temporary: string,
): Promise<boolean> {
  if (saved !== null && (await isThere(to, target, saved))) return true;
  await using source = await from.read(path);
  if (source === null) return false;
  const found = await receive(source.body, temporary);
  if (saved !== null && (found.sizeBytes !== saved.sizeBytes || found.sha256 !== saved.sha256)) return false;
  await to.put(temporary, target, found);
  return true;
}

async function isThere(to: Destination, path: string, { sizeBytes, sha256 }: FileDigest): Promise<boolean> {
  const found = await to.stat(path);
  if (found?.sizeBytes !== sizeBytes) return false;
  return (found.sha256 ?? (await to.inspect(path))?.sha256) === sha256;
}

async function receive(body: AsyncIterable<Uint8Array>, file: string): Promise<FileDigest> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  await using handle = await open(file, 'w', 0o600);
  for await (const bytes of body) {
    hash.update(bytes);
    sizeBytes += bytes.length;
    await handle.writeFile(bytes);
  }
  return { sizeBytes, sha256: hash.digest('hex') };
}

/** Stores the local pictures of the rows among the outputs. Returns how many are not what they were when they were read. */
export async function movePictures({ archive }: Pick<Store, 'archive'>, to: Destination): Promise<number> {
  let flawed = 0;
  for await (const record of archive.dump()) {
    if (record.type !== 'picture') continue;
    try {
      await storeImages(to, new Map([[record.digest, pictureOnDisk(record.path)]]));
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      flawed += 1;
    }
  }
  return flawed;
}

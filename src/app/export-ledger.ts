/** What earlier exports have put into a folder: their checksums and manifest, and the journals of those that were killed. */

import { hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { ExportFolder, KnownFiles } from '../adapters/file-output-tree/export-folder.ts';
import { openSavedFile } from '../adapters/file-output-tree/saved-file.ts';
import { attemptVideos } from '../core/artifacts.ts';
import { foldedName } from '../core/export-name.ts';
import { codeOf, UsageError } from '../errors.ts';
import { type Checksum, isManifestHead, parseChecksum } from '../report/manifest.ts';
import type { Checkpoint } from '../store.ts';

/** The files that say what an export holds. */
export const manifestNames = { csv: 'manifest.csv', jsonl: 'manifest.jsonl', sums: 'SHA256SUMS' } as const;

/** A number for a text: a million of them fit into memory. Of a cryptographic digest, so nobody can make two alike. */
export function printOf(text: string): number {
  return Number.parseInt(hash('sha256', text, 'hex').slice(0, 13), 16);
}

/** What is known of earlier exports. */
export interface EarlierExport extends KnownFiles {
  /** Path without extension, folded and printed -> print of the id of its row. */
  readonly names: ReadonlyMap<number, number>;
  /** Such paths of videos that are not in the manifest: of exports before the last one, or of killed ones. */
  readonly unowned: ReadonlySet<number>;
  /** The files of earlier exports whose path is not among `placed` (prints of keys). Those that are no longer there may repeat. */
  leftovers(placed: ReadonlySet<number>): AsyncIterable<Checksum & { readonly isThere: boolean }>;
}

/** Throws `UsageError` where files with the names of a manifest are not of an export. */
export async function readEarlierExport(
  folder: Pick<ExportFolder, 'root' | 'keyOf' | 'journals' | 'inspect' | 'has'>,
  shown: string,
): Promise<EarlierExport> {
  const journals = await folder.journals();
  if (journals.length === 0) await refuseForeignManifest(folder, shown);
  const sums = join(folder.root, manifestNames.sums);
  const keyOf = (path: string): number => printOf(folder.keyOf(path));
  const fileOf = (path: string, sha256: string): number => printOf(`${folder.keyOf(path)}\n${sha256}`);
  const isIn = (set: ReadonlySet<number>, path: string, sha256: string): boolean =>
    set.size > 0 && set.has(fileOf(path, sha256));
  const listed = new Set<number>();
  const intended = new Set<number>();
  /** Paths of killed exports: only their bytes tell how far those came. */
  const doubtful = new Set<number>();
  const names = await readNames(join(folder.root, manifestNames.jsonl));
  const unowned = new Set<number>();
  const noteName = (path: string): void => {
    const stem = stemPrint(path);
    if (!names.has(stem)) unowned.add(stem);
  };
  for await (const { path, sha256 } of checksumsOf(sums)) {
    listed.add(fileOf(path, sha256));
    noteName(path);
  }
  for (const journal of journals)
    for await (const { path, sha256 } of checksumsOf(journal)) {
      intended.add(fileOf(path, sha256));
      doubtful.add(keyOf(path));
      noteName(path);
    }
  return {
    isListed: (path, sha256) => isIn(listed, path, sha256) || isIn(intended, path, sha256),
    isSure: (path, sha256) => isIn(listed, path, sha256) && !(doubtful.size > 0 && doubtful.has(keyOf(path))),
    names,
    unowned,
    async *leftovers(placed) {
      const told = new Set<number>();
      for (const file of [sums, ...journals])
        for await (const checksum of checksumsOf(file)) {
          const key = keyOf(checksum.path);
          if (placed.has(key) || told.has(key)) continue;
          const isThere = doubtful.has(key)
            ? (await folder.inspect(checksum.path))?.sha256 === checksum.sha256
            : folder.has(checksum.path);
          if (isThere) told.add(key);
          yield { ...checksum, isThere };
        }
    },
  };
}

/** Entries of a manifest that are compared with the run. */
const sampledEntries = 50;

/**
 * Throws `UsageError` where the manifest is of another run with the same ids: its videos would be replaced. A row is
 * recognized by the bytes of one attempt, or by its title: a file that was fetched again may have other bytes.
 */
export async function refuseOtherRun(
  { root }: Pick<ExportFolder, 'root'>,
  checkpoint: Pick<Checkpoint, 'itemsWithIds'>,
  shown: string,
): Promise<void> {
  const entries = new Map<string, Entry>();
  for await (const line of linesOf(join(root, manifestNames.jsonl))) {
    const entry = readEntry(line);
    if (entry !== null) entries.set(entry.id, entry);
    if (entries.size === sampledEntries) break;
  }
  if (entries.size === 0) return;
  let others = 0;
  for (const item of await checkpoint.itemsWithIds([...entries.keys()])) {
    const entry = entries.get(item.id);
    const made = attemptVideos(item).find(({ attempt }) => attempt === entry?.attempt);
    if (made === undefined) continue;
    if (made.file.sha256 === entry?.sha256 || (item.title !== null && item.title === entry?.title)) return;
    others += 1;
  }
  if (others > 0)
    throw new UsageError(
      `${shown} has the videos of another run under the same ids, which would be replaced; choose another --to`,
    );
}

async function refuseForeignManifest(
  folder: Pick<ExportFolder, 'root' | 'has'>,
  shown: string,
): Promise<void> {
  const handle = await openSavedFile(folder.root, manifestNames.csv);
  if (handle !== null) {
    const head = Buffer.alloc(64);
    const { bytesRead } = await handle.read(head, 0, head.length, 0).finally(() => handle.close());
    if (isManifestHead(head.toString('utf8', 0, bytesRead))) return;
  }
  const found = Object.values(manifestNames).find((name) => folder.has(name));
  if (found !== undefined)
    throw new UsageError(
      `${join(shown, found)} is not of an export and would be overwritten; move it away, or choose another --to`,
    );
}

async function* checksumsOf(file: string): AsyncGenerator<Checksum> {
  for await (const line of linesOf(file)) {
    const checksum = parseChecksum(line);
    if (checksum !== null && isInside(checksum.path)) yield checksum;
  }
}

/** The list may have come with the folder, from anybody. */
function isInside(path: string): boolean {
  return path.split('/').every((segment) => segment !== '' && !/^\.{1,2}$|[\0\\]/.test(segment));
}

async function readNames(file: string): Promise<Map<number, number>> {
  const names = new Map<number, number>();
  for await (const line of linesOf(file)) {
    const entry = readEntry(line);
    if (entry !== null) names.set(stemPrint(entry.path), printOf(entry.id));
  }
  return names;
}

/** Of a path without extension, as names are told apart. */
function stemPrint(path: string): number {
  return printOf(foldedName(path.replace(/\.[^./]*$/, '')));
}

interface Entry {
  readonly path: string;
  readonly id: string;
  readonly attempt: unknown;
  readonly sha256: unknown;
  readonly title: unknown;
}

function readEntry(line: string): Entry | null {
  try {
    const { path, id, attempt, sha256, title } = JSON.parse(line);
    return typeof path === 'string' && typeof id === 'string' ? { path, id, attempt, sha256, title } : null;
  } catch {
    // Changed by hand; the names of its rows are chosen anew.
    return null;
  }
}

/** The lines of a file, split at line feeds alone; none where there is no file. */
export async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = '';
  try {
    for await (const text of createReadStream(file, { encoding: 'utf8', highWaterMark: 1 << 18 })) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  if (rest !== '') yield rest;
}

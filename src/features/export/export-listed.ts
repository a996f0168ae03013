/**
 * What the folder of an export says of itself: the files that `SHA256SUMS` lists, and the rows in `manifest.jsonl`. A file is
 * listed before it is put there, so what a killed export has left is listed too. A folder belongs to one run.
 */

import { hash } from 'node:crypto';
import { join } from 'node:path';
import { UsageError } from '../../errors.ts';
import { foldedName } from '../../files/folded-name.ts';
import { message } from '../../messages/message.ts';
import type { ExportFolder } from '../../outputs/export-folder.ts';
import { openSavedFile } from '../../outputs/saved-file.ts';
import { type Checksum, isManifestHead, parseChecksum } from '../../reports/manifest.ts';
import { linesOf } from './lines-of.ts';
import { isPagePart } from './page/page-parts.ts';

/** The files that say what an export holds. */
export const manifestNames = { csv: 'manifest.csv', jsonl: 'manifest.jsonl', sums: 'SHA256SUMS' } as const;

/** A number for a text: a million of them fit into memory. Of a cryptographic digest, so nobody can make two alike. */
export function printOf(text: string): number {
  return Number.parseInt(hash('sha256', text, 'hex').slice(0, 13), 16);
}

/** The files of earlier exports of this run. */
export interface ListedFiles {
  /** Path without extension, folded and printed -> print of the id of its row. */
  readonly names: ReadonlyMap<number, number>;
  /** Such paths of videos that are not in the manifest: of exports before the last one, or of killed ones. */
  readonly unowned: ReadonlySet<number>;
  /** True where a file with this digest is listed at this path. */
  has(path: string, sha256: string): boolean;
  /** True where it alone is listed at this path: no export was killed before or after it put another one there. */
  isSure(path: string, sha256: string): boolean;
  /** True where any file is listed at this path. */
  hasPath(path: string): boolean;
  all(): AsyncIterable<Checksum>;
  /** Those whose path is not among `placed` (prints of keys), each once, while the list begins as it was read. */
  leftovers(
    placed: ReadonlySet<number>,
  ): AsyncIterable<{ readonly file: Checksum; readonly isThere: boolean }>;
}

/** Throws `UsageError` where the folder is of another run, or its manifests are of no export. */
export async function readListed(
  folder: Pick<ExportFolder, 'root' | 'keyOf' | 'inspect' | 'has'>,
  shown: string,
  run: string,
): Promise<ListedFiles> {
  await refuseForeignManifest(folder, shown);
  const list = join(folder.root, manifestNames.sums);
  const keyOf = (path: string): number => printOf(folder.keyOf(path));
  const fileOf = (path: string, sha256: string): number => printOf(`${folder.keyOf(path)}\n${sha256}`);
  const refuseOther = (owner: string): void => {
    if (owner !== run) throw new UsageError(message('export.other-run', { folder: shown, run: owner }));
  };

  const names = new Map<number, number>();
  for await (const line of linesOf(join(folder.root, manifestNames.jsonl))) {
    const row = readRow(line);
    if (row === null) continue;
    refuseOther(row.run);
    names.set(stemPrint(row.path), printOf(row.id));
  }
  const files = new Set<number>();
  const paths = new Set<number>();
  /** Paths that are listed more than once: only their bytes show how far a killed export came. */
  const doubtful = new Set<number>();
  const unowned = new Set<number>();
  let count = 0;
  for await (const { path, sha256 } of checksumsIn(list, refuseOther)) {
    const key = keyOf(path);
    if (paths.has(key)) doubtful.add(key);
    paths.add(key);
    files.add(fileOf(path, sha256));
    if (!isPagePart(path) && !names.has(stemPrint(path))) unowned.add(stemPrint(path));
    count += 1;
  }
  const has = (path: string, sha256: string): boolean => files.size > 0 && files.has(fileOf(path, sha256));

  /** True where this is what to know of its path; null where another line is. */
  const isThere = async ({ path, sha256 }: Checksum): Promise<boolean | null> => {
    if (!doubtful.has(keyOf(path))) return folder.has(path);
    const found = await folder.inspect(path);
    return found === null || found.sha256 === sha256 || !has(path, found.sha256) ? found !== null : null;
  };
  return {
    names,
    unowned,
    has,
    isSure: (path, sha256) => has(path, sha256) && !(doubtful.size > 0 && doubtful.has(keyOf(path))),
    hasPath: (path) => paths.size > 0 && paths.has(keyOf(path)),
    all: () => checksumsIn(list, refuseOther),
    async *leftovers(placed) {
      const done = new Set(placed);
      let left = count;
      for await (const file of checksumsIn(list, refuseOther)) {
        if (left === 0) return;
        left -= 1;
        const key = keyOf(file.path);
        const found = done.has(key) ? null : await isThere(file);
        if (found === null) continue;
        done.add(key);
        yield { file, isThere: found };
      }
    },
  };
}

/** The line above the checksums of a run. Programs that check sums pass over it. */
export function renderOwner(run: string): string {
  return `${ownerStart}${run}\n`;
}

const ownerStart = '# batch ';

/** Above files that earlier versions found in the folder and did not put there. */
const nobody = '-';

/** The files of the run; `owned` receives each run that the list names. */
async function* checksumsIn(list: string, owned: (run: string) => void): AsyncGenerator<Checksum> {
  for await (const line of linesOf(list)) {
    const owner = line.startsWith(ownerStart) ? line.slice(ownerStart.length).trim() : null;
    if (owner === nobody) return;
    if (owner !== null) owned(owner);
    const checksum = parseChecksum(line);
    if (checksum !== null && isInside(checksum.path)) yield checksum;
  }
}

/** The list may have come with the folder, from anybody. */
function isInside(path: string): boolean {
  return path.split('/').every((segment) => segment !== '' && !/^\.{1,2}$|[\0\\]/.test(segment));
}

/** A first export that was killed has left checksums alone. */
async function refuseForeignManifest(
  folder: Pick<ExportFolder, 'root' | 'has'>,
  shown: string,
): Promise<void> {
  const table = await startOf(folder.root, manifestNames.csv);
  if (table === null ? await isBegun(folder.root) : isManifestHead(table)) return;
  const found = Object.values(manifestNames).find((name) => folder.has(name));
  if (found !== undefined)
    throw new UsageError(message('export.file-in-the-way', { path: join(shown, found) }));
}

async function isBegun(root: string): Promise<boolean> {
  return (await startOf(root, manifestNames.sums))?.startsWith(ownerStart) ?? false;
}

async function startOf(root: string, name: string): Promise<string | null> {
  const handle = await openSavedFile(root, name);
  if (handle === null) return null;
  const head = Buffer.alloc(256);
  const { bytesRead } = await handle.read(head, 0, head.length, 0).finally(() => handle.close());
  return head.toString('utf8', 0, bytesRead);
}

/** Of a path without extension, as names are distinguished. */
function stemPrint(path: string): number {
  return printOf(foldedName(path.replace(/\.[^./]*$/, '')));
}

/** Null for a line that was changed by hand; the name of its row is chosen anew. */
function readRow(line: string): Readonly<Record<'path' | 'id' | 'run', string>> | null {
  try {
    const { path, id, run } = JSON.parse(line);
    return [path, id, run].every((value) => typeof value === 'string') && isInside(path)
      ? { path, id, run }
      : null;
  } catch {
    return null;
  }
}

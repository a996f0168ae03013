/** What earlier exports have put into a folder: their checksums and manifest, and the journals of those that were killed. */

import { hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { codeOf, UsageError } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import type { ExportFolder, KnownFiles } from '../../outputs/export-folder.ts';
import { openSavedFile } from '../../outputs/saved-file.ts';
import { type Checksum, isManifestHead, parseChecksum } from '../../reports/manifest.ts';
import { foldedName } from './export-name.ts';

/** The files that say what an export holds. */
export const manifestNames = { csv: 'manifest.csv', jsonl: 'manifest.jsonl', sums: 'SHA256SUMS' } as const;

/** A number for a text: a million of them fit into memory. Of a cryptographic digest, so nobody can make two alike. */
export function printOf(text: string): number {
  return Number.parseInt(hash('sha256', text, 'hex').slice(0, 13), 16);
}

/** Owner of files that were in the folder before: an export found the bytes that it would have put there; or a hand listed them. */
export const nobody = '-';

/** A file of an earlier export. */
export interface ListedFile extends Checksum {
  /** Id of the run that put it there, or `nobody`. */
  readonly run: string;
  /** True where the manifest says of which row of that run it is. */
  readonly isNamed: boolean;
}

/** What is known of earlier exports. Files that other runs put there are none of this run's. */
export interface EarlierExport extends KnownFiles {
  /** The run that exports now. */
  readonly run: string;
  /** Path without extension, folded and printed -> print of the id of its row. */
  readonly names: ReadonlyMap<number, number>;
  /** Such paths of videos that are not in the manifest: of exports before the last one, or of killed ones. */
  readonly unowned: ReadonlySet<number>;
  /** True where the file at this path is listed for another run. */
  isOfOthers(path: string): boolean;
  /** The files of this run whose path is not among `placed` (prints of keys). Those that are no longer there may repeat. */
  leftovers(placed: ReadonlySet<number>): AsyncIterable<ListedFile & { readonly isThere: boolean }>;
  /** The other runs, in the order in which they are listed. */
  readonly others: readonly string[];
  /** The files of one of them that are there. */
  filesOf(run: string): AsyncIterable<ListedFile>;
  /** Its lines of the manifest. */
  entriesOf(run: string): AsyncIterable<{ readonly line: string; readonly columns: readonly string[] }>;
}

/** What the run with this id and others have exported. Throws `UsageError` where files with the names of a manifest are not of an export. */
export async function readEarlierExport(
  folder: Pick<ExportFolder, 'root' | 'keyOf' | 'journals' | 'inspect' | 'has'>,
  shown: string,
  id: string,
): Promise<EarlierExport> {
  const journals = await folder.journals();
  if (journals.length === 0) await refuseForeignManifest(folder, shown);
  const manifest = join(folder.root, manifestNames.jsonl);
  const lists = [join(folder.root, manifestNames.sums), ...journals];
  const keyOf = (path: string): number => printOf(folder.keyOf(path));
  const fileOf = (path: string, sha256: string): number => printOf(`${folder.keyOf(path)}\n${sha256}`);
  const isIn = (set: ReadonlySet<number>, path: string, sha256: string): boolean =>
    set.size > 0 && set.has(fileOf(path, sha256));
  /** By key of a path in the manifest. */
  const named = new Map<number, string>();
  for await (const { path, captions, run } of entriesIn(manifest))
    for (const each of captions === null ? [path] : [path, captions]) named.set(keyOf(each), run);
  const filesIn = async function* (list: string): AsyncGenerator<ListedFile> {
    for await (const { path, sha256, run } of checksumsOf(list)) {
      const key = keyOf(path);
      const owner = run ?? named.get(key) ?? nobody;
      yield { path, sha256, run: owner, isNamed: named.has(key) && named.get(key) === owner };
    }
  };

  const own = new Set<number>();
  const ofOthers = new Set<number>();
  const others = new Set<string>();
  const listed = new Set<number>();
  const intended = new Set<number>();
  /** Paths of killed exports: only their bytes tell how far those came. */
  const doubtful = new Set<number>();
  const names = new Map<number, number>();
  for await (const entry of entriesIn(manifest)) {
    const { path, run } = entry;
    if (run === id) names.set(stemPrint(path), printOf(entry.id));
    else {
      // Also where the file is gone: two runs with one path in the manifest could not be told apart.
      others.add(run);
      ofOthers.add(keyOf(path));
    }
  }
  const unowned = new Set<number>();
  for (const [at, list] of lists.entries())
    for await (const { path, sha256, run } of filesIn(list)) {
      const key = keyOf(path);
      if (at > 0) doubtful.add(key);
      if (run !== id) {
        others.add(run);
        if (run !== nobody) ofOthers.add(key);
        continue;
      }
      own.add(key);
      (at === 0 ? listed : intended).add(fileOf(path, sha256));
      if (!names.has(stemPrint(path))) unowned.add(stemPrint(path));
    }
  /** Each file once: as a killed export left it, where one came so far. */
  const there = async function* (
    isWanted: (file: ListedFile) => boolean,
  ): AsyncGenerator<ListedFile & { readonly isThere: boolean }> {
    const told = new Set<number>();
    for (const list of lists)
      for await (const file of filesIn(list)) {
        const key = keyOf(file.path);
        if (told.has(key) || !isWanted(file)) continue;
        const isThere = doubtful.has(key)
          ? (await folder.inspect(file.path))?.sha256 === file.sha256
          : folder.has(file.path);
        if (isThere) told.add(key);
        yield { ...file, isThere };
      }
  };
  return {
    run: id,
    isListed: (path, sha256) => isIn(listed, path, sha256) || isIn(intended, path, sha256),
    isSure: (path, sha256) => isIn(listed, path, sha256) && !(doubtful.size > 0 && doubtful.has(keyOf(path))),
    owns: (path) => own.has(keyOf(path)),
    isOfOthers: (path) => ofOthers.size > 0 && ofOthers.has(keyOf(path)),
    names,
    unowned,
    leftovers: (placed) => there(({ path, run }) => run === id && !placed.has(keyOf(path))),
    others: [...others].filter((run) => run !== id).sort(inOrder),
    async *filesOf(run) {
      for await (const { isThere, ...file } of there((each) => each.run === run)) if (isThere) yield file;
    },
    async *entriesOf(run) {
      for await (const entry of entriesIn(manifest)) if (entry.run === run) yield entry;
    },
  };
}

/** Those that are nobody's last. */
function inOrder(one: string, other: string): number {
  const rank = (run: string): string => (run === nobody ? 'z' : run);
  return rank(one) < rank(other) ? -1 : Number(rank(one) > rank(other));
}

/** True where a run is listed before another one. */
export function isListedBefore(one: string, other: string): boolean {
  return inOrder(one, other) < 0;
}

/** Begins the files of one run, or of nobody, that the manifest does not name. Programs that check sums pass such a line. */
export function renderOwner(run: string): string {
  return `# batch ${run}\n`;
}

async function refuseForeignManifest(
  folder: Pick<ExportFolder, 'root' | 'has'>,
  shown: string,
): Promise<void> {
  const handle = await openSavedFile(folder.root, manifestNames.csv);
  if (handle !== null) {
    const head = Buffer.alloc(256);
    const { bytesRead } = await handle.read(head, 0, head.length, 0).finally(() => handle.close());
    if (isManifestHead(head.toString('utf8', 0, bytesRead))) return;
  }
  const found = Object.values(manifestNames).find((name) => folder.has(name));
  if (found !== undefined)
    throw new UsageError(message('export.file-in-the-way', { path: join(shown, found) }));
}

/** `run` is that of the line above which begins with `# batch`; null before the first one. */
async function* checksumsOf(file: string): AsyncGenerator<Checksum & { readonly run: string | null }> {
  let run: string | null = null;
  for await (const line of linesOf(file)) {
    run = /^# batch (\S+)\s*$/.exec(line)?.[1] ?? run;
    const checksum = parseChecksum(line);
    if (checksum !== null && isInside(checksum.path)) yield { ...checksum, run };
  }
}

/** The list may have come with the folder, from anybody. */
function isInside(path: string): boolean {
  return path.split('/').every((segment) => segment !== '' && !/^\.{1,2}$|[\0\\]/.test(segment));
}

async function* entriesIn(manifest: string): AsyncGenerator<Entry> {
  for await (const line of linesOf(manifest)) {
    const entry = readEntry(line);
    if (entry !== null) yield entry;
  }
}

/** Of a path without extension, as names are told apart. */
function stemPrint(path: string): number {
  return printOf(foldedName(path.replace(/\.[^./]*$/, '')));
}

interface Entry {
  readonly line: string;
  readonly path: string;
  readonly id: string;
  readonly captions: string | null;
  readonly run: string;
  /** Of the input. */
  readonly columns: readonly string[];
}

function readEntry(line: string): Entry | null {
  try {
    const { path, id, captions, run, input } = JSON.parse(line);
    if ([path, id, run].some((value) => typeof value !== 'string') || !isInside(path)) return null;
    const columns = Object.keys(input ?? {});
    return { line, path, id, captions: typeof captions === 'string' ? captions : null, run, columns };
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

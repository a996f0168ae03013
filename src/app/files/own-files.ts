/**
 * Whose file it is: the one answer for every path that a user names to be written, but for the folder of an export, which
 * has its own list. Nothing is replaced but what the program made itself, for the same run, and nobody changed since.
 */

import { createHash, hash } from 'node:crypto';
import { closeSync, lstatSync, openSync, readFileSync, readSync, realpathSync, type Stats } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { codeOf, UsageError } from '../../errors.ts';
import type { Words } from '../../messages/both.ts';
import { message } from '../../messages/message.ts';
import { listMadeFile, type MadeFile, readMadeFiles } from '../../outputs/made-files.ts';
import type { OutputTree } from '../../ports.ts';
import { isRunFile } from './foreign-files.ts';

/** A file that the program is about to write. */
export interface NamedFile {
  /** As the user wrote it. */
  readonly path: string;
  /** How messages name it: `--events run.jsonl`. */
  readonly shown: string;
  /** What the user can do where the file is not the program's. */
  readonly advice: Words;
}

/** What is at the path: `head` is the start of the file, as text. */
export interface FoundFile {
  readonly path: string;
  readonly head: string;
}

/** Enough to recognize every kind of file that the program makes. */
const headBytes = 4_096;

/**
 * The absolute path to write, links resolved. Throws `UsageError` where something is there that `isOurs` does not know;
 * an empty file is nobody's work. Names of a run's own files are refused in its folder: the run would replace them.
 */
export async function ownPath(
  { path, shown, advice }: NamedFile,
  isOurs: (found: FoundFile) => boolean,
): Promise<string> {
  const refused = (why: 'name-of-run' | 'no-file' | 'not-ours'): UsageError =>
    new UsageError(message(`refused.${why}`, { path: shown, so: advice }));
  const place = realPath(resolve(path));
  if (await isRunFile(place)) throw refused('name-of-run');
  const found = statIfThere(place);
  if (found === null) return place;
  if (!found.isFile()) throw refused('no-file');
  if (found.size > 0 && !isOurs({ path: place, head: headOf(place) })) throw refused('not-ours');
  return place;
}

/**
 * The same for reports in a folder (absolute) of the user's choice. Throws `UsageError`, before anything is written, where
 * one of these names is not of this run.
 */
export async function ownReports(
  folder: string,
  names: readonly string[],
  { shown, advice, by }: Omit<NamedFile, 'path'> & Pick<MadeFile, 'by'>,
  tree: Pick<OutputTree, 'createReport'>,
): Promise<Pick<OutputTree, 'createReport'>> {
  const present = new Map<string, string>();
  for (const name of names) {
    const path = join(folder, name);
    await ownPath({ path, shown: join(shown, name), advice }, (found) => {
      const sha256 = digestOf(found.path);
      present.set(name, sha256);
      return isMade(found.path, sha256, by);
    });
  }
  return {
    async createReport(name) {
      const file = await tree.createReport(name);
      const digest = createHash('sha256');
      return {
        write(content) {
          digest.update(content);
          return file.write(content);
        },
        async commit() {
          const made = { sha256: digest.digest('hex'), by };
          await listMadeFile(join(folder, name), made, present.get(name) ?? null);
          await file.commit();
        },
        commitNextTo: () => file.commitNextTo(),
        [Symbol.asyncDispose]: () => file[Symbol.asyncDispose](),
      };
    },
  };
}

/** The path without links, as far as it exists. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), basename(path));
  }
}

function isMade(path: string, sha256: string, by: string): boolean {
  return readMadeFiles(dirname(path)).some(
    (made) => made.name === basename(path) && made.sha256 === sha256 && made.by === by,
  );
}

/** Null also where a part of the path is a file: the command that writes it says so. */
function statIfThere(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return null;
    throw error;
  }
}

function headOf(path: string): string {
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(headBytes);
    return head.toString('utf8', 0, readSync(file, head, 0, headBytes, 0));
  } finally {
    closeSync(file);
  }
}

/** The SHA-256 of a file, in hexadecimal digits. */
export function digestOf(path: string): string {
  return hash('sha256', readFileSync(path), 'hex');
}

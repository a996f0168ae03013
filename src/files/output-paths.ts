/** Derives the relative paths of an item in the output tree: safe on every system, whatever the id. */

import type { Item } from '../money/item.ts';
import { cutToBytes, isDeviceName, utf8Length } from '../text/portable-name.ts';

/** Longest folder name in UTF-8 bytes; file systems allow 255, but paths have limits too. */
const folderMaxBytes = 80;

/** Nearly every id of a million is one: its letters are not looked at one by one. */
const plainName = /^[A-Za-z0-9][A-Za-z0-9_-]{0,79}$/;

/** The tool's own files at the top of the output folder. */
const ownName = /^(batch|report|failed|simulator)\./i;

/**
 * Folder of the item with this id: the id itself where every file system keeps it unchanged, else its safe part and `-`
 * with a digest of the id. `digest` returns lower-case hex of a text. Two ids that differ only in case get the same
 * folder here; the checkpoint renames the later one.
 */
export function folderName(id: string, digest: (text: string) => string): string {
  if (plainName.test(id) && !isDeviceName(id)) return id;
  const name = harmless(id);
  if (name === id && utf8Length(name) <= folderMaxBytes) return name;
  const suffix = `-${digest(id).slice(0, 8)}`;
  return cutToBytes(name, folderMaxBytes - suffix.length).replace(/[ .]+$/u, '') + suffix;
}

/** The folder of a later item whose folder name is taken. */
export function folderNameApart(folder: string, digest: string): string {
  return `${cutToBytes(folder, folderMaxBytes - 9)}-${digest.slice(0, 8)}`;
}

/** Path of a picture of a workbook; `sha256` is the digest of its bytes (lower-case hex). */
export function keptPath(sha256: string): string {
  return `images/${sha256}`;
}

/**
 * Where the files of an item's current attempt are. `by-item`: in the item's folder; one process writes there, and sets
 * the files of earlier attempts aside. `by-attempt`: in a folder of each attempt, so that a process which still works
 * on an old attempt cannot replace a file of the new one.
 */
export type OutputLayout = 'by-item' | 'by-attempt';

/** What the paths of an item are made from. */
type Placed = Pick<Item, 'folder' | 'attempt'>;

/** Path of the video without its extension, which follows the content. */
export function videoTarget(item: Placed, layout: OutputLayout): string {
  return `${attemptFolder(item, layout)}/video`;
}

/** Path of a frame without its extension: `ITEM/frames/001`. */
export function frameTarget(item: Placed, ordinal: number, layout: OutputLayout): string {
  return `${attemptFolder(item, layout)}/frames/${String(ordinal).padStart(3, '0')}`;
}

/** Path of `task.json`, which holds the service's answers about the task. */
export function taskFilePath(item: Placed, layout: OutputLayout): string {
  return `${attemptFolder(item, layout)}/task.json`;
}

/**
 * Where a file of the item, of the layout `by-item`, belongs in `by-attempt`. The files of an earlier attempt have a folder
 * of their own in both. `earlier` is the attempt that made it; null for the current one.
 */
export function movedPath(path: string, { folder, attempt }: Placed, earlier: number | null): string {
  if (!path.startsWith(`${folder}/`)) return path;
  const rest = path.slice(folder.length + 1);
  if (/^attempt-\d+\//.test(rest)) return path;
  // Where the files of an attempt were not set aside, their path does not say which attempt made them.
  return `${folder}/attempt-${earlier ?? attempt}/${rest}`;
}

function attemptFolder({ folder, attempt }: Placed, layout: OutputLayout): string {
  return layout === 'by-item' ? folder : `${folder}/attempt-${attempt}`;
}

/**
 * Keeps ASCII letters and digits, `.`, `_`, `-` and letters without case (Chinese, for example): these name the same
 * file on every file system. The rest becomes `_`.
 */
function harmless(id: string): string {
  let name = '';
  for (const letter of id.toWellFormed().normalize('NFC')) name += isHarmless(letter) ? letter : '_';
  name = name.replace(/^[.\-_ ]+/u, (start) => '_'.repeat(start.length)).replace(/[. ]+$/u, '');
  if (name === '') return 'row';
  return isDeviceName(name) || ownName.test(name) ? `_${name}` : name;
}

function isHarmless(letter: string): boolean {
  if (/^[A-Za-z0-9._-]$/.test(letter)) return true;
  return (
    /^\p{Lo}$/u.test(letter) && letter.normalize('NFKC') === letter && letter.normalize('NFD') === letter
  );
}

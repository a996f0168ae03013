/**
 * Finds files whose names are written otherwise on the disk than in a table: macOS and its archives take letters apart,
 * into `e` and an accent, and other systems then know two names that look the same; tables made from web pages escape them.
 */

import { existsSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';

/** Each name of a path with the separator behind it. */
const ends = sep === '\\' ? /(?<=[\\/])/ : /(?<=\/)/;

/**
 * The path with the names that the disk has; as it is where it exists, and where nothing, or more than one thing, has such
 * names.
 */
export function pathOnDisk(path: string): string {
  return isPlain(path) || existsSync(path) ? path : (find(path, composedIn) ?? path);
}

/** The same for a picture, whose names may be escaped as in an address: `fig%201.png` is `fig 1.png` where there is no other. */
export function pictureOnDisk(path: string): string {
  const real = pathOnDisk(path);
  if (!path.includes('%') || existsSync(real)) return real;
  return find(path, unescapedIn) ?? path;
}

/** The name that something in the folder has; null where that is not sure. */
type NameIn = (folder: string, name: string) => string | null;

function find(path: string, nameIn: NameIn): string | null {
  let found = '';
  for (const piece of path.split(ends)) {
    const name = piece.replace(/[\\/]$/, '');
    const real = nameIn(found || '.', name);
    if (real === null) return null;
    found += real + piece.slice(name.length);
  }
  return found;
}

const unescapedIn: NameIn = (folder, name) => {
  const plain = unescapedName(name);
  // Each name by itself: what is escaped leads into no other folder.
  const isOther = plain !== name && !/^\.{0,2}$|[\\/\0]/.test(plain) && !existsSync(join(folder, name));
  return composedIn(folder, isOther ? plain : name);
};

/** Without the escapes of addresses; as it is where they are none. */
function unescapedName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** True for letters that are one in whichever way they are composed. */
function isPlain(name: string): boolean {
  return name.normalize('NFC') === name.normalize('NFD');
}

const composedIn: NameIn = (folder, name) => {
  if (isPlain(name) || existsSync(join(folder, name))) return name;
  const composed = name.normalize('NFC');
  // To list a folder of many pictures for each of them takes long.
  const usual = [composed, name.normalize('NFD')].filter((each) => existsSync(join(folder, each)));
  const alike =
    usual.length > 0 ? usual : namesOf(folder).filter((each) => each.normalize('NFC') === composed);
  return alike.length === 1 ? (alike[0] ?? null) : null;
};

function namesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/**
 * Finds files whose names are written otherwise on the disk than in a table: macOS and its archives take letters apart,
 * into `e` and an accent, and other systems then know two names that look the same.
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
  if (isPlain(path) || existsSync(path)) return path;
  let found = '';
  for (const piece of path.split(ends)) {
    const name = piece.replace(/[\\/]$/, '');
    const real = isPlain(name) ? name : nameIn(found || '.', name);
    if (real === null) return path;
    found += real + piece.slice(name.length);
  }
  return found;
}

/** True for letters that are one in whichever way they are composed. */
function isPlain(name: string): boolean {
  return name.normalize('NFC') === name.normalize('NFD');
}

function nameIn(folder: string, name: string): string | null {
  if (existsSync(join(folder, name))) return name;
  const composed = name.normalize('NFC');
  // To list a folder of many pictures for each of them takes long.
  const usual = [composed, name.normalize('NFD')].filter((each) => existsSync(join(folder, each)));
  const alike =
    usual.length > 0 ? usual : namesOf(folder).filter((each) => each.normalize('NFC') === composed);
  return alike.length === 1 ? (alike[0] ?? null) : null;
}

function namesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

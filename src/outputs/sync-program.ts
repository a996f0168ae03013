/** Which program syncs a folder with other computers: it may replace files that a run has open. */

import { readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

interface SyncProgram {
  readonly name: string;
  /** Files that it leaves in the folder it syncs. */
  readonly files?: RegExp;
  /** The same of folders. */
  readonly folders?: RegExp;
  /** The names of folders that it syncs itself. */
  readonly named?: RegExp;
}

const programs: readonly SyncProgram[] = [
  // The home folder of its users has a folder `.dropbox`, which is not synced.
  { name: 'Dropbox', files: /^\.dropbox$/, folders: /^\.dropbox\.cache$/, named: /^Dropbox(-.+)?$/ },
  { name: 'Nextcloud or ownCloud', files: /^(\.sync_[0-9a-f]+\.db|\.(next|own)cloudsync\.log)$/ },
  { name: 'Syncthing', files: /^\.stfolder$/, folders: /^\.stfolder$/ },
  { name: 'Google Drive', folders: /^\.tmp\.drive(up|down)load$/, named: /^(GoogleDrive-.+|Google Drive)$/ },
  { name: 'OneDrive', named: /^OneDrive(-.+| - .+)?$/ },
  { name: 'iCloud', named: /^(Mobile Documents|iCloudDrive)$/ },
];

/** The name of the program that syncs this folder, or one above it; null where none is known to. */
export function syncProgram(folder: string): string | null {
  let path = realPlace(folder);
  while (true) {
    const found = programOf(path);
    if (found !== null) return found;
    const parent = dirname(path);
    if (parent === path) return null;
    path = parent;
  }
}

function programOf(path: string): string | null {
  const name = basename(path);
  const names = namesIn(path);
  const matches = (form: RegExp | undefined, isFolder: boolean): boolean =>
    form !== undefined && names.some((each) => form.test(each) && isFolderAt(join(path, each)) === isFolder);
  const found = programs.find(
    ({ files, folders, named }) => named?.test(name) || matches(files, false) || matches(folders, true),
  );
  return found?.name ?? null;
}

function realPlace(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

function namesIn(path: string): readonly string[] {
  try {
    return readdirSync(path).filter((name) => name.startsWith('.'));
  } catch {
    return [];
  }
}

function isFolderAt(path: string): boolean | null {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? null;
}

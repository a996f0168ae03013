/**
 * Whether an output folder is the same one, in the same place, that was last paid from: two copies would pay for the
 * same rows.
 */

/** What identifies a folder. */
export interface FolderPlace {
  /** Identifies the computer; null where it has no reliable name. */
  readonly machine: string | null;
  /** Absolute, links resolved. */
  readonly path: string;
  /** Inode of the folder. */
  readonly inode: string;
  /** Creation time of the folder, in nanoseconds; null where the file system does not record it. */
  readonly birth: string | null;
}

/** What became of a folder since it was last paid from. */
export type PlaceChange =
  /** It was last used on another computer. */
  | 'other-machine'
  /** The same folder under another path. */
  | 'renamed'
  /** Another folder in another place: a copy, or the folder moved to another disk. */
  | 'elsewhere'
  /** Another folder in the same place: a copy put there, or a backup. */
  | 'replaced';

/**
 * What differs; null for nothing that matters. The creation time is better evidence than the inode: some file systems
 * assign new inodes at each mount, and a copy never has the creation time of its original.
 */
export function comparePlaces(then: FolderPlace, now: FolderPlace): PlaceChange | null {
  if (then.machine !== null && now.machine !== null && then.machine !== now.machine) return 'other-machine';
  const areBorn = then.birth !== null && now.birth !== null;
  const isSame = areBorn ? then.birth === now.birth : then.inode === now.inode;
  if (then.path === now.path) return isSame ? null : 'replaced';
  return isSame ? 'renamed' : 'elsewhere';
}

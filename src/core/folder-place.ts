/** Whether an output folder is where, and the one, that was last paid from: two copies of it would pay for the same rows. */

/** What tells a folder from all others. */
export interface FolderPlace {
  /** Names the computer; null where it has no name to rely on. */
  readonly machine: string | null;
  /** Absolute, links resolved. */
  readonly path: string;
  /** Number of the folder on its file system. */
  readonly inode: string;
  /** When the folder was made, to the nanosecond; null where the file system does not tell. */
  readonly birth: string | null;
}

/** What became of a folder since it was last paid from. */
export type PlaceChange =
  /** Its run went on on another computer. */
  | 'other-machine'
  /** The same folder, under another path. */
  | 'renamed'
  /** Another folder, in another place: a copy, or moved to another disk. */
  | 'elsewhere'
  /** Another folder in the same place: a copy that was put there, or a backup. */
  | 'replaced';

/**
 * What is different; null for nothing that matters. Some file systems number their folders anew each time they are mounted, so
 * the time a folder was made says more than its number; no copy has the time of its original.
 */
export function comparePlaces(then: FolderPlace, now: FolderPlace): PlaceChange | null {
  if (then.machine !== null && now.machine !== null && then.machine !== now.machine) return 'other-machine';
  const areBorn = then.birth !== null && now.birth !== null;
  const isSame = areBorn ? then.birth === now.birth : then.inode === now.inode;
  if (then.path === now.path) return isSame ? null : 'replaced';
  return isSame ? 'renamed' : 'elsewhere';
}

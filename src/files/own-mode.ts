/** Who may read what a run keeps for itself: its checkpoint holds the secret of its callbacks. */

/**
 * The mode of a new file in a folder of this mode: for its user alone, unless others may write there, too: then they share
 * the run.
 */
export function ownMode(folder: { readonly mode: number }): number {
  return (folder.mode & 0o022) === 0 ? 0o600 : 0o666;
}

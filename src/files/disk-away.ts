/** Distinguishes lost files from a disk that is not mounted. */

/** From this many files, a majority missing is evidence; a user may have deleted most of fewer. */
const enoughFiles = 10;
/** From this many, all missing is evidence: a user who deletes everything also deletes the checkpoint. */
const enoughOfAll = 3;

/**
 * True where the disk is more likely to be unmounted than each file lost: all are missing, or more than half of many.
 * Downloading again would write to the mount point, and the service may no longer have the files.
 */
export function isDiskAway(files: number, missing: number): boolean {
  if (missing === files) return files >= enoughOfAll;
  return missing >= enoughFiles && missing > files / 2;
}

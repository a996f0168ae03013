/** Tells files that were lost from a disk that is not there. */

/** So many files, and some of them missing, say something; of fewer a user may have deleted most. */
const enoughFiles = 10;
/** Nobody deletes all of so many one by one, and leaves the checkpoint. */
const enoughOfAll = 3;

/**
 * True where it is likelier that the disk of the files is away than that each of them was lost: all are missing, or more than half
 * of many. To fetch them again would write beside the disk, and may find that the service has them no more.
 */
export function isDiskAway(files: number, missing: number): boolean {
  if (missing === files) return files >= enoughOfAll;
  return missing >= enoughFiles && missing > files / 2;
}

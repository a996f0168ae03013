/** Stands for standard input among the arguments: no file has this name, and the parser would drop a single `-`. */
export const standardInput = '\0-';

/** As a run keeps it among its sources. */
export const standardSource = '-';

/** A file name as the user wrote it. */
export function shownName(file: string): string {
  return file === standardInput ? 'standard input' : file;
}

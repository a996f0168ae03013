/** Standard input among the arguments: no file is called this, and the parser does not lose it as it does a lone `-`. */
export const standardInput = '\0-';

/** A file name as the user wrote it. */
export function shownName(file: string): string {
  return file === standardInput ? 'standard input' : file;
}

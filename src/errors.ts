/**
 * The errors a port or a command may throw. Each has a stable `code`, the exit code it leads to, keeps its
 * `cause`, and its message is one line: the fact, the place, and what to do.
 */

export class BatchError extends Error {
  override readonly name: string = 'BatchError';
  readonly code: string;
  readonly exitCode: number;

  constructor(code: string, exitCode: number, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.exitCode = exitCode;
  }
}

/** A wrong option, a missing argument, an order that cannot be carried out. Nothing was sent. */
export class UsageError extends BatchError {
  override readonly name = 'UsageError';
  constructor(message: string, cause?: unknown) {
    super('USAGE', 2, message, cause);
  }
}

/** One thing that is wrong in the input file, with the line it stands on (from 1; null for the whole file). */
export interface Problem {
  readonly line: number | null;
  readonly message: string;
}

/** A file that cannot be read as a whole. Lists every problem; nothing was sent. */
export class InputError extends BatchError {
  override readonly name = 'InputError';
  /** As the user named it. */
  readonly file: string;
  readonly problems: readonly Problem[];
  constructor(file: string, problems: readonly Problem[], cause?: unknown) {
    const first = problems[0];
    const place = first?.line == null ? file : `${file}:${first.line}`;
    const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
    super('INPUT', 2, `${place}: ${first?.message ?? 'cannot be read'}${more}`, cause);
    this.file = file;
    this.problems = problems;
  }
}

/** Another process holds the output folder. */
export class HeldError extends BatchError {
  override readonly name = 'HeldError';
  constructor(folder: string, cause?: unknown) {
    super(
      'HELD',
      6,
      `${folder} is held by another batch process; wait for it or stop it, \`batch status\` shows where it stands`,
      cause,
    );
  }
}

/** The checkpoint cannot be used: damaged, newer than this program, or not one. It is left as it is. */
export class CheckpointError extends BatchError {
  override readonly name = 'CheckpointError';
  constructor(message: string, cause?: unknown) {
    super('CHECKPOINT', 2, message, cause);
  }
}

/** The disk refused a write: full, read-only, failing. The run stops and resumes from the checkpoint. */
export class DiskError extends BatchError {
  override readonly name = 'DiskError';
  constructor(message: string, cause?: unknown) {
    super('DISK', 4, message, cause);
  }
}

/** One item's files cannot be written (a link in the way, a folder that is a file); other items can. */
export class ItemFilesError extends BatchError {
  override readonly name = 'ItemFilesError';
  constructor(message: string, cause?: unknown) {
    super('ITEM_FILES', 1, message, cause);
  }
}

/** An item was changed by another process between reading and writing: the disk of the folder does not lock. */
export class StaleItemError extends BatchError {
  override readonly name = 'StaleItemError';
  /** Keys of the items that are not as they were when the changes were decided. */
  readonly keys: readonly number[];
  constructor(stale: readonly { readonly key: number; readonly id: string }[]) {
    super(
      'STALE_ITEM',
      6,
      `row ${stale[0]?.id} was changed by another batch process: the disk of this folder does not support locks; stop the other one, then run the same line again`,
    );
    this.keys = stale.map(({ key }) => key);
  }
}

/** Where anything that was thrown comes from, with what caused it: for those who look for a bug. */
export function stackOf(error: unknown, depth = 0): string {
  if (!(error instanceof Error)) return String(error);
  const own = error.stack ?? `${error.name}: ${error.message}`;
  if (error.cause === undefined || depth === deepestCause) return own;
  return `${own}\ncaused by ${stackOf(error.cause, depth + 1)}`;
}

/** A chain of causes may be a circle. */
const deepestCause = 5;

/** True for what no user can help: the program did what it must not do. */
export function isBug(error: unknown): boolean {
  return !(error instanceof BatchError) || error.exitCode === bugExitCode;
}

export const bugExitCode = 70;

/** The message of anything that was thrown, without a stack. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The `code` of a system or library error, or ''. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}

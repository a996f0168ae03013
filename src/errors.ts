/**
 * Errors that ports and commands throw. Each has a stable `code` and an exit code, keeps its `cause`, and has a
 * one-line message: what happened, where, and what to do.
 */

import { message as messageIn } from './messages/message.ts';
import { ReasonError } from './messages/reasons/reason-error.ts';
import type { Message, Said } from './messages/said.ts';

export class BatchError extends Error {
  override readonly name: string = 'BatchError';
  readonly code: string;
  readonly exitCode: number;
  /** What a terminal says in its user's language; null where only the English text is known. */
  readonly said: Message | null;

  constructor(code: string, exitCode: number, message: string | Message, cause?: unknown) {
    const said = typeof message === 'string' ? null : message;
    super(typeof message === 'string' ? message : message.text, cause === undefined ? undefined : { cause });
    this.said = said;
    this.code = code;
    this.exitCode = exitCode;
  }
}

/** A wrong option, a missing argument, or a command that cannot be carried out. Nothing was sent. */
export class UsageError extends BatchError {
  override readonly name = 'UsageError';
  constructor(message: string | Message, cause?: unknown) {
    super('USAGE', 2, message, cause);
  }
}

/** One problem in the input file, with its line (from 1; null for the whole file). */
export interface Problem {
  readonly line: number | null;
  /** In English. */
  readonly message: string;
  /** What a terminal says in its user's language; absent where only the English text is known. */
  readonly said?: Message;
}

/** A problem that a terminal says in its user's language. */
export function problemOf(line: number | null, said: Message): Problem {
  return { line, message: said.text, said };
}

/** The file as a whole cannot be read. Lists every problem; nothing was sent. */
export class InputError extends BatchError {
  override readonly name = 'InputError';
  /** The name the user gave. */
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
  constructor(message: Message, cause?: unknown) {
    super('HELD', 6, message, cause);
  }
}

/** The checkpoint cannot be used: it is damaged, from a newer version, or not a checkpoint. It is left untouched. */
export class CheckpointError extends BatchError {
  override readonly name = 'CheckpointError';
  constructor(message: string | Message, cause?: unknown) {
    super('CHECKPOINT', 2, message, cause);
  }
}

/** The disk refused a write: it is full, read-only or failing. The run stops and can be resumed from the checkpoint. */
export class DiskError extends BatchError {
  override readonly name = 'DiskError';
  constructor(message: string | Message, cause?: unknown) {
    super('DISK', 4, message, cause);
  }
}

/**
 * The files of one item cannot be written (a link in the way, a file in place of a folder); other items are not
 * affected.
 */
export class ItemFilesError extends BatchError {
  override readonly name: string = 'ItemFilesError';
  constructor(message: string | Message, cause?: unknown) {
    super('ITEM_FILES', 1, message, cause);
  }
}

/** Another program has a file open and lets nobody replace it, as programs on Windows do. */
export class FileInUseError extends ItemFilesError {
  override readonly name = 'FileInUseError';
  /** `path` as the user knows it. */
  constructor(path: string, cause?: unknown) {
    super(messageIn('file.in-use', { path }), cause);
  }
}

/** Another program removed a file before it had its name. It can be made again. */
export class FileRemovedError extends ItemFilesError {
  override readonly name = 'FileRemovedError';
  /** `path` is the name that it was to have. */
  constructor(path: string, cause?: unknown) {
    super(messageIn('file.removed', { path }), cause);
  }
}

/**
 * Another process changed the item between reading and writing: a command of a run that machines share, or else a process on a disk
 * that does not support locks.
 */
export class StaleItemError extends BatchError {
  override readonly name = 'StaleItemError';
  /** Keys of the items that changed since the decision. */
  readonly keys: readonly number[];
  constructor(stale: readonly { readonly key: number; readonly id: string }[], isShared = false) {
    const said = isShared ? 'row.changed-meanwhile' : 'row.changed-elsewhere';
    super('STALE_ITEM', isShared ? 2 : 6, messageIn(said, { id: stale[0]?.id }));
    this.keys = stale.map(({ key }) => key);
  }
}

/** The places that the run has left for claims. */
export interface PlacesLeft {
  /** How many of the claims there were places for. */
  readonly places: number;
  /** They are taken by creations on their way. */
  readonly isBrief: boolean;
}

/** The run as a whole has no room for these claims; nothing was saved. */
export class NoRoomError extends BatchError {
  override readonly name = 'NoRoomError';
  /** Null where places are not what is missing. */
  readonly left: PlacesLeft | null;
  constructor(left: PlacesLeft | null = null) {
    super('NO_ROOM', 4, messageIn('claims.no-room'));
    this.left = left;
  }
}

/** A store on another machine does not answer. Whatever was saved is saved. */
export class StoreAwayError extends BatchError {
  override readonly name = 'StoreAwayError';
  constructor(message: string | Message, cause?: unknown) {
    super('STORE_AWAY', 4, message, cause);
  }
}

/** The stack of anything thrown, with its causes, for debugging. */
export function stackOf(error: unknown, depth = 0): string {
  if (!(error instanceof Error)) return String(error);
  const own = error.stack ?? `${error.name}: ${error.message}`;
  if (error.cause === undefined || depth === deepestCause) return own;
  return `${own}\ncaused by ${stackOf(error.cause, depth + 1)}`;
}

/** A chain of causes can be circular. */
const deepestCause = 5;

/** True for errors no user can fix: bugs in the program. */
export function isBug(error: unknown): boolean {
  return !(error instanceof BatchError) || error.exitCode === bugExitCode;
}

export const bugExitCode = 70;

/** True where the system lets this process, or all of them, open no more files: then nothing is wrong with the program or a disk. */
export function isOutOfFiles(error: unknown, depth = 0): boolean {
  if (/^(EMFILE|ENFILE)$/.test(codeOf(error))) return true;
  return error instanceof Error && depth < deepestCause && isOutOfFiles(error.cause, depth + 1);
}

/** Refusals of disks that Node.js knows by number alone, of Linux and of macOS: what a number says here, no disk says there. */
const unnamed: Readonly<Record<number, string>> = {
  ...{ 122: 'EDQUOT: disk quota exceeded', 69: 'EDQUOT: disk quota exceeded' },
  ...{ 116: 'ESTALE: stale file handle', 70: 'ESTALE: stale file handle' },
  ...{ 37: 'ENOLCK: no locks available', 77: 'ENOLCK: no locks available' },
  ...{ 117: 'EUCLEAN: file system is damaged', 123: 'ENOMEDIUM: no medium found' },
};

/** How Node.js begins the message about a number without a name. */
const nameless = /^Unknown system error -(\d+)(: Unknown system error -\d+)?/;

/** The message of anything thrown, without a stack. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message.replace(nameless, (begin, number) => unnamed[number] ?? begin);
}

/** The same, in the language of its hearer where it is known. */
export function saidOf(error: unknown): Said {
  const said = error instanceof BatchError || error instanceof ReasonError ? error.said : null;
  return said ?? messageOf(error);
}

/**
 * The owner of a promise that nobody awaits because it never rejects: if it does, the program hears of it as of any
 * exception outside its calls.
 */
export function raise(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

/** What a message about a refusal of the system tells. */
export function refusalOf(error: unknown): { readonly failure: Said; readonly code: string } {
  return { failure: saidOf(error), code: codeOf(error) };
}

/** The `code` of a system or library error, or ''. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (typeof code !== 'string') return '';
  return code.replace(nameless, (name, number) => unnamed[number]?.replace(/:.*/, '') ?? name);
}

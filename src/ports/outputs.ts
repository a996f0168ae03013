/** Where videos and reports are put, and how they are read again. */

import type { OutputLayout } from '../files/output-paths.ts';
import type { SavedFile } from '../money/item.ts';

/**
 * An unfinished download: `NAME.part` next to the target. It stays on disk when closed without `commit`, so that the
 * download can be resumed. Methods throw `DiskError` or `ItemFilesError`.
 */
export interface PartFile extends AsyncDisposable {
  /** Bytes already on disk. */
  readonly sizeBytes: number;
  /** The version the bytes are of, or null. */
  readonly validator: string | null;
  /** Discards the bytes on disk and saves the validator of the bytes to come. */
  restart(validator: string | null): Promise<void>;
  append(bytes: Uint8Array): Promise<void>;
  /** Keeps room for a file of so many bytes. Where the disk has none, removes the part and throws `ItemFilesError`. */
  expect(wholeBytes: number): Promise<void>;
  /** The first bytes (4,096 at most), to detect the file format. */
  head(): Promise<Uint8Array>;
  /** The SHA-256 of all bytes, in lower-case hex. */
  digest(): Promise<string>;
  /** Syncs, renames to `path` (relative to the output folder, same folder as the part), syncs the folder. */
  commit(path: string): Promise<SavedFile>;
  /** Removes the part. */
  discard(): Promise<void>;
}

/** A report being written; invisible until `commit`. */
export interface ReportFile extends AsyncDisposable {
  write(content: string | Uint8Array): Promise<void>;
  /** Replaces the report whole. Throws `FileInUseError` where another program has the old one open. */
  commit(): Promise<void>;
  /** After that error: puts it next to the old one, under a free name that is returned. */
  commitNextTo(): Promise<string>;
}

/** The output folder. Paths are relative to it, with `/`; nothing outside it is ever written. */
export interface OutputTree {
  readonly layout: OutputLayout;
  /** `path` is the target without extension: `ITEM/video` has its part at `ITEM/video.part`. */
  openPart(path: string): Promise<PartFile>;
  /**
   * Saves the file that an earlier try received whole for this target but could not put into the outputs: it needs no
   * second download. Null where there is none.
   */
  saveReceived(path: string): Promise<SavedFile | null>;
  /** Writes a small file whole, replacing an existing one. */
  writeWhole(path: string, text: string): Promise<void>;
  createReport(name: string): Promise<ReportFile>;
  /** The file at `path`; null when there is no regular file. */
  inspect(path: string): Promise<{ readonly sizeBytes: number; readonly sha256: string } | null>;
  /**
   * A file that already exists where an item that never had files will put its own, as a path of the tree; null for
   * none.
   */
  foreignFile(folder: string): Promise<string | null>;
  /**
   * Links the files of an item's earlier attempt into `FOLDER/attempt-N/`, in addition to their old names; there may be none,
   * or some may already be there. Returns the last part of that path; null where there are no files. On a disk without
   * hard links the files are moved instead.
   */
  setAside(folder: string, attempt: number): Promise<string | null>;
  /** Removes the old names of files that were set aside. */
  clearAside(folder: string): Promise<void>;
}

/** Length and digest of a file. */
export interface FileDigest {
  readonly sizeBytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

/** A part of a file: from `start` to before `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A file being read. */
interface ReadFile extends AsyncDisposable {
  readonly sizeBytes: number;
  /** Throws when the bytes end early. */
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Where the outputs of a run on several machines are: a folder that all of them see, or a bucket. Paths are relative,
 * with `/`. A refusal is a `DiskError`, or an `ItemFilesError` where it concerns only this path; no text contains
 * credentials.
 */
export interface Destination {
  /** As the user writes it: the folder, or `s3://bucket/prefix`. */
  readonly name: string;
  /** Rejects where no file can be written. */
  checkWritable(): Promise<void>;
  /** Throws `DiskError` once another folder is in its place. */
  check(): void;
  /**
   * Puts a local file there, replacing an existing one. Nothing is visible until all of it is there; resolves once the
   * destination itself confirms length and digest.
   */
  put(file: string, path: string, expected: FileDigest): Promise<void>;
  /** The file at `path`, without reading it; the digest is null where only reading the file shows it. Null where there is none. */
  stat(path: string): Promise<{ readonly sizeBytes: number; readonly sha256: string | null } | null>;
  /** The same with the digest, reading the file where necessary. */
  inspect(path: string): Promise<FileDigest | null>;
  /** Opens a file for reading, or its bytes from `start` to before `end`; null where there is none. */
  read(path: string, range?: ByteRange): Promise<ReadFile | null>;
  /** All files whose path starts with `prefix`, which is empty or ends with `/`. */
  list(prefix: string): AsyncIterable<{ readonly path: string; readonly sizeBytes: number }>;
  /** A link by which anyone can read the file for this long; null where there are no links. */
  signedLink(path: string, seconds: number): Promise<string | null>;
  /** Removes what this worker left unfinished at this path when it was killed. */
  clearUnfinished(path: string): Promise<void>;
  close(): void;
}

/** A file of the outputs, to be shown. */
export interface ShownFile extends AsyncDisposable {
  readonly sizeBytes: number;
  /** Changes with the file; in quotes. */
  readonly etag: string;
  /** The bytes from `start` to before `end`. */
  read(start: number, end: number): Promise<AsyncIterable<Uint8Array>>;
}

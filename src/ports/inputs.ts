/** Files of the user, and the pictures that a run keeps of them. */

/** A file that is read in any order, such as a ZIP package. */
export interface FileAccess {
  readonly sizeBytes: number;
  /** Up to `length` bytes from there; fewer only at the end of the file. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

/** Local images that rows refer to. */
export interface ImageFiles {
  /**
   * All bytes. Rejects when the file cannot be read, changes while it is read, or exceeds `maxBytes` (unlimited by
   * default).
   */
  read(path: string, maxBytes?: number): Promise<Uint8Array>;
  /** All bytes of a picture that the run keeps. Rejects where it is missing, was changed, or exceeds `maxBytes`. */
  readKept(sha256: string, maxBytes?: number): Promise<Uint8Array>;
}

/** The pictures of workbooks, kept with the run by their digests (lower-case hex), so that it needs no workbook. */
export interface PictureStore {
  /** Bytes of a picture; null where it is not kept. */
  sizeOf(sha256: string): Promise<number | null>;
  /** All bytes. Rejects where the picture is missing or its bytes are not those of the digest. */
  read(sha256: string): Promise<Uint8Array>;
  /** Keeps a picture; durable when it resolves. Throws `DiskError`. */
  keep(sha256: string, bytes: Uint8Array): Promise<void>;
}

/**
 * Which version of a file some bytes are of, as the headers of a host say. Bytes of two versions are never joined, so
 * a part is resumed only where the host says the same again.
 */

/** What an answer says about the file. Null where it says nothing. */
export interface VersionHeaders {
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** Length of the whole file. */
  readonly totalBytes: number | null;
}

/** Only of equal tags of this form are the bytes equal. `W/` means that two versions are equivalent. */
const strongTag = /^"[\x21\x23-\x7e\x80-\xff]*"$/;

/**
 * A strong ETag is enough by itself. Any other one, also without its quotes, or a date counts together with the length, and
 * everything must agree: many hosts have no better. Null where two versions could not be distinguished.
 */
export function fileVersion({ etag, lastModified, totalBytes }: VersionHeaders): string | null {
  if (etag !== null && strongTag.test(etag)) return etag;
  const tag = etag?.trim() || null;
  if (totalBytes === null || (tag === null && lastModified === null)) return null;
  return JSON.stringify([totalBytes, tag, lastModified]);
}

/** The version as `If-Range` may name it: only a strong ETag. A host would answer anything else with the whole file. */
export function ifRangeOf(version: string): string | null {
  return version.startsWith('"') ? version : null;
}

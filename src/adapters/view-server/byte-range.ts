/** Which part of a file a request asks for (RFC 9110, section 14). */

/** Offsets in a file; `end` is not included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The one range of bytes that the header names. Several ranges, other units and bad syntax stand for the whole, and so does
 * a condition (`If-Range`) that names another version of the file.
 */
export function rangeOf(
  headers: { readonly range?: string | undefined; readonly 'if-range'?: string | undefined },
  etag: string,
  sizeBytes: number,
): ByteRange | 'whole' | 'unsatisfiable' {
  const condition = headers['if-range'];
  if (condition !== undefined && condition !== etag) return 'whole';
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? '') ?? [];
  if (first === '' && last === '') return 'whole';
  if (first === '') {
    const start = Math.max(0, sizeBytes - Number(last));
    return start < sizeBytes ? { start, end: sizeBytes } : 'unsatisfiable';
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return 'whole';
  const end = last === '' ? sizeBytes : Math.min(sizeBytes, Number(last) + 1);
  return start < sizeBytes ? { start, end } : 'unsatisfiable';
}

/** The part of a file that a request asks for (RFC 9110, section 14). */

/** Offsets in a file; `end` is exclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The byte range in a header. Several ranges, other units and bad syntax mean the whole file, as does a condition
 * (`If-Range`) that names another version of the file.
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

/** Sends a file, whole or from an offset, under a strong ETag. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { sha256 } from './seeded-random.ts';

interface FileContent {
  readonly bytes: Uint8Array;
  /** Content type. */
  readonly type: string;
}

/** Answers a GET or HEAD with the file or the requested part; `cut` destroys the connection halfway. */
export function answerFile(
  request: IncomingMessage,
  response: ServerResponse,
  { bytes, type }: FileContent,
  cut: boolean,
): void {
  const etag = `"${sha256(bytes).slice(0, 32)}"`;
  response.setHeader('accept-ranges', 'bytes');
  response.setHeader('etag', etag);
  const range = request.method === 'GET' ? rangeOf(request, etag, bytes.length) : 'whole';
  if (range === 'unsatisfiable') {
    response.writeHead(416, { 'content-range': `bytes */${bytes.length}`, 'content-length': 0 }).end();
    return;
  }
  const { start, end } = range === 'whole' ? { start: 0, end: bytes.length } : range;
  const part = bytes.subarray(start, end);
  response.setHeader('content-type', type);
  response.setHeader('content-length', part.length);
  if (range === 'whole') response.writeHead(200);
  else response.writeHead(206, { 'content-range': `bytes ${start}-${end - 1}/${bytes.length}` });
  if (request.method === 'HEAD') response.end();
  else if (cut) response.write(part.subarray(0, part.length / 2), () => response.destroy());
  else response.end(part);
}

/** Offsets of a part of a file; `end` is not included. */
interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A range applies only to the version of the file that `If-Range` names. */
function rangeOf(
  request: IncomingMessage,
  etag: string,
  sizeBytes: number,
): ByteRange | 'whole' | 'unsatisfiable' {
  const condition = request.headers['if-range'];
  if (condition !== undefined && condition !== etag) return 'whole';
  return parseRange(request.headers.range, sizeBytes);
}

/** One range of bytes (RFC 9110, section 14). Several ranges, other units and bad syntax mean the whole file. */
function parseRange(header: string | undefined, sizeBytes: number): ByteRange | 'whole' | 'unsatisfiable' {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '');
  const [, first = '', last = ''] = match ?? [];
  if (first === '' && last === '') return 'whole';
  if (first === '') {
    const start = Math.max(0, sizeBytes - Number(last));
    return start < sizeBytes ? { start, end: sizeBytes } : 'unsatisfiable';
  }
  const start = Number(first);
  const end = last === '' ? sizeBytes : Math.min(sizeBytes, Number(last) + 1);
  if (last !== '' && Number(last) < start) return 'whole';
  return start < sizeBytes ? { start, end } : 'unsatisfiable';
}

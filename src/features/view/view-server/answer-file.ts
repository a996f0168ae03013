/** Serves a file, whole or in part, so that videos can seek. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ShownFile } from '../../../ports.ts';
import { rangeOf } from './byte-range.ts';

/** By extension, which follows a file's content. */
const types: Readonly<Record<string, string>> = {
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
  '.mov': 'video/quicktime',
  '.mkv': 'video/x-matroska',
  '.ogv': 'video/ogg',
  '.avi': 'video/x-msvideo',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.bmp': 'image/bmp',
  '.avif': 'image/avif',
  '.json': 'application/json',
  '.jsonl': 'text/plain; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
  '.vtt': 'text/vtt; charset=utf-8',
};

/** Answers a GET or HEAD, and closes the file. Rejects when the connection breaks. */
export async function answerFile(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  found: ShownFile,
): Promise<void> {
  await using file = found;
  const { sizeBytes, etag } = file;
  response.setHeader('accept-ranges', 'bytes');
  response.setHeader('etag', etag);
  // The browser may cache the file, but checks each time whether it has changed.
  response.setHeader('cache-control', 'private, no-cache');
  if (request.headers['if-none-match'] === etag) {
    response.writeHead(304).end();
    return;
  }
  // A range is meaningless for HEAD.
  const range = request.method === 'GET' ? rangeOf(request.headers, etag, sizeBytes) : 'whole';
  if (range === 'unsatisfiable') {
    response.writeHead(416, { 'content-range': `bytes */${sizeBytes}`, 'content-length': 0 }).end();
    return;
  }
  const { start, end } = range === 'whole' ? { start: 0, end: sizeBytes } : range;
  response.setHeader('content-type', types[extname(path).toLowerCase()] ?? 'application/octet-stream');
  response.setHeader('content-length', end - start);
  if (range === 'whole') response.writeHead(200);
  else response.writeHead(206, { 'content-range': `bytes ${start}-${end - 1}/${sizeBytes}` });
  if (request.method === 'HEAD' || start === end) response.end();
  else await pipeline(await file.read(start, end), response);
}

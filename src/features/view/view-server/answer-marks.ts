/**
 * Sends the saved marks, and accepts new ones, and a sample, from the page itself. The paths and bodies:
 * `src/money/review/review-wire.ts`, `src/money/review/sample-wire.ts`.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';

/** What became of a mark, or of a sample. `other`: what is saved is not what the page knows; `elsewhere`: the run is. */
export type MarkEnd = 'saved' | 'invalid' | 'unknown' | 'other' | 'elsewhere';

/** Saves what the page sends; `id` is that of the row. */
export type SaveMark = (id: string, body: string) => Promise<MarkEnd>;
export type SaveSample = (body: string) => Promise<MarkEnd>;

/** More than a mark with all its texts. */
const bodyMaxBytes = 2 * 1024 * 1024;

const statusOf: Readonly<Record<MarkEnd, number>> = {
  saved: 204,
  invalid: 400,
  unknown: 404,
  other: 412,
  elsewhere: 409,
};

/** Answers with the marks as JSON. */
export function answerMarks(request: IncomingMessage, response: ServerResponse, marks: unknown): void {
  const text = JSON.stringify(marks);
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  response.end(request.method === 'HEAD' ? undefined : text);
}

/** The status of the answer to what was sent. */
export async function receiveBody(
  request: IncomingMessage,
  save: (body: string) => Promise<MarkEnd>,
): Promise<number> {
  if (!isFromPage(request)) return 403;
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) return 415;
  const body = await readBody(request);
  return body === null ? 413 : statusOf[await save(body)];
}

/** Another page does not know the word in the path; should it ever learn it, the browser says where it comes from. */
function isFromPage({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  return site === undefined ? headers.origin === `http://${headers.host}` : site === 'same-origin';
}

async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    // Read to its end all the same: a browser that still sends would not see the answer.
    if (size <= bodyMaxBytes) chunks.push(chunk);
  }
  return size > bodyMaxBytes ? null : Buffer.concat(chunks).toString('utf8');
}

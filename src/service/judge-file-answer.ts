/** What the answer of a file host means, and its body: whole, resumed, or cut. */

import { createHash } from 'node:crypto';
import { codeOf, messageOf } from '../errors.ts';
import { impostorIn } from '../files/file-kind.ts';
import { fileVersion } from '../files/file-version.ts';
import type { FileAnswer, FileHost } from '../ports.ts';
import { decodeBody, isDecodable } from './decoding.ts';
import { EndWatch } from './end-watch.ts';
import type { AnswerHead, Transfer } from './transfer.ts';

/** Where in the file to start, and of which version. */
export type From = Parameters<FileHost['get']>[1];

/** An answer whose body is still to be read. */
export interface Answer extends AnswerHead {
  readonly transfer: Transfer;
}

const refusingStatuses: ReadonlySet<number> = new Set([400, 401, 403, 404, 410]);
/** A whole file. 201 and 203 are odd, but a file comes with them. */
const wholeStatuses: ReadonlySet<number> = new Set([200, 201, 203]);

/** `place` names the link in failures; `askAgain` downloads the file a second time. */
export function judgeFileAnswer(
  answer: Answer,
  from: From,
  place: string,
  askAgain: () => Promise<Answer>,
): FileAnswer {
  const { status, transfer } = answer;
  const versionOf = (totalBytes: number | null): string | null =>
    fileVersion({
      etag: headerOf(answer, 'etag'),
      lastModified: headerOf(answer, 'last-modified'),
      totalBytes,
    });
  const isResumed = from.offset > 0;
  if (status === 416 && isResumed) {
    const total = /^bytes \*\/(\d+)$/.exec(headerOf(answer, 'content-range') ?? '')?.[1];
    // Another file may have the same length as this part: without its version they cannot be distinguished.
    const version = total === undefined ? null : versionOf(Number(total));
    const isSameFile = version !== null && version === from.validator;
    return { outcome: Number(total) === from.offset && isSameFile ? 'already-whole' : 'out-of-range' };
  }
  if (refusingStatuses.has(status))
    return { outcome: 'link-refused', failure: `${place}: refused with HTTP ${status}` };
  if (!wholeStatuses.has(status) && status !== 206)
    return { outcome: 'unanswered', failure: `${place}: answered HTTP ${status}` };
  const transferEncodings = encodingsOf(answer, 'transfer-encoding');
  const encodings = [...encodingsOf(answer, 'content-encoding'), ...transferEncodings].filter(
    (encoding) => encoding !== 'identity' && encoding !== 'chunked',
  );
  const isDecoded = encodings.some(isDecodable);
  const contentType = headerOf(answer, 'content-type');
  const arriving = readBody(transfer, place);
  const isUnknownPart = status === 206 && !isResumed && isPerhapsWhole(headerOf(answer, 'content-range'));
  if (status === 206 && !isUnknownPart) {
    const totalBytes = totalOfRange(headerOf(answer, 'content-range'), from.offset);
    const validator = versionOf(totalBytes);
    // Without its own version a part may be of another file, despite If-Range; and one of an encoded file is of no use.
    const isWanted = totalBytes !== null && !isDecoded && (!isResumed || validator === from.validator);
    if (!isWanted && isResumed) return { outcome: 'out-of-range' };
    if (!isWanted) return { outcome: 'unanswered', failure: `${place}: sent a part that was not requested` };
    const body = isResumed ? arriving : decodeBody(arriving, encodings, place);
    return { outcome: 'content', offset: from.offset, totalBytes, validator, contentType, body };
  }
  const length = headerOf(answer, 'content-length');
  const isEndMarked = length !== null || transferEncodings.includes('chunked');
  const whole = isEndMarked || isDecoded ? arriving : readToEnd(arriving, place, askAgain);
  const decoded = decodeBody(whole, encodings, place);
  const body = isUnknownPart ? withDeclaredEnd(decoded, place) : decoded;
  // The announced length, which the connection checks, is that of the encoded bytes.
  const totalBytes = length === null || isDecoded ? null : Number(length);
  const validator = isDecoded ? null : versionOf(totalBytes);
  return { outcome: 'content', offset: 0, totalBytes, validator, contentType, body };
}

function readBody(transfer: Transfer, place: string): AsyncGenerator<Uint8Array> {
  return transfer.body(
    (reason) => new Error(`${place}: the transfer was cut: ${describe(reason)}`, { cause: reason }),
  );
}

/**
 * A body without announced length looks complete wherever it was cut. Where the file itself does not say where it ends, it
 * counts as complete when a second download returns the same bytes; such servers are rare enough for the double cost. A
 * link that works only once shows nothing more, so what it delivered is the file.
 */
async function* readToEnd(
  first: AsyncIterable<Uint8Array>,
  place: string,
  askAgain: () => Promise<Answer>,
): AsyncGenerator<Uint8Array> {
  const [hash, hashAgain] = [createHash('sha256'), createHash('sha256')];
  const watch = new EndWatch();
  let isPage = false;
  for await (const bytes of first) {
    if (watch.seenBytes === 0) isPage = impostorIn('frame', bytes, null) !== null;
    watch.note(bytes);
    hash.update(bytes);
    yield bytes;
  }
  const verdict = watch.verdict();
  if (verdict === 'whole') return;
  if (verdict === 'cut') throw cutBeforeEnd(place);
  const again = await askAgain();
  if (!wholeStatuses.has(again.status) && again.status !== 206) {
    again.transfer.drop();
    if (refusingStatuses.has(again.status)) return;
    throw new Error(
      `${place}: the length was not announced, and a second reading answered HTTP ${again.status}`,
    );
  }
  let isFirst = true;
  for await (const bytes of readBody(again.transfer, place)) {
    // A page that says that the link was used.
    if (isFirst && !isPage && impostorIn('frame', bytes, headerOf(again, 'content-type')) !== null) return;
    isFirst = false;
    hashAgain.update(bytes);
  }
  if (hash.digest('hex') !== hashAgain.digest('hex'))
    throw new Error(`${place}: the length was not announced, and two readings differ`);
}

/** A part of unknown length, as which a host sent what may be the whole file. */
async function* withDeclaredEnd(body: AsyncIterable<Uint8Array>, place: string): AsyncGenerator<Uint8Array> {
  const watch = new EndWatch();
  for await (const bytes of body) {
    watch.note(bytes);
    yield bytes;
  }
  if (watch.verdict() === 'cut') throw cutBeforeEnd(place);
}

function cutBeforeEnd(place: string): Error {
  return new Error(`${place}: the transfer was cut before the end of the file`);
}

/** True where a part that was not requested may be the whole file: it begins at the start, of an unknown total. */
function isPerhapsWhole(range: string | null): boolean {
  return range === null || /^bytes 0-\d+\/\*$/.test(range);
}

/** Total length out of `bytes START-END/TOTAL`, or null when invalid or not from the offset. */
function totalOfRange(header: string | null, offset: number): number | null {
  const [, start, end, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(header ?? '') ?? [];
  const isSound = Number(start) === offset && Number(end) >= offset && Number(end) < Number(total);
  return isSound ? Number(total) : null;
}

/** All encodings in a header, in lower case, over any number of lines. */
function encodingsOf({ headers }: AnswerHead, name: string): string[] {
  const header = headers[name];
  if (header === undefined) return [];
  const words = [header].flat().join(',').toLowerCase().split(',');
  return words.map((word) => word.trim()).filter((word) => word !== '');
}

export function headerOf({ headers }: AnswerHead, name: string): string | null {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

export function describe(error: unknown): string {
  if (codeOf(error) === 'UND_ERR_BODY_TIMEOUT') return 'no data arrived for too long';
  return messageOf(error) || codeOf(error) || 'connection lost';
}

/** What an exchange with the service brought, as its judges read it: a reply, a scrap of one, or a silence. */

import { isUtf8 } from 'node:buffer';
import * as zlib from 'node:zlib';
import { errors } from 'undici';
import { codeOf } from '../errors.ts';
import type { ServiceReply } from '../money/answers/service-reply.ts';
import { proxyRefusalCode, type Silence } from '../money/answers/silent-creation.ts';
import type { Redact } from '../text/redact.ts';
import { cleanText, textLimits } from '../text/service-text.ts';
import type { Exchange } from './exchange.ts';
import type { Route } from './route.ts';

/** The status a proxy answers itself; the service never sees a request it does not forward. */
const proxyRefusal = 407;

/** The answer as far as it arrived; null when not even a status line did. */
export function replyOf(
  exchange: Exchange,
  { forwardedBy }: Route,
  mostBytes: number,
  redact: Redact,
): ServiceReply | null {
  const { status, headers, error } = exchange;
  if (status === null || (status === proxyRefusal && forwardedBy !== null)) return null;
  const header = (name: string): string | null => [headers[name] ?? []].flat()[0] ?? null;
  const sentAt = Date.parse(header('date') ?? '');
  const reply = {
    status,
    location: header('location'),
    retryAfter: [headers['retry-after'] ?? []].flat().join(', '),
    ...(!Number.isNaN(sentAt) && { sentAt }),
    ...(forwardedBy !== null && { forwardedBy }),
  };
  const cut =
    error === null
      ? null
      : cleanText(`the body is incomplete: ${oneLine(error)}`, textLimits.failure, redact);
  const { bytes, broken } = unpacked(exchange.releaseBody(), mostBytes);
  const named = (header('content-encoding') ?? '').trim().toLowerCase();
  const isPacked = named !== '' && named !== 'identity' && !isText(bytes);
  const unread = broken ?? (isPacked ? cleanText(named, textLimits.label, redact) : null);
  const defect = cut ?? (unread === null ? null : `its content-encoding ${unread} cannot be read`);
  return { ...reply, body: textOfBody(bytes, cut === null), defect };
}

/**
 * What arrived of an answer from where the library could not read on, as text behind what it had read; null where it read
 * all, and where the text holds not exactly one task id.
 */
export function scrapOf({ status, error }: Exchange, read: string): ServiceReply | null {
  const unread = error instanceof errors.HTTPParserError && 'data' in error ? error.data : undefined;
  if (typeof unread !== 'string') return null;
  const text = `${read}${unread}`;
  const ids = text.match(/"task_id"\s*:/g) ?? [];
  if (ids.length !== 1) return null;
  const body = text.slice(text.indexOf('{'));
  return { status: status ?? 0, body, defect: oneLine(error), location: null, retryAfter: null };
}

/** What is known of a request that the service did not answer. */
export function silenceOf({ sent, status, error }: Exchange, { place }: Route): Silence {
  if (status === proxyRefusal) return { sent: false, why: 'HTTP 407', codes: [proxyRefusalCode], place };
  const why = oneLine(error);
  const codes = [codeOf(error), codeOf(error?.cause)].filter((code) => code !== '');
  return { sent, why, codes: /\(407\) !== 200/.test(why) ? [proxyRefusalCode] : codes, place };
}

type Encoding = 'gzip' | 'zstd' | 'deflate' | 'bare deflate' | 'br';

/** Flushing instead of finishing decodes what a cut stream contains. Throws on a broken stream, or a decompression bomb. */
function unpack(bytes: Buffer, encoding: Encoding, maxOutputLength: number): Buffer {
  const { Z_SYNC_FLUSH, ZSTD_e_flush, BROTLI_OPERATION_FLUSH } = zlib.constants;
  const flushed = { maxOutputLength, finishFlush: Z_SYNC_FLUSH };
  switch (encoding) {
    case 'gzip':
      return zlib.gunzipSync(bytes, flushed);
    case 'zstd':
      return zlib.zstdDecompressSync(bytes, { maxOutputLength, finishFlush: ZSTD_e_flush });
    case 'deflate':
      return zlib.inflateSync(bytes, flushed);
    case 'bare deflate':
      return zlib.inflateRawSync(bytes, flushed);
    case 'br':
      return zlib.brotliDecompressSync(bytes, { maxOutputLength, finishFlush: BROTLI_OPERATION_FLUSH });
  }
}

/** The encoding that bytes show by their head; null for none. */
function encodingOf(bytes: Buffer): Encoding | null {
  const head = bytes.toString('hex', 0, 4);
  if (head.startsWith('1f8b')) return 'gzip';
  if (head === '28b52ffd') return 'zstd';
  return /^78(?:01|5e|9c|da)/.test(head) ? 'deflate' : null;
}

function isText(bytes: Buffer): boolean {
  return isUtf8(bytes) && !/[\0-\x08\x0e-\x1f]/.test(bytes.toString('latin1', 0, 64));
}

/** Encoded twice is a mistake of two servers; one more is a bomb. */
const mostLayers = 2;

/** A stream that is broken, or a bomb, is read up to there at most. */
const brokenBytes = 2 ** 20;

/**
 * A body without its encodings. What a header says of them is often wrong, and a creation that was answered is paid for: so the
 * bytes decide, and what cannot be decoded stays as it is. `broken`: an encoding of which only the beginning could be read.
 */
function unpacked(
  bytes: Buffer,
  mostBytes: number,
  layers = mostLayers,
): { readonly bytes: Buffer; readonly broken: Encoding | null } {
  if (layers === 0 || isText(bytes)) return { bytes, broken: null };
  const shown = encodingOf(bytes);
  // The others have no head: only JSON shows that it was one.
  const tried: readonly Encoding[] = shown === null ? ['br', 'bare deflate'] : [shown];
  for (const encoding of tried) {
    const whole = unpackedOrNull(bytes, encoding, mostBytes);
    const found = whole ?? unpackStart(bytes, encoding);
    const inner = unpacked(found, mostBytes, layers - 1);
    const isRight = shown === null ? /^\s*[{[]/.test(inner.bytes.toString('utf8', 0, 64)) : found.length > 0;
    if (isRight) return { ...inner, broken: inner.broken ?? (whole === null ? encoding : null) };
  }
  return { bytes, broken: null };
}

function unpackedOrNull(bytes: Buffer, encoding: Encoding, mostBytes: number): Buffer | null {
  try {
    return unpack(bytes, encoding, mostBytes);
  } catch {
    return null;
  }
}

/** As much as can be read of a stream that cannot be read as a whole. */
function unpackStart(bytes: Buffer, encoding: Encoding): Buffer {
  let read: Buffer = Buffer.alloc(0);
  let [good, bad] = [0, bytes.length];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    const found = unpackedOrNull(bytes.subarray(0, middle), encoding, brokenBytes);
    [good, bad] = found === null ? [good, middle] : [middle, bad];
    read = found ?? read;
  }
  return read;
}

/** JSON is UTF-8; some services in China write GBK, and say so or not. A body that is cut may end inside a character. */
function textOfBody(bytes: Buffer, isWhole: boolean): string {
  if (isWhole && !isUtf8(bytes)) {
    try {
      return new TextDecoder('gb18030', { fatal: true }).decode(bytes);
    } catch {
      // Neither: whatever can be read of it.
    }
  }
  return new TextDecoder().decode(bytes);
}

function oneLine(error: Error | null): string {
  const cause = error?.cause instanceof Error ? ` (${error.cause.message})` : '';
  const text = `${error?.message || codeOf(error)}${cause}`.replace(/\s+/g, ' ').trim();
  return text === '' ? 'unknown reason' : text;
}

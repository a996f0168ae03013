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
  const encoding = (header('content-encoding') ?? '').trim().toLowerCase();
  try {
    const body = textOfBody(inflate(exchange.releaseBody(), encoding, mostBytes), cut === null);
    return { ...reply, body, defect: cut };
  } catch {
    const name = cleanText(encoding, textLimits.label, redact);
    return { ...reply, body: '', defect: cut ?? `its content-encoding ${name} cannot be read` };
  }
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

/** Decodes the content-encoding of whatever arrived. Throws on an unknown or broken one, or a decompression bomb. */
function inflate(bytes: Buffer, encoding: string, mostBytes: number): Buffer {
  if (encoding === '' || encoding === 'identity') return bytes;
  // Flushing instead of finishing decodes what a cut stream contains.
  const bounds = { maxOutputLength: mostBytes };
  const flushed = { ...bounds, finishFlush: zlib.constants.Z_SYNC_FLUSH };
  if (encoding === 'gzip' || encoding === 'x-gzip') return zlib.gunzipSync(bytes, flushed);
  if (encoding === 'br') {
    const { BROTLI_OPERATION_FLUSH } = zlib.constants;
    return zlib.brotliDecompressSync(bytes, { ...bounds, finishFlush: BROTLI_OPERATION_FLUSH });
  }
  if (encoding !== 'deflate') throw new Error('an unknown one');
  // Some servers send the raw stream, without the two-byte header.
  const isWrapped = ((bytes[0] ?? 0) & 0x0f) === 8;
  return isWrapped ? zlib.inflateSync(bytes, flushed) : zlib.inflateRawSync(bytes, flushed);
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

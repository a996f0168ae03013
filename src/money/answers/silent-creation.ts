/**
 * What a request without an answer of the service means. For a creation the latch decides; error codes only distinguish
 * ways of not sending.
 */

import type { Redact } from '../../text/redact.ts';
import { cleanText, textLimits } from '../../text/service-text.ts';
import type { CreationEvent } from '../event.ts';

/** A request that the service did not answer. */
export interface Silence {
  /** The latch: true once the request's first byte may have been on a socket to the service. */
  readonly sent: boolean;
  /** What ended it, in one line. */
  readonly why: string;
  /** The error's codes, including those of its causes. */
  readonly codes: readonly string[];
  /** Where the service is, and through which proxy, for the message. */
  readonly place: string;
}

/** Added to the codes when the proxy demands credentials. */
export const proxyRefusalCode = 'HTTP_407';

/** Causes that affect every row: a bad certificate, a protocol other than TLS, a request that cannot be built. */
const configurationCode =
  /^(?:CERT_|CRL_|ERR_TLS_|ERR_SSL_|ERROR_IN_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)|^(?:HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|EPROTO|UND_ERR_PRX_TLS|UND_ERR_INVALID_ARG)$/;

/** Why the address cannot be the service. `misconfigured`: a request to it cannot even be built. */
export type Obstacle = 'no-host' | 'tls' | 'proxy' | 'misconfigured';

/** What keeps a request from the service besides a service that is away; null for nothing known. */
export function obstacleOf(codes: readonly string[]): Obstacle | null {
  if (codes.includes('ENOTFOUND')) return 'no-host';
  if (codes.includes(proxyRefusalCode) || codes.includes('UND_ERR_PRX_TLS')) return 'proxy';
  if (codes.includes('UND_ERR_INVALID_ARG')) return 'misconfigured';
  return codes.some((code) => configurationCode.test(code)) ? 'tls' : null;
}

/** Given where the server knows no protocol that was offered: HTTP/1.1 is the only one, because HTTP/2 may send a creation twice. */
const otherProtocolCode = 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL';

/** The text of the TLS library has addresses in memory and lines of its source around the reason. */
const tlsText = /error:[0-9A-F]+:SSL routines:[^:]*:([^:]+):/i;

/** What ended the request, in plain words. */
function plainWhy({ why, codes }: Silence): string {
  if (codes.includes(otherProtocolCode)) return 'it speaks only HTTP/2, and batch speaks HTTP/1.1';
  return tlsText.exec(why)?.[1] ?? why;
}

/** What to do about an unusable connection; null where waiting is the only known remedy. */
function advice({ codes }: Silence): string | null {
  if (codes.includes(proxyRefusalCode))
    return 'the proxy requires credentials: add user and password to its address';
  if (!codes.some((code) => configurationCode.test(code))) return null;
  if (codes.includes('UND_ERR_INVALID_ARG')) return 'check --base-url and the API key';
  if (codes.includes(otherProtocolCode)) return 'check --base-url, or ask its owner for HTTP/1.1';
  if (codes.includes('CERT_HAS_EXPIRED'))
    return 'the certificate has expired: its owner must renew it, unless the clock of this computer is wrong';
  return 'check --base-url; for a private certificate authority, set NODE_EXTRA_CA_CERTS';
}

/** The message for a free request. */
export function silenceText(silence: Silence, redact: Redact): string {
  const { place } = silence;
  const why = plainWhy(silence);
  const said = advice(silence);
  const text = said === null ? `no answer from ${place}: ${why}` : `${place} cannot be used: ${why}; ${said}`;
  return cleanText(text, textLimits.failure, redact);
}

/** The message for a failed probe. */
export function probeText(silence: Silence, redact: Redact): string {
  const { place } = silence;
  const text = `${place} cannot be reached: ${plainWhy(silence)}; ${advice(silence) ?? 'check --base-url'}`;
  return cleanText(text, textLimits.failure, redact);
}

/** Where a process did not live to hear the answer, and where a store that was restored did not know that it was sent. */
export const unheard = {
  stopped: 'the program was stopped after the creation may have been sent and before its answer was saved',
  forgotten: 'the store had forgotten this creation',
} as const;

/** True for the failure of a row whose creation, as far as anybody knows, got no answer. */
export function isUnanswered(failure: string): boolean {
  return /^sent to .*, but no answer came/s.test(failure) || Object.values<string>(unheard).includes(failure);
}

/**
 * Judges a creation without an answer: before the latch there certainly is no task; after it nobody knows. `now` is
 * epoch ms.
 */
export function judgeSilence(
  silence: Silence,
  { now: at, redact }: { readonly now: number; readonly redact: Redact },
): CreationEvent {
  const { sent, place } = silence;
  const why = plainWhy(silence);
  const clean = (text: string): string => cleanText(text, textLimits.failure, redact);
  if (sent) {
    const failure = clean(`sent to ${place}, but no answer came: ${why}`);
    return { type: 'creation-uncertain', at, failure, origin: 'service' };
  }
  const said = advice(silence);
  const failure = clean(
    said === null ? `not sent to ${place}: ${why}` : `${place} cannot be used: ${why}; ${said}`,
  );
  // A certificate or a proxy may be of a network that the computer has just joined: only the probe at the start refuses for them.
  const isUnbuilt = obstacleOf(silence.codes) === 'misconfigured';
  return { type: 'creation-not-sent', at, failure, ...(isUnbuilt && { endsRun: 'misconfigured' }) };
}

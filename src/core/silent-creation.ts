/**
 * What a request means that ended without an answer of the service. For a creation the latch decides; error codes only tell
 * ways of not sending apart.
 */

import type { CreationEvent } from './item.ts';
import type { Redact } from './text/redact.ts';
import { cleanText, textLimits } from './text/service-text.ts';

/** A request that the service did not answer. */
export interface Silence {
  /** The latch: true once the request's first byte may have been on a socket to the service. */
  readonly sent: boolean;
  /** What ended it, in one line. */
  readonly why: string;
  /** The error's codes, those of its causes included. */
  readonly codes: readonly string[];
  /** Where the service is, and through which proxy, for the message. */
  readonly place: string;
}

/** Among the codes where the proxy on the way answered that it wants credentials. */
export const proxyRefusalCode = 'HTTP_407';

/** What no other row will escape: a bad certificate, another protocol than TLS, a request that cannot be built. */
const configurationCode =
  /^(?:CERT_|CRL_|ERR_TLS_|ERR_SSL_|ERROR_IN_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)|^(?:HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|EPROTO|UND_ERR_PRX_TLS|UND_ERR_INVALID_ARG)$/;

/** True where nobody is behind an address, as far as names and protocols tell: no such host, another protocol, a bad certificate. */
export function isNowhere(codes: readonly string[]): boolean {
  return (
    codes.includes('ENOTFOUND') ||
    codes.includes(proxyRefusalCode) ||
    codes.some((code) => configurationCode.test(code))
  );
}

/** What to do about the way to the service; null where nothing but time is known to help. */
function advice({ codes }: Silence): string | null {
  if (codes.includes(proxyRefusalCode))
    return 'the proxy wants credentials: put user and password into its address';
  if (!codes.some((code) => configurationCode.test(code))) return null;
  if (codes.includes('UND_ERR_INVALID_ARG')) return 'check --base-url and the API key';
  if (codes.includes('CERT_HAS_EXPIRED'))
    return 'the certificate has expired: its owner must renew it, or the clock of this computer is wrong';
  return 'check --base-url; NODE_EXTRA_CA_CERTS can name the certificate of an authority of your own';
}

/** In words, for a request that costs nothing. */
export function silenceText(silence: Silence, redact: Redact): string {
  const { place, why } = silence;
  const said = advice(silence);
  const text = said === null ? `no answer from ${place}: ${why}` : `${place} cannot be used: ${why}; ${said}`;
  return cleanText(text, textLimits.failure, redact);
}

/** In words, for the question whether this is the service at all. */
export function probeText(silence: Silence, redact: Redact): string {
  const { place, why } = silence;
  const text = `${place} cannot be reached: ${why}; ${advice(silence) ?? 'check --base-url'}`;
  return cleanText(text, textLimits.failure, redact);
}

/** Judges a creation without an answer: before the latch there surely is no task, after it nobody knows. `now` is epoch ms. */
export function judgeSilence(
  silence: Silence,
  { now: at, redact }: { readonly now: number; readonly redact: Redact },
): CreationEvent {
  const { sent, why, place } = silence;
  const clean = (text: string): string => cleanText(text, textLimits.failure, redact);
  if (sent) {
    const failure = clean(`sent to ${place}, but no answer came: ${why}`);
    return { type: 'creation-uncertain', at, failure, origin: 'service' };
  }
  const said = advice(silence);
  if (said === null) return { type: 'creation-not-sent', at, failure: clean(`not sent to ${place}: ${why}`) };
  const failure = clean(`${place} cannot be used: ${why}; ${said}`);
  return { type: 'creation-not-sent', at, failure, endsRun: 'misconfigured' };
}

/** What a creation means that ended without an answer. The latch decides; error codes only tell ways of not sending apart. */

import type { Redact } from './redact.ts';
import { cleanText, textLimits } from './service-text.ts';

/** A creation that got no status line. */
interface Silence {
  /** The latch: true once the request's first byte may have been on a socket. */
  readonly sent: boolean;
  /** What ended it, in one line. */
  readonly why: string;
  /** The error's codes, those of its causes included. */
  readonly codes: readonly string[];
  /** Where the service is, for the message. */
  readonly place: string;
}

/** What no other row will escape: a bad certificate, another protocol than TLS, a request that cannot be built. */
const configurationCode =
  /^(?:CERT_|CRL_|ERR_TLS_|ERR_SSL_|ERROR_IN_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)|^(?:HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|EPROTO|UND_ERR_PRX_TLS|UND_ERR_INVALID_ARG)$/;

/** True where only another address or setting can help: waiting does not. */
function isConfiguration(codes: readonly string[]): boolean {
  return codes.some((code) => configurationCode.test(code));
}

/** True where nobody is behind an address, as far as names and protocols tell: no such host, another protocol, a bad certificate. */
export function isNowhere(codes: readonly string[]): boolean {
  return codes.includes('ENOTFOUND') || isConfiguration(codes);
}

/** Judges a creation without an answer: before the latch there surely is no task, after it nobody knows. */
export function judgeSilence(
  silence: Silence,
  redact: Redact,
):
  | { readonly outcome: 'uncertain'; readonly failure: string; readonly origin: 'service' }
  | { readonly outcome: 'not-sent' | 'misconfigured'; readonly failure: string } {
  const { sent, why, codes, place } = silence;
  const failure = (text: string) => cleanText(text, textLimits.failure, redact);
  if (sent)
    return {
      outcome: 'uncertain',
      failure: failure(`sent to ${place}, but no answer came: ${why}`),
      origin: 'service',
    };
  if (!isConfiguration(codes)) {
    return { outcome: 'not-sent', failure: failure(`not sent to ${place}: ${why}`) };
  }
  const advice = codes.includes('UND_ERR_INVALID_ARG')
    ? 'check --base-url and the API key'
    : 'check --base-url; NODE_EXTRA_CA_CERTS can name the certificate of an authority of your own';
  return { outcome: 'misconfigured', failure: failure(`${place} cannot be used: ${why}; ${advice}`) };
}

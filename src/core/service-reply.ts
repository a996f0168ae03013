/** An answer of the service as it came, and what it tells whatever was asked. */

import type { AnswerOrigin, RunBar } from './item.ts';
import { type Envelope, field, textOf } from './service-envelope.ts';
import type { Redact } from './text/redact.ts';
import { cleanText, excerpt, textLimits } from './text/service-text.ts';

/** An answer as it came: the status line was whole, the body need not be. */
export interface ServiceReply {
  readonly status: number;
  /** What arrived of the body, as text. */
  readonly body: string;
  /** Why `body` is not the whole body, as a clause; null when it is. */
  readonly defect: string | null;
  readonly location: string | null;
  readonly retryAfter: string | null;
}

/** What a judgement needs besides the answer. */
export interface JudgementContext {
  /** The address that was asked. */
  readonly url: string;
  /** Epoch ms at which the answer came. */
  readonly now: number;
  readonly redact: Redact;
}

/** By status: whatever is asked with this key is refused. The key is unknown, its account is empty, or it may not do this. */
export const keyBars: ReadonlyMap<number, RunBar> = new Map([
  [401, 'key-refused'],
  [402, 'no-points'],
  [403, 'key-forbidden'],
]);

export function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}

/** The service's own words, else what is known of the answer without them. */
export function failureText(reply: ServiceReply, envelope: Envelope | null, redact: Redact): string {
  const messages = envelope === null ? '' : textOf(field(envelope.data, 'messages'));
  const own = cleanText(messages, textLimits.failure, redact);
  if (own !== '') return own;
  const isOwn = envelope !== null && envelope.says !== 'nothing';
  const words = isOwn ? '' : excerpt(reply.body, redact);
  return words === '' ? `HTTP ${reply.status}` : `HTTP ${reply.status}: ${words}`;
}

/** Where a redirect leads, without its query; null when it does not say. */
export function redirectTarget(reply: ServiceReply, context: JudgementContext): string | null {
  if (reply.location === null || !URL.canParse(reply.location, context.url)) return null;
  const { protocol, origin, pathname } = new URL(reply.location, context.url);
  const isHttp = protocol === 'http:' || protocol === 'https:';
  return isHttp ? cleanText(`${origin}${pathname}`, textLimits.failure, context.redact) : null;
}

/** A gateway before the service says 5xx in words of its own. Anything else comes in the envelope, if it comes from the service. */
export function originOf(reply: ServiceReply, envelope: Envelope | null): AnswerOrigin {
  if (reply.status >= 500 || reply.status === 429) return 'service';
  if (envelope !== null && envelope.says !== 'nothing') return 'service';
  return /^\s*</.test(reply.body) ? 'page' : 'bare';
}

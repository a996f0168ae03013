/** An answer of the service as received, and what it means for every kind of request. */

import type { Redact } from '../../text/redact.ts';
import { cleanText, excerpt, textLimits } from '../../text/service-text.ts';
import type { AnswerOrigin, KeyBar } from '../event.ts';
import { type Envelope, field, textOf } from './service-envelope.ts';

/** An answer as received: the status line is complete, the body may not be. */
export interface ServiceReply {
  readonly status: number;
  /** What arrived of the body, as text. */
  readonly body: string;
  /** Why `body` is not the whole body, as a clause; null when it is. */
  readonly defect: string | null;
  readonly location: string | null;
  readonly retryAfter: string | null;
  /** When it was sent by its sender's clock (epoch ms), where it says so: a date in `retryAfter` is of the same clock. */
  readonly sentAt?: number;
  /** The proxy that passed it on, or gave it in its own name. */
  readonly forwardedBy?: string;
}

/** The data a judgement needs besides the answer. */
export interface JudgementContext {
  /** The address of the request. */
  readonly url: string;
  /** Epoch ms at which the answer came. */
  readonly now: number;
  readonly redact: Redact;
  /** Every link in the answer is wanted, for a person to look at. */
  readonly wantsLinks?: boolean;
}

/** Statuses that refuse the key: it is unknown, its account is empty, or it lacks permission. A gateway says the same of one request. */
export const keyBars: ReadonlyMap<number, KeyBar> = new Map([
  [401, 'key-refused'],
  [402, 'no-points'],
  [403, 'key-forbidden'],
]);

export function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}

/** The service's own message, else the status and an excerpt of the body. */
export function failureText(reply: ServiceReply, envelope: Envelope | null, redact: Redact): string {
  const messages = envelope === null ? '' : textOf(field(envelope.data, 'messages'));
  const own = cleanText(messages, textLimits.failure, redact);
  if (own !== '') return own;
  const isOwn = envelope !== null && envelope.says !== 'nothing';
  const said = isOwn ? '' : excerpt(reply.body, redact);
  // A gateway's page begins with its status.
  const words = said.startsWith(`${reply.status} `) ? said.slice(`${reply.status} `.length) : said;
  const through = isOwn || reply.forwardedBy === undefined ? '' : ` (through ${reply.forwardedBy})`;
  return `HTTP ${reply.status}${through}${words === '' ? '' : `: ${words}`}`;
}

/** The target of a redirect, without its query; null when it names none. */
export function redirectTarget(reply: ServiceReply, context: JudgementContext): string | null {
  if (reply.location === null || !URL.canParse(reply.location, context.url)) return null;
  const { protocol, origin, pathname } = new URL(reply.location, context.url);
  const isHttp = protocol === 'http:' || protocol === 'https:';
  return isHttp ? cleanText(`${origin}${pathname}`, textLimits.failure, context.redact) : null;
}

/** A gateway of the service answers 5xx or 429 without the envelope; any other answer of the service has the envelope. */
export function originOf(reply: ServiceReply, envelope: Envelope | null): AnswerOrigin {
  if (reply.status >= 500 || reply.status === 429) return 'service';
  if (envelope !== null && envelope.says !== 'nothing') return 'service';
  return isPage(reply) ? 'page' : 'bare';
}

/** A web page: the service never answers with one. */
export function isPage({ body }: Pick<ServiceReply, 'body'>): boolean {
  return /^\s*</.test(body);
}

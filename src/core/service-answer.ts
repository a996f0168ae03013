/**
 * What an answer of the service means. Money hangs on the creation's half: `refused` says that there surely is no
 * task, and the row may be paid again; whatever does not say so beyond doubt is `uncertain`.
 */

import type { AnswerOrigin, CreationEvent, RemoteFrame, RunBar, TaskEnding } from './item.ts';
import { parseRetryAfterMs } from './retry-after.ts';
import {
  type Envelope,
  entriesOf,
  field,
  type JsonObject,
  readEnvelope,
  textOf,
} from './service-envelope.ts';
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
interface JudgementContext {
  /** The address that was asked. */
  readonly url: string;
  /** Epoch ms at which the answer came. */
  readonly now: number;
  readonly redact: Redact;
}

/** 401, 402 or 403: whatever is asked with this key is refused. */
interface KeyRefusal {
  readonly outcome: 'key-refused';
  readonly failure: string;
  /** The key is unknown (401), its account is empty (402), or it may not do this (403). */
  readonly because: KeyBar;
}

type KeyBar = Exclude<RunBar, 'misconfigured'>;

/** What the answer to the free question about a task that cannot exist says about who answers. */
export type ProbeVerdict =
  /** The service: its envelope, whatever is in it. */
  | { readonly outcome: 'service' }
  /** Not documented, and not excluded. */
  | { readonly outcome: 'odd'; readonly failure: string }
  /** Surely not the service. */
  | { readonly outcome: 'foreign'; readonly failure: string }
  | KeyRefusal;

/** What an answer says about a task. */
export type StatusVerdict =
  /** `unknownState` names a state that is not documented; it counts as open. */
  | {
      readonly outcome: 'progressed';
      readonly frames: readonly RemoteFrame[];
      readonly unknownState: string | null;
    }
  | {
      readonly outcome: 'completed';
      readonly ending: TaskEnding;
      readonly videoUrl: string | null;
      /** Where several videos are named: the others. */
      readonly spareUrls?: readonly string[];
      /** Where there is a text and no video. */
      readonly text?: string;
      readonly frames: readonly RemoteFrame[];
    }
  | { readonly outcome: 'failed'; readonly ending: TaskEnding; readonly failure: string }
  | { readonly outcome: 'not-found'; readonly failure: string }
  | KeyRefusal
  /** Nothing was learned; ask again at the next tick. `isTooLong`: the answer is longer than is read. */
  | {
      readonly outcome: 'unanswered';
      readonly failure: string;
      readonly retryAfterMs: number | null;
      readonly isTooLong?: true;
    };

const keyBars: ReadonlyMap<number, KeyBar> = new Map([
  [401, 'key-refused'],
  [402, 'no-points'],
  [403, 'key-forbidden'],
]);

/** Statuses by which a server says that it did not carry the request out. */
const refusals: ReadonlySet<number> = new Set([400, 404, 413, 415, 422]);

/** Redirects that keep the method: nothing was carried out. After 302 and 303 a creation may well have been. */
const movedCreations: ReadonlySet<number> = new Set([301, 307, 308]);

/** The service passes on what the step behind it answered; these causes go away by themselves. */
const passingCause = /interface response is abnormal:\s*(?:429|5\d\d)\b/i;

const taskNotFound =
  /\btask(?:[ _-]?id)?['"`\s:]*(?:was |is |does )?not (?:found|exist)|\b(?:no such|unknown) task\b/i;

/** Above this a sum of points is not exact any more; whoever names more, or less than nothing, names no price. */
const mostPoints = Number.MAX_SAFE_INTEGER;

/** More frames than any video has; keeps a mad answer from filling the checkpoint. */
const mostFrames = 10_000;

/** Links beyond the first that one video may have: each costs a request whenever it cannot be had. */
const mostSpares = 4;

function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}

/** The service's own words, else what is known of the answer without them. */
function failureText(reply: ServiceReply, envelope: Envelope | null, redact: Redact): string {
  const messages = envelope === null ? '' : textOf(field(envelope.data, 'messages'));
  const own = cleanText(messages, textLimits.failure, redact);
  if (own !== '') return own;
  const isOwn = envelope !== null && envelope.says !== 'nothing';
  const words = isOwn ? '' : excerpt(reply.body, redact);
  return words === '' ? `HTTP ${reply.status}` : `HTTP ${reply.status}: ${words}`;
}

/** Where a redirect leads, without its query; null when it does not say. */
function redirectTarget(reply: ServiceReply, context: JudgementContext): string | null {
  if (reply.location === null || !URL.canParse(reply.location, context.url)) return null;
  const { protocol, origin, pathname } = new URL(reply.location, context.url);
  const isHttp = protocol === 'http:' || protocol === 'https:';
  return isHttp ? cleanText(`${origin}${pathname}`, textLimits.failure, context.redact) : null;
}

function judgeRedirect(
  reply: ServiceReply,
  envelope: Envelope | null,
  context: JudgementContext,
): CreationEvent {
  const at = context.now;
  const target = redirectTarget(reply, context);
  if (movedCreations.has(reply.status) || (envelope?.whole && envelope.says === 'error')) {
    const where =
      target === null ? 'without saying where to; check' : `to ${target}; put the final address in`;
    const failure = `the service redirects creations ${where} --base-url`;
    return { type: 'creation-not-sent', at, failure, endsRun: 'misconfigured' };
  }
  const where = target === null ? '' : ` to ${target}`;
  return {
    type: 'creation-uncertain',
    at,
    failure: `HTTP ${reply.status}${where}, and no task id`,
    origin: originOf(reply, envelope),
    endsRun: 'misconfigured',
  };
}

/** A gateway before the service says 5xx in words of its own. Anything else comes in the envelope, if it comes from the service. */
function originOf(reply: ServiceReply, envelope: Envelope | null): AnswerOrigin {
  if (reply.status >= 500 || reply.status === 429) return 'service';
  if (envelope !== null && envelope.says !== 'nothing') return 'service';
  return /^\s*</.test(reply.body) ? 'page' : 'bare';
}

/** The id of the task that was made. An id counts unless the envelope says error; without the word success the status must say it. */
function acceptedTaskId(reply: ServiceReply, envelope: Envelope | null): string | null {
  if (envelope === null || envelope.says === 'error') return null;
  return envelope.says === 'success' || isSuccess(reply.status) ? envelope.taskId : null;
}

function uncertainty(reply: ServiceReply, envelope: Envelope | null, redact: Redact): string {
  if (reply.defect !== null) return `HTTP ${reply.status}, but ${reply.defect}`;
  if (isSuccess(reply.status)) return `HTTP ${reply.status} without a readable task id`;
  return `${failureText(reply, envelope, redact)} (not an error message of the service)`;
}

/**
 * Judges the answer to a creation. A refusing status line is enough by itself, also when the body was cut; an error
 * envelope only counts when it is whole.
 */
export function judgeCreation(reply: ServiceReply, context: JudgementContext): CreationEvent {
  const { status } = reply;
  const { redact, now: at } = context;
  const envelope = readEnvelope(reply.body);
  const taskId = acceptedTaskId(reply, envelope);
  if (taskId !== null) return { type: 'creation-accepted', at, taskId };

  const failure = failureText(reply, envelope, redact);
  const endsRun = keyBars.get(status);
  if (endsRun !== undefined) return { type: 'creation-not-sent', at, failure, endsRun };
  if (status >= 300 && status <= 399) return judgeRedirect(reply, envelope, context);
  const origin = originOf(reply, envelope);
  const refused = (passing: boolean): CreationEvent => {
    const retryAfterMs = passing ? parseRetryAfterMs(reply.retryAfter, at) : null;
    return { type: 'creation-refused', at, failure, passing, retryAfterMs, origin };
  };
  if (status === 429) return refused(true);
  if (envelope?.whole && envelope.says === 'error')
    return refused(status === 503 || passingCause.test(textOf(field(envelope.data, 'messages'))));
  if (refusals.has(status)) return refused(false);
  return { type: 'creation-uncertain', at, failure: uncertainty(reply, envelope, redact), origin };
}

/**
 * Judges the answer to a question about a task that cannot exist. The service says so in its envelope; a bare status line or a
 * body of another shape could be its way too, a page or a redirect could not.
 */
export function judgeProbe(reply: ServiceReply, context: JudgementContext): ProbeVerdict {
  const { redact } = context;
  const envelope = readEnvelope(reply.body);
  const failure = failureText(reply, envelope, redact);
  const because = keyBars.get(reply.status);
  if (because !== undefined) return { outcome: 'key-refused', failure, because };
  if (envelope !== null && envelope.says !== 'nothing') return { outcome: 'service' };
  if (reply.status >= 300 && reply.status <= 399) {
    const target = redirectTarget(reply, context);
    return { outcome: 'foreign', failure: `it redirects${target === null ? '' : ` to ${target}`}` };
  }
  const isPage = originOf(reply, envelope) === 'page';
  return isPage
    ? { outcome: 'foreign', failure: `a page answered: ${failure}` }
    : { outcome: 'odd', failure };
}

/** Letter case, spaces and dashes of a word do not matter. */
function wordOf(value: unknown): string {
  return typeof value === 'string'
    ? value
        .trim()
        .toUpperCase()
        .replace(/[\s-]+/g, '_')
    : '';
}

function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
}

function cleanOrNull(value: unknown, limit: number, redact: Redact): string | null {
  const text = cleanText(textOf(value), limit, redact);
  return text === '' ? null : text;
}

/** The id of a frame is kept for good, so it must hold no secret: a link loses its query. Two that are one then stay two. */
function readFrames(data: JsonObject, redact: Redact): RemoteFrame[] {
  const frames = new Map<string, RemoteFrame>();
  const uses = new Map<string, number>();
  for (const entry of entriesOf(field(data, 'progress'))) {
    const [id, url] = [field(entry, 'id'), field(entry, 'image')];
    if (typeof id !== 'string' && typeof id !== 'number') continue;
    if (typeof url !== 'string' || url.trim() === '') continue;
    const name = String(id).toWellFormed();
    if (frames.has(name)) continue;
    const kept = redact(name);
    const use = (uses.get(kept) ?? 0) + 1;
    uses.set(kept, use);
    frames.set(name, { id: use === 1 ? kept : `${kept} ${use}`, url });
    if (frames.size === mostFrames) break;
  }
  return [...frames.values()];
}

/** The points of each `score` entry; NaN for one that cannot be read. */
function readScores(data: JsonObject): number[] {
  return entriesOf(field(data, 'consumption'))
    .filter((entry) => wordOf(field(entry, 'type')) === 'SCORE')
    .map((entry) => numberOf(field(entry, 'value')));
}

/** Points are null where no entry names them, or one does so unreadably: unknown is never shown as a number. */
function readEnding(data: JsonObject, redact: Redact): TaskEnding {
  const scores = readScores(data);
  const sum = scores.reduce((total, score) => total + score, 0);
  const details = entriesOf(field(data, 'consumption'))
    .map((entry) => textOf(field(entry, 'detail')))
    .filter((text) => text !== '');
  return {
    points: scores.length > 0 && sum >= 0 && sum <= mostPoints ? sum : null,
    detail: cleanOrNull(details.join('; '), textLimits.failure, redact),
    title: cleanOrNull(field(data, 'title'), textLimits.title, redact),
    createdAt: cleanOrNull(field(data, 'created_at'), textLimits.label, redact),
    finishAt: cleanOrNull(field(data, 'finish_at'), textLimits.label, redact),
  };
}

/** The contents of the result entries of one type, in order. */
function readResults(data: JsonObject, type: 'VIDEO' | 'TEXT'): string[] {
  return entriesOf(field(data, 'result'))
    .filter((entry) => wordOf(field(entry, 'type')) === type)
    .map((entry) => field(entry, 'content'))
    .filter((content) => typeof content === 'string' && content.trim() !== '')
    .map(String);
}

function readText(data: JsonObject, redact: Redact): string {
  return cleanText(readResults(data, 'TEXT').join('\n'), textLimits.failure, redact);
}

function judgeTask(data: JsonObject, state: string, redact: Redact): StatusVerdict {
  const word = wordOf(state);
  const frames = readFrames(data, redact);
  if (word === 'COMPLETED') {
    const [videoUrl = null, ...spareUrls] = new Set(readResults(data, 'VIDEO'));
    const text = videoUrl === null ? readText(data, redact) : '';
    return {
      outcome: 'completed',
      ending: readEnding(data, redact),
      videoUrl,
      ...(spareUrls.length > 0 && { spareUrls: spareUrls.slice(0, mostSpares) }),
      ...(text !== '' && { text }),
      frames,
    };
  }
  if (word === 'FAILED') {
    const ending = readEnding(data, redact);
    const failure = readText(data, redact) || 'the service gave no reason';
    // A failed task is charged nothing unless the service says otherwise, and then it may say it unreadably.
    const points = readScores(data).length === 0 ? 0 : ending.points;
    return { outcome: 'failed', ending: { ...ending, points }, failure };
  }
  const unknownState = word === 'IN_PROGRESS' ? null : cleanText(state, textLimits.label, redact);
  return { outcome: 'progressed', frames, unknownState };
}

/** Whether an error envelope says that the task is not there, rather than anything else. */
function saysTaskNotFound(reply: ServiceReply, envelope: Envelope, taskId: string): boolean {
  const message = textOf(field(envelope.data, 'messages')).replaceAll(taskId, '');
  return taskNotFound.test(message) || (reply.status === 404 && /not (?:found|exist)/i.test(message));
}

/** Judges the answer to a status request for `taskId`. Only a whole envelope with a 2xx status says anything about the task. */
export function judgeStatus(reply: ServiceReply, taskId: string, context: JudgementContext): StatusVerdict {
  const { redact, now } = context;
  const envelope = readEnvelope(reply.body);
  // Not made before it is needed: most answers have none.
  const failure = (): string => failureText(reply, envelope, redact);
  const because = keyBars.get(reply.status);
  if (because !== undefined) return { outcome: 'key-refused', failure: failure(), because };
  if (envelope?.whole && envelope.says === 'error' && saysTaskNotFound(reply, envelope, taskId)) {
    return { outcome: 'not-found', failure: failure() };
  }
  const mayWait = reply.status === 429 || reply.status === 503;
  const retryAfterMs = mayWait ? parseRetryAfterMs(reply.retryAfter, now) : null;
  const unanswered = (why: string): StatusVerdict => ({ outcome: 'unanswered', failure: why, retryAfterMs });

  if (!isSuccess(reply.status) || (envelope?.whole && envelope.says === 'error'))
    return unanswered(failure());
  if (!envelope?.whole)
    return unanswered(`HTTP ${reply.status}, but ${reply.defect ?? 'the body is not JSON'}`);
  if (envelope.says !== 'success') return unanswered(`HTTP ${reply.status} without the word success`);
  if (envelope.taskId !== null && envelope.taskId !== taskId) {
    // As good as no answer about this one: where it lasts, nobody knows the task, and nobody waits for it for ever.
    const other = cleanText(envelope.taskId, textLimits.label, redact);
    return { outcome: 'not-found', failure: `the answer is about another task, ${other}` };
  }
  const state = field(envelope.data, 'status');
  if (wordOf(state) === '') return unanswered(`HTTP ${reply.status} without a state of the task`);
  return judgeTask(envelope.data, String(state), redact);
}

/** What an answer to a status request means: about a task, or to a probe, which asks about a task that cannot exist. */

import { absoluteLink } from '../../files/file-link.ts';
import type { Redact } from '../../text/redact.ts';
import { cleanText, textLimits } from '../../text/service-text.ts';
import type { KeyBar, RemoteFrame, TaskEnding, TaskEvent } from '../event.ts';
import { isSameTask } from '../task-id.ts';
import { type AskedPause, parseRetryAfter } from './retry-after.ts';
import {
  type Envelope,
  entriesOf,
  field,
  isRefusal,
  type JsonObject,
  readEnvelope,
  textOf,
} from './service-envelope.ts';
import {
  failureText,
  isPage,
  isSuccess,
  type JudgementContext,
  keyBars,
  redirectTarget,
  type ServiceReply,
} from './service-reply.ts';
import type { Obstacle } from './silent-creation.ts';
import { excerptLimits, linksIn, withAnswer } from './unread-answer.ts';

/** How a status request ended: with a fact about the task, or without one. `links`: what looks like one in the answer, where asked for. */
export type PollEnd = (TaskEvent | PollSilence) & { readonly links?: readonly string[] };

/** Nothing is said of the task. */
type PollSilence =
  /**
   * Poll again at the next tick. `isWhole`: an answer to this question came to its end, and says nothing of the task that can
   * be read; that questions come too fast is no answer to any. `isUnread`: it says of itself that all is well, so it may be what
   * the task is waited for. `isTooLong`: it exceeds the length limit.
   */
  | {
      readonly type: 'poll-unanswered';
      readonly failure: string;
      readonly retryAfterMs: AskedPause;
      readonly isWhole?: true;
      readonly isUnread?: true;
      readonly isTooLong?: true;
    }
  /** The service refuses the key. */
  | { readonly type: 'poll-refused'; readonly failure: string; readonly endsRun: KeyBar };

/** Who answers at the address of the service, according to a probe. */
export type ProbeAnswer =
  /**
   * The service: its envelope, with any content. `isBusy`: it answers no question now, this one or another. `knowsTasks`: it says
   * of the task, and not of the address, that it is not there.
   */
  | { readonly outcome: 'service'; readonly isBusy?: true; readonly knowsTasks?: true }
  /** Not documented, but possibly the service. */
  | { readonly outcome: 'odd'; readonly failure: string }
  /** A gateway in front of the service, which is away: 502, 503, 504, or a page in place of a server error. */
  | { readonly outcome: 'gateway'; readonly failure: string }
  /** Certainly not the service. */
  | { readonly outcome: 'foreign'; readonly failure: string }
  /** The service refuses the key. */
  | { readonly outcome: 'refused'; readonly failure: string; readonly endsRun: KeyBar }
  /** No answer. `obstacle`: the address cannot be the service, for this reason; null where the service may only be away. */
  | { readonly outcome: 'unreachable'; readonly failure: string; readonly obstacle: Obstacle | null };

const taskNotFound =
  /\btask(?:[ _-]?id)?['"`\s:]*(?:was |is |does )?not (?:found|exist)|\b(?:no such|unknown) task\b|任务(?:ID|编号)?(?:不存在|未找到)|(?:找不到|未找到)(?:该|此)?任务/i;

/** The documented states of a task. */
const states = ['IN_PROGRESS', 'COMPLETED', 'FAILED'] as const;
type State = (typeof states)[number];

/** A larger sum of points is inexact; it counts as unknown, as a negative one does. */
const mostPoints = Number.MAX_SAFE_INTEGER;

/** More frames than any video has; keeps a faulty answer from filling the checkpoint. */
const mostFrames = 10_000;

/** Spare links of one video: each that does not work costs a request. */
const mostSpares = 4;

/** With them may come how long to wait. */
const busyStatuses: ReadonlySet<number> = new Set([429, 503]);

/** Statuses of a gateway that does not reach the service; those above 511 are of networks in front of it, and no server's own. */
const gatewayStatuses: ReadonlySet<number> = new Set([
  502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 527, 530,
]);

/**
 * Judges the answer to a probe. The service answers with its envelope. A bare status line or another body may come from
 * it too, but a page or a redirect does not.
 */
export function judgeProbe(reply: ServiceReply, context: JudgementContext): ProbeAnswer {
  const { redact } = context;
  const envelope = readEnvelope(reply.body);
  const failure = failureText(reply, envelope, redact);
  const endsRun = keyBars.get(reply.status);
  if (endsRun !== undefined) return { outcome: 'refused', failure, endsRun };
  if (envelope !== null && envelope.says !== 'nothing') {
    if (busyStatuses.has(reply.status)) return { outcome: 'service', isBusy: true };
    const knowsTasks = isRefusal(envelope) && taskNotFound.test(textOf(field(envelope.data, 'messages')));
    return { outcome: 'service', ...(knowsTasks && { knowsTasks }) };
  }
  if (reply.status >= 300 && reply.status <= 399) {
    const target = redirectTarget(reply, context);
    return { outcome: 'foreign', failure: `it redirects${target === null ? '' : ` to ${target}`}` };
  }
  const page = isPage(reply);
  if (gatewayStatuses.has(reply.status) || (page && reply.status >= 500))
    return { outcome: 'gateway', failure };
  return page ? { outcome: 'foreign', failure: `a page answered: ${failure}` } : { outcome: 'odd', failure };
}

/** Normalizes letter case, spaces and dashes. */
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

/** The address of the service, out of that of a request. */
function serviceOf(url: string): string {
  return url.replace(/\/api\/[^/]*(?:\/[^/]*)?$/, '');
}

/** Frame ids are saved, so they must hold no secret: a link loses its query. Ids that become equal get a number. */
function readFrames(data: JsonObject, { redact, url: asked }: JudgementContext): RemoteFrame[] {
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
    frames.set(name, { id: use === 1 ? kept : `${kept} ${use}`, url: absoluteLink(url, serviceOf(asked)) });
    if (frames.size === mostFrames) break;
  }
  return [...frames.values()];
}

/** The points of each `score` entry; NaN for an unreadable one. */
function readScores(data: JsonObject): number[] {
  return entriesOf(field(data, 'consumption'))
    .filter((entry) => wordOf(field(entry, 'type')) === 'SCORE')
    .map((entry) => numberOf(field(entry, 'value')));
}

/** Null where no entry has them or one is unreadable: unknown points never become a number. */
function readPoints(data: JsonObject): number | null {
  const scores = readScores(data);
  const sum = scores.reduce((total, score) => total + score, 0);
  return scores.length > 0 && sum >= 0 && sum <= mostPoints ? sum : null;
}

function readEnding(data: JsonObject, redact: Redact): TaskEnding {
  const details = entriesOf(field(data, 'consumption'))
    .map((entry) => textOf(field(entry, 'detail')))
    .filter((text) => text !== '');
  return {
    points: readPoints(data),
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

/** What a task without a video is whose state is not documented, by what comes with it; null where that says nothing. */
function stateByResult(data: JsonObject): State | null {
  const texts = readResults(data, 'TEXT');
  const isTextAlone = texts.length > 0 && texts.length === entriesOf(field(data, 'result')).length;
  return isTextAlone && readPoints(data) === 0 ? 'FAILED' : null;
}

function judgeCompleted(
  data: JsonObject,
  context: JudgementContext,
): Extract<TaskEvent, { type: 'task-completed' }> {
  const links = readResults(data, 'VIDEO').map((link) => absoluteLink(link, serviceOf(context.url)));
  const [videoUrl = null, ...spareUrls] = new Set(links);
  const text = videoUrl === null ? readText(data, context.redact) : '';
  return {
    type: 'task-completed',
    at: context.now,
    ending: readEnding(data, context.redact),
    videoUrl,
    ...(spareUrls.length > 0 && { spareUrls: spareUrls.slice(0, mostSpares) }),
    ...(text !== '' && { text }),
    frames: readFrames(data, context),
  };
}

function judgeTask(
  data: JsonObject,
  state: State,
  context: JudgementContext,
): Exclude<TaskEvent, { type: 'task-not-found' }> {
  const { now: at, redact } = context;
  if (state === 'COMPLETED') return judgeCompleted(data, context);
  if (state === 'FAILED') {
    const ending = readEnding(data, redact);
    const failure = readText(data, redact) || 'the service gave no reason';
    // A failed task costs nothing unless the service says otherwise; an unreadable entry means unknown.
    const points = readScores(data).length === 0 ? 0 : ending.points;
    return { type: 'task-failed', at, ending: { ...ending, points }, failure };
  }
  return { type: 'task-progressed', at, frames: readFrames(data, context) };
}

/** True when an error envelope says that the task does not exist. */
function saysTaskNotFound(reply: ServiceReply, envelope: Envelope, taskId: string): boolean {
  const message = textOf(field(envelope.data, 'messages')).replaceAll(taskId, '');
  return taskNotFound.test(message) || (reply.status === 404 && /not (?:found|exist)/i.test(message));
}

/**
 * A task whose video came: that is what is paid for, whatever status, word or state stands around it. Null without one, and where
 * it may be another task's: an odd answer has to name this one.
 */
function judgeVideo(
  { status }: ServiceReply,
  envelope: Envelope | null,
  taskId: string,
  context: JudgementContext,
): TaskEvent | null {
  if (!envelope?.whole || readResults(envelope.data, 'VIDEO').length === 0) return null;
  const said = field(envelope.data, 'status');
  const known = states.find((state) => state === wordOf(said));
  const isSaid = envelope.says === 'success' || (envelope.says === 'nothing' && known === 'COMPLETED');
  const isPlain = isSuccess(status) && isSaid;
  if (envelope.taskId === null ? !isPlain : !isSameTask(envelope.taskId, taskId.trim())) return null;
  const completed = judgeCompleted(envelope.data, context);
  if (isPlain && known === 'COMPLETED') return completed;
  const around = [isSuccess(status) ? '' : `HTTP ${status}`, envelope.says === 'error' ? 'error' : ''];
  const words = [...around, cleanText(textOf(said), textLimits.label, context.redact)];
  const unknownState = words.filter((word) => word !== '').join(' ');
  if (known === undefined || known === 'COMPLETED') return { ...completed, unknownState };
  const text = readText(envelope.data, context.redact);
  return { ...completed, unknownState, isContrary: true, ...(text !== '' && { text }) };
}

/**
 * Judges the answer to a status request for `taskId`. Only a complete envelope says anything about the task: with its video, with
 * a 2xx status, or with an error that says that it does not exist.
 */
export function judgeStatus(reply: ServiceReply, taskId: string, context: JudgementContext): PollEnd {
  const envelope = readEnvelope(reply.body);
  const video = judgeVideo(reply, envelope, taskId, context);
  const end = video ?? judgeWithoutVideo(reply, envelope, taskId, context);
  return context.wantsLinks ? { ...end, links: linksIn(reply.body, serviceOf(context.url)) } : end;
}

function judgeWithoutVideo(
  reply: ServiceReply,
  envelope: Envelope | null,
  taskId: string,
  context: JudgementContext,
): PollEnd {
  const { redact, now: at } = context;
  // Built on demand: most answers have no failure.
  const failure = (): string => failureText(reply, envelope, redact);
  const endsRun = keyBars.get(reply.status);
  if (endsRun !== undefined) return { type: 'poll-refused', failure: failure(), endsRun };
  if (isRefusal(envelope) && saysTaskNotFound(reply, envelope, taskId))
    return { type: 'task-not-found', at, failure: failure(), unknownMs: 0 };
  const asked = busyStatuses.has(reply.status) ? reply.retryAfter : null;
  const retryAfterMs = parseRetryAfter(asked, reply.sentAt ?? at);
  const isOfPace = reply.status === 429 || retryAfterMs !== null;
  const unanswered = (why: string) => ({
    type: 'poll-unanswered' as const,
    failure: why,
    retryAfterMs,
    ...(reply.defect === null && !isOfPace && { isWhole: true as const }),
  });

  if (!isSuccess(reply.status) || (envelope?.whole && envelope.says === 'error'))
    return unanswered(failure());
  const unread = (why: string): PollEnd => ({
    ...unanswered(withAnswer(`HTTP ${reply.status}${why}`, reply.body, excerptLimits.task, redact)),
    isUnread: true,
  });
  if (!envelope?.whole) return unread(`, but ${reply.defect ?? 'the body is not JSON'}`);
  if (envelope.taskId !== null && !isSameTask(envelope.taskId, taskId.trim())) {
    // Says nothing of this task, not even that it is not there: a cache may have mixed them up.
    const other = cleanText(envelope.taskId, textLimits.label, redact);
    return unanswered(`the answer is about another task, ${other}`);
  }
  const said = field(envelope.data, 'status');
  const word = wordOf(said);
  const known = states.find((state) => state === word);
  if (envelope.says !== 'success') return unread(' without the word success');
  if (known !== undefined) return judgeTask(envelope.data, known, context);
  const state = stateByResult(envelope.data) ?? (word === '' ? null : 'IN_PROGRESS');
  if (state === null) return unread(' without a state of the task');
  const unknownState = cleanText(textOf(said), textLimits.label, redact);
  return { ...judgeTask(envelope.data, state, context), unknownState };
}

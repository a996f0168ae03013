/** What an answer to a status request means: for a task, or for one that cannot exist, which tells who answers. */

import type { RemoteFrame, RunBar, TaskEnding, TaskEvent } from './item.ts';
import { parseRetryAfterMs } from './retry-after.ts';
import {
  type Envelope,
  entriesOf,
  field,
  type JsonObject,
  readEnvelope,
  textOf,
} from './service-envelope.ts';
import {
  failureText,
  isSuccess,
  type JudgementContext,
  keyBars,
  originOf,
  redirectTarget,
  type ServiceReply,
} from './service-reply.ts';
import type { Redact } from './text/redact.ts';
import { cleanText, textLimits } from './text/service-text.ts';

/** How a status request ended: with a fact about the task, or with nothing learned of it. */
export type PollEnd =
  | TaskEvent
  /** Ask again at the next tick. `isTooLong`: the answer is longer than is read. */
  | {
      readonly type: 'poll-unanswered';
      readonly failure: string;
      readonly retryAfterMs: number | null;
      readonly isTooLong?: true;
    }
  /** Whoever asks is refused. */
  | { readonly type: 'poll-refused'; readonly failure: string; readonly endsRun: RunBar };

/** Who is at the address of the service, as the free question about a task that cannot exist tells. */
export type ProbeAnswer =
  /** The service: its envelope, whatever is in it. */
  | { readonly outcome: 'service' }
  /** Not documented, and not excluded. */
  | { readonly outcome: 'odd'; readonly failure: string }
  /** Surely not the service. */
  | { readonly outcome: 'foreign'; readonly failure: string }
  /** Whoever asks is refused. */
  | { readonly outcome: 'refused'; readonly failure: string; readonly endsRun: RunBar }
  /** Nobody answered. `isNowhere`: there is no such host, or it cannot be spoken with as the address says. */
  | { readonly outcome: 'unreachable'; readonly failure: string; readonly isNowhere: boolean };

const taskNotFound =
  /\btask(?:[ _-]?id)?['"`\s:]*(?:was |is |does )?not (?:found|exist)|\b(?:no such|unknown) task\b/i;

/** Above this a sum of points is not exact any more; whoever names more, or less than nothing, names no price. */
const mostPoints = Number.MAX_SAFE_INTEGER;

/** More frames than any video has; keeps a mad answer from filling the checkpoint. */
const mostFrames = 10_000;

/** Links beyond the first that one video may have: each costs a request whenever it cannot be had. */
const mostSpares = 4;

/**
 * Judges the answer to a question about a task that cannot exist. The service says so in its envelope; a bare status line or a
 * body of another shape could be its way too, a page or a redirect could not.
 */
export function judgeProbe(reply: ServiceReply, context: JudgementContext): ProbeAnswer {
  const { redact } = context;
  const envelope = readEnvelope(reply.body);
  const failure = failureText(reply, envelope, redact);
  const endsRun = keyBars.get(reply.status);
  if (endsRun !== undefined) return { outcome: 'refused', failure, endsRun };
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

function judgeTask(data: JsonObject, state: string, { now: at, redact }: JudgementContext): TaskEvent {
  const word = wordOf(state);
  const frames = readFrames(data, redact);
  if (word === 'COMPLETED') {
    const [videoUrl = null, ...spareUrls] = new Set(readResults(data, 'VIDEO'));
    const text = videoUrl === null ? readText(data, redact) : '';
    return {
      type: 'task-completed',
      at,
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
    return { type: 'task-failed', at, ending: { ...ending, points }, failure };
  }
  if (word === 'IN_PROGRESS') return { type: 'task-progressed', at, frames };
  const unknownState = cleanText(state, textLimits.label, redact);
  return { type: 'task-progressed', at, frames, unknownState };
}

/** Whether an error envelope says that the task is not there, rather than anything else. */
function saysTaskNotFound(reply: ServiceReply, envelope: Envelope, taskId: string): boolean {
  const message = textOf(field(envelope.data, 'messages')).replaceAll(taskId, '');
  return taskNotFound.test(message) || (reply.status === 404 && /not (?:found|exist)/i.test(message));
}

/** Judges the answer to a status request for `taskId`. Only a whole envelope with a 2xx status says anything about the task. */
export function judgeStatus(reply: ServiceReply, taskId: string, context: JudgementContext): PollEnd {
  const { redact, now: at } = context;
  const envelope = readEnvelope(reply.body);
  // Not made before it is needed: most answers have none.
  const failure = (): string => failureText(reply, envelope, redact);
  const endsRun = keyBars.get(reply.status);
  if (endsRun !== undefined) return { type: 'poll-refused', failure: failure(), endsRun };
  const notFound = (why: string): TaskEvent => ({ type: 'task-not-found', at, failure: why, unknownMs: 0 });
  if (envelope?.whole && envelope.says === 'error' && saysTaskNotFound(reply, envelope, taskId))
    return notFound(failure());
  const mayWait = reply.status === 429 || reply.status === 503;
  const retryAfterMs = mayWait ? parseRetryAfterMs(reply.retryAfter, at) : null;
  const unanswered = (why: string): PollEnd => ({ type: 'poll-unanswered', failure: why, retryAfterMs });

  if (!isSuccess(reply.status) || (envelope?.whole && envelope.says === 'error'))
    return unanswered(failure());
  if (!envelope?.whole)
    return unanswered(`HTTP ${reply.status}, but ${reply.defect ?? 'the body is not JSON'}`);
  if (envelope.says !== 'success') return unanswered(`HTTP ${reply.status} without the word success`);
  if (envelope.taskId !== null && envelope.taskId !== taskId) {
    // As good as no answer about this one: where it lasts, nobody knows the task, and nobody waits for it for ever.
    const other = cleanText(envelope.taskId, textLimits.label, redact);
    return notFound(`the answer is about another task, ${other}`);
  }
  const state = field(envelope.data, 'status');
  if (wordOf(state) === '') return unanswered(`HTTP ${reply.status} without a state of the task`);
  return judgeTask(envelope.data, String(state), context);
}

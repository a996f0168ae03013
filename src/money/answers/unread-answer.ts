/**
 * What is kept of an answer that cannot be read: an excerpt in the failure of its row, so that a person may find in it what the
 * program does not dare to take.
 */

import { absoluteLink, browserLink, unescaped } from '../../files/file-link.ts';
import type { Redact } from '../../text/redact.ts';
import { cleanText } from '../../text/service-text.ts';

/** Longest excerpts: in a failure about a creation, in one about a task, and in the log. */
export const excerptLimits = { creation: 1_500, task: 500, log: 4_000 } as const;

/** How much of an answer is read for an excerpt, and what is left out at its end, where a secret may be cut. */
const excerptSource = 65_536;
const cutSecret = 1_000;

const mark = '; answer: ';

/** One line of the answer as it came; '' for an empty one. */
export function excerptOf(body: string, limit: number, redact: Redact): string {
  const safe = redact(body.slice(0, excerptSource));
  const known = body.length > excerptSource ? safe.slice(0, -cutSecret) : safe;
  return cleanText(known.replace(/\s+/g, ' '), limit, redact);
}

/** A failure with the excerpt of its answer. */
export function withAnswer(failure: string, body: string, limit: number, redact: Redact): string {
  const answer = excerptOf(body, limit, redact);
  return answer === '' ? failure : `${failure}${mark}${answer}`;
}

/** The excerpt in a failure; null where it has none. */
export function answerIn(failure: string): string | null {
  const at = failure.indexOf(mark);
  return at < 0 ? null : failure.slice(at + mark.length);
}

/** The same failure without what differs from answer to answer. */
export function withoutAnswer(failure: string): string {
  const at = failure.indexOf(mark);
  return at < 0 ? failure : failure.slice(0, at);
}

const unread = "the service's answers could not be read: ";

/** The failure of a row that was given up although the service answered about its task: `why` is the failure of the last answer. */
export function unreadFailure(limit: string, why: string): string {
  return `${limit}; ${unread}${why}`;
}

/** True for such a failure: the task may have been made and paid for, so somebody has to look before anything is sent again. */
export function isUnread(failure: string): boolean {
  return failure.includes(unread);
}

/** How much of an answer is searched: an expression over more overflows the stack. */
const linkSource = 8 * 2 ** 20;

/** One that is cut has no end. */
const quoted = /"[^"\\]*(?:\\[\s\S][^"\\]*)*(?:"|\\?$)|'[^'\\\s]+'/g;
const bare =
  /(?:https?:[/\\]{2}|data:(?:video|image)\/)?(?:(?!https?:\/)[^\s"'<>\\`{}|^，。；、！？（）【】《》])+/gi;
const absolute = /^(?:https?:[/\\]|data:)/i;
const fileName =
  /^[^"<>{}]*\.(?:mp4|m4v|mov|webm|mkv|avi|flv|m3u8|mpd|png|jpe?g|gif|webp|svg)(?:[?#][^\s"<>{}]*)?$/i;

/**
 * Every link in an answer, whatever the answer is, as a browser takes it: what is in quotes, and as a whole may be one; elsewhere an
 * address or the name of a file to look at. One without a host is relative to the service.
 */
export function linksIn(body: string, service: string): readonly string[] {
  const found = new Set<string>();
  const take = (text: string): boolean => {
    const link = browserLink(absoluteLink(text, service));
    if (link !== null) found.add(link);
    return link !== null;
  };
  const isLink = (text: string): boolean => absolute.test(text) || fileName.test(text);
  const rest = body.slice(0, linkSource).replace(quoted, (token) => {
    const text = unquoted(token).trim();
    const isWhole = (isLink(text) || /^\/+[\w%]|^(?:[\w-]+\.)+[a-z]{2,24}\//i.test(text)) && take(text);
    if (!isWhole) return token;
    // With white space in it, it may also be a text with a link.
    const words = text.split(/\s+/);
    return words.length === 1 ? ' ' : words.filter((word) => absolute.test(word)).join(' ');
  });
  for (const [token] of unescaped(rest).matchAll(bare)) {
    const text = absolute.test(token) ? token : token.replace(/^[^?]*[=(,]/, '');
    if (isLink(text)) take(text.replace(/[.,;:!?)\]]+$/, ''));
  }
  return [...found];
}

function unquoted(token: string): string {
  try {
    return unescaped(String(JSON.parse(token)));
  } catch {
    return unescaped(token.slice(1).replace(/["']$/, ''));
  }
}

/** Names of ids that are no task's. */
const otherIds = /request|trace|log|span|user|account|session|app|client|org/i;
const named = /["']?([a-z_-]*id)["'\\]*\s*[:=]\s*["'\\]*\s*([\w.-]{1,200})/gi;
/** A word with a digit, too long for a number of anything else; no time. The page has this file, and its oldest browsers no such pattern. */
const looseIds = (answer: string) =>
  answer.match(/(?<![\w.-])(?!\d{4}-\d\d-\d\d)(?=[\w-]*\d)[A-Za-z0-9][\w-]{7,199}(?![\w.-])/g) ?? [];

/** Behind the name of an id, in JSON, in JSON in a string or in plain text: it has a value, and none that stands for nothing. */
const hasValue = String.raw`["'\\]*\s*[:=]\s*["'\\[{]*(?!(?:null|none|nil|undefined|false|true|0+|-\d+)(?![\w.-]))[^\s"'\\[\]{},]`;
const madeTask = new RegExp(
  String.raw`task[_-]?id${hasValue}|"task"\s*:\s*\{[^{}]{0,200}"id${hasValue}|"type"\s*:\s*"video"[^{}]{0,200}https?:`,
  'i',
);

/** Where an answer names a task or its video, whatever else it says; -1 for nowhere. */
export function taskNamedAt(body: string): number {
  return body.search(madeTask);
}

/** The only value of an answer that may be the id of a task; null for none, or several. A person decides. */
export function likelyTask(answer: string): string | null {
  const ids = [...answer.matchAll(named)].flatMap(([, name = '', value = '']) =>
    otherIds.test(name) || value === 'null' ? [] : [{ isTask: /task/i.test(name), value }],
  );
  const ofTasks = ids.filter(({ isTask }) => isTask);
  const likely = (ofTasks.length > 0 ? ofTasks : ids).map(({ value }) => value);
  const values = new Set(likely.length > 0 ? likely : looseIds(answer));
  const [first = null] = values;
  return values.size === 1 ? first : null;
}

/** Asks the service for fresh links of the files of some rows: what a browser can fetch is never lost to a person. */

import { withKnownRows } from '../../app/naming/known-rows.ts';
import { lookIntoRun } from '../../app/open-run.ts';
import type { Invocation } from '../../app/options/invocation.ts';
import type { Options } from '../../app/options/options.ts';
import { policyOf, withSaved } from '../../app/options/settings.ts';
import { readSavedOptions } from '../../app/output-folder.ts';
import { type AgreeToService, askForStatuses } from '../../app/service/ask-service.ts';
import { systemClock } from '../../app/system-clock.ts';
import { UsageError } from '../../errors.ts';
import { browserLink, inlineFile } from '../../files/file-link.ts';
import { inlineBytes } from '../../files/image-size.ts';
import { type Message, message, type Said } from '../../messages/message.ts';
import { renderNames } from '../../messages/numbers.ts';
import { creationSpan } from '../../money/answers/doubtful-creation.ts';
import type { PollEnd } from '../../money/answers/status-answer.ts';
import type { Item } from '../../money/item.ts';
import { resolveWords } from '../../terminal/failure-lines.ts';
import { cutText } from '../../text/cells/cut-text.ts';

/** A link to one file. */
interface FreshLink {
  /** `unknown`: it stands where no link is documented. */
  readonly kind: 'video' | 'frame' | 'unknown';
  /** From 1; a second video is a spare one, or another one. */
  readonly number: number;
  readonly link: string;
}

/** What the service says of the files of a row now. */
export interface RowLinks {
  readonly id: string;
  readonly status: Item['status'];
  readonly taskId: string | null;
  readonly links: readonly FreshLink[];
  /** Why there is no link to a video; null where there is one. */
  readonly failure: Said | null;
  /** The service was asked, and did not answer about the task, or refused the key. */
  readonly trouble: 'unanswered' | 'refused' | null;
}

/**
 * Changes no row, and works while others work on the run. Null where the user does not `agree`; throws `UsageError` for an
 * unknown row.
 */
export async function askForLinks(
  invocation: Invocation,
  agree: AgreeToService,
  say: (said: Message) => void = () => {},
): Promise<readonly RowLinks[] | null> {
  if ((invocation.options.only ?? []).length === 0) throw new UsageError(message('links.which'));
  await using run = await lookIntoRun(invocation);
  const known = await withKnownRows(invocation, run.store, { verb: 'links', say });
  const only = [...new Set(known.options.only)];
  const { checkpoint } = run.store;
  const options = withSaved(run.invocation, await readSavedOptions(run.store));
  if (options.simulate) throw new UsageError(message('links.rehearsal'));
  const found = new Map((await checkpoint.itemsWithIds(only)).map((item) => [item.id, item]));
  const unknown = only.filter((id) => !found.has(id));
  if (unknown.length > 0)
    throw new UsageError(message('option.only-unknown', { names: renderNames(unknown) }));
  const taskIds = [...found.values()].flatMap(({ taskId }) => taskId ?? []);
  if (taskIds.length > 0 && !(await agree(run, options))) return null;
  const ends = await askForStatuses(run.invocation, options, { store: run.store, taskIds });
  return only.flatMap((id) => {
    const item = found.get(id);
    if (item === undefined) return [];
    const end = ends.get(item.taskId ?? '');
    return [end === undefined ? noLinks(item, run.invocation, options) : linksOf(item, end)];
  });
}

/** Of a row without a task id: where it was sent, that says only that nobody knows its task. */
function noLinks(item: Item, { words }: Invocation, options: Options): RowLinks {
  const { id, status, taskId } = item;
  const row = { id, status, taskId, links: [], trouble: null } as const;
  if (status !== 'uncertain' && status !== 'submitting') return { ...row, failure: message('links.no-task') };
  const { requestTimeoutMs } = policyOf(options, 0);
  const created = creationSpan(item, requestTimeoutMs, systemClock.now());
  const failure = message('links.uncertain', {
    after: new Date(created.after).toISOString(),
    before: new Date(created.before).toISOString(),
    command: `batch ${resolveWords(words.run, id)}`,
  });
  return { ...row, failure };
}

function linksOf(item: Item, end: PollEnd): RowLinks {
  const row = namedLinks(item, end);
  const named = new Set(row.links.map(({ link }) => link));
  const others = (end.links ?? []).filter((link) => !named.has(link));
  return { ...row, links: [...row.links, ...others.flatMap((link, at) => linkTo('unknown', at + 1, link))] };
}

/** The links that stand where the service has them. */
function namedLinks({ id, status, taskId }: Item, end: PollEnd): RowLinks {
  const row = { id, status, taskId, links: [], trouble: null } as const;
  switch (end.type) {
    case 'poll-unanswered':
      return { ...row, failure: end.failure, trouble: 'unanswered' };
    case 'poll-refused':
      return { ...row, failure: end.failure, trouble: 'refused' };
    case 'task-not-found':
    case 'task-failed':
      return { ...row, failure: end.failure };
    case 'task-progressed':
      return { ...row, links: framesOf(end), failure: message('links.being-made') };
    case 'task-completed': {
      const videos = [end.videoUrl, ...(end.spareUrls ?? [])].flatMap((link) => link ?? []);
      const links = [...videos.flatMap((link, at) => linkTo('video', at + 1, link)), ...framesOf(end)];
      const hasVideo = links.some(({ kind }) => kind === 'video');
      const failure = end.text ?? cut(videos[0]) ?? message('links.no-video');
      return { ...row, links, failure: hasVideo ? null : failure };
    }
  }
}

function framesOf({ frames }: Extract<PollEnd, { readonly frames: unknown }>): readonly FreshLink[] {
  return frames.flatMap(({ url }, at) => linkTo('frame', at + 1, url));
}

/** Nothing for a text that is no link. */
function linkTo(kind: FreshLink['kind'], number: number, text: string): readonly FreshLink[] {
  const link = browserLink(text);
  return link === null ? [] : [{ kind, number, link }];
}

/** The start and the size of a file that is in its link, which would fill the terminal; null for an address. */
export function inlineLink(link: string): { readonly start: string; readonly bytes: number } | null {
  const [start] = inlineFile.exec(link) ?? [];
  if (start === undefined) return null;
  return { start: cut(start) ?? '', bytes: inlineBytes({ kind: 'inline', data: link }) };
}

const shownLength = 100;

function cut(text: string | undefined): string | undefined {
  return text === undefined ? undefined : cutText(text, shownLength);
}

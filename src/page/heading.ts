/** The line that names the run and its state, and what the reader has to know. */

import { type Status, statuses } from '../money/item.ts';
import { hasMark } from '../money/statuses.ts';
import type { PageHeading } from '../reports/page.ts';
import { stopCommand } from './commands.ts';
import type { Part, Shown } from './list/shown.ts';
import type { Unsaved } from './marks/review.ts';
import { element, setAttribute, setText } from './shared/elements.ts';
import { formatNumber, formatShortTime, formatTime } from './shared/formats.ts';
import { words } from './words.ts';

/** The line that names the run and its state. */
export function createHeading(controls: HTMLElement): Part {
  const name = element('h1');
  const state = element('span', { class: 'run-state' });
  const hint = words().rehearsalHint;
  const play = element('span', { class: 'rehearsal', title: hint, hidden: true }, words().rehearsal);
  const time = element('span', { class: 'written' });
  const notice = element('p', { class: 'notice', hidden: true });
  const line = element('div', { class: 'title-line' }, name, state, play, time, controls);
  return {
    element: element('div', {}, line, notice),
    update(shown) {
      const { heading } = shown;
      const w = words();
      const title = heading?.title ?? heading?.out;
      document.title = w.pageTitle(title ?? 'batch');
      setText(name, title ?? '');
      play.hidden = heading?.rehearsal !== true;
      setText(time, heading === null ? '' : aside(heading, shown.unsaved));
      if (heading !== null) {
        const now = stateOf(heading, shown.isConnected);
        setText(state, stateText(now, heading));
        setAttribute(state, 'data-sign', signs[now]);
        state.title = heading.live && heading.running ? w.ends(stopCommand(heading)) : '';
        state.className = `run-state is-${now}`;
      }
      const text = noticeOf(shown);
      notice.hidden = text === '';
      setText(notice, text);
    },
  };
}

/** How the run stands; each has a sign, a colour and words of its own. */
type RunState = 'away' | 'paused' | 'running' | 'stopped' | 'ended' | 'complete';

const signs: Readonly<Record<RunState, string>> = {
  away: '!',
  paused: '‖',
  running: '●',
  stopped: '■',
  ended: '◐',
  complete: '✓',
};

function stateOf({ live, running, pause, counts }: PageHeading, isConnected: boolean): RunState {
  if (live && !isConnected) return 'away';
  if (running) return pause === undefined ? 'running' : 'paused';
  if (leftRows(counts) > 0) return 'stopped';
  return videolessRows(counts) > 0 ? 'ended' : 'complete';
}

/** Rows that wait, or on which work has begun. */
function leftRows(counts: PageHeading['counts']): number {
  return sumOf(counts, (status) => status === 'pending' || hasMark(status, 'under-way'));
}

function videolessRows(counts: PageHeading['counts']): number {
  return sumOf(counts, (status) => status !== 'completed');
}

function sumOf(counts: PageHeading['counts'], isCounted: (status: Status) => boolean): number {
  return statuses.filter(isCounted).reduce((sum, status) => sum + (counts[status] ?? 0), 0);
}

function stateText(state: RunState, { workers, pause, counts }: PageHeading): string {
  const w = words();
  const left = leftRows(counts);
  if (state === 'away') return w.liveLost;
  if (state === 'complete') return w.complete;
  if (state === 'ended') {
    const without = videolessRows(counts);
    return w.ended(formatNumber(without), without === 1);
  }
  const parts = [
    state === 'stopped' ? w.stopped(formatNumber(left), left === 1) : '',
    state === 'running' ? w.goesOn : '',
    workers === undefined || state === 'stopped' ? '' : w.workers(workers),
    pause === undefined ? '' : w.paused(pause.until === null ? null : formatShortTime(pause.until)),
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

/** Beside the state: when a page of a file was written; on a live one, that marks are on their way. */
function aside({ live, writtenAt }: PageHeading, unsaved: Unsaved): string {
  if (!live) return words().writtenAt(formatTime(writtenAt));
  return isSaving(unsaved) ? unsavedText(unsaved) : '';
}

function isSaving({ count, hasFailed }: Unsaved): boolean {
  return count > 0 && !hasFailed;
}

/** Marks that are not saved with the run; '' where all are. */
export function unsavedText({ count, isRefused, hasFailed }: Unsaved): string {
  if (count === 0) return '';
  if (!hasFailed) return words().saving;
  return isRefused ? words().refused(formatNumber(count)) : words().unsaved(formatNumber(count));
}

function noticeOf({ heading, isRead, rows, unsaved }: Shown): string {
  if (!isRead) return words().reading(formatNumber(rows.count));
  if (rows.count === 0) return words().noRows;
  const leftOut = heading?.leftOut ?? 0;
  const said = [
    isSaving(unsaved) ? '' : unsavedText(unsaved),
    unsaved.endsWithPage && !isSaving(unsaved) ? words().notKept : '',
    heading?.running === true && !heading.live ? words().goesOnHint : '',
    leftOut > 0 ? words().leftOut(formatNumber(leftOut)) : '',
  ];
  return said.filter((text) => text !== '').join(' ');
}

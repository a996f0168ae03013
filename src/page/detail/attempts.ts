/** The attempts of the open row: whose video is on the screen, and which one stands for the row. */

import type { PageRow } from '../../reports/page-wire.ts';
import { element, keySign, setAttribute, setText } from '../shared/elements.ts';
import { formatNumber } from '../shared/formats.ts';
import { words } from '../words.ts';
import { isComparable } from './comparison.ts';

/** Buttons for the attempts that have a video. */
export interface AttemptBar {
  readonly element: HTMLElement;
  /** `attempt` is on the screen, `standing` is the one that stands for the row. */
  show(row: PageRow, attempt: number, standing: number): void;
}

/** The next attempt that has a video, after the last the first; null where there is no other. */
export function nextAttempt({ videos }: PageRow, attempt: number): number | null {
  const place = videos.findIndex(([one]) => one === attempt);
  const next = videos[(place + 1) % videos.length]?.[0] ?? attempt;
  return next === attempt ? null : next;
}

/** The row with the video of this attempt. Frames, captions and findings are known of one attempt only. */
export function seenAt(row: PageRow, attempt: number): PageRow {
  if (row.videos.length === 0) return row;
  const video = row.videos.find(([one]) => one === attempt)?.[1] ?? null;
  const frames = attempt === row.attempts ? row.frames : [];
  const isReported = video === row.video;
  const { captions, findings } = row;
  return {
    ...row,
    video,
    frames,
    captions: isReported ? captions : null,
    findings: isReported ? findings : [],
  };
}

/** What the buttons do: put an attempt on the screen, let the one on the screen stand for the row, show two side by side. */
export interface AttemptOrders {
  choose(attempt: number): void;
  prefer(): void;
  compare(): void;
}

export function createAttemptBar({ choose, prefer, compare }: AttemptOrders): AttemptBar {
  const w = words();
  const group = element('div', { class: 'group', role: 'group', 'aria-label': w.attempts });
  const name = element('span', { class: 'attempts-name' }, `${w.attempts} `, keySign('s'));
  const chosen = element('span', { class: 'preferred' });
  const choice = element(
    'button',
    { type: 'button', class: 'prefer', 'aria-keyshortcuts': 'p', click: prefer },
    `${w.prefer} `,
    keySign('p'),
  );
  const side = element(
    'button',
    { type: 'button', class: 'compare', 'aria-keyshortcuts': 'a', click: compare },
    `${w.compare} `,
    keySign('a'),
  );
  const whole = element('div', { class: 'attempts', hidden: true }, name, group, side, choice, chosen);
  let made = '';
  return {
    element: whole,
    show(row, attempt, standing) {
      whole.hidden = row.videos.length === 0;
      const attempts = row.videos.map(([one]) => one);
      if (made !== `${row.key} ${attempts}`) group.replaceChildren(...attempts.map(buttonOf));
      made = `${row.key} ${attempts}`;
      for (const [index, button] of [...group.children].entries()) {
        const one = attempts[index];
        setAttribute(button, 'aria-pressed', `${one === attempt}`);
        setText(button, one === standing ? `★ ${formatNumber(one)}` : formatNumber(one ?? 0));
      }
      side.hidden = !isComparable(row);
      choice.hidden = attempt === standing;
      setText(chosen, attempt === standing ? `★ ${w.standing}` : '');
    },
  };

  function buttonOf(attempt: number): HTMLElement {
    const label = w.attempt(formatNumber(attempt));
    return element('button', {
      type: 'button',
      title: label,
      'aria-label': label,
      click: () => choose(attempt),
    });
  }
}

/** What `batch export` says. */

import { shellPath } from '../core/text/shell-word.ts';
import { renderNumber } from './numbers.ts';

/** What is not exported as it was asked for. */
type News =
  | {
      readonly why: 'unknown' | 'without-video' | 'other-attempt' | 'contested' | 'flawed';
      readonly id: string;
    }
  | { readonly why: 'in-the-way' | 'changed'; readonly path: string };

/** An export in numbers of files. */
interface Sums {
  readonly videos: number;
  readonly added: number;
  readonly replaced: number;
  readonly unchanged: number;
  readonly linked: number;
  readonly copied: number;
  readonly captions: number;
  readonly problems: number;
  readonly removed: number;
  readonly left: number;
}

/** One line about a row or file. */
export function exportNewsLine(news: News): string {
  switch (news.why) {
    case 'unknown':
      return `${news.id}: no row has this id`;
    case 'without-video':
      return `${news.id}: has no video yet`;
    case 'other-attempt':
      return `${news.id}: has another video than the marked one; look at it and mark it again`;
    case 'contested':
      return `${news.id}: one reviewer calls its video good, another one bad; settle that and export again`;
    case 'flawed':
      return `${news.id}: its video is missing or damaged; \`batch verify --fix\` downloads it again`;
    case 'in-the-way':
      return `${news.path}: another file is there, or it was changed; move it away and export again`;
    case 'changed':
      return `${news.path}: was changed since it was exported, so it stays`;
  }
}

/** The result, and what to know of earlier exports. */
export function exportResult(sums: Sums, to: string): string[] {
  const { videos, added, replaced, unchanged, linked, copied, captions, problems, removed, left } = sums;
  const parts = [
    [added, 'new'],
    [replaced, 'replaced'],
    [unchanged, 'unchanged'],
    [removed, 'removed'],
  ] as const;
  const changes = parts
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${renderNumber(count)} ${word}`);
  const ways = [
    ...(linked > 0 ? [`${renderNumber(linked)} by hard link`] : []),
    ...(copied > 0 ? [`${renderNumber(copied)} copied`] : []),
  ];
  const detail = [changes.join(', '), ways.join(', ')].filter((text) => text !== '').join('; ');
  const withCaptions = captions > 0 ? `, ${renderNumber(captions)} with captions` : '';
  return [
    `${counted(videos, 'video')} in ${shellPath(to)}${withCaptions}${detail === '' ? '' : ` (${detail})`}`,
    'manifest.csv, manifest.jsonl and SHA256SUMS say which is which',
    ...(problems > 0 ? [`${counted(problems, 'problem')}, listed above`] : []),
    ...(left > 0 ? [leftLine(left, problems)] : []),
  ];
}

function leftLine(left: number, problems: number): string {
  const remedy = problems > 0 ? 'once all is well, ' : '';
  return `${counted(left, 'file')} of earlier exports stayed; ${remedy}--delete removes ${left === 1 ? 'it' : 'them'}`;
}

function counted(count: number, word: string): string {
  return `${renderNumber(count)} ${count === 1 ? word : `${word}s`}`;
}

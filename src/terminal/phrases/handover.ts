/** What is said of exported videos, in English. */

import { renderNumber } from '../../messages/numbers.ts';
import { counted } from './measures.ts';

export const english = {
  /** Why a row or a file is not as it was asked for; `what` is its id or path. */
  unknown: (what: string) => `${what}: no row has this id`,
  withoutVideo: (what: string) => `${what}: has no video yet`,
  otherAttempt: (what: string) =>
    `${what}: has another video than the marked one; look at it and mark it again`,
  contested: (what: string) =>
    `${what}: one reviewer calls its video good, another one bad; settle that and export again`,
  flawed: (what: string) =>
    `${what}: its video is missing or damaged; \`batch verify --fix\` downloads it again`,
  picture: (what: string) =>
    `${what}: a picture of its question is missing or cannot be read, so the page shows the rest of it`,
  inTheWay: (what: string) =>
    `${what}: another file is there, or it was changed; move it away and export again`,
  changed: (what: string) => `${what}: was changed since it was exported, so it stays`,
  lastCopy: (what: string) =>
    `${what}: the run no longer has this video, so it stays; \`batch verify --fix\` tries to download it again`,
  videos: (count: number, folder: string) => `${counted(count, 'video', 'videos')} in ${folder}`,
  withCaptions: (text: string, count: number) => `${text}, ${renderNumber(count)} with captions`,
  /** The first words about what changed, then how. */
  detailed: (text: string, details: readonly string[]) => `${text} (${details.join('; ')})`,
  added: (count: number) => `${renderNumber(count)} new`,
  replaced: (count: number) => `${renderNumber(count)} replaced`,
  unchanged: (count: number) => `${renderNumber(count)} unchanged`,
  removed: (count: number) => `${renderNumber(count)} removed`,
  linked: (count: number) => `${renderNumber(count)} by hard link`,
  copied: (count: number) => `${renderNumber(count)} copied`,
  page: (path: string) => `${path} is the page for pupils`,
  pageLeft: 'index.html is of an earlier export and stayed as it was; --page brings it up to date',
  manifest: 'manifest.csv, manifest.jsonl and SHA256SUMS say which is which',
  problems: (count: number) => `${counted(count, 'problem', 'problems')}, listed above`,
  left: (count: number, isBlocked: boolean) =>
    `${counted(count, 'file', 'files')} of earlier exports stayed; ${isBlocked ? 'once all is well, ' : ''}--delete removes ${count === 1 ? 'it' : 'them'}`,
};

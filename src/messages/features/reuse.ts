/** What is said of videos that rows take from other rows and runs. */

import { both } from '../both.ts';
import { renderNumber } from '../numbers.ts';

interface Counted {
  readonly count: number;
}

export const reuseMessages = {
  /** For commands that pay nothing. */
  'reuse.gone': both(
    ({ folder }: { readonly folder: string }) =>
      `--reuse ${folder}: there is no run any more; before anything is paid for, give its new place with --reuse DIR, or --reuse none`,
    ({ folder }) =>
      `--reuse ${folder}：那里已没有运行；付费之前，请用 --reuse DIR 给出它的新位置，或用 --reuse none`,
  ),
  'reuse.away': both(
    ({ folder }: { readonly folder: string }) =>
      `--reuse ${folder}: there is no run any more, so nothing is paid for: rows may have their video there; give the folder's new place with --reuse DIR, or pay without it with --reuse none`,
    ({ folder }) =>
      `--reuse ${folder}：那里已没有运行，而一些行的视频可能就在那里，因此没有付费；请用 --reuse DIR 给出该文件夹的新位置，或用 --reuse none 不再取用`,
  ),
  'reuse.taken': both(
    ({ count }: Counted) =>
      `videos taken from rows of the same question: ${renderNumber(count)}; nothing was paid for that`,
    ({ count }) => `已取用同一题目的视频：${renderNumber(count)} 个；没有为此付费`,
  ),
  'reuse.flawed': both(
    ({ count }: Counted) =>
      `videos not taken because they are not as they were saved: ${renderNumber(count)}; these rows are held back`,
    ({ count }) => `与当初保存的不一致、没有取用的视频：${renderNumber(count)} 个；这些行暂不提交`,
  ),
};

/** What is said of videos that rows take from other rows and runs. */

import { both } from './both.ts';
import { renderNumber } from './numbers.ts';

interface Counted {
  readonly count: number;
}

export const reuseMessages = {
  'reuse.gone': both(
    ({ folder }: { readonly folder: string }) =>
      `--reuse ${folder}: there is no run any more; it is left out`,
    ({ folder }) => `--reuse ${folder}：那里已没有运行；不再取用`,
  ),
  'reuse.taken': both(
    ({ count }: Counted) =>
      `${renderNumber(count)} ${count === 1 ? 'row has the video' : 'rows have the videos'} of the same question now; nothing was paid for ${count === 1 ? 'it' : 'them'}`,
    ({ count }) => `${renderNumber(count)} 行已取用同一题目的视频；没有为此付费`,
  ),
  'reuse.flawed': both(
    ({ count }: Counted) =>
      `${renderNumber(count)} ${count === 1 ? 'video is' : 'videos are'} not as saved where ${count === 1 ? 'it was' : 'they were'} made, and not taken; the rows are sent`,
    ({ count }) => `${renderNumber(count)} 个视频与当初保存的不一致，没有取用；这些行会提交`,
  ),
};

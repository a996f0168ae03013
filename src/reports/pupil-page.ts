/**
 * `index.html` of an export: the videos for those who are to watch them. One offline file beside the videos, written in order: a head
 * with the facts of the page and its script, an island for each batch of videos, the formula renderer. It holds nothing of the run but what `PupilVideo` says.
 */

import type { PageAssets } from '../ports.ts';
import { hasFormula } from '../text/formulas.ts';
import type { Language } from '../text/languages.ts';
import { pagePolicy, renderHead, renderIsland } from './page-shell.ts';
import { type PupilPage, type PupilVideo, packVideo } from './pupil-wire.ts';

const failureLine: Readonly<Record<Language, string>> = {
  en: 'This page shows its videos with a script, which did not run or has failed. The videos are files beside this page. The page needs JavaScript, and Chrome 109, Firefox 115, Safari 15.6 or newer.',
  zh: '本页用脚本显示视频，而脚本没有运行或出了错。视频文件就在本页旁边。本页需要启用 JavaScript，并使用 Chrome 109、Firefox 115、Safari 15.6 或更新的浏览器。',
};

/** Everything before the videos. */
export function renderPupilHead(assets: PageAssets, page: PupilPage): string {
  const [title, lang] = page.language === 'zh' ? ['视频', 'zh-CN'] : ['Videos', 'en'];
  const first = renderIsland('id="page"', page);
  return renderHead(assets, { policy: pagePolicy(assets, false), title, lang, failureLine, first });
}

export function renderPupilVideos(videos: readonly PupilVideo[]): string {
  return videos.length === 0 ? '' : renderIsland('class="videos"', videos.map(packVideo));
}

/** True where a text of the video may contain a formula. */
export function showsFormula({ title, question, answer }: PupilVideo): boolean {
  return [title, question, answer ?? ''].some(hasFormula);
}

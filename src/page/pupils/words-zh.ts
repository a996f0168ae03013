/** Every word of the page for pupils that it does not share, in Chinese. */

import { sharedChinese } from '../shared/words-zh.ts';
import type { Words } from './words-en.ts';

export const chinese: Words = {
  ...sharedChinese,
  pageTitle: (video, page) => `${video} – ${page}`,
  videos: (count) => `${count} 个视频`,
  found: (count, total) => `${total} 个视频中的 ${count} 个`,
  search: '搜索视频……',
  nothingFound: '没有符合条件的视频。',
  showAll: '显示全部视频',
  noVideos: '这里还没有视频。',
  noSuchVideo: '本页没有该链接所指的视频。以下是全部视频。',
  untitled: (place) => `视频 ${place}`,

  chapters: '章节',
  listLabel: '视频列表',
  back: '全部视频',
  previous: '上一个视频',
  next: '下一个视频',
  showAnswer: '显示答案',
  link: '本视频的链接',
  qrCode: '链接的二维码',

  keyList: [
    ['/', '搜索'],
    ['j  k', '下一个、上一个视频'],
    ['Enter', '打开'],
    ['Space', '播放、暂停'],
    ['Esc', '回到全部视频'],
    ['?', '本列表'],
  ],
};

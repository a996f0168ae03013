/** What is said of videos that were looked into, in Chinese. */

import type { Sentence } from './sentences.ts';

export const videoSentences: readonly Sentence[] = [
  ['cannot be read as a video', '无法作为视频读取'],
  ['the file is cut off', '文件被截断'],
  ['no picture track', '没有画面'],
  ['black throughout', '全程黑屏'],
  ['no sound track', '没有声音轨'],
  ['silent throughout', '全程无声'],
  ['the same file as another question', '与另一题的文件相同'],
  ['a gap', '中间有空缺'],
  ['an unusual duration', '时长异常'],
  ['an unusual size', '大小异常'],
  ['an unusual resolution', '分辨率异常'],
  ['a black start', '开头黑屏'],
  ['frames missing', '缺少画面'],
  ['the same title as another question', '与另一题的标题相同'],
  ['the videos could not be looked into: {why}', '无法检查视频内容：{why}'],
];

/** What is said of videos that were looked into or exported, in Chinese. */

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

  ['{id}: no row has this id', '{id}：没有这个编号的行'],
  ['{id}: has no video yet', '{id}：还没有视频'],
  [
    '{id}: has another video than the marked one; look at it and mark it again',
    '{id}：视频已不是标记时的那个；请查看后重新标记',
  ],
  [
    '{id}: its video is missing or damaged; `batch verify --fix` downloads it again',
    '{id}：视频缺失或损坏；`batch verify --fix` 可重新下载',
  ],
  [
    '{path}: another file is there, or it was changed; move it away and export again',
    '{path}：那里有另一个文件，或文件被改过；请移走后重新导出',
  ],
  ['{path}: was changed since it was exported, so it stays', '{path}：导出后被改过，予以保留'],
  [
    'manifest.csv, manifest.jsonl and SHA256SUMS say which is which',
    'manifest.csv、manifest.jsonl 和 SHA256SUMS 说明各个文件对应哪一题',
  ],
  ['{count} video{s} in {folder}', '{folder} 中有 {count} 个视频'],
  ['{count} video{s} in {folder} ({changes})', '{folder} 中有 {count} 个视频（{changes}）'],
  [
    '{count} file{s} of earlier exports stayed; --delete removes it',
    '以前导出的 {count} 个文件予以保留；--delete 可删除',
  ],
  [
    '{count} file{s} of earlier exports stayed; --delete removes them',
    '以前导出的 {count} 个文件予以保留；--delete 可删除',
  ],
  ['{count} problem{s}, listed above', '{count} 个问题，见上'],
];

/** The words of the parts that both pages have, in Chinese. */

import type { SharedWords } from './words-en.ts';

export const sharedChinese: SharedWords = {
  searchLabel: '搜索',
  theme: '颜色',
  themes: { system: '自动', light: '浅色', dark: '深色' },
  language: '语言',
  keys: '快捷键',
  keysTitle: '快捷键',
  print: '打印',
  close: '关闭',
  placeOf: (place, count) => `第 ${place} / ${count}`,

  question: '题目',
  questionImages: '题目图片',
  answerImages: '答案图片',
  image: (index) => `图片 ${index}`,
  imageTooLarge: '图片在输入文件中，过大，未放入本页',
  imageElsewhere: '网络图片：',
  copy: '复制',
  copied: '已复制',
  notCopied: '浏览器未能复制，内容已选中：请按 Ctrl+C。',

  video: '视频',
  captions: '字幕',
  play: '播放视频',
  videoMissing: '浏览器无法播放该视频。视频文件还在本页旁边吗？',
  frameOf: (place, count) => `画面 ${place} / ${count}`,
  frameMissing: '该画面文件已不在报告旁边。',
  speed: '速度',
};

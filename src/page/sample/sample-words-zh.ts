/** What the page says of a sample, in Chinese. */

import type { SampleWords } from './sample-words-en.ts';

export const sampleWords: SampleWords = {
  entry: '抽查',
  hint: '随机抽一些视频来看，就能估计其余的最多有多少个差。',
  ask: '随机抽一些视频来看，就能估计其余的最多有多少个差。只抽一次，所有审阅者看的是同一批。',
  nothing: '还没有可以抽查的视频。',
  none: (is) =>
    `请看随机抽出的这 ${is.size} 个视频：如果都好，就有 ${is.confidence}% 的把握说，全部 ${is.population} 个中差的最多占 ${is.share}%`,
  said: (is) =>
    `从 ${is.population} 个中随机抽看了 ${is.watched} 个：${is.bad} 个差；有 ${is.confidence}% 的把握，其余 ${is.others} 个中最多还有 ${is.mostBad} 个差（占全部的 ${is.share}%）`,
  more: ({ left, share }) => `再看 ${left} 个，如果都好，就有同样的把握说：差的最多占全部的 ${share}%。`,
  enough: ({ share }) => `已达到抽查的目标：差的最多占全部的 ${share}%。`,
  progress: '抽出的视频中已看的',
  first: '开始看',
  next: '看下一个',
  draw: '抽取视频',
  grow: ({ count }) => `再抽 ${count} 个`,
  anew: '重新抽取……',
  anewAsk: '从现有的全部视频中重新抽取？所有标记都会保留，但已抽视频上的标记，只有再次被抽到的才算在这里。',
  anewYes: '重新抽取',
  anewNo: '保留这一批',
  trouble: {
    other: '其他人刚刚抽取了一批，现在显示的就是那一批。',
    unsaved: '未能保存，请再试一次。',
    nothing: '还没有可以抽查的视频。',
  },
  madeAgain: ({ count, again }) =>
    `其中 ${count} 个在抽出之后重做过：以前的评价对其余视频仍然有效${again === '' ? '' : `；请把重做的 ${again} 个再看一遍`}。`,
  othersAgain: ({ count }) => `另有 ${count} 个未被抽中、之后重做过：这里的结论不包括它们。`,
  gap: ({ id }) => `按抽出的顺序计算：${id} 还没有标记“好”或“差”。`,
  absent: ({ count }) => `抽出的视频中有 ${count} 个不在本页。`,
  suspects: ({ count }) => `另有 ${count} 个值得看一看，不参加抽查，请全部看一遍。`,
  showSuspects: '显示它们',
  caveat: '这里只说明审阅者看出来并标为“差”的；没人看出来的问题不在内。',
  drawnAt: ({ time, population }) => `${time} 从当时的 ${population} 个视频中抽出。`,
  drawnHere: ({ population }) => `从本页的 ${population} 个视频中抽出：同一份页面，每个人看到的都是同一批。`,
};

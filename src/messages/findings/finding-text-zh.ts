/** Pure. Reasons to look at a video, in Chinese. */

import type { Finding, FindingCode } from '../../money/inspection/inspection.ts';
import { clockTime } from '../../text/clock-time.ts';
import { otherRow } from './finding-text.ts';

/** The Chinese of `reasonNames`. */
export const reasonNames: Readonly<Record<FindingCode, string>> = {
  unreadable: '无法作为视频读取',
  'cut-off': '文件被截断',
  'no-picture': '没有画面',
  black: '全程黑屏',
  'no-sound': '没有声音轨',
  silent: '全程无声',
  'same-file': '与另一题的文件相同',
  gap: '中间有缺失',
  duration: '时长异常',
  size: '大小异常',
  resolution: '分辨率异常',
  'black-start': '开头黑屏',
  'frames-missing': '缺少步骤图',
  'same-title': '与另一题的标题相同',
};

/** The Chinese of `findingText`. */
export function findingText(finding: Finding, id: string): string {
  switch (finding.code) {
    case 'same-file':
      return `与 ${otherRow(finding.rows, id)} 的文件相同`;
    case 'same-title':
      return `与 ${otherRow(finding.rows, id)} 的标题相同`;
    case 'size':
      return `大小是通常的 ${finding.times} 倍`;
    case 'duration':
      return `时长是通常的 ${finding.times} 倍`;
    case 'frames-missing':
      return `缺少 ${finding.count} 张步骤图`;
    case 'gap':
      return `${clockTime(finding.at)} 处有 ${finding.seconds} 秒空缺`;
    case 'resolution':
      return `分辨率是 ${finding.is}，通常是 ${finding.usual}`;
    case 'black-start':
      return `开头 ${finding.seconds} 秒黑屏`;
    default:
      return reasonNames[finding.code];
  }
}

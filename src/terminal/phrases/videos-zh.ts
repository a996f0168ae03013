/** What is said of videos that were looked into, in Chinese. */

import { findingCodes } from '../../core/inspection.ts';
import { reasonNames } from '../../core/text/finding-text.ts';
import { reasonNames as reasonNamesInChinese } from '../../core/text/finding-text-zh.ts';
import type { Sentence } from './sentences.ts';

export const videoSentences: readonly Sentence[] = [
  ...findingCodes.map((code): Sentence => [reasonNames[code], reasonNamesInChinese[code]]),
  ['the videos could not be looked into: {why}', '无法检查视频内容：{why}'],
];

/**
 * Every sentence of the terminal that a user of a run reads, in English and in Chinese: each an entry, with its values as
 * arguments. The compiler demands the Chinese of every English one. Help, reports, the log and JSON are English.
 */

import type { Words } from '../../messages/both.ts';
import { inEnglish, sayIn, withReasons } from '../../messages/message.ts';
import { inChinese } from '../../messages/reasons/in-chinese.ts';
import type { Language } from '../../text/languages.ts';
import { english as ending } from './ending.ts';
import { chinese as endingInChinese } from './ending-zh.ts';
import { english as handover } from './handover.ts';
import { chinese as handoverInChinese } from './handover-zh.ts';
import { english as measures } from './measures.ts';
import { chinese as measuresInChinese } from './measures-zh.ts';
import { english as plan } from './plan.ts';
import { chinese as planInChinese } from './plan-zh.ts';
import { english as progress } from './progress.ts';
import { chinese as progressInChinese } from './progress-zh.ts';

export const english = {
  ...measures,
  plan,
  progress,
  ending,
  handover,
  /** A message; or a sentence about a row or of an error, which travels as English text. */
  render: inEnglish,
};

/** The sentences of one language. */
export type Phrases = typeof english;

const chinese: Phrases = {
  ...measuresInChinese,
  plan: planInChinese,
  progress: progressInChinese,
  ending: endingInChinese,
  handover: handoverInChinese,
  render: (said) => (typeof said === 'string' ? inChinese(said) : sayIn('zh', withReasons(said, inChinese))),
};

const spoken: Readonly<Record<Language, Phrases>> = { en: english, zh: chinese };

export function phrasesOf(language: Language): Phrases {
  return spoken[language];
}

/** A span of time (ms), to stand inside a message. */
export function spanInBoth(ms: number): Words {
  return { en: english.span(ms), zh: chinese.span(ms) };
}

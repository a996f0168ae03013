/** The language that is spoken, and the words of the parts that both pages have. */

import type { Language } from '../../text/languages.ts';
import { type SharedWords, sharedEnglish } from './words-en.ts';
import { sharedChinese } from './words-zh.ts';

const spoken: Readonly<Record<Language, SharedWords>> = { en: sharedEnglish, zh: sharedChinese };
let language: Language = 'en';

export function currentLanguage(): Language {
  return language;
}

/** Switches all words to this language, and declares it for screen readers. */
export function speak(chosen: Language): void {
  language = chosen;
  document.documentElement.lang = chosen === 'zh' ? 'zh-CN' : 'en';
}

export function sharedWords(): SharedWords {
  return spoken[language];
}

/** The words on the page, in the language that is spoken. */

import type { Language } from '../text/languages.ts';
import { english, type Words } from './words-en.ts';
import { chinese } from './words-zh.ts';

const spoken: Readonly<Record<Language, Words>> = { en: english, zh: chinese };
let language: Language = 'en';

export function currentLanguage(): Language {
  return language;
}

/** Switches `words()` to this language, and declares it for screen readers. */
export function speak(chosen: Language): void {
  language = chosen;
  document.documentElement.lang = chosen === 'zh' ? 'zh-CN' : 'en';
}

export function words(): Words {
  return spoken[language];
}

/** The words of the page for pupils, in the language that is spoken. */

import type { Language } from '../../text/languages.ts';
import { currentLanguage } from '../shared/words.ts';
import { english, type Words } from './words-en.ts';
import { chinese } from './words-zh.ts';

const spoken: Readonly<Record<Language, Words>> = { en: english, zh: chinese };

export function words(): Words {
  return spoken[currentLanguage()];
}

/** The page controls: language, colours, keys, print. */

import { type Language, languages } from '../../text/languages.ts';
import { element, setAttribute } from './elements.ts';
import { recall, remember } from './settings.ts';
import { currentLanguage, sharedWords } from './words.ts';

const themes = ['system', 'light', 'dark'] as const;
const languageNames: Readonly<Record<Language, string>> = { en: 'English', zh: '中文' };

/** The reader's language: the one chosen before, else that of who made the page, else the browser's. */
export function preferredLanguage(made: Language | null = null): Language {
  const chosen = languages.find((language) => language === recall('language')) ?? made;
  return chosen ?? (navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en');
}

/** Applies the colours chosen before. */
export function applyTheme(theme: string = recall('theme') ?? 'system'): void {
  setAttribute(document.documentElement, 'data-theme', theme === 'system' ? null : theme);
}

/** The controls at the top of the page. `speakAnew` rebuilds the page in another language. */
export function createControls(speakAnew: (language: Language) => void, showKeys: () => void): HTMLElement {
  const w = sharedWords();
  const theme = element(
    'select',
    { id: 'theme', 'aria-label': w.theme },
    ...themes.map((name) =>
      element(
        'option',
        { value: name, selected: name === (recall('theme') ?? 'system') },
        w.themes[name] ?? name,
      ),
    ),
  );
  theme.addEventListener('change', () => {
    remember('theme', theme.value);
    applyTheme(theme.value);
  });
  const language = element(
    'select',
    { id: 'language', 'aria-label': w.language },
    ...languages.map((name) =>
      element(
        'option',
        { value: name, lang: name, selected: name === currentLanguage() },
        languageNames[name],
      ),
    ),
  );
  language.addEventListener('change', () => {
    remember('language', language.value);
    speakAnew(language.value as Language);
  });
  return element(
    'div',
    { class: 'controls' },
    language,
    theme,
    element('button', { type: 'button', click: () => print() }, w.print),
    element('button', { type: 'button', 'aria-keyshortcuts': '?', click: showKeys }, w.keys),
  );
}

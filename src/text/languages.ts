/** The languages of the terminal and the page, and which one the user's locale asks for. */

/** As `--lang` takes them. */
export const languages = ['en', 'zh'] as const;
export type Language = (typeof languages)[number];

/** The variables of a POSIX locale; the first one that is set decides. */
const localeVariables = ['LC_ALL', 'LC_MESSAGES', 'LANG'] as const;

/** The same for the characters of the terminal. */
const charsetVariables = ['LC_ALL', 'LC_CTYPE', 'LANG'] as const;

/** A locale that names no charset, or the one that is written here: in any other, Chinese would be unreadable. */
const utf8Locale = /^[^.]*(?:\.utf-?8)?(?:@.*)?$/i;

/**
 * The language of the locale, as far as its charset can show it. `system` asks for the locale of a system without these variables, such as `zh-CN` on Windows.
 */
export function languageOfLocale(
  env: Readonly<Record<string, string | undefined>>,
  system: () => string,
): Language {
  const first = (names: readonly string[]) => names.map((name) => env[name]).find((value) => value);
  const locale = first(localeVariables) ?? system();
  const isShown = utf8Locale.test(locale) && utf8Locale.test(first(charsetVariables) ?? '');
  return /^zh([^a-z]|$)/i.test(locale) && isShown ? 'zh' : 'en';
}

/** The languages of the terminal and the page, and which one the user's locale asks for. */

/** As `--lang` takes them. */
export const languages = ['en', 'zh'] as const;
export type Language = (typeof languages)[number];

/** The variables of a POSIX locale; the first one that is set decides. */
const localeVariables = ['LC_ALL', 'LC_MESSAGES', 'LANG'] as const;

/**
 * The language of the locale. `system` asks for the locale of a system without these variables, such as `zh-CN` on Windows.
 */
export function languageOfLocale(
  env: Readonly<Record<string, string | undefined>>,
  system: () => string,
): Language {
  const locale = localeVariables.map((name) => env[name]).find((value) => value) ?? system();
  return /^zh([^a-z]|$)/i.test(locale) ? 'zh' : 'en';
}

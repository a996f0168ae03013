/** The language of an error, which may come before the options are read, or because they cannot be. */

import { statSync } from 'node:fs';
import { localeLanguage } from '../app/options/environment.ts';
import { readTextFile } from '../app/options/text-file.ts';
import { type Language, languages } from '../text/languages.ts';

/** As `--lang` or the job file among these arguments says, else the locale. Never throws. */
export function languageOfArgs(args: readonly string[]): Language {
  const named = givenTo(args, '--lang') ?? languageOfJob(givenTo(args, '--job'));
  return languages.find((language) => language === named) ?? localeLanguage();
}

/** The value of an option, as the parser takes it: `--lang zh` or `--lang=zh`. */
function givenTo(args: readonly string[], option: string): string | undefined {
  const at = args.indexOf(option);
  return at >= 0 ? args[at + 1] : args.find((arg) => arg.startsWith(`${option}=`))?.slice(option.length + 1);
}

function languageOfJob(path: string | undefined): unknown {
  try {
    // A pipe has been read already.
    if (path === undefined || !statSync(path).isFile()) return undefined;
    return JSON.parse(readTextFile(path)).lang;
  } catch {
    return undefined;
  }
}

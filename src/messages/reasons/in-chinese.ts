/** Why a row ended badly, in Chinese: the reason is saved with the row as English text, and only batch's own is translated. */

import type { Status } from '../../money/item.ts';
import { commandParts, commandSentences } from './commands-zh.ts';
import { rowParts, rowSentences } from './rows-zh.ts';
import { createTranslator } from './sentences.ts';
import { serviceParts, serviceSentences } from './service-zh.ts';
import { workbookParts, workbookSentences } from './workbook-zh.ts';

/** What is not known stays as it is. */
export const inChinese: (text: string) => string = createTranslator(
  [...rowSentences, ...workbookSentences, ...serviceSentences, ...commandSentences],
  [...rowParts, ...workbookParts, ...serviceParts, ...commandParts],
);

const ownWords: ReadonlySet<Status> = new Set<Status>(['invalid', 'lost', 'uncertain', 'undelivered']);

/** True where the reason may be this program's own words; the others are the service's, and stay as they are. */
export function hasOwnReason(status: Status): boolean {
  return ownWords.has(status);
}

/** Why a row ended badly, in Chinese: the reason is saved with the row as English text, and only batch's own is translated. */

import { neighbourDoubts } from '../../input/doubts/neighbours.ts';
import { rowDoubts } from '../../input/doubts/row-doubts.ts';
import type { Status } from '../../money/item.ts';
import type { Words } from '../both.ts';
import { memoryMessages } from '../fleet.ts';
import { outputMessages } from '../outputs.ts';
import { checkpointMessages } from '../stores/checkpoint.ts';
import { workbookMessages } from '../workbook.ts';
import { cellFlawMessages, cellMessages } from './cells.ts';
import { fileMessages } from './files.ts';
import { hookMessages } from './hooks.ts';
import { flawMessages, kindMessages, pictureMessages, rowMessages } from './rows.ts';
import { createTranslator, type Entry, type Sentence, sentenceOf } from './sentences.ts';
import { serviceParts, serviceSentences } from './service-zh.ts';
import { taskMessages } from './tasks.ts';

const { 'row.odd': odd, 'row.odd-mended': oddMended, ...ownRowMessages } = rowMessages;
const { 'cell.at': cellAt, ...ownCellMessages } = cellMessages;
const flaws = Object.values(flawMessages).map(wordsOf);
const cellFlaws = Object.values(cellFlawMessages).map(wordsOf);

/** What is said of rows and cells, as it is saved. */
export const rowSentences: readonly Sentence[] = [
  ...[...Object.values(ownRowMessages), ...Object.values(ownCellMessages)].map((each) => sentenceOf(each)),
  ...[...rowDoubts, ...neighbourDoubts].flatMap(({ what }) =>
    [odd, oddMended].map((each) => sentenceOf(each, { what })),
  ),
  ...Object.values(pictureMessages).flatMap((each) => flaws.map((what) => sentenceOf(each, { what }))),
  ...cellFlaws.map((what) => sentenceOf(cellAt, { what })),
  sentenceOf(checkpointMessages['store.other-question']),
];

/** What is said of files, hooks and tasks, and of a store that is an older copy. */
export const runSentences: readonly Sentence[] = [
  outputMessages['output.moved-away'],
  outputMessages['output.no-folder'],
  outputMessages['output.unwritable'],
  ...[fileMessages, hookMessages, taskMessages, memoryMessages].flatMap((each) => Object.values<Entry>(each)),
].map((each) => sentenceOf(each));

/** Why a picture cannot be read; the same is said of a whole workbook. */
const { 'damaged.part': damaged, 'package.encrypted': encrypted, 'package.bomb': bomb } = workbookMessages;

export const rowParts: readonly Sentence[] = [
  ...Object.values(kindMessages).map((each) => sentenceOf(each)),
  sentenceOf(damaged, { flaw: 'not-whole' }),
  sentenceOf(encrypted),
  sentenceOf(bomb),
];

/** What is not known stays as it is. */
export const inChinese: (text: string) => string = createTranslator(
  [...rowSentences, ...runSentences, ...serviceSentences],
  [...rowParts, ...serviceParts],
);

/** A message to stand inside another one. */
function wordsOf(entry: Entry): Words {
  const [en, zh] = sentenceOf(entry);
  return { en, zh };
}

const ownWords: ReadonlySet<Status> = new Set<Status>(['invalid', 'lost', 'uncertain', 'undelivered']);

/** True where the reason may be this program's own words; the others are the service's, and stay as they are. */
export function hasOwnReason(status: Status): boolean {
  return ownWords.has(status);
}

/** Turns a row as read into a question: what the values of its fields mean. */

import {
  listEntries,
  parseImage,
  shownEntry,
  splitEntries,
  unsendableReason,
} from '../files/image-source.ts';
import type { Words } from '../messages/both.ts';
import { inBoth, inEnglish, message, type Said } from '../messages/message.ts';
import { isPictureFormula } from '../text/cell-kinds.ts';
import { hasEscapedBytes } from '../text/cells/bytes-as-text.ts';
import { isMissingAnswer, isMissingEntry, isNoneTo, showsNothing } from '../text/cells/missing-values.ts';
import { readContent, writeContent } from '../text/ids/row-content.ts';
import { isExact, plainValue } from '../text/json-text.ts';
import { asSpreadsheetsKeep, cellMaxLength } from '../text/spreadsheet-text.ts';
import { type ImageSource, type Quality, type Question, qualities } from './item.ts';
import type { Field, PictureField, Source } from './question.ts';

/** A local image of a row: only the disk shows whether it exists and is an image. */
export interface LocalImage {
  readonly field: Field;
  /** As the row names it, for messages. */
  readonly written: string;
  /** Absolute. */
  readonly path: string;
}

/** The meaning of a row, as far as its text alone shows. */
export interface ParsedQuestion {
  readonly question: Question;
  /** Why the row cannot be sent, all reasons in one line; null where its text is valid. */
  readonly failure: string | null;
  readonly files: readonly LocalImage[];
  /** What would be sent, as one text to digest; independent of how the row was written. */
  readonly content: string;
  /** True where another `Source.missing` may read it otherwise. */
  readonly isAmbiguous: boolean;
}

/** What the reports show of each row: the same as `parseQuestion` returns, in a quarter of its time. */
export function readShown(
  input: Readonly<Record<string, unknown>>,
  source: Source,
): Pick<Question, 'question' | 'answer' | 'quality'> {
  const row = rowOf(input, source);
  const question = readText(row, 'question');
  return {
    question: textOrNothing(question),
    answer: textOrNothing(readAnswer(row, question)),
    quality: knownQuality(plainWord(readWord(row, 'quality'))),
  };
}

/** Parses a row. Never throws: problems of the row are its `failure`. */
export function parseQuestion(input: Readonly<Record<string, unknown>>, source: Source): ParsedQuestion {
  const row = rowOf(input, source);
  const id = readId(row);
  const question = readText(row, 'question');
  const questionImages = readImages(row, 'questionImages');
  const answer = readAnswer(row, question);
  const answerImages = readImages(row, 'answerImages');
  const qualityText = plainWord(readWord(row, 'quality'));
  const quality = knownQuality(qualityText);
  const notifyUrl = readWord(row, 'notify_url').trim();

  for (const field of ['question', 'questionImages', 'answer', 'answerImages'] as const)
    if (isCutCell(cellOf(row, field), source)) row.failures.push(message('row.cut-cell', { field }));
  // Paid for without its picture, the video would be of another question.
  for (const [field, text] of Object.entries({ question, answer }))
    if (isPictureFormula(text)) row.failures.push(message('row.lost-picture', { field }));
  if (textOrNothing(question) === '' && questionImages.entries.length === 0)
    row.failures.push(message('row.empty'));
  if (qualityText !== '' && quality === null)
    row.failures.push(
      message('row.quality', {
        value: JSON.stringify(qualityText.slice(0, 40)),
        names: qualities.join(', '),
      }),
    );
  if (notifyUrl !== '' && !(/^https?:\/\//i.test(notifyUrl) && URL.canParse(notifyUrl)))
    row.failures.push(message('row.notify-url'));

  return {
    question: {
      id: id === '' ? null : id,
      question: textOrNothing(question),
      questionImages: questionImages.images,
      answer: textOrNothing(answer),
      answerImages: answerImages.images,
      quality,
      notifyUrl: notifyUrl === '' ? null : notifyUrl,
    },
    failure: row.failures.length === 0 ? null : row.failures.map(inEnglish).join('; '),
    files: row.files,
    content: writeContent({
      question: asSpreadsheetsKeep(question),
      questionImages: questionImages.entries,
      answer: asSpreadsheetsKeep(answer),
      answerImages: answerImages.entries,
      quality: qualityText,
      notifyUrl,
    }),
    isAmbiguous: row.isAmbiguous,
  };
}

type Texts = Pick<Question, 'question' | 'answer'>;

/** The content of a row with the texts `to`; null where it has other texts than `from`. */
export function contentWith(content: string, from: Texts, to: Texts): string | null {
  const parts = readContent(content);
  const isOf = (kept: string, text: string): boolean =>
    kept === asSpreadsheetsKeep(text) || (text === '' && showsNothing(kept));
  if (!isOf(parts.question, from.question) || !isOf(parts.answer, from.answer)) return null;
  return writeContent({
    ...parts,
    question: asSpreadsheetsKeep(to.question),
    answer: asSpreadsheetsKeep(to.answer),
  });
}

/** A row while it is parsed; the lists collect what is found. */
interface Row {
  readonly input: Readonly<Record<string, unknown>>;
  readonly source: Source;
  /** Text where it comes with the row. */
  readonly failures: Said[];
  readonly files: LocalImage[];
  isAmbiguous: boolean;
}

function rowOf(input: Row['input'], source: Source): Row {
  return { input, source, failures: [], files: [], isAmbiguous: false };
}

function cellOf(row: Row, field: Field): unknown {
  const column = row.source.fields[field];
  return column !== undefined && Object.hasOwn(row.input, column) ? row.input[column] : null;
}

/** An image in base64 that was cut would still begin as a whole one. */
function isCutCell(value: unknown, { format }: Source): boolean {
  if (format !== 'csv' && format !== 'xlsx') return false;
  const isCut = (entry: unknown): boolean => typeof entry === 'string' && entry.length === cellMaxLength;
  return Array.isArray(value) ? value.some(isCut) : isCut(value);
}

function readText(row: Row, field: Field): string {
  const value = plainValue(cellOf(row, field) ?? '');
  if (typeof value === 'string') {
    if (!value.isWellFormed() || value.includes('\u0000'))
      row.failures.push(message(hasEscapedBytes(value) ? 'row.no-utf-8' : 'row.character', { field }));
    return value;
  }
  if (typeof value === 'number' && !isExact(value)) row.failures.push(message('row.long-number', { field }));
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  row.failures.push(message('row.no-text', { field, what: kindOf(value) }));
  return JSON.stringify(value);
}

/** The answer; nothing where it says that there is none, or where nothing shows. */
function readAnswer(row: Row, question: string): string {
  const answer = readText(row, 'answer');
  const { missing } = row.source;
  if (answer === '' || !(isNoneTo(answer, question) || showsNothing(answer))) return answer;
  row.isAmbiguous = true;
  return missing === 'none' || (missing === 'empty' && isMissingAnswer(answer, question)) ? '' : answer;
}

/** A text that is to be an address or a known word. */
function readWord(row: Row, field: Field): string {
  const text = readText(row, field);
  return isNoEntry(row, text) ? '' : text;
}

/** True for a word for a missing value where no text is meant. */
function isNoEntry(row: Row, value: unknown): boolean {
  if (typeof value !== 'string' || !isMissingEntry(value)) return false;
  row.isAmbiguous = true;
  return row.source.missing !== undefined;
}

/** Two numbers that were rounded to the same one are no id: the row says why, and not that another row has it. */
function readId(row: Row): string {
  const text = readText(row, 'id').trim();
  const value = cellOf(row, 'id');
  return typeof value === 'number' && !isExact(value) ? '' : text;
}

/** The images of a field: as entries for the digest, and as they are sent. */
function readImages(row: Row, field: PictureField): { entries: string[]; images: ImageSource[] } {
  const further = row.source.furtherPictures?.[field] ?? [];
  const cells = [cellOf(row, field), ...further.map((column) => row.input[column])];
  const entries: string[] = [];
  const images: ImageSource[] = [];
  const values = cells.filter((cell) => cell != null && cell !== '' && !isNoEntry(row, cell));
  if (values.length === 0) return { entries, images };
  for (const entry of values.flatMap((value) => entriesOf(row, value))) {
    if (entry === null) continue;
    if (typeof entry !== 'string') {
      row.failures.push(message('row.no-image', { field, what: kindOf(entry) }));
      entries.push(JSON.stringify(entry));
      continue;
    }
    // A line break inside an entry of a list is wrapped base64.
    const text = entry.replace(/[\r\n]+/g, '').trim();
    if (text === '') continue;
    entries.push(text);
    const reason = unsendableReason(text);
    if (reason !== null) {
      row.failures.push(reason);
      continue;
    }
    const image = parseImage(text, row.source.folder);
    if (image.kind === 'none')
      row.failures.push(
        message('picture.in-field', { field, image: shownEntry(text), what: inBoth(image.flaw) }),
      );
    else images.push(image);
    if (image.kind === 'file') row.files.push({ field, written: text, path: image.path });
  }
  return { entries, images };
}

/** The entries of the value of a field of images. */
function entriesOf(row: Row, value: unknown): readonly unknown[] {
  const listed = listEntries(value);
  const entries = splitEntries(listed, value);
  if (entries.every((entry, at) => entry === listed[at])) return listed;
  row.isAmbiguous = true;
  return row.source.missing === undefined ? listed : entries;
}

/** The text exactly as written; empty where nothing shows. */
function textOrNothing(text: string): string {
  return showsNothing(text) ? '' : text;
}

function plainWord(text: string): string {
  return text.trim().normalize('NFKC').toLowerCase();
}

function knownQuality(word: string): Quality | null {
  return qualities.find((each) => each === word) ?? null;
}

/** Of a value of JSON that is no text. */
function kindOf(value: unknown): Words {
  if (Array.isArray(value)) return inBoth(message('kind.list'));
  if (typeof value === 'object') return inBoth(message('kind.object'));
  return inBoth(message(typeof value === 'number' ? 'kind.number' : 'kind.boolean'));
}

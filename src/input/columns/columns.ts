/** Pure. Maps the columns of a file to fields, by their headers. */

import { andMore, type Words } from '../../messages/both.ts';
import { type Message, message } from '../../messages/message.ts';
import { type Field, fields, pictureFields } from '../../money/question.ts';
import { cutText } from '../../text/cells/cut-text.ts';
import { storable } from '../../text/cells/storable-text.ts';
import { shellOption } from '../../text/shell-word.ts';
import { headerKey, meaningOf } from './known-names.ts';
import { numberedColumns } from './numbered-pictures.ts';
import { isOptionName, optionColumns } from './option-columns.ts';

/** An override that gives a field no column, whatever the headers say. */
export const noColumn = 'none';

/** The option that gives the field this column, for the shell. */
export function mapOption(field: Field, column: string): string {
  return shellOption('map', `${field}=${column}`);
}

/** The column with this name, in any of its spellings. */
export function findColumn(columns: readonly string[], asWritten: string): string | undefined {
  const wanted = storable(asWritten);
  return (
    columns.find((each) => each === wanted) ?? columns.find((each) => headerKey(each) === headerKey(wanted))
  );
}

/** True when a row read by these columns can contain a question. */
export function hasQuestion(columnOf: Readonly<Partial<Record<Field, string>>>): boolean {
  return columnOf.question !== undefined || columnOf.questionImages !== undefined;
}

/**
 * Field -> column. An override wins over every header; then the field's exact name, its own names, its synonyms. Two
 * equally good columns, and an override that names a missing column, are problems: one line each. `A` means the answer
 * only where it is not the first of several options: it would be sent, and paid for, as the answer of every row.
 */
export function mapColumns(
  columns: readonly string[],
  overrides: Readonly<Partial<Record<Field, string>>>,
): { fields: Partial<Record<Field, string>>; problems: Message[] } {
  const found: Partial<Record<Field, string>> = {};
  const problems: Message[] = [];
  const withoutColumn = new Set<Field>();
  for (const [name, wanted] of Object.entries(overrides)) {
    const field = fields.find((known) => known === name);
    const column = findColumn(columns, wanted);
    if (field === undefined)
      problems.push(message('columns.no-field', { map: `${name}=${wanted}`, fields: fields.join(', ') }));
    else if (column === undefined && wanted === noColumn) withoutColumn.add(field);
    else if (column === undefined)
      problems.push(
        message('columns.no-column', { map: `${name}=${wanted}`, columns: quoteColumns(columns) }),
      );
    else found[field] = column;
  }
  const taken = new Set(Object.values(found));
  const meant = columns.flatMap((column) => {
    const meaning = taken.has(column) ? undefined : meaningOf(column);
    return meaning === undefined ? [] : [{ column, ...meaning }];
  });
  const options = new Set(meant.some(({ column }) => isOptionName(column)) ? optionColumns(columns) : []);
  for (const field of fields) {
    if (found[field] !== undefined || withoutColumn.has(field)) continue;
    const named = meant.filter((each) => each.field === field && !options.has(each.column));
    const best = Math.min(...named.map(({ rank }) => rank));
    const [first, ...rivals] = named.filter(({ rank }) => rank === best).map(({ column }) => column);
    if (first === undefined) continue;
    found[field] = first;
    if (rivals.length > 0)
      problems.push(message('columns.rivals', { columns: quoteColumns([first, ...rivals]), field }));
  }
  for (const field of pictureFields) {
    if (found[field] !== undefined || withoutColumn.has(field)) continue;
    const [first] = numberedColumns(
      columns.filter((column) => !taken.has(column)),
      field,
    );
    if (first !== undefined) found[field] = first;
  }
  return { fields: found, problems };
}

/** Names that stand twice, each of which is a problem; those of a second table beside the first are one. */
export function sayTwice(columns: readonly string[]): readonly Message[] {
  const twice = [...new Set(columns.filter((column, place) => columns.indexOf(column) !== place))];
  if (twice.length > 1 && hasQuestion(mapColumns(twice, {}).fields))
    return [message('columns.second-table', { columns: quoteColumns(twice) })];
  return twice.map((column) => message('columns.twice', { column: JSON.stringify(column) }));
}

/**
 * How many column names a message lists, and how much of each: a file that is not a table can have thousands, or very
 * long ones.
 */
const shownNames = 20;
const shownLetters = 40;

/** A name of bearable length. */
export function cutName(name: string): string {
  return cutText(name, shownLetters);
}

/** The first columns by name, for a message. */
export function listColumns(columns: readonly string[], show = (name: string): string => name): Words {
  const shown = columns
    .slice(0, shownNames)
    .map((name) => show(cutName(name)))
    .join(', ');
  return andMore(shown, columns.length - shownNames);
}

/** The first columns by name, in quotes. */
export function quoteColumns(columns: readonly string[]): Words {
  return listColumns(columns, (name) => JSON.stringify(name));
}

/** The options of multiple choice, `A to D`. */
export function listOptions(options: readonly string[]): Words {
  const ends = [...options.slice(0, 1), ...options.slice(-1)].map(cutName);
  return { en: ends.join(' to '), zh: ends.join(' 至 ') };
}

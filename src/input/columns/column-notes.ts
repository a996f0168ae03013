/** What the plan says of the columns of a file. */

import { type Message, message } from '../../messages/message.ts';
import { type Field, fields, isPictureField, pictureFields, type Source } from '../../money/question.ts';
import { shellWord } from '../../text/shell-word.ts';
import type { ChoiceAnswers } from '../doubts/choice-answers.ts';
import { cutName, listColumns, listOptions } from './columns.ts';
import { nearFields } from './near-columns.ts';
import { optionColumns } from './option-columns.ts';

/** The columns recognized by another name, and those that are only copied to the reports. */
export function renderColumns(source: Source, choices: ChoiceAnswers): Message[] {
  const { fields: columnOf, columns } = source;
  const meant = fields.flatMap((field) => {
    const column = columnOf[field];
    const further = furtherOf(source, field);
    if (column === undefined || (column === field && further.length === 0)) return [];
    return [{ column: [column, ...further].map(cutName).join(' + '), field }];
  });
  const used = new Set([
    ...Object.values(columnOf),
    ...pictureFields.flatMap((field) => furtherOf(source, field)),
  ]);
  const options = optionColumns(columns).filter((column) => !used.has(column));
  const lists = choices.toLists();
  const named = new Set([...used, ...options, ...lists.map(({ column }) => column)]);
  const others = columns.filter((column) => !named.has(column));
  return [
    ...(meant.length > 0 ? [message('columns.recognized', { meant })] : []),
    ...(options.length > 0
      ? [renderOptions(options, { columns, known: columnOf, named: choices.toOptions() })]
      : []),
    ...lists.map(({ column, named }) => message('columns.choices', { column: cutName(column), named })),
    ...(others.length > 0 ? [message('columns.not-sent', { columns: listColumns(others) })] : []),
  ];
}

function furtherOf({ furtherPictures: further }: Source, field: Field): readonly string[] {
  return isPictureField(field) ? (further?.[field] ?? []) : [];
}

/** The options of multiple choice, and the option to type where no answer is sent. */
function renderOptions(
  options: readonly string[],
  {
    columns,
    known,
    named,
  }: {
    readonly columns: readonly string[];
    readonly known: Source['fields'];
    readonly named: string | null;
  },
): Message {
  const near = nearFields(columns, known).answer;
  const answer = near === undefined ? null : { column: cutName(near), map: shellWord(`answer=${near}`) };
  return message('columns.options', {
    columns: listOptions(options),
    isAnswered: known.answer !== undefined || known.answerImages !== undefined,
    answer,
    named,
  });
}

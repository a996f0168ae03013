/** Distinguishes a list without a header from a table: its first row would be read as names, and would be lost. */

/** What a question begins with, ends with or holds, and the name of a column does not. */
const question =
  /(?:\S\s+\S+\s+\S.*|\p{Script=Han}{3,}.*)[?？。！]$|[=＝]|什么|怎么|怎样|如何|为何|多少|哪[些个一]|^(?:[求解证设若](?![析答题释])|已知(?!条件)|计算(?!过程))\S{3}|^(?:what|how|why|which|who|when|where|find|solve|compute|calculate|prove|evaluate|determine|explain|let|given|if)\s+\S+\s+\S|^\s*(?:[-*•]|\(?\d{1,3}[.、)）])\s*\S|^(?=.*[\s\p{Script=Han}]).{60}|(?:\S+\s+){6}\S/iu;

/** Enough of a text to know a question by. */
const searchedLetters = 200;

/** True for a text that is a question and no name of a column. */
export function isQuestionText(cell: string): boolean {
  const text = cell.trim().slice(0, searchedLetters);
  return question.test(text) && !text.includes('\ufffd');
}

/** A number, a letter of a choice, a cell without a name. */
const value = /^(?:[-+]?[\d.,/%]+|[A-H]|column \d+)$/;

/** True for a first row of which every cell is a question or its answer, and none can be a name. */
export function isRowOfList(columns: readonly string[]): boolean {
  return (
    columns.some(isQuestionText) && columns.every((cell) => isQuestionText(cell) || value.test(cell.trim()))
  );
}

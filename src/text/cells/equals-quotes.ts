/** `="007"`: a formula that gives a text, by which people keep a spreadsheet from reading `007` as a number. */

const equalsQuotes = /^="((?:[^"]|"")*)"$/;

/** The text of such a cell; any other cell as it is. */
export function withoutEqualsQuotes(cell: string): string {
  const text = cell.startsWith('="') ? equalsQuotes.exec(cell)?.[1] : undefined;
  return text === undefined ? cell : text.replaceAll('""', '"');
}

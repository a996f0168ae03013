/**
 * Pure. What would be sent of a row, as one text: its digest is what a run knows the row by. The six parts that rows had
 * from the first version on stand in a list; one that is added later stands behind them under its name, and only where it
 * says something. So a row that has none of it is the row that it was.
 */

const first = ['question', 'questionImages', 'answer', 'answerImages', 'quality', 'notifyUrl'] as const;
const isFirst: ReadonlySet<string> = new Set(first);

/** A text, or the entries of a list of pictures. */
type Part = string | readonly string[];

/** The parts of a row by name. */
export interface RowContent {
  readonly question: string;
  readonly questionImages: readonly string[];
  readonly answer: string;
  readonly answerImages: readonly string[];
  readonly quality: string;
  readonly notifyUrl: string;
  readonly [added: string]: Part;
}

export function writeContent(content: RowContent): string {
  const parts: unknown[] = first.map((name) => content[name]);
  // Of nearly every row, and it is asked of each of a million.
  if (Object.keys(content).length === first.length) return JSON.stringify(parts);
  const added = Object.entries(content)
    .filter(([name, part]) => !isFirst.has(name) && part.length > 0)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify(added.length === 0 ? parts : [...parts, Object.fromEntries(added)]);
}

export function readContent(text: string): RowContent {
  const parts = JSON.parse(text) as [string, string[], string, string[], string, string, object?];
  const [question, questionImages, answer, answerImages, quality, notifyUrl, added] = parts;
  return { question, questionImages, answer, answerImages, quality, notifyUrl, ...added };
}

/** Watches whether the answers only name choices that are not sent: then the plan says so. */

import type { Question } from '../../money/item.ts';
import type { Source } from '../../money/question.ts';
import { optionColumns } from '../columns/option-columns.ts';
import type { RawRow } from '../read-rows.ts';
import { choiceCount, isChoicesName, namesChoice } from './choices.ts';

/** Answers to rows with choices. */
interface Answers {
  count: number;
  /** Those that only name a choice, and the first of them. */
  named: number;
  first: string;
}

export class ChoiceAnswers {
  readonly #toOptions: Answers = { count: 0, named: 0, first: '' };
  /** Whose columns are known. */
  #source: Source | null = null;
  /** How many columns are options, and which ones hold lists of them. */
  #found: { readonly options: number; readonly lists: readonly string[] } = { options: 0, lists: [] };
  /** By the column that holds the choices. */
  readonly #toLists = new Map<string, Answers>();

  /** `sent` are the questions of the rows; null for a row that is not sent. */
  look(rows: readonly RawRow[], sent: readonly (Question | null)[], source: Source): void {
    if (source !== this.#source) this.#meet(source);
    const { options, lists } = this.#found;
    if (options === 0 && lists.length === 0) return;
    for (const [at, { input }] of rows.entries()) {
      const answer = sent[at]?.answer.trim() ?? '';
      if (answer !== '' && options > 0) note(this.#toOptions, answer, options);
      for (const column of lists) {
        const count = choiceCount(input[column]);
        if (count === 0) continue;
        const answers = this.#toLists.get(column) ?? { count: 0, named: 0, first: '' };
        this.#toLists.set(column, answers);
        if (answer !== '') note(answers, answer, count);
      }
    }
  }

  #meet(source: Source): void {
    const { columns, fields } = source;
    const used = new Set(Object.values(fields));
    const lists = columns.filter((column) => !used.has(column) && isChoicesName(column));
    this.#source = source;
    this.#found = { options: optionColumns(columns).length, lists };
  }

  /** The answer that is sent to columns of options, where all only name one; null otherwise. */
  toOptions(): string | null {
    return namedOnly(this.#toOptions);
  }

  /** The columns with choices in their cells, each with the same. */
  toLists(): readonly { readonly column: string; readonly named: string | null }[] {
    return [...this.#toLists].map(([column, answers]) => ({ column, named: namedOnly(answers) }));
  }
}

function note(answers: Answers, answer: string, count: number): void {
  answers.count += 1;
  if (!namesChoice(answer, count)) return;
  if (answers.named === 0) answers.first = answer;
  answers.named += 1;
}

function namedOnly({ count, named, first }: Answers): string | null {
  return count > 0 && named === count ? JSON.stringify(first) : null;
}

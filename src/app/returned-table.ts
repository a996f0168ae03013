/**
 * A table of the program that people send back: which rows its lines mean. A line with a key is the row of its key, whatever
 * a spreadsheet made of the id; one without is the row of its id, as far as no other row can be meant.
 */

import { resolve } from 'node:path';
import { InputError, type Problem, UsageError } from '../errors.ts';
import { createProblems } from '../input/read-problems.ts';
import { type Message, message, several } from '../messages/message.ts';
import type { Item } from '../money/item.ts';
import { readSentTexts } from '../money/sent-question.ts';
import { asStanding } from '../money/standing-attempt.ts';
import type { ReportRow } from '../stores/port/reading.ts';
import type { Store } from '../stores/port/store.ts';
import { isOfRun, parseRowKey, type RowKey, StrayTexts } from '../text/ids/row-key.ts';
import { otherSpellings } from '../text/ids/same-number.ts';
import { isTextOf } from '../text/spreadsheet-text.ts';
import { openToLook } from './output-folder.ts';
import { reportedRunId, runIdOf } from './run-id.ts';

/** A line of such a table. */
export interface ReturnedLine {
  /** Where it starts, from 1. */
  readonly line: number;
  /** Null where it has none. */
  readonly id: string | null;
  /** The cell of the column `batch`; null where it is empty, or the table has no such column. */
  readonly key: string | null;
  /** The question in the line; '' where the table shows none. */
  readonly question: string;
}

/** A table, and how it is named. */
export interface TablePlace {
  /** For messages, such as `--only @marks.csv`. */
  readonly shown: string;
  /** The folder of the table, as the user would type it from the working folder; null for standard input. */
  readonly folder: string | null;
  /** The line to type where the table belongs to the run in this folder; null for none. */
  readonly commandIn: (folder: string) => string | null;
  /** True where several lines may be about one row, such as the marks of several reviewers. */
  readonly repeats?: boolean;
  /** True for a file of questions, whose rows may be meant as new ones. */
  readonly isInput?: boolean;
  /** True where a question in the table is that of its row: without a key a line with another one is of another row. */
  readonly hasOwnTexts?: boolean;
}

/** A row that a line names by its key, and the attempt that the line is about. */
export interface KeyedItem {
  readonly item: Item;
  readonly key: RowKey;
}

/** The id that the run has for a line, and the row of its key; null for a line without one. */
interface KnownLine {
  readonly id: string;
  readonly keyed: KeyedItem | null;
}

/** Whether the table may have had this row in the line. */
type MayContain<T> = (item: Item, line: T) => Promise<boolean> | boolean;

interface KnownLines<T> {
  say(note: Message): void;
  readonly mayContain?: MayContain<T>;
  readonly isMeant?: (line: T) => boolean;
}

/** Lines whose ids are looked up at a time, each in many spellings. */
const pageLines = 500;

/** The rows of one table; lines may come in pages. */
export class ReturnedTable {
  readonly #store: Pick<Store, 'checkpoint' | 'settings'>;
  readonly #out: string;
  readonly #place: TablePlace;
  readonly #problems = createProblems();
  readonly #texts = new StrayTexts();
  readonly #lines = new Map<number, number>();
  readonly #renamed: { was: string; id: string }[] = [];
  #renamedCount = 0;

  /** `out` is the output folder of the run (absolute). */
  constructor(store: Pick<Store, 'checkpoint' | 'settings'>, out: string, place: TablePlace) {
    this.#store = store;
    this.#out = out;
    this.#place = place;
  }

  /**
   * The row of each line by its key; null for a line without one. Throws `UsageError` where the table belongs to another run;
   * what is wrong with a line is among the problems.
   */
  async byKey(lines: readonly ReturnedLine[]): Promise<readonly (KeyedItem | null)[]> {
    const keys = lines.map(({ key, line }) => (key === null ? null : this.#readKey(key, line)));
    const wanted = keys.filter((key) => key !== null);
    if (wanted.length === 0) return lines.map(() => null);
    if (!(await this.#areOwn(wanted))) throw await this.#otherRun(wanted);
    const items = await this.#store.checkpoint.itemsWithKeys(wanted.map(({ item }) => item));
    const known = new Map(items.map((item) => [item.key, item]));
    return lines.map((line, at) => {
      const key = keys[at] ?? null;
      const item = key === null ? null : this.#rowOf(line, key, known.get(key.item));
      return key === null || item === null ? null : { item, key };
    });
  }

  #readKey(cell: string, line: number): RowKey | null {
    const key = parseRowKey(cell);
    if (key === null)
      this.#problems.add(line, message('returned.no-key', { key: JSON.stringify(cell.slice(0, 40)) }));
    return key;
  }

  #rowOf({ id, line, question }: ReturnedLine, key: RowKey, item: Item | undefined): Item | null {
    if (item === undefined) {
      this.#problems.add(line, message('returned.no-row', { id: id ?? '' }));
      return null;
    }
    const first = this.#lines.get(item.key);
    if (first !== undefined && this.#place.repeats !== true)
      this.#problems.add(line, message('returned.key-twice', { id: item.id, line: first }));
    this.#lines.set(item.key, line);
    this.#texts.add({ line, id: item.id, key, text: question });
    if (id !== null && id !== item.id) {
      this.#renamedCount += 1;
      if (this.#renamed.length < shownIds) this.#renamed.push({ was: id, id: item.id });
    }
    return item;
  }

  /**
   * Adds what is wrong with those of the lines that have no key: their ids may be those of other rows. `mayHold` says whether
   * the table may have had this row.
   */
  async checkIds<T extends ReturnedLine>(lines: readonly T[], mayContain: MayContain<T>): Promise<void> {
    const unkeyed = lines.filter(({ key, id }) => key === null && id !== null);
    for (let at = 0; at < unkeyed.length; at += pageLines)
      await this.#checkPage(unkeyed.slice(at, at + pageLines), mayContain);
  }

  async #checkPage<T extends ReturnedLine>(lines: readonly T[], mayContain: MayContain<T>): Promise<void> {
    const spelled = lines.map((each) => ({
      each,
      id: each.id ?? '',
      spellings: otherSpellings(each.id ?? ''),
    }));
    const wanted = spelled.flatMap(({ id, spellings }) => [id, ...spellings]);
    const items = await this.#store.checkpoint.itemsWithIds(wanted);
    const known = new Map(items.map((item) => [item.id, item]));
    const texts = await this.#textsOf(items);
    for (const { each, id, spellings } of spelled) {
      const others = spellings.filter((spelling) => known.has(spelling));
      const item = known.get(id);
      if (others.length > 0) this.#problems.add(each.line, message('returned.same-number', { id, others }));
      else if (item !== undefined && !(await mayContain(item, each)))
        this.#problems.add(each.line, message('returned.other-status', { id, status: item.status }));
      else if (item !== undefined && !mayHaveText(texts.get(item.key), each))
        this.#problems.add(each.line, message('returned.other-text', { id }));
    }
  }

  /** The questions of the rows, in the report and in the file, by key; none where the table does not show them. */
  async #textsOf(items: readonly Item[]): Promise<ReadonlyMap<number, readonly string[]>> {
    if (this.#place.hasOwnTexts !== true) return new Map();
    const rows = await this.#store.checkpoint.reportRowsOf(items.map(({ key }) => key));
    return new Map(rows.map((row) => [row.item.key, questionsOf(row)]));
  }

  /**
   * What the run knows of the lines of a whole table; `say` gets what a spreadsheet made of them. Lines that are not
   * `isMeant` need no id that is sure. Throws `UsageError` or `InputError` where a line may be about another row.
   */
  async knownLines<T extends ReturnedLine & { readonly id: string }>(
    lines: readonly T[],
    { say, mayContain = () => true, isMeant = () => true }: KnownLines<T>,
  ): Promise<readonly KnownLine[]> {
    const keyed = await this.byKey(lines);
    await this.checkIds(lines.filter(isMeant), mayContain);
    this.refuse();
    const note = this.note();
    if (note !== null) say(note);
    return lines.map(({ id }, at) => ({ id: keyed[at]?.item.id ?? id, keyed: keyed[at] ?? null }));
  }

  /** Throws `InputError` with all that is wrong; call it after the last line. `placed` says where a problem is. */
  refuse(placed = (problem: Problem): Problem => problem): void {
    for (const { line, id, other } of this.#texts.found())
      this.#problems.add(line, message('returned.stray-text', { id, other }));
    if (this.#problems.count > 0) throw new InputError(this.#place.shown, this.#problems.list().map(placed));
  }

  /** What the spreadsheet made of the ids; null for nothing. */
  note(): Message | null {
    if (this.#renamedCount === 0) return null;
    return message('returned.renamed', { count: this.#renamedCount, renamed: this.#renamed });
  }

  async #areOwn(keys: readonly RowKey[]): Promise<boolean> {
    // Reports of a run that had not begun yet have the other one.
    const runs = [await reportedRunId(this.#store.settings, this.#out), runIdOf(this.#out)];
    return keys.every((key) => runs.some((run) => isOfRun(key, run)));
  }

  async #otherRun(keys: readonly RowKey[]): Promise<UsageError> {
    const { isInput = false } = this.#place;
    const said = await this.#whose(keys);
    return new UsageError(isInput ? several([said, message('returned.as-new')]) : said);
  }

  async #whose(keys: readonly RowKey[]): Promise<Message> {
    const { shown: table, folder, commandIn } = this.#place;
    if (folder === null || !(await isRunIn(folder, keys))) return message('returned.other-run', { table });
    const command = commandIn(folder);
    return command === null
      ? message('returned.run-in', { table, folder })
      : message('returned.type', { table, folder, command });
  }
}

function questionsOf(row: ReportRow): readonly string[] {
  const { item, edit, correction } = row;
  const rows = [asStanding(row), row, ...(edit === null ? [] : [{ item, correction, ...edit }])];
  return rows.map((each) => readSentTexts(each).question);
}

/** False where the row has other questions than the line. */
function mayHaveText(questions: readonly string[] | undefined, { question }: ReturnedLine): boolean {
  if (questions === undefined || question.trim() === '') return true;
  return questions.some((each) => isTextOf(question, each));
}

/** Ids that a note names. */
const shownIds = 5;

/** True where the run in this folder has written one of these keys. */
async function isRunIn(folder: string, keys: readonly RowKey[]): Promise<boolean> {
  try {
    await using store = await openToLook(resolve(folder));
    if (store === null) return false;
    const run = await reportedRunId(store.settings, resolve(folder));
    return keys.some((key) => isOfRun(key, run));
  } catch {
    // Whatever lies there, it is not this run.
    return false;
  }
}

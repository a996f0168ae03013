/**
 * A world about a person: the owner of a run types commands that were proposed, also long ago, and gives back tables, also old
 * ones, also cut, edited and saved by a spreadsheet, also those of a copy of the folder. A video is paid for once, unless a
 * person orders another one; and as many rows are sent as a plan says.
 */

import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { InputError, messageOf, UsageError } from '../../../src/errors.ts';
import { Dice } from '../dice.ts';
import { BrokenPromise, promise } from '../oracle.ts';
import type { Outcome } from '../story.ts';
import { Desk, type Done, wordsOf } from './desk.ts';
import { Books, Service } from './ledger.ts';
import type { OwnerMutant } from './mutants.ts';
import {
  change,
  changedBy,
  handle,
  isAsSeen,
  isWholeTable,
  type Kind,
  nameOfRow,
  orderedBy,
  type Paper,
  paperOf,
  questionOf,
  type Shown,
  textOf,
  write,
} from './papers.ts';
import { acts, type Theme, themes } from './themes.ts';

/** Endings of a session that has sent all that it was to send. */
const whole: ReadonlySet<string> = new Set(['done']);

/** What a person orders by a line. */
interface Wish {
  readonly words: readonly string[];
  /** Rows for which this orders one more video. */
  readonly orders: readonly string[];
  readonly papers: readonly Paper[];
}

export class OwnerStory {
  readonly #seed: number;
  readonly #dice: Dice;
  readonly #root: string;
  readonly #theme: Theme;
  readonly #mutant: OwnerMutant | null;
  readonly #transcript: string[] = [];
  readonly #service: Service;
  readonly #desk: Desk;
  readonly #books = new Map<string, Books>();
  /** Every table so far, and every line that was proposed. */
  readonly #papers: Paper[] = [];
  readonly #proposed = new Set<string>();
  /** The owner's own file, and the id of each row. */
  #file: { readonly id: string; readonly question: string }[];
  #run = 'videos';
  #made = 0;
  #commands = 0;
  #shown: Shown | null = null;

  /** The world is in a folder of its own in `folder`. */
  constructor(seed: number, folder: string, mutant: OwnerMutant | null = null) {
    this.#seed = seed;
    this.#dice = new Dice(seed, 'owner');
    this.#root = join(folder, `owner-${seed}`);
    this.#mutant = mutant;
    const dice = this.#dice;
    this.#theme = dice.pick(themes);
    this.#service = new Service(new Dice(seed, 'fates'), this.#theme, (text) => this.#note(text));
    this.#desk = new Desk(this.#root, new Dice(seed, 'tokens'), this.#service);
    this.#books.set(this.#run, this.#service.books);
    const ids = dice.pick([
      ['q1', 'q2', 'q3', 'q4', 'q5'],
      // A spreadsheet makes another one of some of these.
      ['1.1', '1.10', '2.5', '2.50', '3.2'],
    ] as const);
    const count = dice.integer(2, ids.length);
    this.#file = ids.slice(0, count).map((id, at) => ({ id, question: questionOf(`Q${at + 1}`, 1) }));
  }

  #note(text: string): void {
    // Nothing of the machine, of the time, or of the run's id: a seed tells the same story everywhere.
    const plain = text
      .replaceAll(this.#root, '.')
      .replaceAll(/\bb[0-9a-f]{8}-/g, 'b…-')
      .replaceAll(/\b[0-9a-f]{16}\b/g, '…')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '…');
    this.#transcript.push(plain);
  }

  async play(): Promise<Outcome> {
    let flaw: string | null = null;
    this.#note(`seed ${this.#seed}, ${this.#theme}: ${this.#file.map(({ id }) => id).join(' ')}`);
    mkdirSync(this.#root);
    try {
      this.#saveFile();
      await this.#type({ words: ['run', 'questions.csv'], orders: [], papers: [] });
      for (let turns = this.#dice.integer(6, 14); turns > 0; turns--) await this.#turn();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      flaw =
        error instanceof BrokenPromise ? error.message : `${error.name}: ${error.stack ?? error.message}`;
      this.#note(`BROKEN: ${flaw}`);
    } finally {
      rmSync(this.#root, { recursive: true });
    }
    const { count } = this.#service;
    return {
      seed: this.#seed,
      flaw,
      transcript: this.#transcript,
      processCount: this.#commands,
      taskCount: count,
    };
  }

  async #turn(): Promise<void> {
    const dice = this.#dice;
    const act = dice.pick(acts[this.#theme]);
    switch (act) {
      case 'retry tables':
        return this.#retryTables();
      case 'review':
        return this.#keep('marks');
      case 'work on a table':
        return this.#workOnTable();
      case 'proposed':
        return this.#typeProposed();
      case 'retry ids':
        return this.#retryIds();
      case 'feed a table':
        return this.#feed();
      case 'edit':
        return this.#edit();
      case 'mend':
        return this.#mend();
      case 'settle by table':
        return this.#settleByTable();
      case 'settle one':
        return this.#settleOne();
      case 'copy':
        return this.#copy();
      case 'other folder':
        return this.#move(dice.pick(['videos', 'copy']));
    }
  }

  get #now(): Books {
    return this.#service.books;
  }

  // What the owner does.

  async #retryTables(): Promise<void> {
    const dice = this.#dice;
    const papers = this.#papers.filter(({ kind }) => kind !== 'questions');
    const marks = papers.filter(({ kind }) => kind === 'marks');
    const [first, ...others] = marks.length > 0 && dice.chance(0.7) ? marks : papers;
    if (first === undefined) return;
    const chosen = [dice.pick([first, ...others])];
    if (dice.chance(0.2)) chosen.push(dice.pick([first, ...others]));
    await this.#retryBy(chosen);
  }

  /** Types it once or twice, as out of the shell's history. */
  async #retryBy(papers: readonly Paper[]): Promise<void> {
    const words = ['retry', ...papers.flatMap(({ name }) => ['--only', `@${name}`])];
    for (let times = this.#dice.pick([1, 2]); times > 0; times--) {
      const orders = papers.flatMap((paper) => orderedBy(paper, this.#now));
      await this.#type({ words, orders, papers });
    }
  }

  async #workOnTable(): Promise<void> {
    const marks = this.#papers.filter(({ kind }) => kind === 'marks');
    const [first, ...others] = marks.length > 0 && this.#dice.chance(0.7) ? marks : this.#papers;
    if (first === undefined) return;
    const paper = this.#dice.pick([first, ...others]);
    if (paper.kind === 'questions') return;
    const saved = handle(paper, this.#newName(paper.kind), this.#dice);
    this.#save(saved);
    if (this.#dice.chance(0.5)) await this.#retryBy([saved]);
  }

  async #typeProposed(): Promise<void> {
    const [first, ...others] = this.#proposed;
    if (first === undefined) return;
    await this.#type({ words: wordsOf(this.#dice.pick([first, ...others])), orders: [], papers: [] });
  }

  async #retryIds(): Promise<void> {
    const [first, ...others] = this.#file.entries();
    if (first === undefined) return;
    const [, { id, question }] = this.#dice.pick([first, ...others]);
    await this.#type({ words: ['retry', '--only', id], orders: [question.split(':')[0] ?? ''], papers: [] });
  }

  async #feed(): Promise<void> {
    const tables = this.#papers.filter(({ kind }) => kind === 'failed' || kind === 'questions');
    const [first, ...others] = tables.length === 0 || this.#dice.chance(0.1) ? this.#papers : tables;
    if (first === undefined) return;
    await this.#give(this.#dice.pick([first, ...others]));
  }

  async #give(paper: Paper): Promise<void> {
    const isRerun = this.#dice.chance(0.7);
    const words = ['run', paper.name, ...(isRerun ? ['--rerun-changed'] : [])];
    await this.#type({ words, orders: isRerun ? changedBy(paper, this.#now) : [], papers: [paper] });
  }

  #edit(): void {
    const at = this.#dice.integer(0, this.#file.length - 1);
    this.#file = this.#file.map((row, place) =>
      place === at ? { ...row, question: questionOf(`Q${at + 1}`, this.#dice.integer(1, 9_999)) } : row,
    );
    this.#saveFile();
  }

  #saveFile(): void {
    const lines = this.#file.map(({ id, question }) => {
      const name = question.split(':')[0] ?? '';
      return { cells: [id, question], name, last: 0, isEdited: false };
    });
    const name = this.#made === 0 ? 'questions.csv' : this.#newName('questions');
    this.#made += 1;
    this.#save({ name, kind: 'questions', header: ['id', 'question'], lines, delimiter: ',' });
  }

  /** Puts a row in other words, and runs the file. */
  async #mend(): Promise<void> {
    this.#edit();
    const own = this.#papers.findLast(({ kind }) => kind === 'questions');
    if (own !== undefined) await this.#give(own);
  }

  /** Fills in what the account says now, or gives an old table as it is. */
  async #settleByTable(): Promise<void> {
    const isBlank = (table: Paper): boolean =>
      table.lines.every(({ cells }) => (cells[table.header.indexOf('task_id')] ?? '') === '');
    const [first, ...others] = this.#papers.filter(
      (table) =>
        table.kind === 'uncertain' &&
        (!isBlank(table) || table.lines.every((line) => isAsSeen(line, this.#now))),
    );
    if (first === undefined) return;
    const table = this.#dice.pick([first, ...others]);
    const isEmpty = isBlank(table);
    const filled = isEmpty ? { ...this.#filled(table), name: this.#newName('uncertain') } : table;
    if (isEmpty) this.#save(filled);
    await this.#type({ words: ['resolve', '--from', filled.name], orders: [], papers: [filled] });
    if (this.#dice.chance(0.7)) await this.#type({ words: ['resume'], orders: [], papers: [] });
  }

  #filled(table: Paper): Paper {
    return change(table, table.header.indexOf('task_id'), ({ name }) =>
      this.#now.of(name).taskId === null ? 'not-created' : '',
    );
  }

  async #settleOne(): Promise<void> {
    const uncertain = (this.#shown?.rows ?? []).filter(({ item }) => item.status === 'uncertain');
    const [first, ...others] = uncertain;
    if (first === undefined) return;
    const row = this.#dice.pick([first, ...others]);
    const { taskId } = this.#now.of(nameOfRow(row));
    const said = taskId === null ? ['--not-created'] : ['--task-id', taskId];
    await this.#type({ words: ['resolve', row.item.id, ...said], orders: [], papers: [] });
  }

  async #copy(): Promise<void> {
    if (this.#books.has('copy')) return;
    cpSync(this.#desk.folder('videos'), this.#desk.folder('copy'), { recursive: true });
    this.#desk.copy('videos', 'copy');
    this.#books.set('copy', (this.#books.get('videos') ?? new Books()).copy());
    this.#note('the folder is copied');
    await this.#move('copy');
  }

  async #move(run: string): Promise<void> {
    const books = this.#books.get(run);
    if (books === undefined || run === this.#run) return;
    this.#run = run;
    this.#service.books = books;
    this.#note(`the owner works in ${run}`);
    this.#shown = await this.#desk.look(run);
  }

  // What comes of it.

  async #type({ words, orders, papers }: Wish): Promise<void> {
    const service = this.#service;
    this.#commands += 1;
    this.#note(
      `${this.#run}> batch ${words.join(' ')}${orders.length > 0 ? `   (orders ${orders.join(' ')})` : ''}`,
    );
    this.#now.order(orders);
    service.sent.clear();
    for (const paper of papers) this.#put(this.#mutant?.alter(paper, words, this.#shown) ?? paper);
    let done: Done = { planned: null, ending: null, shown: this.#shown };
    try {
      done = await this.#desk.type(this.#run, words);
    } catch (error) {
      if (!(error instanceof UsageError || error instanceof InputError)) throw error;
      this.#note(`refused: ${messageOf(error)}`);
    }
    for (const paper of papers) this.#put(paper);
    if (service.flaw !== null) throw service.flaw;
    this.#checkPlan(done);
    this.#checkOrdered(orders, papers, done);
    this.#lookAround(done);
  }

  /** As many rows are sent as the plan says, each once. */
  #checkPlan({ planned, ending }: Done): void {
    const { sent } = this.#service;
    const count = [...sent.values()].reduce((sum, each) => sum + each, 0);
    this.#note(`planned ${planned}, sent ${count}, ${ending}`);
    promise(
      [...sent.values()].every((each) => each === 1),
      'a row is sent twice by one command',
    );
    const isRight = ending !== null && whole.has(ending) ? count === (planned ?? 0) : count <= (planned ?? 0);
    promise(isRight, `the plan says ${planned} rows, and ${count} are sent`);
  }

  /** Marks that are about what stands are carried out. */
  #checkOrdered(orders: readonly string[], papers: readonly Paper[], { ending }: Done): void {
    const [paper, ...others] = papers;
    if (paper === undefined || others.length > 0 || !isWholeTable(paper)) return;
    const left = orders.filter((name) => !this.#service.sent.has(name));
    const isOver = ending !== null && !whole.has(ending);
    promise(isOver || left.length === 0, `${left.join(' ')} was marked bad, and is not made again`);
  }

  #lookAround({ ending, shown }: Done): void {
    if (shown === null) return;
    this.#shown = shown;
    const statuses = new Map(shown.rows.map((row) => [nameOfRow(row), row.item.status]));
    promise(statuses.size === shown.rows.length, 'a question has two rows');
    promise(
      shown.rows.every(({ gone }) => !gone),
      'a row is gone that every file has',
    );
    this.#now.forget((name) => statuses.get(name) === 'pending');
    this.#note(shown.rows.map(({ item }) => `${item.id} ${item.status} ${item.attempt}`).join(', '));
    if (ending === null) return;
    for (const line of shown.proposed)
      if (/^batch (resume|retry|collect) /.test(line)) this.#proposed.add(line);
    for (const kind of ['failed', 'report', 'manifest', 'uncertain'] as const)
      if (this.#dice.chance(0.5)) this.#keep(kind);
  }

  /** The owner keeps a table that the program writes now. */
  #keep(kind: Exclude<Kind, 'list' | 'questions'>): void {
    const shown = this.#shown;
    if (shown === null) return;
    const text = write(kind, shown, ({ item }) => {
      if (item.status !== 'completed' || this.#dice.chance(0.3)) return null;
      return this.#dice.pick(['bad', 'bad', 'good'] as const);
    });
    const paper = paperOf(this.#newName(kind), kind, text, shown, this.#now);
    if (paper !== null) this.#save(paper);
  }

  #newName(kind: Kind): string {
    this.#made += 1;
    return `${kind}-${this.#made}.csv`;
  }

  #save(paper: Paper): void {
    this.#papers.push(paper);
    this.#put(paper);
    this.#note(`${paper.name} of ${this.#run} (${paper.kind}):\n${textOf(paper)}`);
  }

  #put(paper: Paper): void {
    writeFileSync(join(this.#root, paper.name), textOf(paper));
  }
}

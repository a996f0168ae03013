/** What the service of an owner's world does with each creation, and the oracle: who had a video before, and who asked for another. */

import type { ProbeAnswer } from '../../../src/money/answers/status-answer.ts';
import {
  type Creation,
  type CreationFact,
  done,
  failed,
  inProgress,
  makingMs,
  refused,
  type Script,
  type StatusFact,
  type Task,
  uncertain,
} from '../../support/scripted-tasks.ts';
import type { Dice } from '../dice.ts';
import { BrokenPromise } from '../oracle.ts';
import { type Fate, fates, type Theme } from './themes.ts';

/** The first word of a question names its row, however it is edited. */
export function nameOf(question: string): string {
  return question.split(':')[0] ?? '';
}

/** What really happened to a row of one folder. */
export interface Truth {
  /** Number of its last creation in this world; 0 before the first. */
  readonly last: number;
  /** The text of that. */
  readonly text: string;
  /** Videos that the service made and charged for. */
  readonly charged: number;
  /** The task of the last creation; null where it made none. */
  readonly taskId: string | null;
}

const untouched: Truth = { last: 0, text: '', charged: 0, taskId: null };

/** How long what a person said of a row stands: until the end of the command, or until its video is there. */
type Order = 'said' | 'begun';

/** The rows of one folder as the service knows them. */
export class Books {
  readonly #rows: Map<string, Truth>;
  /** Rows for which a person has ordered one more video. */
  readonly #orders: Map<string, Order>;

  constructor({
    rows = [],
    orders = [],
  }: { rows?: Iterable<[string, Truth]>; orders?: Iterable<[string, Order]> } = {}) {
    this.#rows = new Map(rows);
    this.#orders = new Map(orders);
  }

  copy(): Books {
    return new Books({ rows: this.#rows, orders: this.#orders });
  }

  of(name: string): Truth {
    return this.#rows.get(name) ?? untouched;
  }

  /** A person orders one more video for each of these rows. */
  order(names: Iterable<string>): void {
    for (const name of names) if (!this.#orders.has(name)) this.#orders.set(name, 'said');
  }

  /** The command is over: what it did not begin, and does not wait, is ordered no more. */
  forget(isWaiting: (name: string) => boolean): void {
    for (const [name, order] of this.#orders)
      if (order === 'said' && !isWaiting(name)) this.#orders.delete(name);
  }

  /** A creation came. Throws where nobody wanted a second video. */
  note(name: string, truth: Omit<Truth, 'charged'>, isCharged: boolean): void {
    const { charged } = this.of(name);
    const isOrdered = this.#orders.has(name);
    this.#rows.set(name, { ...truth, charged: charged + (isCharged ? 1 : 0) });
    if (isCharged) this.#orders.delete(name);
    else if (isOrdered) this.#orders.set(name, 'begun');
    if (charged > 0 && !isOrdered)
      throw new BrokenPromise(`${name} has its video, and is sent again: nobody has ordered it`);
  }
}

/** The service: it does what the dice say, and writes all of it down. */
export class Service {
  readonly #dice: Dice;
  readonly #theme: Theme;
  readonly #note: (text: string) => void;
  readonly #fates = new Map<string, Fate>();
  #count = 0;
  books = new Books();
  /** The first broken promise. */
  flaw: BrokenPromise | null = null;
  /** Creations of the command that goes, by row. */
  readonly sent = new Map<string, number>();

  constructor(dice: Dice, theme: Theme, note: (text: string) => void) {
    this.#dice = dice;
    this.#theme = theme;
    this.#note = note;
  }

  /** Creations so far. */
  get count(): number {
    return this.#count;
  }

  readonly script: Script = {
    probe: (): ProbeAnswer => ({ outcome: 'service' }),
    create: (creation) => this.#create(creation),
    status: (task) => this.#status(task),
  };

  #create(creation: Creation): CreationFact {
    const name = nameOf(creation.question);
    const fate = this.#dice.pick(fates[this.#theme]);
    this.#count += 1;
    this.#note(`creation ${this.#count}, "${creation.question}": ${fate}`);
    this.sent.set(name, (this.sent.get(name) ?? 0) + 1);
    const isMade = fate !== 'refused' && fate !== 'never arrived';
    const taskId = isMade ? creation.make() : null;
    if (taskId !== null) this.#fates.set(taskId, fate);
    const truth = { last: this.#count, text: creation.question, taskId };
    try {
      this.books.note(name, truth, fate === 'video' || fate === 'lost answer');
    } catch (error) {
      if (!(error instanceof BrokenPromise)) throw error;
      this.flaw ??= error;
    }
    if (fate === 'refused') return refused('the text is not liked');
    if (fate === 'video' || fate === 'failed') return { type: 'creation-accepted', taskId: taskId ?? '' };
    return uncertain;
  }

  #status(task: Task): StatusFact {
    if (task.ageMs < makingMs) return inProgress();
    return this.#fates.get(task.taskId) === 'failed' ? failed() : done(task);
  }
}

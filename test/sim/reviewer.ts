/** The reviewer of a simulated world: puts rows in other words, those that wait included, and writes them into the file. */

import { planCorrections, saveCorrections } from '../../src/features/retry/plan-corrections.ts';
import type { Item, Status } from '../../src/money/item.ts';
import type { Reviews } from '../../src/stores/port/reviews.ts';
import { sqliteReviews } from '../../src/stores/sqlite/decided/reviews.ts';
import { decider } from '../support/decider.ts';
import type { WrittenRow } from '../support/incoming-rows.ts';
import type { Dice } from './dice.ts';
import type { SimProcess, World } from './sim-process.ts';
import type { User } from './user.ts';
import type { UserFile } from './user-file.ts';

export class Reviewer {
  /** Every corrected text: each may be paid for once, wherever it stands later. */
  readonly texts = new Set<string>();
  /** Corrected text by the text of the file that it replaced, as long as that stands in the file, once. */
  readonly #replaced = new Map<string, string>();
  /** Corrected texts of one of several rows with the same text, and those that were corrected again: by any text of theirs. */
  readonly #others: { readonly from: string; readonly to: string }[] = [];
  #made = 0;
  readonly #world: World;
  readonly #dice: Dice;
  /** Of its own, so that worlds without second looks stay as they are. */
  readonly #second: Dice;

  constructor(world: World, dice: Dice, second: Dice) {
    this.#world = world;
    this.#dice = dice;
    this.#second = second;
  }

  reviewsOf({ checkpoint }: Pick<SimProcess, 'checkpoint'>): Reviews {
    return sqliteReviews(this.#world.db, checkpoint);
  }

  /** What a retry of the rows in this state saves before it orders them. */
  async correct(
    process: SimProcess,
    status: Status,
    { counts, most }: Pick<User, 'counts' | 'most'>,
  ): Promise<void> {
    const { checkpoint } = process;
    const items: Item[] = [];
    for (const each of new Set<Status>([status, 'pending']))
      for await (const item of checkpoint.items([each], 'inFile')) items.push(item);
    const own = new Map<string, string>();
    /** Rows that are no longer, or not alone, what the file says. */
    const others = new Map<string, readonly string[]>();
    for (const { id, key, attempt } of items) {
      const { input, correction } = await checkpoint.input(key);
      const question = String(input.question);
      const stands = counts.get(question) ?? 0;
      if (stands === 1 && correction === null) {
        if (this.#dice.chance(0.7)) own.set(id, question);
        continue;
      }
      const sent =
        correction?.ofQuestion === question && attempt >= correction.since ? correction.question : null;
      const isKnown =
        sent === null ? stands > 1 && correction === null : stands + (counts.get(sent) ?? 0) === 1;
      if (!isKnown || !this.#second.chance(0.9)) continue;
      own.set(id, question);
      others.set(id, sent === null ? [question] : [question, sent]);
    }
    const named = [...own].map(([id, question]) => ({
      id,
      isTyped: false,
      attempt: null,
      corrected: {
        question: `${question.split(' ')[0]} is asked rightly (${++this.#made})`,
        answer: null,
      },
    }));
    await process.step('save the corrections');
    const reviews = this.reviewsOf(process);
    const plan = await planCorrections({ checkpoint, reviews }, each(items), named);
    for (const { question } of plan.rows) {
      if (question === undefined) continue;
      this.texts.add(question.to);
      most.set(question.to, Math.max(most.get(question.to) ?? 0, 1));
    }
    await saveCorrections(reviews, plan, decider);
    for (const { id, question } of plan.rows) {
      if (question === undefined) continue;
      const alike = others.get(id);
      if (alike === undefined) this.#replaced.set(own.get(id) ?? '', question.to);
      else for (const from of alike) this.#others.push({ from, to: question.to });
      // The text of the file is right again, and its row is sent with another one.
      if (alike !== undefined && alike.length > 1) this.#replaced.delete(own.get(id) ?? '');
      this.#world.note(`the reviewer corrects ${id}: ${question.to}`);
    }
    await process.step('the corrections are saved');
  }

  /** Writes some of the corrected texts into the file, where they stand under another id now and then. */
  writeInto(file: UserFile): void {
    for (const [own, text] of this.#replaced)
      if (this.#dice.chance(0.3)) file.adopt(own, text, this.#dice.chance(0.5));
    // There and back: each of these texts is known.
    for (const { from, to } of this.#others)
      if (this.#second.chance(0.6)) {
        if (this.#second.chance(0.7)) file.adoptOne(from, to);
        else file.adoptOne(to, from);
      }
  }

  /** True where a row of a file, which says which rows they are, is sent with this text instead of its own. */
  isSentInstead(text: string, rows: readonly WrittenRow[]): boolean {
    return this.#others.some(
      ({ from, to }) => to === text && rows.some(({ id, question }) => id !== undefined && question === from),
    );
  }

  /** The file was taken up. */
  takes(texts: ReadonlyMap<string, number>): void {
    for (const own of this.#replaced.keys()) if (texts.get(own) !== 1) this.#replaced.delete(own);
  }

  /** What is to be sent in place of this text; null where it is right, for one row or another. */
  insteadOf(text: string): string | null {
    return this.#others.some(({ to }) => to === text) ? null : (this.#replaced.get(text) ?? null);
  }
}

async function* each(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}

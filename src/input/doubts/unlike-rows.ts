/**
 * Pure. Finds the rows that are least like the others: every list of what is odd misses the next thing. Nothing is held because of
 * it; who reads the plan sees them.
 */

import type { Words } from '../../messages/both.ts';
import type { PlaceOf } from '../../messages/input.ts';
import { type Message, message } from '../../messages/message.ts';
import type { Question } from '../../money/item.ts';
import type { IncomingRow, Source } from '../../money/question.ts';
import { cutLine } from '../../text/cells/cut-text.ts';

/** A row as far as it is compared. */
interface ComparedRow {
  readonly question: string;
  readonly answer: string;
  readonly line: number;
  /** A bit for each of the first columns that has a cell. */
  readonly filled: number;
}

const shownRows = 5;
const shownLetters = 40;
/** Fewer rows are seen at a glance. */
const leastRows = 10;
/** Of so many rows those that are unlike the rest are kept: a million are not held. */
const heldRows = 512;
const keptRows = 64;
const lookedLetters = 64;
const comparedColumns = 30;
const mostWords = 16;
const mostSigns = 8;
/** Words are counted by a hash; where two share one, a word seems known. */
const wordCount = 1 << 16;
const wordMask = wordCount - 1;

/** In bits, as the logarithm of how rare a value is; a row below the sum is like the others. */
const leastScore = 10;
/** More may be added to it by what is not known yet. */
const leastHeld = 4;
const mostBits = 8;
/** A value that more rows have is one of several usual ones. */
const mostRare = 0.03;
/** Distances from the mean, in standard deviations. */
const leastFar = 3;

const [sign, latin, digit, han, blank] = [1, 2, 3, 4, 5];
/** The kinds of the letters met so far, by their code: an expression takes ten times as long. */
const kinds = new Uint8Array(1 << 16);

function kindOf(code: number): number {
  return (kinds[code] as number) || meet(code);
}

function meet(code: number): number {
  const letter = String.fromCharCode(code);
  let kind = sign;
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(letter)) kind = han;
  else if (/\p{Nd}/u.test(letter)) kind = digit;
  else if (/\s/.test(letter)) kind = blank;
  else if (/[\p{L}\p{M}]/u.test(letter)) kind = latin;
  kinds[code] = kind;
  return kind;
}

/** A row as it is kept until the others are known. */
interface Kept {
  readonly row: ComparedRow;
  /** The kind of its answer, and those of the letters and of the end of its question. */
  readonly answer: number;
  readonly letters: number;
  readonly end: number;
  /** Of its question, as a logarithm to the base of 2. */
  readonly length: number;
  /** Share of signs in its question. */
  readonly marks: number;
  readonly signs: readonly number[];
  /** Of the signs, the one that the fewest rows have. */
  rarest: number;
  /** Places of its words among the counts; in Chinese two characters are one. */
  readonly words: readonly number[];
}

/** Of a row, how much each of these tells it from the others, in bits; in the order of `reasons`. */
const reasons: readonly ((kept: Kept, times: number) => Words)[] = [
  ({ row }) =>
    row.answer === ''
      ? { en: 'without an answer', zh: '没有答案' }
      : { en: 'with other cells filled than most', zh: '填写的单元格与多数行不同' },
  () => ({ en: 'with another kind of answer than most', zh: '答案的形式与多数行不同' }),
  ({ row }) =>
    /\p{L}/u.test(row.question)
      ? { en: 'in other letters than most', zh: '文字的种类与多数行不同' }
      : { en: 'no letter in it', zh: '没有文字' },
  () => ({ en: 'ends unlike most', zh: '结尾与多数行不同' }),
  (_, times) => {
    const count = Math.round(times);
    return times > 1
      ? { en: `${count} times as long as most`, zh: `长度约为多数行的 ${count} 倍` }
      : { en: 'much shorter than most', zh: '比多数行短得多' };
  },
  () => ({ en: 'many more signs than most', zh: '符号比多数行多得多' }),
  ({ rarest }) => signWords(rarest),
  () => ({ en: 'words in it that the others do not have', zh: '用词与其他行不同' }),
];

/** Mean and standard deviation of what was added. */
class Spread {
  count = 0;
  #sum = 0;
  #squares = 0;

  add(value: number): void {
    this.count += 1;
    this.#sum += value;
    this.#squares += value * value;
  }

  get mean(): number {
    return this.#sum / this.count;
  }

  /** From the mean, in standard deviations of at least `least`. */
  distance(value: number, least: number): number {
    const mean = this.#sum / this.count;
    const deviation = Math.sqrt(Math.max(0, this.#squares / this.count - mean * mean));
    return (value - mean) / Math.max(deviation, least);
  }
}

export class UnlikeRows {
  readonly #placeOf: PlaceOf;
  #held: Kept[] = [];
  /** Rows below it are not held; 0 until there are too many to hold all. */
  #least = 0;
  #count = 0;
  readonly #filled = new Map<number, number>();
  readonly #answers = new Map<number, number>();
  readonly #letters = new Map<number, number>();
  readonly #ends = new Map<number, number>();
  readonly #lengths = new Spread();
  readonly #marks = new Spread();
  readonly #signs = new Map<number, number>();
  readonly #words = new Uint32Array(wordCount);
  /** Of the shares of words that hardly another row has. */
  readonly #foreign = new Spread();
  /** Of the row that was scored last, one for each reason. */
  #bits: readonly number[] = [];

  constructor(placeOf: PlaceOf) {
    this.#placeOf = placeOf;
  }

  /** `sent` are the questions of the rows; null for a row that is not sent. */
  look(
    rows: readonly Pick<IncomingRow, 'input' | 'line'>[],
    sent: readonly (Question | null)[],
    { columns }: Pick<Source, 'columns'>,
  ): void {
    const compared = columns.slice(0, comparedColumns);
    for (const [at, { input, line }] of rows.entries()) {
      const question = sent[at] ?? null;
      if (question === null) continue;
      let filled = 0;
      for (const column of compared) filled = filled * 2 + (isBlank(input[column]) ? 0 : 1);
      this.#add({ question: question.question, answer: question.answer.trim(), line, filled });
    }
  }

  #add(row: ComparedRow): void {
    const kept = traitsOf(row);
    this.#count += 1;
    add(this.#filled, row.filled);
    add(this.#answers, kept.answer);
    add(this.#letters, kept.letters);
    add(this.#ends, kept.end);
    this.#lengths.add(kept.length);
    this.#marks.add(kept.marks);
    for (const code of kept.signs) add(this.#signs, code);
    for (const word of kept.words) this.#words[word] = (this.#words[word] as number) + 1;
    if (this.#least > 0) {
      const share = this.#foreignShare(kept.words);
      this.#foreign.add(share);
      if (this.#score(kept, share) < this.#least) return;
    }
    this.#held.push(kept);
    if (this.#held.length === heldRows) this.#weed();
  }

  /** Lines of the plan, the least alike first; none where all are alike. */
  notes(): readonly Message[] {
    if (this.#count < leastRows) return [];
    this.#weed();
    return this.#held.slice(0, shownRows).flatMap((kept) => {
      if (this.#score(kept) < leastScore) return [];
      const most = this.#bits.indexOf(Math.max(...this.#bits));
      const place = this.#placeOf(kept.row.line);
      const text = cutLine(kept.row.question, shownLetters);
      const times = 2 ** (kept.length - this.#lengths.mean);
      return reasons
        .filter((_, at) => at === most)
        .map((reason) => message('rows.unlike', { place, text, what: reason(kept, times) }));
    });
  }

  /** Keeps those that are least like the others; from then on no others are held. */
  #weed(): void {
    // All rows so far are held: what is foreign among them is only known now.
    if (this.#least === 0) for (const { words } of this.#held) this.#foreign.add(this.#foreignShare(words));
    const scored = this.#held.map((kept) => ({ kept, bits: this.#score(kept) }));
    const least = scored.sort((one, other) => other.bits - one.bits).slice(0, keptRows);
    this.#held = least.map(({ kept }) => kept);
    this.#least = Math.max(leastHeld, Math.min(...least.map(({ bits }) => bits)));
  }

  /** How unlike the others a row is, in bits. */
  #score(kept: Kept, foreignShare = this.#foreignShare(kept.words)): number {
    const { row, answer, letters, end, length, marks, signs } = kept;
    let rare = 0;
    for (const code of signs) {
      const bits = this.#rarity(this.#signs.get(code));
      if (bits > rare) kept.rarest = code;
      rare = Math.max(rare, bits);
    }
    const foreign = this.#foreign.distance(foreignShare, 0.1);
    this.#bits = [
      2 * this.#rarity(this.#filled.get(row.filled)),
      this.#rarity(this.#answers.get(answer)),
      1.2 * this.#rarity(this.#letters.get(letters)),
      0.8 * this.#rarity(this.#ends.get(end)),
      farBits(Math.abs(this.#lengths.distance(length, 0.25))),
      farBits(this.#marks.distance(marks, 0.06)),
      0.9 * rare,
      foreign > 1.5 ? Math.min(mostBits, 1.4 * foreign) : 0,
    ];
    return this.#bits.reduce((sum, bits) => sum + bits, 0);
  }

  #rarity(count = 1): number {
    const share = count / this.#count;
    return share < mostRare ? Math.min(mostBits, -Math.log2(share)) : 0;
  }

  #foreignShare(words: readonly number[]): number {
    const few = 1 + this.#count / 1000;
    let foreign = 0;
    for (const word of words) if ((this.#words[word] as number) <= few) foreign += 1;
    return foreign / (words.length || 1);
  }
}

/** Bits for a distance in standard deviations. */
function farBits(far: number): number {
  return far > leastFar ? Math.min(mostBits, 2 * (far - 2)) : 0;
}

function isBlank(cell: unknown): boolean {
  return cell === undefined || cell === null || cell === '';
}

function add(counts: Map<number, number>, value: number): void {
  counts.set(value, (counts.get(value) ?? 0) + 1);
}

function signWords(code: number): Words {
  const shown = /[\p{C}\p{Z}]/u.test(String.fromCharCode(code))
    ? `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
    : String.fromCharCode(code);
  return { en: `the sign ${shown} in it, which few have`, zh: `含有少见的符号 ${shown}` };
}

/** One pass over the letters: it is made for each of a million rows. */
function traitsOf(row: ComparedRow): Kept {
  const { question } = row;
  const end = Math.min(question.length, lookedLetters);
  const signs: number[] = [];
  const words: number[] = [];
  let [latins, hans, marks, hash] = [0, 0, 0, 0];
  let [before, kind] = [blank, blank];
  for (let at = 0; at <= end; at += 1) {
    const code = at < end ? question.charCodeAt(at) : 0x20;
    before = kind;
    kind = kindOf(code);
    if (kind === latin) {
      latins += 1;
      hash = (Math.imul(hash, 31) + (code | 32)) | 0;
      continue;
    }
    if (before === latin) {
      if (words.length < mostWords) words.push(hash & wordMask);
      hash = 0;
    }
    if (kind === sign) {
      marks += 1;
      if (signs.length < mostSigns && !signs.includes(code)) signs.push(code);
    } else if (kind === han) {
      hans += 1;
      if (before === han && words.length < mostWords)
        words.push((Math.imul(question.charCodeAt(at - 1), 31) + code) & wordMask);
    }
  }
  return {
    row,
    answer: answerKind(row.answer),
    end: endKind(question),
    letters: (latins > 2 ? 1 : 0) + (hans > 0 ? 2 : 0),
    length: Math.log2(question.length + 1),
    marks: marks / (end + 1),
    signs,
    rarest: 0,
    words,
  };
}

/** None, a number, a letter, Chinese, a few words, a text. */
function answerKind(answer: string): number {
  if (answer.length < 2) return answer.length;
  if (/^[-+$¥￥]?[\d.,/%°]+$/.test(answer)) return 2;
  if (/\p{Script=Han}/u.test(answer)) return 3;
  return answer.length < 40 ? 4 : 5;
}

/** The kind of the last letter, and of a sign which one. */
function endKind(text: string): number {
  const code = text.trimEnd().slice(-1).charCodeAt(0);
  const kind = kindOf(code);
  if (kind !== sign) return kind;
  const mark = '?？.。!！:：)）'.indexOf(String.fromCharCode(code));
  return mark < 0 ? 5 : 6 + (mark >> 1);
}

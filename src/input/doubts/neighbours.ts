/** Pure. Rows that belong to another row: options and parts below their question, and the question that would be sent without them. */

import { endsText, goesOn, isAsking } from './cut-texts.ts';
import type { Doubt, DoubtedRow } from './doubted-row.ts';

/** A doubt about rows that stand below one another. */
export interface NeighbourDoubt extends Doubt {
  /** Rows as `id|question|answer`: one of these at least is doubted, and none of those close by is. */
  readonly odd: readonly string[];
  readonly plain: readonly string[];
}

const option: NeighbourDoubt = {
  id: 'option-row',
  what: { en: 'an option of the question above', zh: '上面题目的选项' },
  odd: ['1|下列各数中最大的是|B', '|A. 3|', '|B. 9|'],
  plain: ['1|Who was he?|a president', '2|A. Lincoln|a president', '3|B. Franklin|a printer'],
};

const part: NeighbourDoubt = {
  id: 'part-row',
  what: { en: 'a part of the row above', zh: '上一行的一部分' },
  odd: ['1|A train leaves at 9 a.m. and|180 km', '|travels at 60 km/h. How far has it gone by noon?|'],
  plain: ['1|Compute 12 × 12.|144', '|Prove that n² + n is even.|'],
};

const head: NeighbourDoubt = {
  id: 'head-row',
  what: { en: 'a question that goes on in the rows below', zh: '内容延续到下面各行的题目' },
  odd: ['17|已知函数 f(x)=x²-2ax+3。|', '|（1）当 a=1 时，求 f(x) 的最小值；|2'],
  plain: ['17|计算 12×12。|144', '18|（1）计算 13×13。|169'],
};

export const neighbourDoubts: readonly NeighbourDoubt[] = [option, part, head];

/** A row as it stands among others. */
export interface Neighbour {
  readonly row: DoubtedRow;
  /** `title`: no row below it belongs to one above it; `aside`: a line of a page, wherever that ended. */
  readonly kind: 'row' | 'title' | 'aside';
}

/** How a row belongs to the one above; `under` is a row whose question is merged with that, or empty. */
type Link = 'option' | 'number' | 'join' | 'stem' | 'loose' | 'under';

interface Above {
  readonly row: DoubtedRow;
  readonly link: Link | null;
  /** Of the last option, and of the last part, from 1; 0 for none. */
  readonly letter: number;
  readonly number: number;
}

/** So many rows below a page are to be known when it is judged. */
export const rowsAhead = 4;

/** Rows with ids that tell what the questions of the file are like. */
const lookedRows = 200;
const leastIds = 3;
const nearlyAll = 0.9;

export class Neighbours {
  #above: Above | null = null;
  readonly #like = { ids: 0, asking: 0, answered: 0 };

  /** What each of the rows seems to be beside the others; `ahead` are the ones below them. */
  judge(rows: readonly Neighbour[], ahead: readonly Neighbour[]): readonly (NeighbourDoubt | null)[] {
    for (const { row } of rows) this.#learn(row);
    const all = [...rows, ...ahead];
    return rows.map(({ row, kind }, at) => {
      if (kind === 'aside') return null;
      const below = rowsBelow(all, at);
      const link = kind === 'title' ? null : this.#linkOf(row, this.#above, below);
      const above = kind === 'title' ? null : aboveOf(row, link, this.#above);
      this.#above = above;
      if (link !== null && link !== 'under') return link === 'option' ? option : part;
      const [next, ...others] = below;
      const nextLink = next === undefined || above === null ? null : this.#linkOf(next, above, others);
      return nextLink !== null && isHead(row, nextLink, below) ? head : null;
    });
  }

  #learn({ question, answer, hasId }: DoubtedRow): void {
    const like = this.#like;
    if (hasId !== true || question === '' || like.ids === lookedRows) return;
    like.ids += 1;
    if (isAsking(question)) like.asking += 1;
    if (answer !== '') like.answered += 1;
  }

  #linkOf(row: DoubtedRow, above: Above | null, below: readonly DoubtedRow[]): Link | null {
    if (above === null) return null;
    if (row.question === '') return isUnder(row) ? 'under' : null;
    if (row.hasId === true) return null;
    if (isOption(row, above, below)) return 'option';
    if (isNumbered(row, above, below)) return 'number';
    if (row.hasId !== false) return null;
    const isAlone = row.cells.length === 1 && !row.hasPictures;
    if (isAlone && isOfRow(above) && isRestOf(row, above, below)) return 'join';
    if (this.#isStem(above) && isAsking(row.question)) return 'stem';
    return isAlone && this.#isUnlike(row.question) ? 'loose' : null;
  }

  /** True for a row with an id that asks nothing and has no answer, where others have one. */
  #isStem({ row, link }: Above): boolean {
    if (link !== null || row.hasId !== true || row.answer !== '' || this.#like.answered === 0) return false;
    // A formula that is given asks nothing.
    return endsText(textOf(row)) && !isAsking(row.question.replace(/[=<>+×÷*/^²³-]/g, ' '));
  }

  /** True for a text that asks nothing, where nearly all rows with ids do. */
  #isUnlike(question: string): boolean {
    const { ids, asking, answered } = this.#like;
    if (ids < leastIds || asking < ids * nearlyAll || (answered > 0 && answered < ids * nearlyAll))
      return false;
    return /\p{L}{2}/u.test(question) && !isAsking(question);
  }
}

/** The next rows, without lines of a page, as far as the next title. */
function rowsBelow(all: readonly Neighbour[], at: number): readonly DoubtedRow[] {
  const below: DoubtedRow[] = [];
  for (let next = at + 1; next < all.length && below.length < rowsAhead; next++) {
    const { row, kind } = all[next] as Neighbour;
    if (kind === 'title' || (row.hasId === true && row.isBelow !== true)) break;
    if (kind === 'row') below.push(row);
  }
  return below;
}

function aboveOf(row: DoubtedRow, link: Link | null, above: Above | null): Above {
  const number = above === null || link === null ? 0 : above.number;
  const options = link === 'option' ? optionsIn(row) : null;
  return {
    row,
    link,
    letter: options?.last ?? 0,
    number: link === 'number' ? numberOf(row.question) : number,
  };
}

function textOf({ question }: DoubtedRow): string {
  return question.trim();
}

function isRestOf(row: DoubtedRow, above: Above, below: readonly DoubtedRow[]): boolean {
  return goesOn(textOf(above.row), [textOf(row), ...below.map(textOf)], above.link !== null);
}

/** True for a row with an id, or what belongs to one. */
function isOfRow({ row, link }: Above): boolean {
  return row.hasId === true || (link !== null && link !== 'loose');
}

/** True where the row would be sent without what the rows below have of it. */
function isHead({ question, answer }: DoubtedRow, link: Link, below: readonly DoubtedRow[]): boolean {
  if (question === '') return false;
  if (link === 'number') return answer === '' || !isAsking(question);
  if (link !== 'loose') return true;
  // Options without letters.
  const texts = below.map((row) => row.question.trim());
  return texts.length > 1 && (/^[A-H]$/.test(answer.trim()) || texts.includes(answer.trim()));
}

/** True for a row that has an answer or a part of its own, and no question or id. */
function isUnder({ answer, cells, hasId, hasPictures, isBelow }: DoubtedRow): boolean {
  if (hasPictures) return false;
  return isBelow ? cells.length > 0 : hasId === false && answer !== '';
}

const optionStart = /^[(（]?[A-Ha-h]\s*[.．、:：)）]/;
const optionLetter = /(?:^|[\s;；，,])[(（]?([A-Ha-h])\s*[.．、:：)）]/g;
/** Says of an option that it is right or wrong. */
const mark = /^(?:[√✓✔✗✘×xX01]|对|错|是|否|正确|错误|true|false|yes|no|correct|right|wrong)?$/i;

/** The first option in the row and the last one, as numbers from 1; null for a row that is no option. */
function optionsIn(row: DoubtedRow | undefined): { readonly first: number; readonly last: number } | null {
  if (row === undefined || row.hasId === true || !optionStart.test(row.question)) return null;
  if (!mark.test(row.answer) || (row.hasId === null && row.cells.length > 1)) return null;
  if (/[?？]\s*$/.test(row.question)) return null;
  const [first = 0, ...others] = [...row.question.matchAll(optionLetter)].map(
    ([, letter = '']) => letter.charCodeAt(0) & 31,
  );
  return { first, last: others.reduce((last, next) => (next === last + 1 ? next : last), first) };
}

function isOption(row: DoubtedRow, above: Above, [next]: readonly DoubtedRow[]): boolean {
  const options = optionsIn(row);
  if (options === null) return false;
  const { first, last } = options;
  if (first > 1) return above.link === 'option' && above.letter === first - 1;
  return above.link !== 'option' && (last > first || optionsIn(next)?.first === last + 1);
}

const partStart = /^(?:[(（]\s*([\da-hivx]{1,4}|[一二三四五六七八九十])\s*[)）]|([a-h])\)|([①-⑩]))/;
const numberings: readonly (readonly string[])[] = [
  [...'abcdefgh'],
  [...'一二三四五六七八九十'],
  [...'①②③④⑤⑥⑦⑧⑨⑩'],
  ['i', 'ii', 'iii', 'iv', 'v', 'vi'],
];

/** The number of a part, as in `（1）`, `(a)` or `①`; 0 for another text. */
function numberOf(text: string): number {
  const [start, bracketed, letter, circled] = partStart.exec(text) ?? [];
  const sign = bracketed ?? letter ?? circled ?? '';
  if (start === undefined || /\d/.test(sign)) return Number(sign) || 0;
  return Math.max(...numberings.map((signs) => signs.indexOf(sign))) + 1;
}

function isNumbered(row: DoubtedRow, above: Above, [next]: readonly DoubtedRow[]): boolean {
  const number = numberOf(row.question);
  if (number !== 1) return number > 1 && above.number === number - 1;
  if (row.hasId === false) return above.row.hasId === true;
  // Without ids a stem is known by having no answer, and asking nothing.
  const isStem = above.link === null && above.row.answer === '' && !isAsking(above.row.question);
  return isStem && row.answer !== '' && numberOf(next?.question ?? '') === 2;
}

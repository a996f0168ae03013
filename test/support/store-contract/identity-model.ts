/**
 * Which row is which, without a thought of speed: the rule of docs/edited-files.md over plain lists. Each row of the file
 * looks for its item in turn, by one way after the other; nothing of it is taken from the statements that are tried.
 */

import type { WrittenRow } from '../incoming-rows.ts';

/** A known row. */
export interface Known {
  /** In the order in which the rows were first seen. */
  readonly key: number;
  /** The id of its own; null for one that is known by its text. */
  readonly id: string | null;
  /** What was or will be sent. */
  readonly text: string;
  /** What its row says since; null where it is the same. */
  readonly edit: string | null;
  readonly isPaid: boolean;
  readonly row: number;
  readonly gone: boolean;
  /** Tells rows without an id and of one text apart. */
  readonly occurrence: number;
}

/** A file, and how it is taken up. */
export interface Given {
  readonly file: readonly WrittenRow[];
  readonly add: boolean;
  readonly rerunChanged: boolean;
}

interface FileRow {
  readonly id: string | null;
  readonly text: string;
  readonly occurrence: number;
  item: Known | null;
}

type Way = (row: FileRow, item: Known) => boolean;

const isSame: Way = (row, item) =>
  item.id === row.id && item.text === row.text && (row.id !== null || item.occurrence === row.occurrence);
const isName: Way = (row, item) => row.id !== null && item.id === row.id && !(item.gone && item.isPaid);
const isSameEdit: Way = (row, item) => row.id !== null && item.id === row.id && item.edit === row.text;
const hasText: Way = (row, item) => item.text === row.text;
const hasEdit: Way = (row, item) => item.edit === row.text;
const gone =
  (way: Way): Way =>
  (row, item) =>
    item.gone && way(row, item);

function findItems(rows: readonly FileRow[], known: readonly Known[], add: boolean): void {
  const ways = add
    ? [isSame, isSameEdit, isName, gone(hasText), gone(hasEdit)]
    : [isSame, hasText, isSameEdit, hasEdit, isName];
  const isNamed = ({ id }: Known): boolean => id !== null && rows.some((row) => row.id === id);
  const inFileFirst = known.toSorted(
    (a, b) =>
      Number(a.gone) - Number(b.gone) ||
      Number(isNamed(a)) - Number(isNamed(b)) ||
      Number(!a.isPaid) - Number(!b.isPaid) ||
      a.row - b.row ||
      a.key - b.key,
  );
  const taken = new Set<Known>();
  for (const way of ways)
    for (const row of rows) {
      if (row.item !== null) continue;
      const found = inFileFirst.find((item) => !taken.has(item) && way(row, item));
      if (found === undefined) continue;
      row.item = found;
      taken.add(found);
    }
}

/** What is known once the file was taken up. */
export function takeUpByTheRule(known: readonly Known[], { file, add, rerunChanged }: Given): Known[] {
  const rows = file.map(({ id = null, question = '' }, at): FileRow => {
    const earlier = file.slice(0, at).filter((row) => (row.id ?? null) === null && row.question === question);
    return { id, text: question, occurrence: id === null ? earlier.length + 1 : 1, item: null };
  });
  findItems(rows, known, add);
  const lastRow = Math.max(0, ...known.map(({ row }) => row));
  let lastKey = Math.max(0, ...known.map(({ key }) => key));
  const found = rows.map(({ id, text, occurrence, item }, at): Known => {
    const row = add ? (item?.row ?? lastRow + at + 1) : at + 1;
    if (item === null) {
      lastKey += 1;
      return { key: lastKey, id, text, edit: null, isPaid: false, row, gone: false, occurrence };
    }
    const place = { ...item, row, gone: false, id: id ?? item.id };
    const moved = { ...place, occurrence: place.id === null || id !== null ? occurrence : item.occurrence };
    if (item.text === text) return { ...moved, edit: null };
    if (!item.isPaid || rerunChanged) return { ...moved, text, edit: null, isPaid: false };
    return { ...moved, edit: text };
  });
  const keys = new Set(found.map(({ key }) => key));
  const left = known
    .filter(({ key }) => !keys.has(key))
    .map((item) => (!add && file.length > 0 ? { ...item, gone: true } : item));
  const holderOf = (id: string): number | undefined => found[rows.findIndex((row) => row.id === id)]?.key;
  const all = [...found, ...left].toSorted((a, b) => a.key - b.key);
  for (const [at, item] of all.entries()) {
    const holder = item.id === null ? undefined : holderOf(item.id);
    if (holder === undefined || holder === item.key) continue;
    const twins = all.filter(({ id, text }) => id === null && text === item.text);
    const ownPlace = rows.find((row) => row.item?.key === item.key)?.occurrence;
    const behind = Math.max(0, ...twins.map(({ occurrence }) => occurrence)) + 1;
    all[at] = { ...item, id: null, occurrence: ownPlace ?? behind };
  }
  return all;
}

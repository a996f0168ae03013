/** Marks that are saved with the run: those of the reviewer of this page, and those of others. */

import type { WireMark } from '../../money/review/review-wire.ts';
import { readIsland } from '../shared/islands.ts';
import type { Mark } from './mark.ts';

/** Saved marks by the id of their row. */
export type SavedMarks = ReadonlyMap<string, readonly WireMark[]>;

/** The marks on the page, from when it was made. */
export function readSavedMarks(): readonly WireMark[] {
  return (readIsland('marks') ?? []) as WireMark[];
}

/** The marks of everybody but this reviewer (null: nobody), the newest first. */
export function marksOfOthers(marks: readonly WireMark[], reviewer: string | null): SavedMarks {
  const others = new Map<string, WireMark[]>();
  for (const mark of [...marks].sort((a, b) => b.at - a.at)) {
    if (mark.reviewer === reviewer) continue;
    const known = others.get(mark.id);
    if (known === undefined) others.set(mark.id, [mark]);
    else known.push(mark);
  }
  return others;
}

/** The marks of this reviewer. */
export function marksOfReviewer(marks: readonly WireMark[], reviewer: string): Map<string, Mark> {
  return new Map(marks.filter((mark) => mark.reviewer === reviewer).map((mark) => [mark.id, asMark(mark)]));
}

/** A saved mark like one of this page. */
export function asMark({ mark, note, attempt, question, answer }: WireMark): Mark {
  return {
    verdict: mark === '' ? null : mark,
    note,
    attempt,
    ...(question === null ? {} : { question }),
    ...(answer === null ? {} : { answer }),
  };
}

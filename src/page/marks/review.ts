/** A page that saves its marks with the run, and shows those of others. */

import type { WireMark } from '../../money/review/review-wire.ts';
import type { PageHeading } from '../../reports/page.ts';
import { ownStorage } from './mark-book.ts';
import { createMarkSaver, type SendEnd } from './mark-saver.ts';
import type { MarkableRows } from './mark-table.ts';
import { type Marks, openMarks } from './marks.ts';
import { marksOfOthers, marksOfReviewer, readSavedMarks, type SavedMarks } from './saved-marks.ts';

/** What is not saved with the run. */
export interface Unsaved {
  readonly count: number;
  /** True where the run refuses a mark. */
  readonly isRefused: boolean;
  /** False while they are only on their way. */
  readonly hasFailed: boolean;
  /** True where the browser keeps no marks either: they end with the page. */
  readonly endsWithPage: boolean;
}

export const allSaved: Unsaved = { count: 0, isRefused: false, hasFailed: false, endsWithPage: false };

/** The marks of the page. */
export interface Review {
  readonly marks: Marks;
  /** Those of others. */
  readonly others: SavedMarks;
  readonly unsaved: Unsaved;
  /** The run has other marks than before, where this number is another. */
  look(reviewVersion: number | undefined): void;
}

/** `changed` is called after each change. */
export function openReview(heading: PageHeading, rows: MarkableRows, changed: () => void): Review {
  const { run, reviewer = null } = heading;
  let version = heading.reviewVersion;
  let others: SavedMarks = new Map();
  const saver =
    reviewer === null
      ? null
      : createMarkSaver(`${run} ${reviewer}`, {
          send,
          later: (work, ms) => setTimeout(work, ms),
          storage: ownStorage(),
        });
  const marks = saver === null ? openMarks(run, rows) : openMarks(run, rows, null, saver.save);

  const show = (saved: readonly WireMark[]) => {
    others = marksOfOthers(saved, reviewer);
    // What was just typed is newer than what the run has.
    if (saver !== null && reviewer !== null)
      marks.replace(new Map([...marksOfReviewer(saved, reviewer), ...saver.unsaved]));
  };
  const fetchMarks = async () => {
    try {
      const answer = await fetch('marks');
      if (!answer.ok) return;
      show((await answer.json()) as WireMark[]);
      changed();
    } catch {
      // The next change of the run asks again.
      version = undefined;
    }
  };
  show(readSavedMarks());
  marks.onChange(changed);
  if (saver !== null) {
    saver.onEnd(changed);
    // The browser may close the page.
    document.addEventListener('visibilitychange', () => document.hidden && saver.flush());
  }
  const unsaved = (): Unsaved =>
    saver === null
      ? { ...allSaved, endsWithPage: !marks.isKept }
      : {
          count: saver.unsaved.size,
          isRefused: saver.isRefused,
          hasFailed: saver.hasFailed,
          endsWithPage: saver.unsaved.size > 0 && !saver.isKept,
        };
  addEventListener('beforeunload', (event) => {
    if (!unsaved().endsWithPage || !marks.isAtRisk) return;
    event.preventDefault();
    // What asks in Chrome before 119 and in Safari.
    event.returnValue = true;
  });
  return {
    marks,
    get others() {
      return others;
    },
    get unsaved() {
      return unsaved();
    },
    look(reviewVersion) {
      if (reviewVersion === undefined || reviewVersion === version) return;
      version = reviewVersion;
      void fetchMarks();
    },
  };
}

/** A refusal stays one; everything else may pass. */
async function send(id: string, body: unknown): Promise<SendEnd> {
  try {
    const answer = await fetch(`marks/${encodeURIComponent(id)}`, {
      method: 'PUT',
      body: JSON.stringify(body),
      keepalive: true,
      headers: { 'content-type': 'application/json' },
    });
    if (answer.ok) return 'saved';
    return answer.status < 500 ? 'refused' : 'unreached';
  } catch (error) {
    // No address can name an id with half a character.
    return error instanceof URIError ? 'refused' : 'unreached';
  }
}

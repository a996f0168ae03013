/** The videos of the page: in the order of their chapters, found by their link and by their words. */

import type { PupilVideo } from '../../reports/pupil-wire.ts';
import { splitFormulas } from '../../text/formulas.ts';
import { searched } from '../shared/search.ts';

/** The videos that are read so far. */
export interface Videos {
  readonly count: number;
  put(more: readonly PupilVideo[]): void;
  /** Those without a chapter first, then chapter by chapter; within one as they came. */
  all(): readonly PupilVideo[];
  /** The video of this link, without `#`; null where there is none. */
  find(link: string): PupilVideo | null;
  /** Those in which every word occurs, in the same order. Answers are not searched: they are for later. */
  search(text: string): readonly PupilVideo[];
}

/** `chapters` are their names. */
export function createVideos(chapters: readonly string[]): Videos {
  const groups = Array.from({ length: chapters.length + 1 }, (): PupilVideo[] => []);
  const byLink = new Map<string, PupilVideo>();
  let inOrder: readonly PupilVideo[] | null = null;

  const all = (): readonly PupilVideo[] => {
    inOrder ??= groups.flat();
    return inOrder;
  };
  return {
    get count() {
      return byLink.size;
    },
    put(more) {
      inOrder = null;
      for (const video of more) {
        groups[video.chapter === null ? 0 : video.chapter + 1]?.push(video);
        byLink.set(decoded(video.anchor), video);
      }
    },
    all,
    find: (link) => byLink.get(decoded(link)) ?? null,
    search(text) {
      const wanted = searched(text);
      if (wanted.length === 0) return all();
      return all().filter((video) => {
        const chapter = video.chapter === null ? '' : (chapters[video.chapter] ?? '');
        const texts = [video.title, video.question, chapter, video.id ?? ''];
        return wanted.every(({ pattern }) => texts.some((one) => pattern.test(one)));
      });
    },
  };
}

/** A browser may encode the letters of a link, or not. */
function decoded(link: string): string {
  try {
    return decodeURIComponent(link);
  } catch {
    return link;
  }
}

/** The title; null where it only repeats how the question begins. */
export function ownTitle({ title, question }: Pick<PupilVideo, 'title' | 'question'>): string | null {
  const start = plain(title).replace(/\s*(…|\.\.\.)$/, '');
  return plain(question).startsWith(start) ? null : title;
}

/** Without the signs around formulas, of which a title may have others. */
function plain(text: string): string {
  const pieces = splitFormulas(text).map((piece) => piece.text);
  return pieces.join('').replace(/\s+/g, ' ').trim();
}

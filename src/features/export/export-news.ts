import type { Refusal } from './export-choice.ts';

/** Something that is not exported as it was asked for. */
export type ExportNews =
  /** `flawed`: its video is missing or damaged. `unknown`: no row has this id. `picture`: the page lacks a picture of it. */
  | { readonly why: Refusal | 'unknown' | 'flawed' | 'picture'; readonly id: string }
  /**
   * `in-the-way`: another file is there. `changed`: a file to be removed has other bytes than were exported. `last-copy`:
   * the run no longer has this video.
   */
  | { readonly why: 'in-the-way' | 'changed' | 'last-copy'; readonly path: string };

/** A whole run as plain records, on its way from one store to another. */

import type { Item } from '../../money/item.ts';
import type { Final } from '../../money/review/final.ts';
import type { Correction, ReviewMark } from '../../money/review.ts';
import type { EarlierCorrection, EarlierInput } from '../../money/standing-attempt.ts';
import type { RowEdit } from './checkpoint.ts';
import type { Decision } from './decisions.ts';
import type { HookCall, HookCounts } from './hooks.ts';
import type { Attempt } from './reading.ts';

/** The whole run as plain records, and where it goes or comes from with them. */
export interface Archive {
  /** Everything saved, in the order of `ArchiveRecord`, as of one moment. */
  dump(): AsyncIterable<ArchiveRecord>;
  /**
   * Replaces everything saved by these records, in one transaction, and saves the mark with them. Throws `UsageError`
   * where the store has rows, unless its own mark names the same move.
   */
  load(records: AsyncIterable<ArchiveRecord>, mark: MoveMark): Promise<void>;
  /** Null for a run that is here and nowhere else. A marked shared run refuses every change of a row. */
  mark(): Promise<MoveMark | null>;
  /**
   * Replaces the mark. Throws `UsageError` where it is not `before` any more.
   */
  setMark(before: MoveMark | null, after: MoveMark | null): Promise<void>;
}

/** A run that is, or was, on its way to another store. */
export interface MoveMark {
  /** `arriving`: it is here, and still goes on where it comes from. `moved`: it is elsewhere. */
  readonly state: 'arriving' | 'moved';
  /** Names this move. */
  readonly move: string;
  /** The other place, as it is written after `batch resume`; without a password. */
  readonly place: string;
}

/** The version of the records. */
export const archiveVersion = 1;

/**
 * One record of an archive: the head, settings by name, sources by key, rows by key, pictures by path, inspections by
 * digest, decisions by number, the end. Digests are lower-case hex.
 */
export type ArchiveRecord =
  | { readonly type: 'head'; readonly version: typeof archiveVersion }
  | { readonly type: 'setting'; readonly name: string; readonly value: string }
  /** How to read the rows of one input file, as JSON. */
  | { readonly type: 'source'; readonly key: number; readonly source: string }
  | ArchivedRow
  /** A local picture as it was when it was last read. `modifiedAt` is epoch ms. */
  | {
      readonly type: 'picture';
      readonly path: string;
      readonly sizeBytes: number;
      readonly modifiedAt: number;
      readonly digest: string;
    }
  /** What was seen of a video; both texts are JSON. */
  | {
      readonly type: 'inspection';
      readonly sha256: string;
      readonly facts: string;
      readonly findings: string;
    }
  | ({ readonly type: 'decision'; readonly number: number } & Decision)
  | { readonly type: 'end'; readonly rows: number };

/** One row with all that belongs to it. */
export interface ArchivedRow {
  readonly type: 'row';
  readonly item: Item;
  /** 1 when the row is no longer in the input. */
  readonly gone: number;
  readonly identity: string;
  readonly occurrence: number;
  readonly content: string;
  readonly inputDigest: string;
  /** Key of its source. */
  readonly source: number;
  /** The row as it was read, as JSON. */
  readonly input: string;
  /** Of a row with local pictures: its content by their names alone. */
  readonly written: string | null;
  readonly edit: ArchivedEdit | null;
  /** Oldest first. */
  readonly attempts: readonly ArchivedAttempt[];
  /** Texts of attempts that the row has no more. */
  readonly earlierInputs: readonly (Omit<EarlierInput, 'input' | 'source'> & {
    readonly source: number;
    readonly input: string;
  })[];
  readonly earlierCorrections: readonly EarlierCorrection[];
  /** The attempt whose video stands for the row; null for the latest. */
  readonly preferred: number | null;
  readonly correction: Correction | null;
  readonly marks: readonly ReviewMark[];
  /** Oldest first. */
  readonly hooks: readonly ArchivedHookCall[];
  /** The round whose retry ordered it and did not send it yet; null for none. */
  readonly ordered: number | null;
  /** Null where none was ordered. */
  readonly final: ArchivedFinal | null;
  /** The round in which it last failed, was rejected or lost; 0 where it never was. */
  readonly endedRound: number;
}

/** A final as it is saved. */
export type ArchivedFinal = Omit<Final, 'isDraftStanding'>;

/** A call of the command of `--on-row` as it is saved. */
export interface ArchivedHookCall extends Pick<HookCall, 'attempt' | 'tries' | 'failure'> {
  readonly state: keyof HookCounts;
  /** Epoch ms; null where it was never made to its end. */
  readonly endedAt: number | null;
}

/** What a row says in the input now, where it was sent with another text. */
export interface ArchivedEdit extends RowEdit {
  readonly content: string;
  readonly inputDigest: string;
  readonly source: number;
  readonly input: string;
}

export interface ArchivedAttempt extends Attempt {
  readonly token: string;
  readonly requestHash: string | null;
}

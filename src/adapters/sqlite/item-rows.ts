/** Maps database rows to the types of the core. */

import type { Artifact, Item, Quality, Status } from '../../core/item.ts';
import type { EarlierCorrection } from '../../core/standing-attempt.ts';
import type { Attempt } from '../../store.ts';

/** The columns of an item, under the core's names. */
export const itemColumns = `
  key, row, id, folder, status, quality, attempt, version, token, request_hash AS requestHash,
  not_before AS notBefore, turn, submitted_at AS submittedAt, ended_at AS endedAt, task_id AS taskId, points, failure,
  title, created_at AS createdAt, finish_at AS finishAt, detail, misses, renewals`;

/** The fields that an item shares with its latest attempt: the core's name -> the column in both tables. */
export const sharedWithAttempt = {
  token: 'token',
  status: 'status',
  taskId: 'task_id',
  points: 'points',
  failure: 'failure',
  submittedAt: 'submitted_at',
  endedAt: 'ended_at',
} as const satisfies Partial<Record<keyof Item, string>>;

/** A row of `items`, selected with `itemColumns`. */
export type ItemRow = Omit<Item, 'artifacts'>;

/** The same with the further columns of a report. */
export type ReportItemRow = ItemRow & {
  readonly gone: number;
  readonly input: string;
  readonly source: number;
};

/** A row of `artifacts`, selected with `artifactColumns`. */
export type ArtifactRow = Artifact & { readonly item: number };

export const artifactColumns = `
  item, kind, ordinal, remote_id AS remoteId, state, path, size_bytes AS sizeBytes, sha256, tries`;

export type AttemptRow = Attempt & { readonly item: number };

export const attemptColumns = `
  item, attempt, quality, submitted_at AS submittedAt, ended_at AS endedAt, status, task_id AS taskId, points,
  failure, title, created_at AS createdAt, finish_at AS finishAt`;

/** A row of `earlier_inputs`; the input is JSON. */
export interface EarlierInputRow {
  readonly item: number;
  readonly attempt: number;
  readonly source: number;
  readonly input: string;
}

export const earlierInputColumns = 'item, attempt, source, input';

/** A row of `earlier_corrections`. */
export type EarlierCorrectionRow = EarlierCorrection & { readonly item: number };

export const earlierCorrectionColumns = `
  item, attempt, question, answer, of_question AS ofQuestion, of_answer AS ofAnswer, since`;

/** Groups rows by their item. */
export function groupByItem<T extends { readonly item: number }>(rows: readonly T[]): Map<number, T[]> {
  const groups = new Map<number, T[]>();
  for (const row of rows) {
    const group = groups.get(row.item);
    if (group === undefined) groups.set(row.item, [row]);
    else group.push(row);
  }
  return groups;
}

/** Removes the reference to the item. */
export function artifactOf({ item: _, ...artifact }: ArtifactRow): Artifact {
  return artifact;
}

/** How many rows have this status. */
export interface StatusCount {
  readonly status: Status;
  readonly count: number;
}

export interface QualityNumber {
  readonly quality: Quality;
  readonly value: number;
}

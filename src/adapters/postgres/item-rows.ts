/** Maps database rows to the types of the core. */

import type { Artifact, Item } from '../../core/item.ts';
import type { EarlierCorrection } from '../../core/standing-attempt.ts';
import type { Attempt } from '../../store.ts';
import type { Asker } from './connections.ts';

/** The columns of an item, under the core's names. */
export const itemColumns = `
  key, row, id, folder, status, quality, attempt, version, token, request_hash AS "requestHash",
  not_before AS "notBefore", turn, submitted_at AS "submittedAt", ended_at AS "endedAt", task_id AS "taskId",
  points::float8 AS points, failure, title, created_at AS "createdAt", finish_at AS "finishAt", detail, misses, renewals`;

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

/** A row of `artifacts`, selected with `artifactColumns`. */
export type ArtifactRow = Artifact & { readonly item: number };

const artifactColumns = `
  item, kind, ordinal, remote_id AS "remoteId", state, path, size_bytes AS "sizeBytes", sha256, tries`;

export type AttemptRow = Attempt & { readonly item: number };

export const attemptColumns = `
  item, attempt, quality, submitted_at AS "submittedAt", ended_at AS "endedAt", status, task_id AS "taskId", points::float8 AS points,
  failure, title, created_at AS "createdAt", finish_at AS "finishAt"`;

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
  item, attempt, question, answer, of_question AS "ofQuestion", of_answer AS "ofAnswer", since`;

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

/** The files of these items. */
export async function readArtifacts(
  asker: Asker,
  keys: readonly number[],
): Promise<Map<number, ArtifactRow[]>> {
  if (keys.length === 0) return new Map();
  const text = `SELECT ${artifactColumns} FROM artifacts WHERE item = ANY ($1) ORDER BY item, ordinal, kind`;
  return groupByItem(await asker.rows<ArtifactRow>(text, [keys]));
}

/** The items of these rows, with their files. */
export async function withArtifacts(asker: Asker, rows: readonly ItemRow[]): Promise<Item[]> {
  // Rows that were never sent have no artifacts.
  const keys = rows.filter(({ attempt }) => attempt > 0).map(({ key }) => key);
  const artifacts = await readArtifacts(asker, keys);
  return rows.map((row) => ({ ...row, artifacts: (artifacts.get(row.key) ?? []).map(artifactOf) }));
}

/** Removes the reference to the item. */
function artifactOf({ item: _, ...artifact }: ArtifactRow): Artifact {
  return artifact;
}

/** The item with this key, also in the middle of a transaction. */
export async function readItem(asker: Asker, key: number): Promise<Item | null> {
  const rows = await asker.rows<ItemRow>(`SELECT ${itemColumns} FROM items WHERE key = $1`, [key]);
  return (await withArtifacts(asker, rows))[0] ?? null;
}

/** A commit as one call of `commit_changes`, and what its refusals mean. */

import { codeOf, NoRoomError, StaleItemError } from '../../errors.ts';
import { fixed } from '../../money/policy.ts';
import { storable } from '../../text/cells/storable-text.ts';
import { askedPause, askedPauseSetting, saveAskedPause } from '../asked-pause.ts';
import { changedFiles } from '../item-rows.ts';
import type { Change, CommitExtras } from '../port/checkpoint.ts';
import { changesAttempt, databaseName } from '../tables.ts';

export interface Call {
  /** Its one row has one column, `saved`: false where the commit was saved before. */
  readonly text: string;
  readonly values: readonly unknown[];
}

export interface CommitNames {
  /** Names this commit: a repetition has the same name. */
  readonly id: string;
  readonly worker: string;
  /** The run whose rows are claimed, by its id; left out where none are. */
  readonly run?: string;
  /** The version of the schema that this process knows: a run of another one refuses its claims. */
  readonly schema?: number;
}

export function commitCall(
  { id, worker, run, schema }: CommitNames,
  changes: readonly Change[],
  extras?: CommitExtras,
): Call {
  const waves = new Map<number, number>();
  const files: object[] = [];
  const rows = changes.map(({ before, after }, place) => {
    const wave = waves.get(after.key) ?? 0;
    waves.set(after.key, wave + 1);
    if (after.artifacts !== before.artifacts) {
      const { written, removed } = changedFiles(before.artifacts, after.artifacts);
      const owner = { item: after.key, wave };
      for (const file of written) files.push({ ...columnsOf(file), ...owner });
      // A file that is no longer known has no state.
      for (const { kind, ordinal } of removed) files.push({ kind, ordinal, ...owner });
    }
    const { artifacts: _, ...item } = after;
    return {
      ...columnsOf(item),
      place,
      wave,
      old_status: before.status,
      old_token: before.token,
      old_version: before.version,
      old_task_id: before.taskId,
      has_attempt: after.token !== null && changesAttempt(before, after),
    };
  });
  const room =
    extras?.room == null ? null : { ...extras.room, run, schema, uncertainHoldMs: fixed.uncertainHoldMs };
  return {
    text: 'SELECT commit_changes($1, $2, $3, $4, $5, $6) AS saved',
    values: [
      id,
      worker,
      json(rows),
      json(files),
      json(extras?.facts ?? []),
      room === null ? null : json(room),
    ],
  };
}

/** The commit, and with it the pause that a refusal among its changes asks for. */
export function withAskedPause(commit: Call, changes: readonly Change[]): Call {
  const until = askedPause(changes);
  if (until === 0) return commit;
  const values = [...commit.values, askedPauseSetting, String(until)];
  // Reads the commit, which locks the run before the setting.
  const selected = `SELECT CAST($${values.length - 1} AS text), CAST($${values.length} AS text) FROM done`;
  return {
    text: `WITH done AS MATERIALIZED (${commit.text}), pause AS (${saveAskedPause(selected)}) SELECT saved FROM done`,
    values,
  };
}

/** The refusals of `commit_changes`; anything else stays what it is. */
export function refusalOf(error: unknown, changes: readonly Change[]): unknown {
  const code = codeOf(error);
  const detail = error instanceof Error && 'detail' in error ? String(error.detail ?? '') : '';
  if (code === 'BA002') return new NoRoomError(detail === '' ? null : JSON.parse(detail));
  if (code !== 'BA001' || detail === '') return error;
  const places: readonly number[] = JSON.parse(detail);
  const stale = changes.filter((_, place) => places.includes(place)).map(({ after }) => after);
  return new StaleItemError(stale, true);
}

/** The fields under the names of their columns: `taskId` is `task_id`. */
export function columnsOf(fields: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [databaseName(name), value]));
}

/** As JSON that PostgreSQL can keep. */
export function json(value: unknown): string {
  return JSON.stringify(value, (_, part) => (typeof part === 'string' ? storable(part) : part));
}

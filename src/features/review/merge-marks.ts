/** Tables of marks from several reviewers, and the marks that are saved with a run, as one table. */

import { basename } from 'node:path';
import type { SeenRun } from '../../app/run-handles.ts';
import { reportedRunId } from '../../app/run-id.ts';
import { UsageError } from '../../errors.ts';
import { readSentTexts } from '../../money/sent-question.ts';
import { renderRowKey } from '../../text/ids/row-key.ts';
import { type JoinedMark, joinMarks } from './joined-marks.ts';
import { type MarkedRow, parseAttempt } from './marks-table.ts';
import { readMarks } from './read-marks.ts';

/** One table from several. */
export interface MergedMarks {
  readonly rows: readonly MarkedRow[];
  /** Rows whose reviewers contradict each other, each with who says what. */
  readonly conflicts: readonly string[];
}

/** Joins the marks of these files (paths), in their order. Throws `UsageError` for a file without marks. */
export function mergeMarks(files: readonly string[]): MergedMarks {
  const marks = files.flatMap((file) => {
    const rows = readMarks(file, file);
    if (!rows.some(({ mark }) => mark !== null))
      throw new UsageError(`${file}: the file has no column "mark"; use marks exported from the page`);
    return rows.map((row) => ({ ...row, by: row.reviewer || basename(file, '.csv') }));
  });
  const joined = joinMarks(marks);
  return {
    rows: joined.map(mergedRow),
    conflicts: joined.flatMap(({ id, conflicts }) =>
      conflicts.length === 0 ? [] : [`${id} (${wordsOf(conflicts)})`],
    ),
  };
}

function wordsOf(conflicts: JoinedMark['conflicts']): string {
  return conflicts.map(({ words }) => words).join('; ');
}

function mergedRow({ id, mark, attempt, question, answer, prefer, conflicts, marks }: JoinedMark): MarkedRow {
  const latest = marks.at(-1);
  const notes = marks.flatMap(({ by, note }) => (note.trim() === '' ? [] : [{ by, note: note.trim() }]));
  const isOne = new Set(notes.map(({ note }) => note)).size <= 1;
  const row = Number(latest?.row);
  return {
    row: Number.isSafeInteger(row) && row > 0 ? row : null,
    id,
    mark,
    attempt,
    question,
    answer,
    status: latest?.status ?? '',
    note: isOne ? (notes[0]?.note ?? '') : notes.map(({ by, note }) => `${by}: ${note}`).join('; '),
    prefer: parseAttempt(prefer) ?? (prefer === '' ? null : 'latest'),
    reviewer: [...new Set(marks.map(({ by }) => by))].join(', '),
    batch: latest?.key ?? '',
    ...(conflicts.length === 0 ? {} : { conflict: wordsOf(conflicts) }),
  };
}

/** The marks that are saved with the run, one row for each reviewer, in the order of the rows. */
export async function savedMarks(run: Pick<SeenRun, 'store' | 'invocation'>): Promise<readonly MarkedRow[]> {
  const { checkpoint, reviews, settings } = run.store;
  const id = await reportedRunId(settings, run.invocation.out);
  const marks = await reviews.marks();
  const preferred = await reviews.preferences();
  const items = await checkpoint.itemsWithIds([...new Set(marks.map(({ id }) => id))]);
  const known = new Map(items.map((item) => [item.key, item]));
  const inFile = await checkpoint.itemsWithIds(
    items.map(({ id }) => id),
    'inFile',
  );
  const present = new Set(inFile.map(({ key }) => key));
  const keys = new Map<number, string>();
  for (const item of items) {
    const { question } = readSentTexts({ item, ...(await checkpoint.input(item.key)) });
    keys.set(item.key, renderRowKey(id, item.key, question));
  }
  return marks
    .map(({ key, id, reviewer, mark, note, attempt, question, answer }): MarkedRow => {
      const item = known.get(key);
      return {
        row: item !== undefined && present.has(key) ? item.row : null,
        id,
        mark,
        note,
        attempt,
        question,
        answer,
        reviewer,
        status: item?.status ?? '',
        prefer: preferred.get(key) ?? null,
        batch: keys.get(key) ?? '',
      };
    })
    .sort((a, b) => (a.row ?? Number.POSITIVE_INFINITY) - (b.row ?? Number.POSITIVE_INFINITY));
}

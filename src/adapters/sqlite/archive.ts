/** The whole run as records, read from and written to the checkpoint. */

import type { Correction } from '../../core/review.ts';
import type { WireMark } from '../../core/review-wire.ts';
import { CheckpointError, UsageError } from '../../errors.ts';
import {
  type Archive,
  type ArchivedAttempt,
  type ArchivedEdit,
  type ArchivedHookCall,
  type ArchivedRow,
  type ArchiveRecord,
  archiveVersion,
  type MoveMark,
} from '../../store.ts';
import { type Database, guard, parseSaved } from './database.ts';
import { inputVersionName } from './ingest-statements.ts';
import {
  type ArtifactRow,
  artifactColumns,
  artifactOf,
  type EarlierCorrectionRow,
  type EarlierInputRow,
  earlierCorrectionColumns,
  earlierInputColumns,
  groupByItem,
  type ItemRow,
  itemColumns,
} from './item-rows.ts';
import { markName } from './move-mark.ts';
import {
  readCorrections,
  readMarks,
  readPreferences,
  writeCorrections,
  writeMarks,
  writePreferences,
} from './reviews.ts';
import type { SqliteCheckpoint } from './sqlite-checkpoint.ts';

/** Rows read at a time. */
const pageRows = 500;

/** `checkpoint` must be over the same `db`. */
export function sqliteArchive(db: Database, checkpoint: SqliteCheckpoint): Archive {
  const guarded = <T>(work: () => T): T => guard(db.name, work);
  const mark = (): string | null =>
    guarded(
      () =>
        db.prepare<[string], { value: string }>('SELECT value FROM settings WHERE name = ?').get(markName)
          ?.value ?? null,
    );
  const writeMark = (next: MoveMark | null): void => {
    db.prepare('DELETE FROM settings WHERE name = ?').run(markName);
    if (next !== null) db.prepare('INSERT INTO settings VALUES (?, ?)').run(markName, JSON.stringify(next));
  };
  const read = (): MoveMark | null => {
    const text = mark();
    return text === null ? null : parseSaved<MoveMark>(db.name, text);
  };
  return {
    mark: async () => read(),
    async setMark(before, after) {
      await checkpoint.sound;
      if (read()?.state !== before?.state || read()?.place !== before?.place)
        throw new UsageError('another process moves this run; see where it is with `batch status`');
      guarded(() => db.transaction(() => writeMark(after))());
    },
    async *dump() {
      await checkpoint.sound;
      yield* dump(db);
    },
    async load(records, next, replaces = [next.move]) {
      await checkpoint.sound;
      guarded(() => db.exec('BEGIN IMMEDIATE'));
      try {
        refuseOthers(db, read(), replaces);
        const writer = new Writer(db);
        for await (const record of records) guarded(() => writer.write(record));
        guarded(() => {
          writer.end();
          writeMark(next);
          db.exec('COMMIT');
        });
      } catch (error) {
        if (db.inTransaction) db.exec('ROLLBACK');
        throw error;
      }
      checkpoint.noteAll();
    },
  };
}

/** Throws `UsageError` where rows of another run would be replaced, or of one that goes on here. */
function refuseOthers(db: Database, known: MoveMark | null, replaces: readonly string[]): void {
  if (known === null && db.prepare('SELECT 1 FROM items LIMIT 1').get() === undefined) return;
  if (known !== null && known.state !== 'leaving' && replaces.includes(known.move)) return;
  throw new UsageError(`${db.name} holds another run; choose another folder`);
}

function* dump(db: Database): Generator<ArchiveRecord> {
  const name = db.name;
  yield { type: 'head', version: archiveVersion };
  type Setting = { readonly name: string; readonly value: string };
  for (const setting of guard(name, () =>
    db
      .prepare<string[], Setting>('SELECT name, value FROM settings WHERE name NOT IN (?, ?) ORDER BY name')
      .all(markName, inputVersionName),
  ))
    yield { type: 'setting', ...setting };
  type SourceRow = { readonly key: number; readonly source: string };
  for (const source of guard(name, () =>
    db.prepare<[], SourceRow>('SELECT key, source FROM sources ORDER BY key').all(),
  ))
    yield { type: 'source', ...source };
  let rows = 0;
  for (const row of dumpRows(db)) {
    rows += 1;
    yield row;
  }
  for (const picture of pagesOf<Recorded<'picture'>>(db, readPictures, ({ path }) => path))
    yield { type: 'picture', ...picture };
  for (const seen of pagesOf<Recorded<'inspection'>>(db, readInspections, ({ sha256 }) => sha256))
    yield { type: 'inspection', ...seen };
  yield { type: 'end', rows };
}

type Recorded<Type> = Omit<Extract<ArchiveRecord, { type: Type }>, 'type'>;

const readPictures = `
  SELECT path, size_bytes AS sizeBytes, modified_at AS modifiedAt, digest FROM pictures WHERE path > ?
  ORDER BY path LIMIT ${pageRows}`;

const readInspections = `
  SELECT sha256, facts, findings FROM inspections WHERE sha256 > ? ORDER BY sha256 LIMIT ${pageRows}`;

/** All rows of a table with texts as keys; the query takes the last key so far. */
function* pagesOf<T>(db: Database, query: string, keyOf: (row: T) => string): Generator<T> {
  const statement = db.prepare<[string], T>(query);
  for (let last = ''; ; ) {
    const page = guard(db.name, () => statement.all(last));
    yield* page;
    const end = page.at(-1);
    if (end === undefined || page.length < pageRows) return;
    last = keyOf(end);
  }
}

type RowColumns = ItemRow &
  Omit<ArchivedRow, 'type' | 'item' | 'edit' | 'attempts' | 'hooks'> & { readonly input: string | null };

function* dumpRows(db: Database): Generator<ArchivedRow> {
  const rows = db.prepare<[number], RowColumns>(
    `SELECT ${itemColumns}, gone, lower(hex(identity)) AS identity, occurrence, lower(hex(content)) AS content,
       lower(hex(input_digest)) AS inputDigest, source, questions.input AS input,
       lower(hex(pictured.written)) AS written, pictured.item IS NULL AS plain, orders.round AS ordered,
       ended_round AS endedRound
     FROM items LEFT JOIN questions ON questions.item = key LEFT JOIN pictured ON pictured.item = key
       LEFT JOIN orders ON orders.item = key
     WHERE key > ? ORDER BY key LIMIT ${pageRows}`,
  );
  const among = 'item IN (SELECT value FROM json_each(?))';
  const attempts = db.prepare<[string], ArchivedAttempt & { item: number }>(
    `SELECT item, attempt, token, request_hash AS requestHash, quality, submitted_at AS submittedAt,
       ended_at AS endedAt, status, task_id AS taskId, points, failure, title, created_at AS createdAt,
       finish_at AS finishAt
     FROM attempts WHERE ${among} ORDER BY item, attempt`,
  );
  const artifacts = db.prepare<[string], ArtifactRow>(
    `SELECT ${artifactColumns} FROM artifacts WHERE ${among} ORDER BY item, ordinal, kind`,
  );
  const edits = db.prepare<[string], ArchivedEdit & { item: number }>(
    `SELECT item, lower(hex(content)) AS content, lower(hex(input_digest)) AS inputDigest, source, quality, failure,
       input FROM edits WHERE ${among}`,
  );
  const hooks = db.prepare<[string], ArchivedHookCall & { item: number }>(
    `SELECT item, attempt, state, tries, ended_at AS endedAt, failure FROM hook_calls WHERE ${among} ORDER BY item, attempt`,
  );
  const inputs = db.prepare<[string], EarlierInputRow>(
    `SELECT ${earlierInputColumns} FROM earlier_inputs WHERE ${among} ORDER BY item, attempt`,
  );
  const sentCorrections = db.prepare<[string], EarlierCorrectionRow>(
    `SELECT ${earlierCorrectionColumns} FROM earlier_corrections WHERE ${among} ORDER BY item, attempt`,
  );
  for (let last = -1; ; ) {
    const page = guard(db.name, () => rows.all(last));
    const all = page.map(({ key }) => key);
    const keys = JSON.stringify(all);
    const found = guard(db.name, () => ({
      preferences: readPreferences(db, all),
      corrections: readCorrections(db, all),
      marks: Map.groupBy(readMarks(db, all), ({ key }) => key),
      attempts: groupByItem(attempts.all(keys)),
      artifacts: groupByItem(artifacts.all(keys)),
      edits: groupByItem(edits.all(keys)),
      hooks: groupByItem(hooks.all(keys)),
      inputs: groupByItem(inputs.all(keys)),
      sentCorrections: groupByItem(sentCorrections.all(keys)),
    }));
    for (const row of page) yield rowOf(db, row, found);
    if (page.length < pageRows) return;
    last = page.at(-1)?.key ?? 0;
  }
}

interface Belongings {
  readonly attempts: ReadonlyMap<number, readonly (ArchivedAttempt & { item: number })[]>;
  readonly artifacts: ReadonlyMap<number, readonly ArtifactRow[]>;
  readonly edits: ReadonlyMap<number, readonly (ArchivedEdit & { item: number })[]>;
  readonly hooks: ReadonlyMap<number, readonly (ArchivedHookCall & { item: number })[]>;
  readonly inputs: ReadonlyMap<number, readonly EarlierInputRow[]>;
  readonly sentCorrections: ReadonlyMap<number, readonly EarlierCorrectionRow[]>;
  readonly preferences: ReadonlyMap<number, number>;
  readonly corrections: ReadonlyMap<number, Correction>;
  readonly marks: ReadonlyMap<number, readonly WireMark[]>;
}

function rowOf(db: Database, row: RowColumns, belongings: Belongings): ArchivedRow {
  const { attempts, artifacts, edits, preferences, corrections, marks, hooks, inputs, sentCorrections } =
    belongings;
  const { gone, identity, occurrence, content, inputDigest, source, input, written, plain, ...rest } =
    row as RowColumns & { readonly plain: number };
  const { ordered, endedRound, ...item } = rest;
  if (input === null)
    throw new CheckpointError(`${db.name} is damaged (row ${item.id} has lost its question)`);
  const [edit] = edits.get(item.key) ?? [];
  return {
    type: 'row',
    item: { ...item, artifacts: (artifacts.get(item.key) ?? []).map(artifactOf) },
    ...{ gone, identity, occurrence, content, inputDigest, source, input },
    written: plain === 1 ? null : written,
    edit: edit === undefined ? null : without(edit),
    attempts: (attempts.get(item.key) ?? []).map(without),
    earlierInputs: (inputs.get(item.key) ?? []).map(without),
    earlierCorrections: (sentCorrections.get(item.key) ?? []).map(without),
    preferred: preferences.get(item.key) ?? null,
    correction: corrections.get(item.key) ?? null,
    marks: (marks.get(item.key) ?? []).map(({ key: _, id: __, ...mark }) => mark),
    hooks: (hooks.get(item.key) ?? []).map(without),
    ...{ ordered, endedRound },
  };
}

function without<T extends { readonly item: number }>({ item: _, ...rest }: T): Omit<T, 'item'> {
  return rest;
}

/** Children before their parents. */
const tables = [
  'orders',
  'preferences',
  'corrections',
  // After those, whose removal adds to them.
  'earlier_corrections',
  'earlier_inputs',
  'marks',
  'inspections',
  'hook_calls',
  'artifacts',
  'attempts',
  'edits',
  'pictured',
  'pictures',
  'questions',
  'items',
  'sources',
  'settings',
];

/** Writes an archive in place of everything saved, in the transaction of the caller. */
class Writer {
  readonly #db: Database;
  readonly #insert;
  /** What refuses two attempts with one task: an earlier version saved such rows, and they stay what they are. */
  readonly #trigger: { readonly name: string; readonly sql: string } | undefined;
  #rows = 0;
  #isWhole = false;

  constructor(db: Database) {
    this.#db = db;
    for (const table of tables) db.exec(`DELETE FROM ${table}`);
    this.#trigger = db
      .prepare<[], { name: string; sql: string }>(
        `SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND name = 'attempts_task_inserted'`,
      )
      .get();
    if (this.#trigger !== undefined) db.exec(`DROP TRIGGER ${this.#trigger.name}`);
    this.#insert = {
      setting: db.prepare<object>('INSERT INTO settings (name, value) VALUES (@name, @value)'),
      source: db.prepare<object>('INSERT INTO sources (key, source) VALUES (@key, @source)'),
      picture: db.prepare<object>(
        'INSERT INTO pictures (path, size_bytes, modified_at, digest) VALUES (@path, @sizeBytes, @modifiedAt, @digest)',
      ),
      inspection: db.prepare<object>(
        'INSERT INTO inspections (sha256, facts, findings) VALUES (@sha256, @facts, @findings)',
      ),
      item: db.prepare<object>(
        `INSERT INTO items (key, row, id, folder, identity, occurrence, content, input_digest, source, gone, status,
           quality, attempt, version, token, request_hash, not_before, submitted_at, ended_at, task_id, points, failure,
           title, created_at, finish_at, detail, misses, renewals, turn, ended_round)
         VALUES (@key, @row, @id, @folder, unhex(@identity), @occurrence, unhex(@content), unhex(@inputDigest), @source,
           @gone, @status, @quality, @attempt, @version, @token, @requestHash, @notBefore, @submittedAt, @endedAt,
           @taskId, @points, @failure, @title, @createdAt, @finishAt, @detail, @misses, @renewals, @turn, @endedRound)`,
      ),
      question: db.prepare<object>('INSERT INTO questions (item, input) VALUES (@item, @input)'),
      written: db.prepare<object>('INSERT INTO pictured (item, written) VALUES (@item, unhex(@written))'),
      edit: db.prepare<object>(
        `INSERT INTO edits (item, content, input_digest, source, quality, failure, input)
         VALUES (@item, unhex(@content), unhex(@inputDigest), @source, @quality, @failure, @input)`,
      ),
      attempt: db.prepare<object>(
        `INSERT INTO attempts (item, attempt, token, request_hash, quality, submitted_at, ended_at, status, task_id,
           points, failure, title, created_at, finish_at)
         VALUES (@item, @attempt, @token, @requestHash, @quality, @submittedAt, @endedAt, @status, @taskId, @points,
           @failure, @title, @createdAt, @finishAt)`,
      ),
      earlierInput: db.prepare<object>(
        'INSERT INTO earlier_inputs (item, attempt, source, input) VALUES (@item, @attempt, @source, @input)',
      ),
      earlierCorrection: db.prepare<object>(
        `INSERT INTO earlier_corrections (item, attempt, question, answer, of_question, of_answer, since)
         VALUES (@item, @attempt, @question, @answer, @ofQuestion, @ofAnswer, @since)`,
      ),
      hook: db.prepare<object>(
        `INSERT INTO hook_calls (item, attempt, state, tries, ended_at, failure)
         VALUES (@item, @attempt, @state, @tries, @endedAt, @failure)`,
      ),
      order: db.prepare<object>('INSERT INTO orders (item, round) VALUES (@item, @round)'),
      artifact: db.prepare<object>(
        `INSERT INTO artifacts (item, kind, ordinal, remote_id, state, path, size_bytes, sha256, tries)
         VALUES (@item, @kind, @ordinal, @remoteId, @state, @path, @sizeBytes, @sha256, @tries)`,
      ),
    };
  }

  write(record: ArchiveRecord): void {
    switch (record.type) {
      case 'head':
        if (record.version !== archiveVersion) throw new Error(`an archive of version ${record.version}`);
        return;
      case 'row':
        this.#rows += 1;
        this.#writeRow(record);
        return;
      case 'end':
        this.#isWhole = record.rows === this.#rows;
        return;
      default:
        this.#insert[record.type].run(record);
    }
  }

  #writeRow({ item: { artifacts, ...item }, edit, attempts, hooks, ...record }: ArchivedRow): void {
    const { preferred, correction, marks, ordered, earlierInputs, earlierCorrections, ...row } = record;
    const { key } = item;
    const { input, written } = row;
    this.#insert.item.run({ ...row, ...item });
    this.#insert.question.run({ item: key, input });
    if (written !== null) this.#insert.written.run({ item: key, written });
    if (edit !== null) this.#insert.edit.run({ item: key, ...edit });
    for (const attempt of attempts) this.#insert.attempt.run({ item: key, ...attempt });
    for (const sent of earlierInputs) this.#insert.earlierInput.run({ item: key, ...sent });
    for (const sent of earlierCorrections) this.#insert.earlierCorrection.run({ item: key, ...sent });
    for (const call of hooks) this.#insert.hook.run({ item: key, ...call });
    for (const artifact of artifacts) this.#insert.artifact.run({ item: key, ...artifact });
    if (ordered !== null) this.#insert.order.run({ item: key, round: ordered });
    if (preferred !== null) writePreferences(this.#db, new Map([[key, preferred]]));
    if (correction !== null) writeCorrections(this.#db, new Map([[key, correction]]));
    if (marks.length > 0)
      writeMarks(
        this.#db,
        marks.map((mark) => ({ key, ...mark })),
      );
  }

  end(): void {
    if (!this.#isWhole) throw new Error('an archive without its end');
    if (this.#trigger !== undefined) this.#db.exec(this.#trigger.sql);
  }
}

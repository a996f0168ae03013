/** Writes an archive in place of everything saved of the run, in one transaction. */

import { UsageError } from '../../errors.ts';
import { type ArchivedRow, type ArchiveRecord, archiveVersion, type MoveMark } from '../../store.ts';
import { storable } from './commit-call.ts';
import { copyLine } from './ingest-rows.ts';
import { CopiedLines, type IngestSession } from './ingest-session.ts';

/** Why the run is loaded, and where. */
interface Arrival {
  /** The mark as it is saved. */
  readonly text: string;
  /** Moves whose rows may be replaced. */
  readonly replaces: readonly string[];
  /** The database, for messages. */
  readonly place: string;
}

/** Settings are replaced first: the mark of an earlier move would refuse every row. */
const removal = [
  'settings',
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
]
  .map((table) => `DELETE FROM ${table}`)
  .join('; ');

/** Limits of a round count from here; processes that follow the run read it anew. */
const beginning = `
  UPDATE run SET change = change + 1, input_version = input_version + 1, round = round + 1, submitted_rows = 0,
    bad_rows = 0, round_fact = last_fact;
  UPDATE items SET change = (SELECT change FROM run);
  SELECT setval(pg_get_serial_sequence('sources', 'key'), (SELECT coalesce(max(key), 0) + 1 FROM sources), false)`;

export async function loadRun(
  session: IngestSession,
  records: AsyncIterable<ArchiveRecord>,
  { text, replaces, place }: Arrival,
): Promise<void> {
  const load = async (): Promise<void> => {
    await session.rows('SELECT 1 FROM run FOR UPDATE');
    await refuseOthers(session, replaces, place);
    await session.script(removal);
    const lines = new ArchiveLines(session);
    for await (const record of records) await lines.add(record);
    await lines.end();
    await session.script(beginning);
    // Last: it refuses every change of a row.
    await session.run(`INSERT INTO settings (name, value) VALUES ('moved', $1)`, text);
  };
  await session.transaction('READ WRITE', load, () => true);
}

/** Throws `UsageError` where rows of another run would be replaced, or of one that goes on here. */
async function refuseOthers(
  session: IngestSession,
  replaces: readonly string[],
  place: string,
): Promise<void> {
  const [found] = await session.rows<{ value: string }>(`SELECT value FROM settings WHERE name = 'moved'`);
  if (found === undefined && !(await session.is('SELECT EXISTS (SELECT 1 FROM items) AS found'))) return;
  const known: MoveMark | null = found === undefined ? null : JSON.parse(found.value);
  if (known !== null && known.state !== 'leaving' && replaces.includes(known.move)) return;
  throw new UsageError(`${place} holds another run of this name; choose another --run`);
}

const columns = {
  settings: 'name, value',
  sources: 'key, source',
  pictures: 'path, size_bytes, modified_at, digest',
  inspections: 'sha256, facts, findings',
  items: `key, row, id, folder, identity, occurrence, content, input_digest, source, gone, status, quality, attempt,
    version, token, request_hash, not_before, submitted_at, ended_at, task_id, points, failure, title, created_at,
    finish_at, detail, misses, renewals, turn, has_task, ended_round`,
  questions: 'item, input',
  pictured: 'item, written',
  edits: 'item, content, input_digest, source, quality, failure, input',
  attempts: `item, attempt, token, request_hash, quality, submitted_at, ended_at, status, task_id, points, failure,
    title, created_at, finish_at`,
  earlier_inputs: 'item, attempt, source, input',
  earlier_corrections: 'item, attempt, question, answer, of_question, of_answer, since',
  hook_calls: 'item, attempt, state, tries, ended_at, failure',
  artifacts: 'item, kind, ordinal, remote_id, state, path, size_bytes, sha256, tries',
  preferences: 'item, attempt',
  corrections: 'item, question, answer, of_question, of_answer, since',
  orders: 'item, round',
  marks: 'item, reviewer, mark, note, attempt, question, answer, at',
};

type Table = keyof typeof columns;
const tables = Object.keys(columns) as Table[];

class ArchiveLines {
  readonly #lines: Readonly<Record<Table, CopiedLines>>;
  #rows = 0;
  #isWhole = false;

  constructor(session: IngestSession) {
    const linesOf = (table: Table): CopiedLines =>
      new CopiedLines(session, `COPY ${table} (${columns[table]}) FROM STDIN`);
    this.#lines = Object.fromEntries(tables.map((table) => [table, linesOf(table)])) as Record<
      Table,
      CopiedLines
    >;
  }

  async add(record: ArchiveRecord): Promise<void> {
    switch (record.type) {
      case 'head':
        if (record.version !== archiveVersion) throw new Error(`an archive of version ${record.version}`);
        return;
      case 'setting':
        return this.#write('settings', record.name, record.value);
      case 'source':
        return this.#write('sources', record.key, record.source);
      case 'picture':
        return this.#write('pictures', record.path, record.sizeBytes, record.modifiedAt, record.digest);
      case 'inspection':
        return this.#write('inspections', record.sha256, record.facts, record.findings);
      case 'row':
        this.#rows += 1;
        return this.#addRow(record);
      case 'end':
        this.#isWhole = record.rows === this.#rows;
    }
  }

  async #addRow(record: ArchivedRow): Promise<void> {
    const { item, edit, attempts, hooks } = record;
    const { key } = item;
    await this.#write(
      'items',
      ...[
        key,
        item.row,
        item.id,
        item.folder,
        bytes(record.identity),
        record.occurrence,
        bytes(record.content),
      ],
      ...[bytes(record.inputDigest), record.source, record.gone, item.status, item.quality, item.attempt],
      ...[
        item.version,
        item.token,
        item.requestHash,
        item.notBefore,
        item.submittedAt,
        item.endedAt,
        item.taskId,
      ],
      ...[item.points, item.failure, item.title, item.createdAt, item.finishAt, item.detail, item.misses],
      ...[item.renewals, item.turn, attempts.some(({ taskId }) => taskId !== null) ? 't' : 'f'],
      record.endedRound,
    );
    await this.#write('questions', key, record.input);
    if (record.written !== null) await this.#write('pictured', key, bytes(record.written));
    if (edit !== null)
      await this.#write(
        'edits',
        ...[
          key,
          bytes(edit.content),
          bytes(edit.inputDigest),
          edit.source,
          edit.quality,
          edit.failure,
          edit.input,
        ],
      );
    for (const each of attempts)
      await this.#write(
        'attempts',
        ...[key, each.attempt, each.token, each.requestHash, each.quality, each.submittedAt, each.endedAt],
        ...[each.status, each.taskId, each.points, each.failure, each.title, each.createdAt, each.finishAt],
      );
    for (const { attempt, source, input } of record.earlierInputs)
      await this.#write('earlier_inputs', key, attempt, source, input);
    for (const { attempt, question, answer, ofQuestion, ofAnswer, since } of record.earlierCorrections)
      await this.#write('earlier_corrections', key, attempt, question, answer, ofQuestion, ofAnswer, since);
    for (const { attempt, state, tries, endedAt, failure } of hooks)
      await this.#write('hook_calls', key, attempt, state, tries, endedAt, failure);
    for (const file of item.artifacts)
      await this.#write(
        'artifacts',
        ...[key, file.kind, file.ordinal, file.remoteId, file.state, file.path, file.sizeBytes, file.sha256],
        file.tries,
      );
    await this.#addReview(record);
  }

  async #addReview({ item: { key }, preferred, correction, marks, ordered }: ArchivedRow): Promise<void> {
    if (ordered !== null) await this.#write('orders', key, ordered);
    if (preferred !== null) await this.#write('preferences', key, preferred);
    if (correction !== null) {
      const { question, answer, ofQuestion, ofAnswer, since } = correction;
      await this.#write('corrections', key, question, answer, ofQuestion, ofAnswer, since);
    }
    for (const { reviewer, mark, note, attempt, question, answer, at } of marks)
      await this.#write('marks', key, reviewer, mark, note, attempt, question, answer, at);
  }

  async #write(table: Table, ...fields: readonly (string | number | null)[]): Promise<void> {
    const kept = fields.map((field) => (typeof field === 'string' ? storable(field) : field));
    await this.#lines[table].add(copyLine(...kept));
  }

  async end(): Promise<void> {
    if (!this.#isWhole) throw new Error('an archive without its end');
    for (const table of tables) await this.#lines[table].end();
  }
}

function bytes(hex: string): string {
  return `\\x${hex}`;
}

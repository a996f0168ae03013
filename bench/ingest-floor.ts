/** What an ingest costs at least: parse, one digest, bare inserts into the same schema in batches. `FILE FOLDER`. */

import { createHash } from 'node:crypto';
import { createReadStream, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import Database from 'better-sqlite3';
import { parse } from 'csv-parse';
import { fillWords } from '../src/stores/core-words.ts';
import { report } from './reporting.ts';

const [file = '', out = ''] = process.argv.slice(2);
const batchLength = 10_000;

interface Row {
  readonly id: string;
  readonly [column: string]: string;
}

async function* csvRows(): AsyncIterable<Row> {
  yield* createReadStream(file, { highWaterMark: 1 << 18 }).pipe(parse({ columns: true }));
}

async function* jsonlRows(): AsyncIterable<Row> {
  for await (const line of createInterface({ input: createReadStream(file, { highWaterMark: 1 << 18 }) }))
    yield JSON.parse(line) as Row;
}

mkdirSync(out, { recursive: true });
const startedAt = performance.now();
const db = new Database(join(out, 'batch.sqlite'));
db.pragma('journal_mode = WAL');
db.pragma('synchronous = FULL');
db.exec(
  fillWords(readFileSync(new URL('../src/stores/sqlite/migrations/001-first.sql', import.meta.url), 'utf8')),
);
db.exec("INSERT INTO sources VALUES (1, '{}')");
const insertItem = db.prepare(`
  INSERT INTO items (key, row, id, folder, identity, occurrence, content, input_digest, source, status)
  VALUES (?, ?, ?, ?, ?, 1, ?, ?, 1, 'pending')`);
const insertQuestion = db.prepare('INSERT INTO questions VALUES (?, ?)');
const insertBatch = db.transaction((rows: readonly Row[], first: number) => {
  for (const [index, row] of rows.entries()) {
    const key = first + index;
    const input = JSON.stringify(row);
    const digest = createHash('sha256').update(input).digest().subarray(0, 16);
    const id = row.id === '' ? `row-${key}` : row.id;
    insertItem.run(key, key, id, id, digest, digest, digest);
    insertQuestion.run(key, input);
  }
});

let batch: Row[] = [];
let count = 0;
for await (const row of file.endsWith('.csv') ? csvRows() : jsonlRows()) {
  batch.push(row);
  if (batch.length < batchLength) continue;
  insertBatch(batch, count + 1);
  count += batch.length;
  batch = [];
}
insertBatch(batch, count + 1);
report('rows', count + batch.length);
report('ms', performance.now() - startedAt);
db.close();

/**
 * What an import costs at least: parse, one digest, and COPY into the same tables with their indexes, all or nothing.
 * `FILE URL RUN`.
 */

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { parse } from 'csv-parse';
import copyStreams from 'pg-copy-streams';
import { connectTo, placeAt } from './fleet-store.ts';
import { report } from './reporting.ts';

const [file = '', url = '', run = ''] = process.argv.slice(2);
await (await placeAt(url, run).open())[Symbol.asyncDispose]();
const client = await connectTo(url, run);
const startedAt = performance.now();
await client.query("BEGIN; INSERT INTO sources (key, source) VALUES (1, '{}')");
const columns = 'key, row, id, folder, identity, occurrence, content, input_digest, source, status';
const intoItems = `COPY items (${columns}) FROM STDIN`;
const intoQuestions = 'COPY questions (item, input) FROM STDIN';

const text = (value: string): string =>
  value.replace(
    /[\\\n\r\t]/g,
    (found) => ({ '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' })[found] ?? '',
  );
let key = 0;

/** Lines of both tables, as many as make a good piece of COPY. */
async function* lines(): AsyncIterable<readonly [items: string, questions: string]> {
  const pending = ['', ''] as [string, string];
  const rows = createReadStream(file, { highWaterMark: 1 << 18 }).pipe(parse({ columns: true }));
  for await (const row of rows as AsyncIterable<{ readonly id: string }>) {
    key += 1;
    const input = JSON.stringify(row);
    const digest = `\\\\x${createHash('sha256').update(input).digest('hex').slice(0, 32)}`;
    const id = text(row.id === '' ? `row-${key}` : row.id);
    pending[0] += `${key}\t${key}\t${id}\t${id}\t${digest}\t1\t${digest}\t${digest}\t1\tpending\n`;
    pending[1] += `${key}\t${text(input)}\n`;
    if (pending[1].length < 1 << 20) continue;
    yield [...pending];
    pending.fill('');
  }
  yield pending;
}

/** The COPY that the server still works on, while the next lines are read. */
let copying: Promise<void> = Promise.resolve();
const copy = (statement: string, piece: string): void => {
  const stream = client.query(copyStreams.from(statement));
  stream.end(piece);
  copying = Promise.all([copying, finished(stream)]).then(() => {});
};
for await (const [items, questions] of lines()) {
  await copying;
  copy(intoItems, items);
  copy(intoQuestions, questions);
}
await copying;
await client.query('COMMIT');
report('rows', key);
report('ms', performance.now() - startedAt);
await client.end();

/** What an import costs at least: parse, one digest, and COPY into the same tables with their indexes. `FILE URL RUN`. */

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { parse } from 'csv-parse';
import copyStreams from 'pg-copy-streams';
import { connectTo, placeAt } from './fleet-store.ts';
import { report } from './reporting.ts';

const [file = '', url = '', run = ''] = process.argv.slice(2);
await (await placeAt(url, run).open())[Symbol.asyncDispose]();
const [items, questions] = await Promise.all([connectTo(url, run), connectTo(url, run)]);
const startedAt = performance.now();
await items.query("INSERT INTO sources (key, source) VALUES (1, '{}')");
for (const client of [items, questions]) await client.query('BEGIN');
const columns = 'key, row, id, folder, identity, occurrence, content, input_digest, source, status';
const intoItems = items.query(copyStreams.from(`COPY items (${columns}) FROM STDIN`));
const intoQuestions = questions.query(copyStreams.from('COPY questions (item, input) FROM STDIN'));

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
    if (pending[1].length < 1 << 18) continue;
    yield [...pending];
    pending.fill('');
  }
  yield pending;
}

await pipeline(async function* () {
  for await (const [forItems, forQuestions] of lines()) {
    if (!intoQuestions.write(forQuestions))
      await new Promise<void>((resolve) => void intoQuestions.once('drain', resolve));
    yield forItems;
  }
}, intoItems);
await pipeline(async function* () {}, intoQuestions);
for (const client of [items, questions]) await client.query('COMMIT');
report('rows', key);
report('ms', performance.now() - startedAt);
await Promise.all([items.end(), questions.end()]);

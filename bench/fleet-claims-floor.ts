/**
 * A queue as bare as it can be, 16 rows at a time: the same table with its indexes, without counters, limits, versions and
 * attempts. `URL RUN COUNT WORKERS`.
 */

import { connectTo } from './fleet-store.ts';
import { report } from './reporting.ts';

const [url = '', run = '', ...numbers] = process.argv.slice(2);
const [count = 0, workers = 1] = numbers.map(Number);

const take = {
  name: 'take',
  text: `
    WITH taken AS MATERIALIZED (
      SELECT key FROM items WHERE status = 'pending' AND gone = 0 ORDER BY row LIMIT 16 FOR UPDATE SKIP LOCKED
    )
    UPDATE items i SET status = 'submitting', submitted_at = 0 FROM taken WHERE i.key = taken.key RETURNING i.*`,
};

const clients = await Promise.all(Array.from({ length: workers }, () => connectTo(url, run)));
await clients[0]?.query('ALTER TABLE items DISABLE TRIGGER USER');
const startedAt = performance.now();
await Promise.all(
  clients.map(async (client) => {
    for (let taken = 0; taken < count / workers; taken += 16) {
      const { rows } = await client.query(take);
      if (rows.length === 0) throw new Error('too few rows');
    }
  }),
);
report('claims', count);
report('ms', performance.now() - startedAt);
for (const client of clients) await client.end();

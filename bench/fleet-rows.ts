/** Gives rows of a run in PostgreSQL that was just imported the life they have later. Bare statements. */

import { connectTo } from './fleet-store.ts';

async function withoutTriggers(url: string, run: string, statements: string): Promise<void> {
  const client = await connectTo(url, run);
  const tables = ['items', 'attempts'];
  const triggers = (state: string): string =>
    tables.map((table) => `ALTER TABLE ${table} ${state} TRIGGER USER;`).join('');
  await client.query(`BEGIN;${triggers('DISABLE')}${statements};${triggers('ENABLE')}COMMIT`);
  await client.query('VACUUM ANALYZE');
  await client.end();
}

/** Rows at the end of a run, as `makeRows` makes them in a checkpoint; `last` is the largest key of those that have ended. */
export async function endRows(url: string, run: string, last = Number.MAX_SAFE_INTEGER): Promise<void> {
  const iso = (seconds: string): string =>
    `to_char(to_timestamp(${seconds}) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  await withoutTriggers(
    url,
    run,
    `
    UPDATE items SET status = CASE WHEN key % 50 = 0 THEN 'failed' ELSE 'completed' END,
      attempt = 1 + (key % 100 = 0)::int, token = md5(key::text), request_hash = lpad(to_hex(key), 64, '0'),
      task_id = 'task-' || lpad(to_hex(key), 16, '0'), submitted_at = 1790000000000 + key * 997,
      ended_at = 1790000090000 + key * 997, points = CASE WHEN key % 50 = 0 THEN 0 ELSE 10 END,
      failure = CASE WHEN key % 50 = 0 THEN '内容不符合规范' END,
      title = CASE WHEN key % 50 <> 0 THEN '第 ' || row || ' 题讲解' END, detail = '10 points',
      created_at = ${iso('1790000001 + key * 0.997')}, finish_at = ${iso('1790000088 + key * 0.997')}
      WHERE key <= ${last};
    INSERT INTO attempts (item, attempt, token, request_hash, submitted_at, ended_at, status, task_id, points, failure)
      SELECT key, 1, token, request_hash, submitted_at - 1000, ended_at - 1000, 'failed', task_id || '-1', 0, failure
      FROM items WHERE attempt = 2
      UNION ALL
      SELECT key, attempt, token, request_hash, submitted_at, ended_at, status, task_id, points, failure FROM items WHERE attempt > 0;
    INSERT INTO artifacts (item, kind, ordinal, remote_id, state, path, size_bytes, sha256)
      SELECT key, 'video', 0, NULL, 'saved', folder || '/attempt-1/video.mp4', 12345678, lpad(to_hex(key), 64, '0')
      FROM items WHERE status = 'completed'
      UNION ALL
      SELECT key, 'frame', number, 'frame-' || number, 'saved', folder || '/attempt-1/frames/00' || number || '.png',
        123456, lpad(to_hex(key + number), 64, '0')
      FROM items, generate_series(1, 3) AS number WHERE status = 'completed';
    SELECT recount()`,
  );
}

/** Open tasks as `fillFolder` makes them in a checkpoint: their frames so far are saved, nothing is left to do but to ask. */
export async function openRows(url: string, run: string): Promise<void> {
  await withoutTriggers(
    url,
    run,
    `
    UPDATE items SET status = 'open', attempt = 1, version = 1, token = md5(key::text),
      request_hash = lpad(to_hex(key), 64, '0'), submitted_at = (extract(epoch FROM now()) * 1000)::bigint,
      task_id = left(encode(sha256(('task ' || key)::bytea), 'hex'), 24) || '-' || key;
    INSERT INTO attempts (item, attempt, token, request_hash, submitted_at, status, task_id)
      SELECT key, 1, token, request_hash, submitted_at, 'open', task_id FROM items;
    INSERT INTO artifacts (item, kind, ordinal, remote_id, state, path, size_bytes, sha256)
      SELECT key, 'frame', number, 'frame-' || number, 'saved', folder || '/attempt-1/frames/00' || number || '.png',
        40000, lpad(to_hex(key + number), 64, '0')
      FROM items, generate_series(1, 3) AS number WHERE number <= key % 4;
    SELECT recount()`,
  );
}

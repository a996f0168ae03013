/** Gives all rows of a checkpoint that was just taken up the life that rows have at the end of a run. */

import Database from 'better-sqlite3';

/**
 * 49 of 50 have a video and three frames, the others failed; one of 100 at its second attempt. Bare statements: only the tables
 * and what stands in them are the program's.
 */
export function makeRows(path: string): void {
  using db = Object.assign(new Database(path), { [Symbol.dispose]: () => void db.close() });
  db.pragma('synchronous = OFF');
  db.exec(`
    UPDATE items SET status = iif(key % 50 = 0, 'failed', 'completed'), attempt = 1 + (key % 100 = 0),
      token = printf('%032x', key), request_hash = printf('%064x', key), task_id = printf('task-%016x', key),
      submitted_at = 1790000000000 + key * 997, ended_at = 1790000090000 + key * 997,
      points = iif(key % 50 = 0, 0, 10), failure = iif(key % 50 = 0, '内容不符合规范', NULL),
      title = iif(key % 50 = 0, NULL, printf('第 %d 题讲解', row)), detail = '10 points',
      created_at = strftime('%Y-%m-%dT%H:%M:%fZ', 1790000001 + key * 0.997, 'unixepoch'),
      finish_at = strftime('%Y-%m-%dT%H:%M:%fZ', 1790000088 + key * 0.997, 'unixepoch');
    INSERT INTO attempts (item, attempt, token, request_hash, submitted_at, ended_at, status, task_id, points, failure)
      SELECT key, 1, token, request_hash, submitted_at - 1000, ended_at - 1000, 'failed', task_id || '-1', 0, failure
      FROM items WHERE attempt = 2
      UNION ALL
      SELECT key, attempt, token, request_hash, submitted_at, ended_at, status, task_id, points, failure FROM items;
    INSERT INTO artifacts (item, kind, ordinal, remote_id, state, path, size_bytes, sha256)
      SELECT key, 'video', 0, NULL, 'saved', folder || '/video.mp4', 12345678, printf('%064x', key)
      FROM items WHERE status = 'completed'
      UNION ALL
      SELECT key, 'frame', number, 'frame-' || number, 'saved', printf('%s/frames/%03d.png', folder, number), 123456,
        printf('%064x', key + number)
      FROM items, (SELECT column1 AS number FROM (VALUES (1), (2), (3))) WHERE status = 'completed';
  `);
}

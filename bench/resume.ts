/** From the start of `batch resume` to its first poll, with a large checkpoint of which little is open. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { bigFile } from './big-file.ts';
import { runNode } from './child.ts';
import { type Bench, type Figure, median, quantity } from './table.ts';

const program = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
const openCount = 1_000;

/** Tasks are younger than any waits for them. */
const submittedAt = Date.now();

const open = `
  UPDATE items SET status = 'open', attempt = 1, token = 'token-' || key, submitted_at = ${submittedAt},
    task_id = 'task-' || key WHERE key <= ${openCount};`;

/** Every second of the other rows has its video and three frames. */
const complete = `
  UPDATE items SET status = 'completed', attempt = 1, token = 'token-' || key, submitted_at = ${submittedAt},
    ended_at = ${submittedAt} + 300000, task_id = 'task-' || key, points = 12, title = 'Title ' || key
  WHERE key > ${openCount} AND key % 2 = 0;
  INSERT INTO artifacts (item, kind, ordinal, state, path, size_bytes, sha256)
  SELECT key, kind, ordinal, 'saved', folder || '/' || file, 100000, lower(hex(randomblob(32))) FROM items, (
    SELECT 'video' AS kind, 0 AS ordinal, 'video.mp4' AS file
    UNION ALL SELECT 'frame', value, format('frames/%03d.png', value) FROM json_each('[1, 2, 3]')
  ) WHERE status = 'completed';`;

const addAttempts = `
  INSERT INTO attempts (item, attempt, token, submitted_at, ended_at, status, task_id, points)
  SELECT key, attempt, token, submitted_at, ended_at, status, task_id, points FROM items WHERE attempt = 1;`;

function change(folder: string, statements: string): void {
  const db = new Database(join(folder, 'batch.sqlite'));
  db.exec(`BEGIN; ${statements} COMMIT;`);
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
}

/** A service that makes no progress; it tells when it is asked. */
async function openService() {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end('{"status":"success","data":{"status":"IN_PROGRESS","progress":[]}}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, nextRequest: () => once(server, 'request'), close: () => server.close() };
}

type Service = Awaited<ReturnType<typeof openService>>;

/** Milliseconds from the start of the program to its first poll. */
async function timeToPoll(folder: string, service: Service): Promise<number> {
  const options = ['--base-url', service.url, '--yes', '--concurrency', String(openCount)];
  const startedAt = performance.now();
  const child = spawn(process.execPath, [program, 'resume', folder, ...options], {
    env: { ...process.env, BATCH_API_KEY: 'benchmark' },
    stdio: 'ignore',
  });
  const exit = once(child, 'exit');
  const isAsked = await Promise.race([service.nextRequest().then(() => true), exit.then(() => false)]);
  const ms = performance.now() - startedAt;
  if (!isAsked) throw new Error('`batch resume` ended without a poll');
  // At once: a run that ends in good order would write the reports of a million rows first.
  child.kill('SIGKILL');
  await exit;
  return ms;
}

async function besideFloor(work: string, folder: string, runs: number): Promise<Figure> {
  const service = await openService();
  // The first run in a folder writes down who the service is.
  await timeToPoll(folder, service);
  const ours: number[] = [];
  const floor: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    ours.push(await timeToPoll(folder, service));
    floor.push((await runNode({ file: 'resume-floor.ts', args: [folder] })).wallMs);
  }
  service.close();
  const [reached, base] = [median(ours), median(floor)];
  return {
    work,
    reached: quantity(reached, 'ms'),
    floor: quantity(base, 'ms (open, select the open rows)'),
    ratio: reached - base,
    goal: { atMost: 8_000 },
  };
}

export const resume: Bench = async ({ folder, scale, runs }) => {
  const rows = 1_000_000 * scale;
  const out = join(folder, 'resume');
  const name = `first poll of \`resume\`, ${quantity(rows, 'rows')}, ${quantity(openCount, 'open')}`;
  await runNode({ file: 'ingest-ours.ts', args: [bigFile(folder, rows, 'csv'), out] });
  change(out, open + addAttempts);
  const waiting = await besideFloor(`${name}, the rest waiting (ms more)`, out, runs);
  change(out, `DELETE FROM attempts; ${complete} ${addAttempts}`);
  const halfDone = await besideFloor(`${name}, half of them completed (ms more)`, out, runs);
  rmSync(out, { recursive: true, force: true });
  return [waiting, halfDone];
};

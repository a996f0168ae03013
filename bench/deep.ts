/** `verify --deep`, which looks into every video, against `verify`, which reads and hashes them; both without ffmpeg. */

import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { bigFile } from './big-file.ts';
import { runNode } from './child.ts';
import { madeMp4 } from './made-mp4.ts';
import { type Bench, inTurns, median, quantity } from './table.ts';

const program = fileURLToPath(new URL('../dist/cli.js', import.meta.url));

const videoBytes = 20_000_000;

/** Completes every row with a video of its own. */
async function completeRows(out: string): Promise<void> {
  const video = Buffer.from(await madeMp4(videoBytes));
  const db = new Database(join(out, 'batch.sqlite'));
  const items = db
    .prepare<[], { key: number; folder: string }>('SELECT key, folder FROM items ORDER BY key')
    .all();
  const add = db.prepare(
    `INSERT INTO artifacts (item, kind, ordinal, state, path, size_bytes, sha256) VALUES (?, 'video', 0, 'saved', ?, ?, ?)`,
  );
  for (const { key, folder } of items) {
    // In the middle of the packets: each video has bytes of its own.
    randomBytes(16).copy(video, video.length >> 1);
    mkdirSync(join(out, folder), { recursive: true });
    writeFileSync(join(out, folder, 'video.mp4'), video);
    add.run(key, `${folder}/video.mp4`, video.length, createHash('sha256').update(video).digest('hex'));
  }
  db.exec(`UPDATE items SET status = 'completed', attempt = 1, token = 'token-' || key, submitted_at = 1, ended_at = 2,
      task_id = 'task-' || key, points = 12;
    INSERT INTO attempts (item, attempt, token, submitted_at, ended_at, status, task_id, points)
      SELECT key, attempt, token, submitted_at, ended_at, status, task_id, points FROM items;`);
  db.close();
}

async function timeOf(out: string, ...options: readonly string[]): Promise<number> {
  const db = new Database(join(out, 'batch.sqlite'));
  db.exec('DELETE FROM inspections');
  db.close();
  // Without a PATH there is no ffmpeg.
  return (await runNode({ file: program, args: ['verify', out, ...options], env: { PATH: '' } })).wallMs;
}

export const deep: Bench = async ({ folder, scale, runs }) => {
  const rows = Math.max(10, Math.round(1_000 * scale));
  const out = join(folder, 'deep');
  await runNode({ file: 'ingest-ours.ts', args: [bigFile(folder, rows, 'csv'), out] });
  await completeRows(out);
  await timeOf(out);
  const { first, second } = await inTurns(
    runs,
    () => timeOf(out),
    () => timeOf(out, '--deep'),
  );
  rmSync(out, { recursive: true, force: true });
  const [plain, looked] = [median(first), median(second)];
  return [
    {
      work: `\`verify --deep\`, ${quantity(rows, 'videos')} of 20 MB`,
      reached: quantity(looked, 'ms'),
      floor: quantity(plain, 'ms (`verify`: reads and hashes them)'),
      ratio: looked / plain,
      goal: { atMost: 1.5 },
    },
  ];
};

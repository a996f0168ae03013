/** Many rows whose tasks are being made: what they are called, and a checkpoint that holds them. */

import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { closeDatabase, openDatabase } from '../src/stores/sqlite/database.ts';

/** As long as keys are. */
export const apiKey = 'sk-q8Zf2LxVw7Rk0TnB5yHc3JmD9sGaPuE1iOvXtKzWb4C6';

/** A text as long as a signature, the same for the same name. */
export const tokenOf = (name: string): string => createHash('sha256').update(name).digest('hex');

/** The task of the row with this number, from 1. */
export const taskIdOf = (number: number): string => `${tokenOf(`task ${number}`).slice(0, 24)}-${number}`;

/** The frames that a task has by now: as many as the embedded service shows, 0 to 3. */
export function frameIds(taskId: string): string[] {
  const number = Number(taskId.slice(taskId.lastIndexOf('-') + 1));
  return Array.from({ length: number % 4 }, (_, at) => `frame-${at + 1}`);
}

/** Makes a checkpoint of `count` open rows in a new folder. Their frames so far are saved: nothing is left to do but to ask. */
export function fillFolder(folder: string, count: number): void {
  mkdirSync(folder, { recursive: true });
  const db = openDatabase(folder);
  const insertItem = db.prepare(`
    INSERT INTO items (key, row, id, folder, identity, occurrence, content, input_digest, source, status,
      attempt, token, request_hash, submitted_at, task_id)
    VALUES (@key, @key, @id, @id, @digest, 1, @digest, @digest, 1, 'open', 1, @token, @hash, @at, @taskId)`);
  const insertAttempt = db.prepare(`
    INSERT INTO attempts (item, attempt, token, request_hash, submitted_at, status, task_id)
    VALUES (@key, 1, @token, @hash, @at, 'open', @taskId)`);
  const insertQuestion = db.prepare('INSERT INTO questions VALUES (?, ?)');
  const insertFrame = db.prepare(`
    INSERT INTO artifacts (item, kind, ordinal, remote_id, state, path, size_bytes, sha256)
    VALUES (?, 'frame', ?, ?, 'saved', ?, 40000, ?)`);
  const at = Date.now();
  db.transaction(() => {
    db.exec("INSERT INTO sources VALUES (1, '{}')");
    for (let key = 1; key <= count; key += 1) {
      const [id, taskId, token] = [`q-${key}`, taskIdOf(key), tokenOf(`token ${key}`)];
      const input = JSON.stringify({ id, question: `Question ${key}` });
      const digest = createHash('sha256').update(input).digest().subarray(0, 16);
      const row = { key, id, digest, token: token.slice(0, 36), hash: tokenOf(input), at, taskId };
      insertItem.run(row);
      insertAttempt.run(row);
      insertQuestion.run(key, input);
      for (const [index, frame] of frameIds(taskId).entries())
        insertFrame.run(key, index + 1, frame, `${id}/frames/00${index + 1}.png`, token);
    }
  })();
  closeDatabase(db);
}

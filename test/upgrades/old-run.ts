/** A folder that some version left behind, and the service that knows its tasks. */

import { cpSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'vitest';
import { checkpointName } from '../../src/stores/sqlite/checkpoint-head.ts';
import { apiKey } from '../cli/support/scripted-service.ts';
import { openStage, type Stage } from '../cli/support/stage.ts';
import { type Expectation, fixturesFolder } from './fixture.ts';

export interface OldRun extends Stage {
  readonly expected: Expectation;
  /** The checkpoint, byte for byte. */
  checkpoint(): Promise<Buffer>;
  /** The rows of a query, from the checkpoint as it is on disk. */
  query(sql: string): unknown[];
}

/** A copy of the folder with this name as the output folder of a stage. */
export async function openOldRun(fixture: string): Promise<OldRun> {
  const folder = new URL(`${fixture}/`, fixturesFolder);
  const expected: Expectation = JSON.parse(readFileSync(new URL('expected.json', folder), 'utf8'));
  const stage = await openStage();
  cpSync(new URL('videos', folder), join(stage.folder, 'videos'), { recursive: true });
  for (const { taskId, question } of expected.tasks) {
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ question });
    await fetch(`${stage.service.url}/api/gen_video`, { method: 'POST', headers, body });
    expect(stage.service.taskIds.get(question)).toBe(taskId);
  }
  const file = join(stage.folder, 'videos', checkpointName);
  return Object.assign(stage, {
    expected,
    checkpoint: () => readFile(file),
    query: (sql: string) => {
      const db = new Database(file, { readonly: true });
      try {
        return db.prepare(sql).all();
      } finally {
        db.close();
      }
    },
  });
}

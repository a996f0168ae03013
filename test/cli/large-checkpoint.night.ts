import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { openStage, type Stage } from './support/stage.ts';

/** Makes the checkpoint of `./videos` as large as one that is checked while its run goes on already. */
function enlarge(stage: Stage, damage = ''): void {
  const db = new Database(join(stage.folder, 'videos/batch.sqlite'));
  db.exec(`INSERT INTO settings VALUES ('filler', hex(zeroblob(${40 * 2 ** 20}))); ${damage}`);
  db.close();
}

/** One row of two has its video. */
async function halfDone(): Promise<Stage> {
  const stage = await openStage();
  await stage.write('questions.csv', 'id,question\na,A\nb,B\n');
  expect((await stage.batch(['run', 'questions.csv', '--limit', '1', '--poll-interval', '1s'])).code).toBe(4);
  return stage;
}

test('a large checkpoint goes on like any other', async () => {
  await using stage = await halfDone();
  enlarge(stage);
  expect((await stage.batch(['resume', '--poll-interval', '1s'])).code).toBe(0);
  expect(await stage.statuses()).toEqual({ a: 'completed', b: 'completed' });
  expect(stage.service.creations).toHaveLength(2);
});

test.each(['resume', 'collect'])(
  'a large checkpoint that is damaged is refused by %s, and nothing is sent',
  async (command) => {
    await using stage = await halfDone();
    enlarge(stage, `UPDATE attempts SET task_id = 'another'`);
    const report = await stage.read('videos/report.csv');
    const { code, stderr } = await stage.batch([command, '--poll-interval', '1s']);
    expect(code).toBe(2);
    expect(stderr.trimEnd().split('\n').at(-1)).toMatch(
      /^batch: .*batch\.sqlite is damaged \(row a is not as it was saved\); nothing was sent\./,
    );
    expect(stderr).not.toContain('could not be written');
    expect(await stage.read('videos/report.csv')).toBe(report);
    expect(stage.service.creations).toHaveLength(1);
  },
);

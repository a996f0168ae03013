import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { Status } from '../../src/money/item.ts';
import { checkpointName } from '../../src/stores/sqlite/checkpoint-head.ts';
import { openDatabase } from '../../src/stores/sqlite/database.ts';
import { afterFirstWords } from '../cli/support/program.ts';
import type { Stage } from '../cli/support/stage.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import {
  columns,
  type ExpectedRow,
  fixturesFolder,
  migrationNames,
  migrationsFolder,
  rowsLeft,
} from './fixture.ts';
import { openOldRun } from './old-run.ts';
import { released } from './released.ts';

const fixtures = readdirSync(fixturesFolder).sort(new Intl.Collator('en', { numeric: true }).compare);

/** What the report says of each row. */
async function rowsOf(stage: Stage): Promise<ExpectedRow[]> {
  const lines = (await stage.read('videos/report.jsonl')).trimEnd().split('\n');
  return lines.map((line): ExpectedRow => {
    const { id, status, points, task_id: taskId, history, video, frames } = JSON.parse(line);
    const attempts = history.map((each: ExpectedRow['attempts'][number] & { task_id: string | null }) => ({
      status: each.status,
      taskId: each.task_id,
      points: each.points,
    }));
    const frameFiles = Array.from({ length: frames }, (_, i) => `${id}/frames/00${i + 1}.png`);
    return {
      id,
      status,
      points,
      taskId,
      attempts,
      files: [...(video === null ? [] : [video]), ...frameFiles],
    };
  });
}

/** What resuming makes of each status, where the service completes every task at once. */
const afterwards: Readonly<Record<Status, Status>> = {
  pending: 'completed',
  submitting: 'uncertain',
  open: 'completed',
  downloading: 'completed',
  completed: 'completed',
  failed: 'failed',
  rejected: 'rejected',
  uncertain: 'uncertain',
  undelivered: 'completed',
  lost: 'completed',
  invalid: 'invalid',
};

describe.concurrent.each(fixtures)('a folder of %s', (fixture) => {
  it('is brought up to date and has every row as it was left: status, points, tasks, attempts, files', async () => {
    await using stage = await openOldRun(fixture);
    openDatabase(join(stage.folder, 'videos')).close();
    const { statuses, points } = JSON.parse((await stage.batch(['status', '--json'])).stdout);
    const { rows, spent } = stage.expected;
    for (const [status, count] of Object.entries(statuses))
      expect(
        rows.filter((row) => row.status === status),
        status,
      ).toHaveLength(Number(count));
    expect(points.spent).toBe(spent);
    expect((await stage.batch(['report'])).code).toBe(0);
    expect(await rowsOf(stage)).toEqual(rows);
    expect((await stage.batch(['verify'])).code).toBe(0);
  });

  it('goes on where it was: only what was pending is created, and every charged point is in the report', async () => {
    await using stage = await openOldRun(fixture);
    const { rows, tasks } = stage.expected;
    expect((await stage.batch(['resume'])).code).toBe(5);
    const now = await rowsOf(stage);
    expect(now.map(({ id, status }) => [id, status])).toEqual(
      rows.map(({ id, status }) => [id, afterwards[status]]),
    );
    const created = stage.service.creations.slice(tasks.length).map(({ question }) => question);
    expect(created.sort()).toEqual([
      'Question again',
      'Question of twins',
      'Question of twins',
      'Question pending',
    ]);
    for (const [at, row] of rows.entries()) {
      const earlier = row.attempts.slice(0, row.status === 'pending' ? undefined : -1);
      expect(now[at]?.attempts.slice(0, earlier.length), row.id).toEqual(earlier);
      if (row.taskId !== null) expect(now[at]?.taskId, row.id).toBe(row.taskId);
    }
    const charged = now
      .flatMap(({ attempts }) => attempts)
      .reduce((sum, { points }) => sum + (points ?? 0), 0);
    const { spent } = JSON.parse((await stage.batch(['status', '--json'])).stdout).points;
    expect(spent).toBe(charged);
    const finished = rows.filter(({ status }) => status === 'open' || status === 'lost');
    expect(spent).toBe(stage.expected.spent + 10 * (created.length + finished.length));
    expect((await stage.batch(['verify'])).code).toBe(0);
  });

  it('knows the rows of its file again, those without an id too', async () => {
    await using stage = await openOldRun(fixture);
    const lines = [columns, ...rowsLeft.map((row) => columns.map((column) => row[column]))];
    await stage.write('q.csv', lines.map((cells) => `${cells.join(',')}\n`).join(''));
    openDatabase(join(stage.folder, 'videos')).close();
    const { stdout } = await stage.batch(['check', 'q.csv', '--json']);
    expect(JSON.parse(stdout).plan).toMatchObject({
      rows: rowsLeft.length,
      newRows: 0,
      changedUnsent: 0,
      changedSent: 0,
      gone: 0,
    });
  });
});

/** What SQLite and the lock leave beside a checkpoint that was only looked at. */
const besides = /^batch\.(lock|sqlite-wal|sqlite-shm)$/;

describe.concurrent('a folder of a newer version', () => {
  const lines = ['run q.csv', 'check q.csv', 'resume', 'collect', 'status', 'report', 'verify'];
  lines.push('verify --fix', 'retry --failed', 'resolve uncertain --not-created');

  it.for(lines)('is refused and left as it is by batch %s', async (line) => {
    await using stage = await openOldRun(fixtures.at(-1) ?? '');
    await stage.write('q.csv', 'id,question\npending,Question pending\n');
    const newer = migrationNames().length + 1;
    const db = new Database(join(stage.folder, 'videos', checkpointName));
    db.pragma(`user_version = ${newer}`);
    db.close();
    const [before, files] = [await stage.checkpoint(), await stage.list('videos')];
    const ending = await stage.batch(line.split(' '));
    expect(ending).toMatchObject({ code: 2, stdout: '' });
    expect(afterFirstWords(ending)).toMatch(
      new RegExp(`^batch: .*written by a newer version of batch \\(schema ${newer}, .*update batch\n$`),
    );
    expect(before.equals(await stage.checkpoint())).toBe(true);
    expect((await stage.list('videos')).filter((file) => !besides.test(file))).toEqual(files);
    expect(stage.service.creations).toHaveLength(stage.expected.tasks.length);
  });
});

describe('every schema that was released', () => {
  const sha256 = (name: string): string =>
    createHash('sha256')
      .update(readFileSync(new URL(name, migrationsFolder)))
      .digest('hex');

  it('has its migration as it was: databases out there were made by it, so a change goes into a new file', () => {
    for (const [name, known] of Object.entries(released)) expect(sha256(name), name).toBe(known);
  });

  it('is kept here: a new migration comes with its line in released.ts and with a folder (node test/upgrades/make-fixture.ts)', () => {
    expect(Object.keys(released)).toEqual(migrationNames());
    expect(fixtures).toEqual(migrationNames().map((_, at) => `schema-${at + 1}`));
    for (const [at, fixture] of fixtures.entries()) {
      const file = readFileSync(new URL(`${fixture}/videos/${checkpointName}`, fixturesFolder));
      // Where the header of an SQLite file has its user_version; opening it here would leave files beside it.
      expect(file.readUInt32BE(60), fixture).toBe(at + 1);
    }
  });

  it('can be made again, the same to the byte', async () => {
    await using folder = await temporaryFolder();
    const maker = fileURLToPath(new URL('./make-fixture.ts', import.meta.url));
    const [one, two] = ['one', 'two'].map((name) => {
      execFileSync(process.execPath, [maker, join(folder.path, name)]);
      return readFileSync(join(folder.path, name, 'videos', checkpointName));
    });
    expect(one?.equals(two ?? Buffer.alloc(0))).toBe(true);
  });
});

/** Who decided about money: what each command saves of it, as `batch status --decisions` shows it. */

import { readFile } from 'node:fs/promises';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { checkpointName } from '../../src/stores/sqlite/database.ts';
import { newestVersion } from '../../src/stores/sqlite/schema.ts';
import { startPostgres } from '../support/postgres.ts';
import { errorEnvelope, type Script } from './support/scripted-service.ts';
import { openStage, questions, runLine, type Stage } from './support/stage.ts';
import { hasTerminals, startOnTerminal } from './support/terminal.ts';

interface Shown {
  readonly id: string | null;
  readonly at: string;
  readonly user: string;
  readonly machine: string;
  readonly command: string;
  readonly kind: string;
  readonly detail: unknown;
}

const quick = ['--poll-interval', '100ms'];

/** What `status --decisions` says, of `./videos` or of what is named. */
async function decisionsOf(stage: Stage, ...place: readonly string[]): Promise<readonly Shown[]> {
  const ending = await stage.batch(['status', '--decisions', '--json', ...place]);
  expect(ending).toMatchObject({ code: 0 });
  return JSON.parse(ending.stdout).decisions;
}

/** The same in short. */
async function seenIn(stage: Stage, ...place: readonly string[]): Promise<readonly unknown[]> {
  return (await decisionsOf(stage, ...place)).map(({ kind, id, detail }) => [kind, id, detail]);
}

/** The creation of `a` makes its task, and its answer is lost; `no` is refused. */
const script: Script = {
  create({ question }, accept) {
    if (question === 'Question no') return errorEnvelope('bad words');
    if (question !== 'Question a' && question !== 'Question n') return undefined;
    if (question === 'Question a') accept();
    return (response) => void response.destroy();
  },
};

/** Rows `a` and `n` are uncertain, `b` is completed, `no` is rejected; what was decided about them is left out. */
async function openRun(): Promise<Stage & { readonly taskId: string }> {
  const stage = await openStage(script);
  await stage.write('q.csv', questions('a', 'b', 'n', 'no'));
  expect((await stage.batch(runLine('q.csv', '-j', '4'))).code).toBe(5);
  stage.service.follow({});
  return Object.assign(stage, { taskId: stage.service.taskIds.get('Question a') ?? '' });
}

/** The run itself: nobody was asked about its four rows. */
const begun = ['unasked', null, { rows: 4, points: null }];

const timeout = 120_000;

describe.concurrent('what a command decides about money is saved with the run', { timeout }, () => {
  it('by each command as what it is', async () => {
    await using stage = await openRun();
    await stage.write('marks.csv', 'id,mark,attempt,question\nb,bad,2,"Question b, rightly"\n');
    await stage.write('found.csv', `id,task_id\na,${stage.taskId}\nn,not-created\n`);
    const steps: readonly (readonly [line: string, ...decisions: unknown[]])[] = [
      [
        'tune -j 3 --poll-interval 200ms',
        [
          'tune',
          null,
          { concurrency: { from: '4', to: '3' }, 'poll-interval': { from: '100ms', to: '200ms' } },
        ],
      ],
      ['tune -j 4', ['tune', null, { concurrency: { from: '3', to: '4' } }]],
      ['pause'],
      ['continue'],
      ['report'],
      ['retry --rejected --dry-run'],
      ['resolve a --task-id task-typo'],
      ['resolve b --not-created'],
      [
        'retry --rejected --yes',
        ['yes', null, { rows: 1, points: 10 }],
        ['retry', 'no', { round: 2, points: 10 }],
      ],
      ['retry --only b', ['retry', 'b', { round: 3, points: 10 }]],
      [
        'retry --only @marks.csv',
        ['correction', 'b', { attempt: 3, question: 'Question b, rightly' }],
        ['retry', 'b', { round: 4, points: 10 }],
      ],
      [
        'retry --only b,no --max-points 1',
        ['cap', null, { from: null, to: 1 }],
        ['retry', 'b', { round: 5, points: 10 }],
        ['retry', 'no', { round: 5, points: 10 }],
      ],
      [
        'retry --unsent 5 --max-points none',
        ['cap', null, { from: 1, to: null }],
        ['retry', null, { round: 5, rows: 2 }],
      ],
      [
        'resolve --from found.csv --yes',
        ['resolve', 'a', { task_id: stage.taskId }],
        ['resolve', 'n', { not_created: true }],
      ],
      [
        'resume --max-points 600',
        ['unasked', null, { rows: 1, points: 10 }],
        ['cap', null, { from: null, to: 600 }],
      ],
      ['tune --max-points 600'],
      ['tune --max-points 700', ['cap', null, { from: 600, to: 700 }]],
      ['run q.csv --odd send', ['odd', null, { odd: 'send', rows: 0 }]],
      ['resume'],
      ['collect'],
    ];
    let known = 1;
    for (const [line, ...expected] of steps) {
      await stage.batch(line.split(' '));
      const seen = await seenIn(stage);
      expect(seen.slice(known), line).toEqual(expected);
      known = seen.length;
    }
  });

  it('with who decided, when, on which machine, and the command as it was typed', async () => {
    await using stage = await openRun();
    const before = Date.now();
    await stage.batch(['retry', 'videos', '--only=no', '--failure', 'bad words', ...quick]);
    const [, decision] = await decisionsOf(stage);
    expect(decision).toMatchObject({
      user: userInfo().username,
      machine: hostname(),
      command: `batch retry videos --only=no --failure 'bad words' --poll-interval 100ms`,
    });
    expect(new Date(decision?.at ?? '').toISOString()).toBe(decision?.at);
    expect(Date.parse(decision?.at ?? '')).toBeGreaterThanOrEqual(before);
  });

  it('with the rows that it is about in report.jsonl, and nothing where nobody decided', async () => {
    await using stage = await openRun();
    await stage.batch(['retry', '--only', 'no', '--yes', ...quick]);
    const lines = (await stage.read('videos/report.jsonl')).trim().split('\n');
    const rows = lines.map((line): { id: string; decisions?: unknown } => JSON.parse(line));
    expect(rows.filter(({ decisions }) => decisions !== undefined)).toMatchObject([
      { id: 'no', decisions: [{ kind: 'retry', detail: { round: 2 }, user: userInfo().username }] },
    ]);
  });

  it('and shown as a table, the newest last, in the language of the user', async () => {
    await using stage = await openRun();
    await stage.batch(['retry', '--only', 'b,no', '--yes', ...quick]);
    await stage.batch(['tune', '-j', '3', '--max-points', '900']);
    await stage.batch(['resolve', '--not-created', '--yes', 'n']);
    const who = `${userInfo().username}@${hostname()}`;
    const shown = (await stage.batch(['status', '--decisions'])).stdout.trim().split('\n');
    expect(shown.map((line) => line.replace(/^[-\dT:]+Z {2}/, '').replace(/ {2,}/g, ' | '))).toEqual([
      expect.stringMatching(/\| batch run q\.csv .* \| 4 rows, price unknown; sent without a question$/),
      `${who} | batch retry --only b,no --yes --poll-interval... | 2 rows, about 20 points; nobody was asked (--yes)`,
      `${who} | batch retry --only b,no --yes --poll-interval... | 2 rows once more, about 20 points: b, no`,
      `${who} | batch tune -j 3 --max-points 900 | --concurrency 3 (was 4)`,
      `${who} | batch tune -j 3 --max-points 900 | --max-points 900`,
      `${who} | batch resolve --not-created --yes n | no task was made: n`,
    ]);
    const chinese = (await stage.batch(['status', '--decisions', '--lang', 'zh'])).stdout;
    expect(chinese).toMatch(/再次提交 2 行，约 20 积分：b、no\n.*（原为 4）\n/);
  });

  it('without a secret of its command line', async () => {
    await using stage = await openRun();
    const hook = `node -e 0 s3cret-of-a-hook`;
    await stage.batch([
      ...['retry', '--only', 'no', ...quick, '--ping', 'https://hc.example/s3cret-ping'],
      ...['--on-row', hook, `--on-end=${hook}`, '--events', 'https-like-file'],
    ]);
    await stage.batch(['resume', '--max-points', '70', '--base-url', 'http://me:s3cret-word@127.0.0.1:9']);
    const all = JSON.stringify(await decisionsOf(stage));
    expect(all).not.toContain('s3cret');
    expect(all).toContain('--on-row ... --on-end=...');
    const bytes = await readFile(join(stage.folder, 'videos', checkpointName), 'latin1');
    expect(bytes).not.toContain('s3cret-of-a-hook');
  });

  it.skipIf(!hasTerminals)('a plan that somebody agreed to at the terminal', async () => {
    await using stage = await openRun();
    const env = { BATCH_BASE_URL: stage.service.url, BATCH_API_KEY: 'sk-scripted-0123456789' };
    for (const answer of ['n', 'y']) {
      await using program = startOnTerminal(['retry', '--only', 'b', ...quick], {
        cwd: stage.folder,
        columns: 200,
        env,
      });
      await program.said(/\[y\/N\]/);
      program.type(`${answer}\r`);
      await program.ended;
    }
    expect(await seenIn(stage)).toEqual([
      begun,
      ['agreed', null, { rows: 1, points: 10 }],
      ['retry', 'b', { round: 2, points: 10 }],
    ]);
  });
});

describe.concurrent('a decision and its effect are saved together, whenever the program is killed', {
  timeout,
}, () => {
  it('in the middle of it, neither is there', async () => {
    await using stage = await openRun();
    await stage.write('found.csv', `id,task_id\na,${stage.taskId}\nn,not-created\n`);
    const counts = async () => JSON.parse((await stage.batch(['status', '--json'])).stdout).statuses;
    const before = await counts();
    const killed = ['--import', new URL('support/kill-at-decision.ts', import.meta.url).href];
    const lines = [
      ['resolve', ['resolve', '--from', 'found.csv', '--yes']],
      ['retry', ['retry', '--only', 'b', ...quick]],
    ] as const;
    for (const [kind, line] of lines)
      for (const moment of ['before', 'after']) {
        const env = { KILL_DECISION: moment, KILL_KIND: kind };
        expect((await stage.batch(line, { node: killed, env })).signal, `${moment} ${kind}`).toBe('SIGKILL');
        expect(await counts()).toEqual(before);
        expect(await seenIn(stage)).toEqual([begun]);
      }
    for (const [, line] of lines) await stage.batch(line);
    expect(await seenIn(stage)).toMatchObject([
      begun,
      ['resolve', 'a', {}],
      ['resolve', 'n', {}],
      ['retry', 'b', {}],
    ]);
  });

  it('and after the order is saved, both are there', async () => {
    await using stage = await openRun();
    const killed = ['--import', new URL('support/kill-at-order.ts', import.meta.url).href];
    const line = ['retry', '--only', 'b', ...quick];
    expect((await stage.batch(line, { node: killed, env: { KILL_ORDER: 'after' } })).signal).toBe('SIGKILL');
    expect(await seenIn(stage)).toEqual([begun, ['retry', 'b', { round: 2, points: 10 }]]);
    expect(JSON.parse((await stage.batch(['status', '--json'])).stdout).statuses.pending).toBe(1);
  });
});

describe('a run of an earlier version, which kept no decisions', { timeout }, () => {
  it('is looked at as it is, and brought up to date by what works on it', async () => {
    await using stage = await openRun();
    const path = join(stage.folder, 'videos', checkpointName);
    const versionIn = (change = ''): unknown => {
      const db = new Database(path);
      try {
        db.exec(change);
        return db.pragma('user_version', { simple: true });
      } finally {
        db.close();
      }
    };
    versionIn(
      'DROP TRIGGER items_left_final; DROP TRIGGER items_left_order; DROP TABLE finals; DROP TABLE decisions; PRAGMA user_version = 1',
    );
    for (const line of [
      ['status'],
      ['report'],
      ['retry', '--rejected', '--dry-run'],
      ['export', '--to', 'out'],
    ])
      expect(await stage.batch(line), line.join(' ')).toMatchObject({ code: 0 });
    expect((await stage.batch(['status', '--decisions'])).stdout).toMatch(/^nobody decided/);
    expect(await decisionsOf(stage)).toEqual([]);
    expect(versionIn()).toBe(1);
    await stage.batch(['tune', '-j', '3']);
    expect(await seenIn(stage)).toEqual([['tune', null, { concurrency: { from: '4', to: '3' } }]]);
    expect(versionIn()).toBe(newestVersion());
  });
});

describe('a run that machines share', { timeout }, async () => {
  const server = await startPostgres();
  afterAll(() => server[Symbol.asyncDispose]());

  it('keeps what each of them decided, without its password, and takes along what was decided before', async () => {
    await using stage = await openRun();
    await stage.batch(['tune', '-j', '3']);
    const url = await server.createDatabase();
    const place = ['--store', url, '--run', 'algebra'];
    expect((await stage.batch(['move', 'videos', ...place, '--out', 'shared'])).code).toBe(0);
    await stage.batch(['retry', ...place, '--only', 'b', '--max-points', '900', '--yes', ...quick]);
    await stage.batch(['resolve', ...place, 'a', '--task-id', stage.taskId]);
    await stage.batch(['tune', ...place, '--max-points', '800']);
    await stage.write('more.csv', questions('c'));
    await stage.batch([...runLine('more.csv', '--add', '--max-points', '950', '--yes'), ...place]);
    expect(await seenIn(stage, ...place)).toEqual([
      begun,
      ['tune', null, { concurrency: { from: '4', to: '3' } }],
      ['yes', null, { rows: 1, points: 10 }],
      ['cap', null, { from: null, to: 900 }],
      ['retry', 'b', { round: 2, points: 10 }],
      ['resolve', 'a', { task_id: stage.taskId }],
      ['cap', null, { from: 900, to: 800 }],
      ['yes', null, { rows: 1, points: 10 }],
      ['cap', null, { from: 800, to: 950 }],
    ]);
    const all = JSON.stringify(await decisionsOf(stage, ...place));
    expect(all).not.toContain(server.password);
  });

  it('is looked at as an earlier version left it, and brought up to date by what works on it', async () => {
    await using stage = await openRun();
    const url = await server.createDatabase();
    const place = ['--store', url, '--run', 'old'];
    await stage.batch(['move', 'videos', ...place, '--out', 'shared']);
    await server.query(
      url,
      `SET search_path = batch_old; DROP TRIGGER items_left_final ON items; DROP TRIGGER items_left_order ON items; DROP FUNCTION leave_final, order_finals;
        DROP TABLE finals, decisions; DROP FUNCTION save_decisions;
        DROP INDEX items_without_points; ALTER TABLE sums DROP COLUMN h, DROP COLUMN m, DROP COLUMN l; UPDATE run SET schema_version = 1`,
    );
    for (const line of [['status'], ['report']])
      expect(await stage.batch([...line, ...place]), line.join(' ')).toMatchObject({ code: 0 });
    expect(await seenIn(stage, ...place)).toEqual([]);
    await stage.batch(['tune', ...place, '-j', '3']);
    expect(await seenIn(stage, ...place)).toEqual([['tune', null, { concurrency: { from: '4', to: '3' } }]]);
  });
});

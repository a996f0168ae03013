/** `batch audit` against the statement of a service that keeps its own ledger. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { renderNumber } from '../../../src/messages/numbers.ts';
import { movesOf } from '../../cli/support/moves.ts';
import type { Script } from '../../cli/support/scripted-service.ts';
import { openStage, questions, runLine, type Stage } from '../../cli/support/stage.ts';
import { apiKey, startRehearsal } from '../../service/simulator/rehearsal.ts';
import { listing } from '../../support/listing.ts';
import { startPostgres } from '../../support/postgres.ts';

/** Each test starts several programs. */
const timeout = 240_000;

const rows = 100;

/** What looking at a run leaves, and the folder that has it. */
const leftByLooking = /^videos (?!\/)|batch\.sqlite-/;

/** A run of a hundred rows, some of which failed, and the lines of its statement. */
async function openBilled(): Promise<Stage & { readonly header: string; readonly lines: readonly string[] }> {
  const stage = await openStage();
  await using service = await startRehearsal({ durationMs: 20, failRate: 0.05, seed: 7 });
  const of = (at: number): string => `q${at},"What is ${at}, and why?",${at % 2 === 0 ? '数学' : '物理'}`;
  await stage.write(
    'q.csv',
    ['id,question,学科', ...Array.from({ length: rows }, (_, at) => of(at)), ''].join('\n'),
  );
  const env = { BATCH_BASE_URL: service.baseUrl, BATCH_API_KEY: apiKey };
  const ending = await stage.batch(runLine('q.csv', '-j', '32', '--yes', '--frames', 'none'), { env });
  expect(ending.code).toBe(1);
  const statement = await (await fetch(`${service.baseUrl}/statement`)).text();
  await stage.write('statement.csv', statement);
  const [header = '', ...lines] = statement.trimEnd().split('\r\n');
  return Object.assign(stage, { header, lines });
}

describe('a statement', { timeout }, () => {
  it('of the service itself is clean; with oddities each is named, and nothing else', async () => {
    await using stage = await openBilled();
    const { header, lines } = stage;
    const files = async () => (await listing(stage.folder)).filter((line) => !leftByLooking.test(line));
    const before = await files();
    const clean = await stage.batch(['audit', 'statement.csv', '--by', '学科']);
    expect(clean).toMatchObject({ code: 0 });
    expect(clean.stdout).toContain(`compared with ${rows} attempts of ./videos\nmatched: ${lines.length} (`);
    expect(clean.stdout).toMatch(
      /by 学科:\n {2}数学: 50 tasks, .*\n {2}物理: 50 tasks, .*\nclean: \d+ tasks matched/,
    );
    const points = renderNumber(lines.length * 10);
    expect(clean.stderr).toContain(
      `statement.csv: ${lines.length} lines of ${lines.length} tasks, ${points} points\n`,
    );
    expect(await files()).toEqual(before);

    const [dear = '', twice = '', missing = '', ...others] = lines;
    const strange = 'sim-strange,2099-01-01T00:00:00Z,10,?,gen_video';
    const odd = [dear.replace(',10,', ',12,'), twice, ...others, twice, strange];
    await stage.write('odd.csv', [header, ...odd, ''].join('\r\n'));
    const ending = await stage.batch(['audit', 'odd.csv', 'videos', '--json']);
    expect(ending).toMatchObject({ code: 1 });
    const { tasks, ...said } = JSON.parse(ending.stdout);
    const idOf = (line: string): string => line.split(',', 1)[0] ?? '';
    expect(said).toMatchObject({ clean: false, differences: 4, attempts: rows, proposals: [] });
    const named = (verdict: string): unknown[] =>
      tasks[verdict].map(({ taskId, ours, theirs, line }: Record<string, unknown>) => [
        taskId,
        ours,
        theirs,
        line,
      ]);
    expect(Object.fromEntries(Object.keys(tasks).map((verdict) => [verdict, named(verdict)]))).toEqual({
      matched: expect.any(Array),
      nothing: expect.any(Array),
      learned: [],
      'not-yet': [],
      price: [[idOf(dear), 10, 12, 2]],
      twice: [[idOf(twice), 10, 20, 3]],
      unreadable: [],
      spoiled: [],
      'ours-only': [[idOf(missing), 10, null, null]],
      'theirs-only': [['sim-strange', null, 10, odd.length + 1]],
    });
    expect([tasks.matched.length, tasks.nothing.length]).toEqual([lines.length - 3, rows - lines.length]);

    const chinese = await stage.batch(['audit', 'odd.csv', '--lang', 'zh']);
    expect(chinese.stdout).toContain(`  账单第 ${odd.length + 1} 行，任务 sim-strange：账单 10\n`);
    expect(chinese.stdout).toMatch(/有 4 处差异需要核查\n$/);
  });

  it('of which nothing matches, and one without lines, is never clean', async () => {
    await using stage = await openStage();
    // A column of the user's own, with values that are no keys of ours.
    await stage.write('q.csv', 'id,question,batch\na,Question a,B1\n');
    await stage.batch(runLine('q.csv'));
    await stage.write('other.csv', 'task_id,points,batch\nx,10,B1\n');
    await stage.write('none.csv', 'task_id,points\n');
    await stage.write('spoiled.csv', 'task_id,points\n1.23E+17,10\n1.23E+17,10\n');
    const other = await stage.batch(['audit', 'other.csv', '--by', 'batch']);
    expect(other).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/\n {2}B1: 1 task, [\s\S]*no line of the statement matches.*\n$/),
    });
    const spoiled = await stage.batch(['audit', 'spoiled.csv']);
    expect(spoiled).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        /task id spoiled: 2 \([\s\S]*export the statement again[\s\S]*3 differences/,
      ),
    });
    expect(spoiled.stdout).not.toContain('theirs only');
    const none = await stage.batch(['audit', 'none.csv', '--to', 'found.csv']);
    expect(none).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/\nfound\.csv was not written: .*\n.*no line with a task.*\n$/),
    });
    expect(await stage.list('.')).not.toContain('found.csv');
  });

  it('is wrong use where something is missing or not sure, and says what to type', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a'));
    await stage.write('s.csv', 'task_id,points\nx,10\n');
    await stage.write('amount.csv', 'task_id,points\nx,10\ny,1.001\n');
    await stage.write('two.csv', 'task_id,cost,usage\nx,10,10\n');
    await stage.batch(runLine('q.csv'));
    const wrong: readonly (readonly [args: string[], says: RegExp])[] = [
      [['audit'], /name the statement of the account/],
      [['audit', 's.csv', '--map', 'id=x'], /--map id=x is not valid; use FIELD=COLUMN/],
      [['audit', 's.csv', '--map', 'amount=x'], /amount=x/],
      [['audit', 'two.csv'], /choose one: --map amount=cost, --map amount=usage/],
      [['audit', 'amount.csv'], /line 3: the amount may be 1\.001 or 1001, .* --decimals comma for 1001/],
      [['audit', 's.csv', '--decimals', '.'], /--decimals \. is not valid/],
      [['audit', 's.csv', '--zone', 'Mars'], /--zone Mars is not valid; use UTC/],
      ...['report.csv', 'report.jsonl'].map((name): [string[], RegExp] => [
        ['audit', `videos/${name}`],
        /this is a report that batch wrote, not a statement/,
      ]),
      [['audit', 's.csv', '--by', 'x'], /--by x: the input has no such column/],
      [['audit', 's.csv', '--by', ''], /--by needs one value/],
      [['audit', 's.csv', 'videos', './videos'], /are the same run/],
      [['audit', 's.csv', 'nowhere'], /nowhere/],
    ];
    for (const [args, says] of wrong)
      expect(await stage.batch(args)).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(says),
      });
  });
});

it('a statement with times of another zone hides nothing as not yet billed', { timeout }, async () => {
  await using stage = await openStage();
  await stage.write('q.csv', questions('a', 'b'));
  await stage.batch(runLine('q.csv'));
  const [billed] = await stage.report();
  const shown = new Date().toISOString().slice(0, 19).replace('T', ' ');
  await stage.write('s.csv', `task_id,time,points\n${billed?.task_id},${shown},${billed?.points}\n`);
  const env = { TZ: 'Asia/Shanghai' };
  const asked = await stage.batch(['audit', 's.csv'], { env });
  expect([asked.code, asked.stderr]).toEqual([1, expect.stringContaining('add --zone UTC\n')]);
  expect(asked.stdout).toMatch(/matched: 1 [\s\S]*ours only: 1 [\s\S]*1 difference to look into\n$/);
  const named = await stage.batch(['audit', 's.csv', '--zone', 'UTC'], { env });
  expect([named.code, named.stdout]).toEqual([0, expect.stringContaining('not yet billed: 1 ')]);
});

/** The creations of `a` and `c` make their tasks, and their answers are lost. */
const lostAnswers: Script = {
  create: ({ question }, accept) => {
    if (question === 'Question b') return undefined;
    accept();
    return (response) => void response.destroy();
  },
};

describe('a task that is theirs only', { timeout }, () => {
  it('is proposed for the uncertain row that it fits, in the table that `batch resolve` takes', async () => {
    await using stage = await openStage(lostAnswers);
    await stage.write('q.csv', questions('b', 'a', 'c'));
    expect((await stage.batch(runLine('q.csv', '-j', '3'))).code).toBe(5);
    stage.service.follow({});
    const [a, b, c] = ['a', 'b', 'c'].map((id) => stage.service.taskIds.get(`Question ${id}`) ?? '');
    const now = new Date().toISOString();
    const lines = [a, b, c].map((task, at) => `${task},${now},10,Question ${'abc'[at]}`);
    // A second one fits row c as well: nobody guesses.
    await stage.write(
      's.csv',
      ['task_id,time,points,question', ...lines, `other,${now},10,Question c`, ''].join('\n'),
    );
    const told = await stage.batch(['audit', 's.csv']);
    expect(told.stdout).toContain(`write them to a file with --to FILE\n  a: task ${a}?\n`);

    await stage.write('mine.csv', 'mine\n');
    const refused = await stage.batch(['audit', 's.csv', '--to', 'mine.csv']);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('mine.csv') });
    expect(await stage.read('mine.csv')).toBe('mine\n');

    const ending = await stage.batch(['audit', 's.csv', '--to', 'found.csv']);
    expect(ending).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('`batch resolve ./videos --from found.csv`'),
    });
    const table = await readFile(join(stage.folder, 'found.csv'), 'utf8');
    expect(table.trimEnd().split('\r\n')).toEqual([
      '\ufeffid,task_id,created_after,created_before,question,likely_task_id,answer,batch',
      expect.stringMatching(new RegExp(`^a,${a},.*,Question a,,`)),
    ]);
    expect(await stage.batch(['resolve', 'videos', '--from', 'found.csv'])).toMatchObject({ code: 0 });
    await stage.batch(['collect', '--poll-interval', '100ms']);
    expect(await stage.statuses()).toEqual({ a: 'completed', b: 'completed', c: 'uncertain' });
  });
});

it('a run in a store is compared as one in a folder, beside others', { timeout }, async () => {
  await using server = await startPostgres();
  const url = `${await server.createDatabase()}?sslmode=disable`;
  await using stage = await openStage();
  await stage.write('q.csv', questions('a', 'b'));
  await stage.write('r.csv', questions('c'));
  await stage.batch(runLine('q.csv'));
  await stage.batch(runLine('r.csv', '--out', 'other'));
  await stage.batch(movesOf(url, 'shared').into);
  const points = (await stage.report()).map((line) => line.points);
  const lines = [...stage.service.taskIds.values()].map((task) => `${task},${points[0]}`);
  await stage.write('s.csv', ['task_id,points', ...lines, ''].join('\n'));
  const place = ['--store', url, '--run', 'shared'];
  const both = await stage.batch(['audit', 's.csv', 'other', ...place, '--json']);
  expect([both.code, both.stderr]).toEqual([0, expect.stringContaining('clean: 3 tasks matched')]);
  const { runs } = JSON.parse(both.stdout);
  expect(runs.map(({ name, count }: Record<string, unknown>) => [name, count])).toEqual([
    [expect.stringMatching(/--run shared$/), 2],
    ['other', 1],
  ]);
  const alone = await stage.batch(['audit', 's.csv', ...place]);
  expect([alone.code, alone.stdout]).toEqual([1, expect.stringContaining('theirs only: 1 ')]);
  await stage.batch(['move', 'other', '--store', url, '--run', 'more', '--out', 'more']);
  const stored = await stage.batch(['audit', 's.csv', ...place, '--run', 'more', '--json']);
  expect(stored).toMatchObject({ code: 0, stderr: expect.stringContaining('clean: 3 tasks matched') });
  expect(JSON.parse(stored.stdout).runs).toHaveLength(2);
});

/** The first hour on a machine with Windows, as the first steps tell it. */

import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { reportLines } from '../support/written.ts';
import { batch, beginBatch, type Going, hasWindows, holdOpen, startWindows } from './support/wine.ts';

const sample = 'chinese-gb18030.csv';

describe.skipIf(!hasWindows)('on Windows', { timeout: 300_000 }, () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let cwd: string;
  const going: Going[] = [];

  beforeAll(startWindows, 120_000);
  beforeEach(async () => {
    folder = await temporaryFolder();
    cwd = folder.path;
    copyFileSync(resolve('samples', sample), join(cwd, sample));
  });
  afterEach(async () => {
    for (const each of going.splice(0)) {
      each.kill();
      await each.ended;
    }
    await folder[Symbol.asyncDispose]();
  });

  const run = (...more: readonly string[]) => batch(cwd, 'run', sample, '--simulate', '--yes', ...more);
  const rowsOf = (file = 'videos/report.jsonl') => reportLines(readFileSync(join(cwd, file), 'utf8'));
  /** Tasks that the embedded service has accepted. */
  const tasks = () => {
    const file = join(cwd, 'videos/simulator.jsonl');
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0;
  };
  const until = async (isSo: () => boolean): Promise<void> => {
    while (!isSo()) await wait(50);
  };

  it('a table becomes videos, the same line pays nothing, and all that is said can be typed', async () => {
    const checked = await batch(cwd, 'check', sample);
    expect(checked).toMatchObject({ code: 0, stdout: expect.stringContaining('8 to submit') });
    const made = await run();
    expect(made.stderr).not.toContain('bug');
    expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining('8 rows: 8 completed') });
    expect(made.stdout).not.toContain('\\');
    const again = await run();
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('0 to submit; 8 done') });
    expect(tasks()).toBe(8);
    expect(await batch(cwd, 'status')).toMatchObject({ code: 0 });
    expect(await batch(cwd, 'report')).toMatchObject({ code: 0 });
    expect(await batch(cwd, 'verify')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('0 damaged or missing'),
    });
    expect(await batch(cwd, 'export', '--to', 'handed over')).toMatchObject({ code: 0 });
    expect(readdirSync(join(cwd, 'handed over')).filter((name) => /\.(mp4|webm)$/.test(name))).toHaveLength(
      8,
    );
  });

  it('a pattern finds the table, and Chinese is spoken', async () => {
    const made = await batch(cwd, 'run', '*.csv', '--simulate', '--yes', '--lang', 'zh', '--out', '视频');
    expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining('共 8 行：已完成 8') });
    expect(rowsOf('视频/report.jsonl')).toHaveLength(8);
  });

  it('a workbook is read, in a folder with a long Chinese name', async () => {
    const deep = join(cwd, ...Array.from({ length: 6 }, (_, at) => `第${at}个很长的文件夹名字 with blanks`));
    mkdirSync(deep, { recursive: true });
    const book = readdirSync('samples').find((name) => name.endsWith('.xlsx')) ?? '';
    copyFileSync(resolve('samples', book), join(deep, '题目.xlsx'));
    const made = await batch(deep, 'run', '题目.xlsx', '--simulate', '--yes');
    expect(made.stderr).not.toContain('bug');
    expect(made.code).toBe(0);
    expect(existsSync(join(deep, 'videos/report.html'))).toBe(true);
  });

  it('a run that was killed goes on, and no row is paid for twice', async () => {
    const first = beginBatch(cwd, 'run', sample, '--simulate', '--yes', '--duration', '4s');
    going.push(first);
    await until(() => tasks() > 2);
    first.kill();
    await first.ended;
    const second = await run();
    // 5: a creation was on its way. Its row is not sent again.
    expect([0, 5]).toContain(second.code);
    const rows = rowsOf();
    expect(tasks()).toBeLessThanOrEqual(8);
    const paid = rows.map((row) => row.task_id).filter((id) => id !== null);
    expect(new Set(paid).size).toBe(paid.length);
  });

  it('a report that Excel has open ends no run: a line names it, and the new one lies beside it', async () => {
    expect((await run('--limit', '2')).code).toBe(4);
    going.push(holdOpen(join(cwd, 'videos'), 'report.csv'));
    await until(
      () =>
        statSync(join(cwd, 'videos/report.csv')).size === 0 ||
        readFileSync(join(cwd, 'videos/report.csv'), 'utf8').includes('127.0.0.1'),
    );
    const made = await run('--limit', 'none');
    expect(`${made.stdout}${made.stderr}`).toContain('report.csv');
    expect(made.stdout).toContain('8 rows: 8 completed');
    expect(made.code).toBe(0);
    expect(readFileSync(join(cwd, 'videos/report (2).csv'), 'utf8')).toContain('zh-8');
    expect(rowsOf()).toHaveLength(8);
  });

  it('rows that failed are sent once more, on request', async () => {
    const failed = await run('--fail-rate', '1', '--out', 'failed');
    expect(failed.code).toBe(1);
    const again = await batch(cwd, 'retry', 'failed', '--failed', '--yes', '--fail-rate', '0');
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('8 completed') });
  });

  it('a pilot, the rest, and a correction of a reviewer: each is paid for once', async () => {
    expect(await run('--sample', '3')).toMatchObject({
      code: 4,
      stdout: expect.stringContaining('3 completed'),
    });
    expect(tasks()).toBe(3);
    expect(await run('--max-points', '5000')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('8 completed'),
    });
    expect(tasks()).toBe(8);
    writeFileSync(
      join(cwd, 'marks.csv'),
      '\ufeffid,mark,note,attempt,question\r\nzh-1,bad,,1,求 $x$\r\nzh-2,good,,1,\r\n',
    );
    const again = await batch(cwd, 'retry', '--only', '@marks.csv', '--simulate', '--yes');
    expect(again).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('1 row sent with corrected text'),
    });
    expect(tasks()).toBe(9);
    expect(rowsOf()[0]).toMatchObject({ status: 'completed', attempts: expect.anything() });
  });

  it('the page is shown while the run is looked at', async () => {
    await run();
    const view = beginBatch(cwd, 'view', '--port', '0');
    going.push(view);
    const address = (): string | undefined => /http:\/\/127\S+/.exec(view.said())?.[0];
    await until(() => address() !== undefined);
    const page = await fetch(address() ?? '');
    expect(await page.text()).toContain('<!doctype html>');
  });

  it('a mended table is taken, whose rows come back with their videos', async () => {
    writeFileSync(join(cwd, 'q.csv'), 'id,question,quality\r\n1,How much is 1 + 1?,x\r\n2,And 2 + 2?,h\r\n');
    const first = await batch(cwd, 'run', 'q.csv', '--simulate', '--yes', '--out', 'o');
    expect(first.code).toBe(1);
    writeFileSync(join(cwd, 'q.csv'), 'id,question,quality\r\n1,How much is 1 + 1?,h\r\n2,And 2 + 2?,h\r\n');
    const second = await batch(cwd, 'run', 'q.csv', '--simulate', '--yes', '--out', 'o');
    expect(second).toMatchObject({ code: 0, stdout: expect.stringContaining('2 rows: 2 completed') });
  });
});

/** The folder to unzip, as the page for Windows tells it: from a path with Chinese letters and blanks, through its `.cmd` files. */

import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { makePackage } from '../../src/release/package.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { reportLines } from '../support/written.ts';
import { beginCommand, type Going, hasWindows, node, startWindows } from './support/wine.ts';

const sample = 'samples/chinese-gb18030.csv';

describe.skipIf(!hasWindows)('the folder for Windows, unzipped', { timeout: 900_000 }, () => {
  const going: Going[] = [];
  afterEach(async () => {
    for (const each of going.splice(0)) {
      each.kill();
      await each.ended;
    }
  });

  const begin = (...words: Parameters<typeof beginCommand>): Going => {
    const begun = beginCommand(...words);
    going.push(begun);
    return begun;
  };
  const until = async (isSo: () => boolean): Promise<void> => {
    while (!isSo()) await wait(50);
  };

  it('plan, pilot, run, kill, resume, correction, the other attempt, export, view, and a dropped table', async () => {
    await using scratch = await temporaryFolder();
    startWindows();
    const home = join(scratch.path, '老师的 视频 课程');
    mkdirSync(home);
    const env = { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' };
    execFileSync('unzip', ['-q', await makePackage('windows', scratch.path)], { cwd: home, env });
    const at = join(home, 'batch');
    copyFileSync(node, join(at, 'program/node.exe'));
    const batch = (...args: string[]) => begin(at, 'batch.cmd', ...args, '--lang', 'zh').ended;
    const tasks = (): number => {
      const file = join(at, 'videos/simulator.jsonl');
      return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0;
    };

    expect(await batch('check', sample)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('提交 8 行'),
    });
    const pilot = await batch('run', sample, '--simulate', '--sample', '2', '--yes');
    expect(pilot).toMatchObject({ code: 4, stdout: expect.stringContaining('已完成 2') });

    const killed = begin(at, 'batch.cmd', 'run', sample, '--simulate', '--yes', '--duration', '8s');
    await until(() => tasks() > 4);
    killed.kill();
    await killed.ended;
    expect(await batch('status')).toMatchObject({ code: 0 });
    // 5: a creation was on its way, and is not sent again by itself.
    expect([0, 5]).toContain((await batch('resume')).code);
    expect(tasks()).toBeLessThanOrEqual(8);

    const before = tasks();
    writeFileSync(join(at, 'marks.csv'), '\ufeffid,mark,note,attempt,question\r\nzh-1,bad,,1,求 $x$\r\n');
    const corrected = await batch('retry', '--only', '@marks.csv', '--yes');
    expect(corrected.stderr).toContain('1 行按改正后的文字发送');
    expect(tasks()).toBe(before + 1);
    expect((await batch('prefer', 'zh-1', '--attempt', '1')).code).toBe(0);
    expect(await batch('verify')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('0 个损坏或缺失'),
    });
    expect((await batch('export', '--to', '交付')).code).toBe(0);
    expect(readdirSync(join(at, '交付'))).toEqual(expect.arrayContaining(['manifest.csv', 'zh-1.webm']));
    const rows = reportLines(readFileSync(join(at, 'videos/report.jsonl'), 'utf8'));
    expect(rows).toHaveLength(8);

    const view = begin(at, 'batch.cmd', 'view', '--port', '0');
    const address = (): string => /http:\/\/127\S+/.exec(view.said())?.[0] ?? '';
    await until(() => address() !== '');
    expect(await (await fetch(address())).text()).toContain('<!doctype html>');

    copyFileSync(join(at, sample), join(home, '题目 一.csv'));
    const dropped = await begin(at, 'batch-check.cmd', '..\\题目 一.csv').ended;
    expect(dropped).toMatchObject({ code: 0, stdout: expect.stringContaining('8 to submit') });
  });
});

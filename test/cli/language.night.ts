import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { completed, failed } from './support/scripted-service.ts';
import { openStage, questions, runLine } from './support/stage.ts';

const zh = ['--lang', 'zh'];

describe('a run in Chinese', () => {
  it('says its plan, its end and the next step in Chinese, and writes what programs read in English', async () => {
    await using stage = await openStage({
      status: (task) => (task.question === 'Question b' ? failed(task, '题目无法识别') : completed(task)),
    });
    await stage.write('q.csv', `${questions('a', 'b')}c,\n`);
    const run = await stage.batch([...runLine('q.csv'), '--limit', '1', ...zh]);
    expect(run.code).toBe(4);
    expect(run.stderr.split('\n')).toEqual(
      expect.arrayContaining([
        '正在读取 q.csv',
        '计划：现在提交 2 行中的 1 行（--limit）：新增 2；无法提交 1',
      ]),
    );
    expect(run.stdout).toMatch(
      /^共 3 行：已完成 1，待提交 1，无效 1\n已用 \d+ 积分，平均每个视频 \d+\n已停止：已达 --limit\n/,
    );
    expect(run.stdout).toMatch(/^ {2}1 无效 {2}“既没有题目，也没有题目图片”$/m);
    expect(run.stdout).toMatch(/^下一步：batch resume \.\/videos .*还剩 1 行.*$/m);

    // The language is no option of the run: this terminal speaks English.
    const dry = await stage.batch(['resume', '--dry-run']);
    expect(dry.stdout).toMatch(/^Plan: 1 to submit$/m);

    const resume = await stage.batch(['resume', '--poll-interval', '100ms'], {
      env: { LANG: 'zh_CN.UTF-8' },
    });
    expect(resume.stderr).toContain('计划：提交 1 行');
    expect(resume.stderr).toContain('b 失败：题目无法识别');
    expect(resume.stdout).toMatch(/^接下来：batch run q\.csv .*1 行无效：先改正题目文件/m);

    const status = await stage.batch(['status', ...zh]);
    expect(status.stdout).toBe(resume.stdout);
    const json = await stage.batch(['status', '--json', ...zh]);
    const { statuses, next } = JSON.parse(json.stdout);
    expect(statuses).toMatchObject({ completed: 1, failed: 1, invalid: 1 });
    expect(next).toMatch(/^batch retry \.\/videos --failed --until \d+$/);
    expect(await stage.statuses()).toEqual({ a: 'completed', b: 'failed', c: 'invalid' });
    expect(await stage.read('videos/report.csv')).toContain('it has neither a question nor a question image');
    expect(await readFile(join(stage.folder, 'videos/batch.log'), 'utf8')).not.toContain('失败：');
  });

  it('that cannot start says why in Chinese: as the locale, --lang and the job file say', async () => {
    await using stage = await openStage();
    await stage.write('broken.csv', 'id,question\na,One,Two\nb,"Three\n');
    await stage.write('rows.csv', 'id,question,image\na,,\nb,Two,gone.png\n');
    await stage.write('job.json', '{"lang":"zh"}');
    const env = { LANG: 'zh_CN.UTF-8' };
    const [broken, rows, nothing, none, job, inEnglish] = await Promise.all([
      stage.batch(['check', 'broken.csv'], { env }),
      stage.batch(['check', 'rows.csv'], { env }),
      stage.batch(['status', 'nowhere'], { env: { LC_ALL: 'zh_CN.UTF-8', LANG: 'C' } }),
      // In folders of their own: a run that cannot start removes what it made, while others look there.
      stage.batch(['run', 'none.csv', '--lang=zh', '--out', 'none']),
      stage.batch(['run', '--job', 'job.json', '--out', 'job']),
      stage.batch(['check', 'rows.csv'], { env: { ...env, LC_ALL: 'C' } }),
    ]);
    expect(broken.stderr.split('\n').slice(1)).toEqual([
      'batch: broken.csv:2: 这一行有 3 个单元格，标题行只有 2 个；含有分隔符的单元格请加引号',
      'batch: broken.csv:3: 从这里或下面开始的引号没有结束',
      '',
    ]);
    expect(rows.stderr.split('\n').slice(1)).toEqual([
      'rows.csv:2: 既没有题目，也没有题目图片',
      'rows.csv:3: questionImages："gone.png" 不存在，或不是文件',
      '',
    ]);
    expect(nothing.stderr).toMatch(/^batch: .*nowhere 中没有运行；请用 `batch run FILE --out DIR` 开始\n$/);
    expect(none.stderr).toBe('batch: none.csv 不存在；请给出 Excel、CSV、JSONL 或 Parquet 文件\n');
    expect(job.stderr).toBe('batch: 没有输入：请用 `batch run FILE`，或在作业文件中写 `input`\n');
    expect(inEnglish.stderr).toContain('it has neither a question nor a question image');
    expect([broken, rows, nothing, none, job].map(({ code }) => code)).toEqual([2, 1, 2, 2, 2]);
  });
});

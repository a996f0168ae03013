import { describe, expect, it } from 'vitest';
import { openStage } from './support/stage.ts';

/** No sentence in English: at least three words that are neither an option nor a command nor a path. */
const english = /(?:(?<![\w./`-])[a-z]{2,}(?![\w./-]) ){3}/i;

describe.concurrent('the terminal', () => {
  it('speaks the language of the locale, and that of --lang before it', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', `\ufeff题目,备注\n${'甲,\n'.repeat(2)}`);
    const env = { LANG: 'zh_CN.UTF-8' };
    const [byLocale, byOption] = await Promise.all([
      stage.batch(['check', 'q.csv'], { env }),
      stage.batch(['check', 'q.csv', '--lang', 'en'], { env }),
    ]);
    expect([byLocale.code, byOption.code]).toEqual([0, 0]);
    expect(byLocale.stdout + byLocale.stderr).not.toMatch(english);
    expect(byLocale.stdout).toContain('计划：提交 2 行：新增 2');
    expect(byLocale.stdout).toContain('警告：1 行与前面某行发送的内容相同，会重复付费');
    expect(byOption.stdout).toContain('Plan: 2 to submit: 2 new');
  });

  it('has the help in it', async () => {
    await using stage = await openStage();
    const env = { LANG: 'zh_CN.UTF-8' };
    const [all, one, inEnglish] = await Promise.all([
      stage.batch(['--help'], { env }),
      stage.batch(['run', '--help'], { env }),
      stage.batch(['--lang', 'en', 'run', '--help'], { env }),
    ]);
    expect(all.stdout).toMatch(/^ {2}batch run questions\.csv --simulate +演练：不用账号，不花积分$/m);
    expect(one.stdout).toMatch(/^为 FILE 中的每道题制作视频；同一命令可继续。$/m);
    expect(inEnglish.stdout).toMatch(/^Make a video of every question in FILE; the same command resumes\.$/m);
  });

  it('has no other language', async () => {
    await using stage = await openStage();
    const { code, stderr } = await stage.batch(['run', 'q.csv', '--lang', 'fr']);
    expect([code, stderr]).toEqual([2, 'batch: --lang: "fr" is not valid; use en or zh\n']);
  });
});

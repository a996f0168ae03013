import { describe, expect, it } from 'vitest';
import { openStage, questions, runLine } from '../../cli/support/stage.ts';

const badKey = { env: { BATCH_API_KEY: 'wrong' } };

describe.concurrent('check --online', () => {
  it('asks one free question: with a file next to the plan, without one for the account alone', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a', 'b'));
    const alone = await stage.batch(['check', '--online', '--json']);
    expect(alone).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(alone.stdout)).toEqual({
      online: { outcome: 'good', failure: null, address: stage.service.url, ms: expect.any(Number) },
    });
    const whole = await stage.batch(['check', 'q.csv', '--online', '--json']);
    expect(JSON.parse(whole.stdout)).toMatchObject({ plan: { rows: 2 }, online: { outcome: 'good' } });
    expect(stage.service.creations).toHaveLength(0);
    expect(await stage.list('videos')).toEqual([]);
  });

  it('says that the key is refused, and so does a resume after a refusal, before anything is sent', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a'));
    const checked = await stage.batch(['check', 'q.csv', '--online'], badKey);
    expect(checked).toMatchObject({
      code: 3,
      stdout: expect.stringMatching(/^Account: .*refused the API key/),
    });
    expect(checked.stdout).toContain('Plan: 1 to submit');
    for (const line of [runLine('q.csv'), ['resume', 'videos']]) {
      expect((await stage.batch(line, badKey)).code).toBe(3);
      expect(stage.service.creations).toHaveLength(0);
    }
    expect((await stage.batch(['resume', 'videos', '--poll-interval', '50ms'])).code).toBe(0);
  });

  it('names the address beside the given one where that answers, and so does a run, which sends nothing', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a', 'b'));
    const env = { BATCH_BASE_URL: `${stage.service.url}/api` };
    for (const line of [['check', '--online'], runLine('q.csv')]) {
      const { code, stdout } = await stage.batch(line, { env });
      expect([code, stdout]).toEqual([
        2,
        expect.stringContaining(` is not the service: ${stage.service.url} answers as the service does`),
      ]);
    }
    expect(stage.service.creations).toHaveLength(0);
  });

  it('needs a file or --online, and an address', async () => {
    await using stage = await openStage();
    const nothing = await stage.batch(['check']);
    expect(nothing).toMatchObject({ code: 2, stderr: expect.stringContaining('`batch check --online`') });
    const nowhere = await stage.batch(['check', '--online'], { env: { BATCH_BASE_URL: '' } });
    expect(nowhere).toMatchObject({ code: 2, stderr: expect.stringContaining('no service address') });
  });
});

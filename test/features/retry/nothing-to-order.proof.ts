import { describe, expect, it } from 'vitest';
import { errorEnvelope, inProgress, type Script } from '../../cli/support/scripted-service.ts';
import { openStage, questions, runLine } from '../../cli/support/stage.ts';

const nothing = 'no row to get a new attempt\n';

describe.concurrent('a retry with nothing to order ends at once, as the run stands', () => {
  it.for<[string, Script, number, string]>([
    ['every video is there', {}, 0, 'view --open'],
    ['a row is rejected', { create: () => errorEnvelope('no') }, 1, 'retry ./videos --rejected'],
    ['a row is uncertain', { create: () => (response) => void response.destroy() }, 5, 'resolve ./videos a'],
  ])('where %s', async ([, script, code, next]) => {
    await using stage = await openStage(script);
    await stage.write('q.csv', questions('a'));
    await stage.batch(runLine('q.csv'));
    const before = stage.service.events.length;
    const ending = await stage.batch(['retry', '--failed', '--json']);
    expect(ending).toMatchObject({ code, stderr: expect.stringContaining(nothing) });
    expect(JSON.parse(ending.stdout)).toMatchObject({
      reason: 'done',
      exitCode: code,
      next: expect.stringMatching(`^batch ${next}`),
    });
    expect(stage.service.events).toHaveLength(before);
  });

  it.for([['--failed'], ['--unsent', '1']] as const)(
    'where tasks of other rows are open, which are not waited for: %j',
    async (choice) => {
      await using stage = await openStage({ status: (task) => inProgress(task) });
      await stage.write('q.csv', questions('a', 'b'));
      const program = stage.start(runLine('q.csv', '--limit', '1'));
      await stage.service.until(({ events }) => events.includes('status Question a'));
      program.kill('SIGINT');
      await program.ended;
      const before = stage.service.events.length;
      const ending = await stage.batch(['retry', ...choice]);
      expect(ending.code).toBe(4);
      expect(JSON.parse((await stage.batch(['retry', ...choice, '--json'])).stdout).reason).toBe('part');
      expect(ending.stderr).toBe(
        `no row ${choice[0] === '--failed' ? 'to get a new attempt' : 'left of the retry'}\n1 row left waiting, not submitted now; use \`batch resume\`\n`,
      );
      expect(ending.stdout).toMatch(
        /^2 rows: 1 pending, 1 open$.*^Next: batch collect \.\/videos .*^Then: batch resume \.\/videos /ms,
      );
      expect(stage.service.events).toHaveLength(before);
    },
  );
});

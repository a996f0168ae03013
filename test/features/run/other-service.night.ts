import { expect, it } from 'vitest';
import { swiftly } from '../../cli/support/program.ts';
import { inProgress, startService } from '../../cli/support/scripted-service.ts';
import { openStage, questions, runLine } from '../../cli/support/stage.ts';

it('another service than that of the tasks so far is named in a warning, once', async () => {
  await using stage = await openStage({ status: (task) => inProgress(task) });
  await stage.write('q.csv', questions('a', 'b'));
  const run = stage.start(runLine('q.csv'));
  await stage.service.until(({ events }) => events.includes('status Question b'));
  run.kill('SIGTERM');
  expect((await run.ended).stderr).not.toContain('another service');
  await using other = await startService({});
  // The other one does not know these tasks, which is known for sure after ten minutes.
  const elsewhere = { env: { BATCH_BASE_URL: `${other.url}/` }, node: swiftly };
  const warning = `warning: the earlier tasks in this folder belong to ${new URL(stage.service.url).origin}, but this run uses ${new URL(other.url).origin}`;
  expect((await stage.batch(['collect', '--poll-interval', '100ms'], elsewhere)).stderr).toContain(warning);
  expect((await stage.batch(['collect', '--poll-interval', '100ms'], elsewhere)).stderr).not.toContain(
    'warning: the earlier tasks',
  );
});

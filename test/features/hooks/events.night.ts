import { spawn } from 'node:child_process';
import { expect, it } from 'vitest';
import { openStage, questions } from '../../cli/support/stage.ts';

it('a reader of --events who stands still holds up neither the run nor its end', async () => {
  await using stage = await openStage();
  // Far more lines than a pipe takes.
  const ids = Array.from({ length: 400 }, (_, n) => `row${n}`);
  await stage.write('q.csv', questions(...ids));
  const reader = spawn('sleep', ['600'], { stdio: ['pipe', 'ignore', 'ignore'] });
  try {
    const args = ['run', 'q.csv', '--yes', '-j', '50', '--poll-interval', '100ms', '--events', '-'];
    const program = stage.start(args, { stdio: ['pipe', reader.stdin, 'pipe'] });
    expect(await program.ended).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('400 rows: 400 completed'),
    });
  } finally {
    reader.kill('SIGKILL');
  }
});

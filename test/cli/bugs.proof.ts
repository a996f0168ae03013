import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { apiKey } from './support/scripted-service.ts';
import { openStage, questions, runLine, type Stage } from './support/stage.ts';

const preload = fileURLToPath(new URL('support/planted-bug.ts', import.meta.url));

/** A run that comes upon the bug. */
function meetBug(stage: Stage, place: string, ...more: readonly string[]) {
  return stage.batch(runLine('q.csv', ...more), {
    node: ['--import', preload],
    env: { PLANTED_BUG: place },
  });
}

describe.concurrent('a bug', () => {
  it.for(['run', 'ingest'])(
    'in the %s is one line and one word of comfort, and the log has its stack',
    async (place) => {
      await using stage = await openStage();
      await stage.write('q.csv', questions('a'));
      const ending = await meetBug(stage, place);
      expect(ending.code).toBe(70);
      expect(ending.stderr).toMatch(
        /batch: nothing can be read of \S+\nbatch: this is a bug in batch; .*(batch\.log has|--verbose shows) where/,
      );
      expect(ending.stderr).not.toMatch(/\n\s*at |planted-bug/);
      if (place === 'run') {
        const log = await stage.read('videos/batch.log');
        expect(log).toContain('"reason":"bug"');
        expect(log).toMatch(
          /"stack":"TypeError: nothing can be read of .*planted-bug\.ts.*caused by RangeError/,
        );
        expect(log).toContain('"msg":"a bug in batch"');
        expect(log).not.toContain(apiKey);
      }
    },
  );

  it('shows its stack on standard error with --verbose, without the key', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a'));
    const ending = await meetBug(stage, 'run', '--verbose');
    expect(ending).toMatchObject({
      code: 70,
      stderr: expect.stringMatching(/\n\s*at plantedBug .*planted-bug\.ts/),
    });
    expect(ending.stderr).toContain('caused by RangeError: there was no such thing');
    expect(ending.stderr).not.toContain(apiKey);
  });
});

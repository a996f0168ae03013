/** The output folder is moved away, or swapped, while a run works in it. */

import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { completed, inProgress } from '../../cli/support/scripted-service.ts';
import { openStage, questions, runLine, type Stage } from '../../cli/support/stage.ts';

/** Two rows are being made, and two wait for them. */
async function openBusy(): Promise<Stage> {
  const stage = await openStage({ status: (task) => inProgress(task) });
  await stage.write('q.csv', questions('a', 'b', 'c', 'd'));
  return stage;
}

describe.concurrent('an output folder that is', { timeout: 180_000 }, () => {
  it.for([
    ['moved away', () => {}],
    ['swapped for another one', (folder: string) => mkdirSync(folder)],
  ] as const)('%s stops the run, which goes on when it is back', async ([, putThere]) => {
    await using stage = await openBusy();
    const [videos, away] = ['videos', 'away'].map((name) => join(stage.folder, name)) as [string, string];
    const program = stage.start(runLine('q.csv', '-j', '2'));
    await stage.service.until(({ events }) => events.filter((event) => /^status/.test(event)).length >= 4);
    renameSync(videos, away);
    putThere(videos);
    // What would be written now, and what would be sent next, has no place.
    stage.service.follow({ status: (task) => completed(task, { frameCount: 1 }) });
    const ending = await program.ended;
    expect(ending, ending.stderr).toMatchObject({ code: 4 });
    expect(ending.stdout + ending.stderr).toContain('is not the folder that was opened');
    expect(await stage.list('videos')).toEqual([]);
    expect(stage.service.creations.length).toBeLessThan(4);

    rmSync(videos, { recursive: true, force: true });
    renameSync(away, videos);
    const again = await stage.batch(runLine('q.csv'));
    expect(again, again.stderr).toMatchObject({ code: 0 });
    expect(stage.service.creations).toHaveLength(4);
    expect(stage.service.taskIds.size).toBe(4);
  });
});

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { afterFirstWords } from './support/program.ts';
import { openStage, questions, runLine, type Stage } from './support/stage.ts';

describe.concurrent('a damaged checkpoint', () => {
  async function openDamaged(): Promise<{ stage: Stage; path: string; bytes: Buffer }> {
    const stage = await openStage();
    await stage.write('q.csv', questions('a', 'b'));
    await stage.batch(runLine('q.csv'));
    const path = join(stage.folder, 'videos/batch.sqlite');
    const bytes = await readFile(path);
    bytes.fill(0xa5, 100, 6000);
    await writeFile(path, bytes);
    return { stage, path, bytes };
  }

  it('is refused by every command, left as it is, and nothing is sent', async () => {
    const { stage, path, bytes } = await openDamaged();
    await using _ = stage;
    const created = stage.service.creations.length;
    for (const line of [runLine('q.csv'), ['resume'], ['status', '--json'], ['report'], ['check', 'q.csv']]) {
      const ending = await stage.batch(line);
      expect(ending).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('is damaged') });
      expect(afterFirstWords(ending).trim().split('\n')).toHaveLength(1);
      expect(await readFile(path)).toEqual(bytes);
    }
    expect(stage.service.creations).toHaveLength(created);
  });
});

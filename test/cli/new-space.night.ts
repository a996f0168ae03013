import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pictures } from '../support/workbook.ts';
import { openStage, type Stage } from './support/stage.ts';

const preload = ['--import', new URL('support/new-space-size.ts', import.meta.url).href];

/** The largest size of the space for new objects while the program reads the file. */
async function spaceOf(stage: Stage, isFree: boolean): Promise<number> {
  const env = {
    BATCH_TEST_SPACE_FILE: join(stage.folder, 'space'),
    BATCH_TEST_FREE_SPACE: isFree ? '1' : '0',
  };
  expect((await stage.batch(['check', 'q.jsonl'], { env, node: preload })).code).toBe(0);
  return Number(await stage.read('space'));
}

it('large texts that live for a moment do not let the space for new objects grow as far as it would by itself', async () => {
  await using stage = await openStage();
  const image = Buffer.concat([pictures.png, randomBytes(150_000)]).toString('base64');
  const rows = Array.from({ length: 200 }, (_, at) =>
    JSON.stringify({ id: `q${at}`, question: `Question ${at}`, questionImages: [image] }),
  );
  await stage.write('q.jsonl', rows.join('\n'));
  expect(await spaceOf(stage, false)).toBeLessThan(0.75 * (await spaceOf(stage, true)));
});

import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorEnvelope } from '../../cli/support/scripted-service.ts';
import { openStage, questions, runLine, type Stage } from '../../cli/support/stage.ts';

const retry = ['retry', '--rejected'];

/** Somebody writes another question for row `a` into `failed.csv`, as it is. */
const askInstead =
  (question: string) =>
  async ({ folder }: Stage) => {
    const table = join(folder, 'videos', 'failed.csv');
    await writeFile(table, (await readFile(table, 'utf8')).replace('Question a', question));
    return {};
  };

type Prepare = (stage: Stage) => Promise<{ line?: string[]; env?: Record<string, string | undefined> }>;

describe.concurrent('a retry that is refused leaves rows, rounds and terms as they were', () => {
  it.for<[string, Prepare]>([
    ['without a key', async () => ({ env: { BATCH_API_KEY: undefined } })],
    ['with a key file that is not there', async () => ({ line: [...retry, '--api-key-file', 'none.txt'] })],
    ['of a row that is not there', async () => ({ line: ['retry', '--only', 'a,none'] })],
    ['of a failure that no row has', async () => ({ line: [...retry, '--failure', 'something else'] })],
    [
      'with options that contradict each other',
      async () => ({ line: ['retry', '--only', 'a', '--until', '1'] }),
    ],
    ['with a cap that is no number', async () => ({ line: [...retry, '--max-points', 'many'] })],
    [
      'in a copy of the folder',
      async ({ folder }) => {
        await cp(join(folder, 'videos'), join(folder, 'copy'), { recursive: true });
        return { line: ['retry', 'copy', '--rejected'] };
      },
    ],
    ['while failed.csv has a corrected text', askInstead('What is a?')],
    ['while failed.csv was changed, and cannot be read', askInstead('Question a, mended')],
    [
      'with marks whose text is empty',
      async ({ folder }) => {
        await writeFile(join(folder, 'marks.csv'), 'id,attempt,mark,note,question\na,7,bad,,\n');
        return { line: ['retry', '--only', '@marks.csv'] };
      },
    ],
  ])('%s', async ([, prepare]) => {
    await using stage = await openStage({ create: () => errorEnvelope('no') });
    await stage.write('q.csv', questions('a', 'b'));
    await stage.batch(runLine('q.csv', '-j', '1'));
    const look = async (): Promise<unknown> => ({
      rows: await stage.statuses(),
      state: (await stage.batch(['status', '--json'])).stdout,
      next: (await stage.batch(['status'])).stdout,
    });
    const before = await look();
    const creations = stage.service.creations.length;
    const { line = retry, env = {} } = await prepare(stage);
    const refused = await stage.batch(line, { env });
    expect(refused, refused.stderr).toMatchObject({ code: 2, stdout: '' });
    expect(await look()).toEqual(before);
    expect(stage.service.creations).toHaveLength(creations);
  });
});

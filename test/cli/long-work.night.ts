/** Commands that take a while say what they do. */

import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { openStage, questions, type Stage } from './support/stage.ts';
import { hasTerminals, startOnTerminal } from './support/terminal.ts';

const leaping = ['--import', new URL('support/leaping-clock.ts', import.meta.url).href];

async function ranStage(): Promise<Stage> {
  const stage = await openStage();
  await stage.write('q.csv', questions('a', 'b', 'c'));
  expect((await stage.batch(['run', 'q.csv', '--simulate', '--duration', '50ms'])).code).toBe(0);
  return stage;
}

describe.concurrent('a command that takes a while', () => {
  it.for([
    ['verify', 'Checking the files · 1 of 3 done'],
    ['verify --deep', 'Looking into the videos · 1 of 3 done'],
    ['export --to course', 'Exporting the videos · 1 of 3 done'],
    ['report', 'Writing the reports · 3 of 3 done'],
    ['check q.csv', 'Reading q.csv · 3 so far'],
    ['verify --lang zh', '正在检查文件 · 已完成 1 / 3'],
  ] as const)('says how far it is where no terminal is: batch %s', async ([line, said]) => {
    await using stage = await ranStage();
    const { code, stderr } = await stage.batch(line.split(' '), { node: leaping });
    expect(code, stderr).toBe(0);
    expect(stderr).toContain(said);
  });

  it.for(['verify --deep --quiet', 'verify --deep --json', 'export --to course --json'])(
    'says nothing of it with batch %s',
    async (line) => {
      await using stage = await ranStage();
      const { code, stderr } = await stage.batch(line.split(' '), { node: leaping });
      expect(code).toBe(0);
      expect(stderr).not.toMatch(/of 3 done/);
    },
  );

  it('says nothing of it where it is over at once', async () => {
    await using stage = await ranStage();
    expect(await stage.batch(['verify'])).toMatchObject({ code: 0, stderr: '' });
  });

  it.skipIf(!hasTerminals)('shows a bar on a terminal, and leaves only its result there', async () => {
    await using stage = await ranStage();
    const env = { NODE_OPTIONS: leaping.join(' ') };
    await using program = startOnTerminal(['verify'], { cwd: stage.folder, columns: 90, env });
    expect(await program.ended).toBe(0);
    expect(stripVTControlCharacters(program.output)).toMatch(
      /Checking the files {2}█+░+ 33 % {2}1 of 3 done, about .* left/,
    );
    expect(await program.shown()).toEqual([expect.stringMatching(/^12 files/)]);
  });
});

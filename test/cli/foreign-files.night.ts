/** Files that a run did not make are never written over: its input, and what else a user has in the folder. */

import { linkSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failed } from './support/scripted-service.ts';
import { openStage, questions, runLine } from './support/stage.ts';

describe.concurrent('the input of a first run', () => {
  it.for(['report.csv', 'report.jsonl', 'failed.csv', 'report.html'])(
    'is not written over when it is called %s and lies in the output folder',
    async (name) => {
      await using stage = await openStage();
      await stage.write(name, questions('a'));
      for (const line of [runLine(name, '--out', '.', '--format', 'csv'), ['check', name, '--out', '.']]) {
        const ending = await stage.batch(line);
        expect(ending, line.join(' ')).toMatchObject({ code: 2, stdout: '' });
        expect(ending.stderr).toContain(`${name} would be overwritten by the run in .; choose another --out`);
      }
      expect(await stage.read(name)).toBe(questions('a'));
      expect(await stage.list('.')).toEqual([name]);
      expect(stage.service.events).toEqual([]);
    },
  );

  it('is known under another name too', async () => {
    await using stage = await openStage();
    await stage.write('videos/report.csv', questions('a'));
    symlinkSync(join(stage.folder, 'videos/report.csv'), join(stage.folder, 'link.csv'));
    linkSync(join(stage.folder, 'videos/report.csv'), join(stage.folder, 'second.csv'));
    for (const name of ['link.csv', 'second.csv', './x/../videos/report.csv']) {
      mkdirSync(join(stage.folder, 'x'), { recursive: true });
      expect(await stage.batch(runLine(name)), name).toMatchObject({ code: 2 });
    }
    expect(stage.service.events).toEqual([]);
  });

  it('may lie in the output folder under a name of its own, and the failed.csv of the run may be its next input', async () => {
    await using stage = await openStage({
      status: (task) => (task.question === 'Question b' ? failed(task, 'no') : undefined),
    });
    await stage.write('q.csv', questions('a', 'b'));
    expect((await stage.batch(runLine('q.csv', '--out', '.'))).code).toBe(1);
    expect(await stage.read('q.csv')).toBe(questions('a', 'b'));
    expect((await stage.batch(runLine('q.csv', '--out', '.'))).code).toBe(1);
    stage.service.follow({});
    expect((await stage.batch(runLine('failed.csv', '--out', '.', '--rerun-changed'))).code).toBe(1);
    expect(stage.service.creations).toHaveLength(2);
  });
});

describe.concurrent("a user's own file where a first run would write", () => {
  it.for([
    ['report.csv', []],
    ['report.html', []],
    ['failed.csv', []],
    ['simulator.jsonl', ['--simulate']],
    ['src/video.mp4', []],
    ['src/task.json', []],
    ['SRC/video.webm', []],
    ['src/frames/001.png', []],
    ['src', []],
  ] as const)('%s is named, and nothing is sent or written', async ([name, more]) => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a', 'src'));
    await stage.write(`mine/${name}`, 'my own');
    for (const line of [
      runLine('q.csv', '--out', 'mine', ...more),
      ['run', 'q.csv', '--out', 'mine', '--dry-run', ...more],
    ]) {
      const ending = await stage.batch(line, {
        env: { BATCH_BASE_URL: more.length > 0 ? undefined : stage.service.url },
      });
      expect(ending, ending.stderr).toMatchObject({ code: 2, stdout: '' });
      const named = name.includes('frames') ? 'src/frames' : name;
      expect(ending.stderr).toContain(`mine/${named} exists, does not belong to a run`);
    }
    expect(await stage.list('mine')).toEqual([name]);
    expect(await stage.read(`mine/${name}`)).toBe('my own');
    expect(stage.service.events).toEqual([]);
  });

  it('is left alone where no row writes', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a'));
    for (const name of ['src/video.mp4', 'a/notes.txt', 'notes.txt']) await stage.write(name, 'my own');
    expect((await stage.batch(runLine('q.csv', '--out', '.'))).code).toBe(0);
    for (const name of ['src/video.mp4', 'a/notes.txt', 'notes.txt'])
      expect(await stage.read(name)).toBe('my own');
  });
});

it("a user's own file in the place of a later row keeps that row from being paid for, until it is moved away", async () => {
  await using stage = await openStage();
  await stage.write('q.csv', questions('a'));
  await stage.write('more.csv', questions('src', 'b'));
  await stage.batch(runLine('q.csv'));
  await stage.write('videos/src/video.webm', 'my own');
  const ending = await stage.batch(runLine('more.csv', '--add'));
  expect(ending, ending.stderr).toMatchObject({ code: 1 });
  expect(ending.stderr + ending.stdout).toContain(
    'src/video.webm already exists and is not part of this run; move it away',
  );
  expect(await stage.statuses()).toEqual({ a: 'completed', src: 'invalid', b: 'completed' });
  expect(await stage.read('videos/src/video.webm')).toBe('my own');
  expect(stage.service.creations.map(({ question }) => question)).toEqual(['Question a', 'Question b']);
  await stage.remove('videos/src/video.webm');
  expect((await stage.batch(['resume'])).code).toBe(0);
  expect(readFileSync(join(stage.folder, 'videos/src/video.webm')).length).toBeGreaterThan(1_000);
});

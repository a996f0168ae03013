/** An export that is killed at any of its changes on the disk, and typed again, leaves the same tree as one that was not. */

import { createHash } from 'node:crypto';
import { cp, readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { clip, content } from '../../cli/support/scripted-service.ts';
import { openStage, runLine, type Stage } from '../../cli/support/stage.ts';
import { inParallel } from '../../kills/in-parallel.ts';

const killed = { node: ['--import', new URL('../../cli/support/kill-at-change.ts', import.meta.url).href] };
const rows = Array.from({ length: 8 }, (_, at) => `q-${at},Question ${at},${at % 3 === 0 ? 'one' : 'two'}\n`);

/** Every file and folder with the digest of its bytes. */
async function treeOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const tree = entries.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    const bytes = entry.isFile() ? await readFile(path) : '';
    return [relative(folder, path), createHash('sha256').update(bytes).digest('hex')] as const;
  });
  return Object.fromEntries((await Promise.all(tree)).sort());
}

describe.each([
  ['the first export', [], ['--name', '{chapter}/{title}']],
  ['the first export by copying', [], ['--name', '{chapter}/{id}', '--copy']],
  ['an export after another', ['--name', '{chapter}/{title}'], ['--name', '{chapter}/{title}']],
  [
    'an export that removes',
    ['--name', '{id}/{title}', '--copy'],
    ['--name', '{title}', '--delete', '--only', 'q-1,q-2,q-7'],
  ],
])('%s', (_, before, line) => {
  let stage: Stage;

  beforeAll(async () => {
    stage = await openStage({
      file: ({ question, count }) => content(Buffer.concat([clip, Buffer.from(`${question} ${count}`)])),
    });
    await stage.write('q.csv', `id,question,chapter\n${rows.slice(0, 6).join('')}`);
    const done = await stage.batch(runLine('q.csv', '-y'));
    expect(done.code, done.stderr).toBe(0);
    await stage.write('videos/q-1/video.vtt', 'WEBVTT');
    if (before.length === 0) return async () => stage[Symbol.asyncDispose]();
    expect((await stage.batch(['export', '--to', 'before', ...before])).code).toBe(0);
    await stage.write('q.csv', `id,question,chapter\n${rows.join('')}`);
    expect((await stage.batch(runLine('q.csv', '-y'))).code).toBe(0);
    expect((await stage.batch(['retry', '--only', 'q-2,q-3', '-y'])).code).toBe(0);
    return async () => stage[Symbol.asyncDispose]();
  });

  async function copyOfBefore(name: string): Promise<string> {
    if (before.length > 0)
      await cp(join(stage.folder, 'before'), join(stage.folder, name), { recursive: true });
    return name;
  }

  it('is the same tree wherever it was killed', async () => {
    const whole = await copyOfBefore('whole');
    expect((await stage.batch(['export', '--to', whole, ...line])).code).toBe(0);
    const wanted = await treeOf(join(stage.folder, whole));
    const endOf = async (at: number): Promise<boolean> => {
      const to = await copyOfBefore(`killed-${at}`);
      const ending = await stage.batch(['export', '--to', to, ...line], {
        ...killed,
        env: { KILL_AT: String(at) },
      });
      // Once more at another point, in what the first kill left.
      await stage.batch(['export', '--to', to, ...line], {
        ...killed,
        env: { KILL_AT: String(1 + (at % 7)) },
      });
      const again = await stage.batch(['export', '--to', to, ...line]);
      expect(again.code, `killed at ${at}: ${again.stderr}`).toBe(0);
      expect(await treeOf(join(stage.folder, to)), `killed at ${at}`).toEqual(wanted);
      return ending.signal === 'SIGKILL';
    };
    const points = Array.from({ length: 60 }, (_, at) => at + 1);
    const kills = await inParallel(points, endOf);
    expect(kills.filter(Boolean).length).toBeGreaterThan(18);
    // An export has fewer changes than that: all were tried.
    expect(kills.at(-1)).toBe(false);
  });
});

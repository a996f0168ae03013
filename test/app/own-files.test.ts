/** Whose file it is that a user names. */

import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ownPath, ownReports } from '../../src/app/files/own-files.ts';
import { openFileOutputTree } from '../../src/outputs/file-output-tree.ts';
import { openCheckpointFolder } from '../support/checkpoint-folder.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const advice = { en: 'choose another', zh: '请另选' };
const named = (path: string) => ({ path, shown: '--to FILE', advice });

describe('a path that a user names', () => {
  it('is free, or holds an empty file or one that is known; anything else stays', async () => {
    await using temporary = await temporaryFolder();
    const path = join(temporary.path, 'x');
    const isOurs = ({ head }: { readonly head: string }): boolean => head.startsWith('ours');
    expect(await ownPath(named(path), isOurs)).toBe(path);
    for (const text of ['', 'ours\n']) {
      await writeFile(path, text);
      expect(await ownPath(named(path), isOurs)).toBe(path);
    }
    await writeFile(path, 'mine');
    await expect(ownPath(named(path), isOurs)).rejects.toMatchObject({
      exitCode: 2,
      message:
        '--to FILE holds something that was not written by this command, or was changed since; choose another',
    });
    for (const other of [temporary.path, '/dev/null'])
      await expect(ownPath(named(other), () => true)).rejects.toThrow('is not a regular file');
  });

  it('is followed where it is a link', async () => {
    await using temporary = await temporaryFolder();
    await writeFile(join(temporary.path, 'real'), 'mine');
    await symlink('real', join(temporary.path, 'link'));
    const place = await ownPath(named(join(temporary.path, 'link')), () => true);
    expect(place).toBe(join(temporary.path, 'real'));
    await expect(ownPath(named(join(temporary.path, 'link')), () => false)).rejects.toThrow(
      'was not written',
    );
  });

  it.each([
    'batch.sqlite',
    'batch.lock',
    'batch.pid',
    'report.csv',
    'REPORT.jsonl',
    'failed.csv',
    'failed.xlsx',
    'batch.log',
  ])('is never %s in the folder of a run, even where there is none yet', async (name) => {
    await using run = await openCheckpointFolder();
    await rm(join(run.path, 'report.csv'), { force: true });
    await expect(ownPath(named(join(run.path, name)), () => true)).rejects.toThrow(
      'that a run in that folder',
    );
    await using other = await temporaryFolder();
    if (!name.startsWith('batch')) await ownPath(named(join(other.path, name)), () => false);
  });
});

describe('reports in a folder of the user', () => {
  const names = ['report.csv', 'failed.csv'];
  async function write(folder: string, text: string, by = 'run'): Promise<void> {
    const tree = await openFileOutputTree(folder, Date.now);
    const reports = await ownReports(folder, names, { shown: 'here', advice, by }, tree);
    for (const name of names) {
      await using file = await reports.createReport(name);
      await file.write(text);
      await file.write(Buffer.from(name));
      await file.commit();
    }
  }

  it('replace those of the same run alone, and nothing where one of them is not', async () => {
    await using temporary = await temporaryFolder();
    const folder = join(temporary.path, 'here');
    await write(folder, 'first ');
    await write(folder, 'second ');
    expect(await readFile(join(folder, 'report.csv'), 'utf8')).toBe('second report.csv');
    await expect(write(folder, 'other ', 'another run')).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('here/report.csv holds something'),
    });
    // Mended by hand.
    await writeFile(join(folder, 'failed.csv'), 'mended');
    await expect(write(folder, 'third ')).rejects.toThrow('here/failed.csv holds something');
    expect(await readFile(join(folder, 'report.csv'), 'utf8')).toBe('second report.csv');
  });

  it('are known after a kill between the two writes, however often that happens', async () => {
    await using temporary = await temporaryFolder();
    const path = join(temporary.path, 'report.csv');
    await write(temporary.path, 'one ');
    for (const text of ['two ', 'three ', 'four ']) {
      await write(temporary.path, text);
      // The kill came after the list and before the report.
      await writeFile(path, 'one report.csv');
      const list = await readFile(join(temporary.path, '.batch-files'), 'utf8');
      expect(list.split('\n').filter((line) => line.includes('report.csv'))).toHaveLength(2);
    }
    await write(temporary.path, 'five ');
    expect(await readFile(path, 'utf8')).toBe('five report.csv');
  });

  it("never replace a user's own", async () => {
    await using temporary = await temporaryFolder();
    await mkdir(join(temporary.path, 'report.csv'));
    await expect(write(temporary.path, 'x')).rejects.toThrow('report.csv is not a regular file');
    await writeFile(join(temporary.path, 'failed.csv'), 'mine');
    await rm(join(temporary.path, 'report.csv'), { recursive: true });
    await expect(write(temporary.path, 'x')).rejects.toThrow('failed.csv holds something');
    expect(await readdir(temporary.path)).toEqual(['failed.csv']);
  });
});

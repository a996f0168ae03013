import { spawnSync } from 'node:child_process';
import {
  appendFile,
  link,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DiskError, FileRemovedError, ItemFilesError, UsageError } from '../../src/errors.ts';
import { openFileOutputTree } from '../../src/outputs/file-output-tree.ts';
import { guarded } from '../../src/outputs/guarded-disk.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { bytes, leavePart, listFiles, openTree, save, sha256 } from './tree.ts';

describe('a part', () => {
  it('is nowhere to be seen as the file before it is committed, and then is all there is', async () => {
    await using place = await openTree();
    await using part = await place.tree.openPart('q1/frames/001');
    await part.restart('"v1"');
    await part.append(bytes('hello '));
    await part.append(bytes('world'));
    expect(part.sizeBytes).toBe(11);
    expect(await listFiles(place.out)).toEqual(['q1/frames/001.part', 'q1/frames/001.part.json']);
    expect(await part.commit('q1/frames/001.png')).toEqual({
      path: 'q1/frames/001.png',
      sizeBytes: 11,
      sha256: sha256('hello world'),
    });
    expect(await listFiles(place.out)).toEqual(['q1/frames/001.png']);
    expect(await readFile(join(place.out, 'q1/frames/001.png'), 'utf8')).toBe('hello world');
  });

  it('takes bytes faster than the disk does, in their order', async () => {
    await using place = await openTree();
    await using part = await place.tree.openPart('q1/video');
    const pieces = Array.from({ length: 500 }, (_, at) => bytes(`${at} `.repeat(at)));
    await Promise.all(pieces.map((piece) => part.append(piece)));
    const whole = Buffer.concat(pieces);
    const { sizeBytes } = await part.commit('q1/video.mp4');
    expect(sizeBytes).toBe(whole.length);
    expect(whole.equals(await readFile(join(place.out, 'q1/video.mp4')))).toBe(true);
  });

  it('shows its first 4,096 bytes', async () => {
    await using place = await openTree();
    await using part = await place.tree.openPart('q1/video');
    expect(await part.head()).toHaveLength(0);
    await part.append(new Uint8Array(3000).fill(7));
    expect(await part.head()).toHaveLength(3000);
    await part.append(new Uint8Array(3000).fill(8));
    const head = await part.head();
    expect(head).toHaveLength(4096);
    expect([head[2999], head[3000]]).toEqual([7, 8]);
  });

  it('continues in a new tree where it was left, and its checksum covers all of it', async () => {
    await using place = await openTree();
    await leavePart(place.tree, 'q1/video', 'hello ', '"v1"');
    const again = await openFileOutputTree(place.out, Date.now);
    await using part = await again.openPart('q1/video');
    expect([part.sizeBytes, part.validator]).toEqual([6, '"v1"']);
    await part.append(bytes('world'));
    expect(await part.commit('q1/video.mp4')).toMatchObject({ sizeBytes: 11, sha256: sha256('hello world') });
    expect(await readFile(join(place.out, 'q1/video.mp4'), 'utf8')).toBe('hello world');
  });

  it('continues after a kill, when nobody closed it', async () => {
    await using place = await openTree();
    await using killed = await place.tree.openPart('q1/video');
    await killed.restart('"v1"');
    await killed.append(bytes('hello '));
    await using part = await (await openFileOutputTree(place.out, Date.now)).openPart('q1/video');
    expect([part.sizeBytes, part.validator]).toEqual([6, '"v1"']);
  });

  it('starts again when it is asked to, and forgets what was there', async () => {
    await using place = await openTree();
    await leavePart(place.tree, 'q1/video', 'a long first version', '"v1"');
    await using part = await place.tree.openPart('q1/video');
    await part.restart('"v2"');
    expect([part.sizeBytes, part.validator]).toEqual([0, '"v2"']);
    await part.append(bytes('second'));
    expect(await part.commit('q1/video.mp4')).toMatchObject({ sizeBytes: 6, sha256: sha256('second') });
    expect(await readFile(join(place.out, 'q1/video.mp4'), 'utf8')).toBe('second');
  });

  it('without a validator is of no use to anybody and is not left behind', async () => {
    await using place = await openTree();
    await leavePart(place.tree, 'q1/video', 'hello', null);
    await leavePart(place.tree, 'q2/video', '', '"v1"');
    expect(await listFiles(place.out)).toEqual([]);
  });

  it('leaves nothing when it is discarded', async () => {
    await using place = await openTree();
    await leavePart(place.tree, 'q1/video', 'hello', '"v1"');
    await using part = await place.tree.openPart('q1/video');
    await part.discard();
    expect(await listFiles(place.out)).toEqual([]);
  });

  it.each([
    ['what it remembers is gone', (part: string) => truncate(`${part}.json`)],
    ['what it remembers is cut', (part: string) => writeFile(`${part}.json`, '{"validator":"\\"v1')],
    ['what it remembers is something else', (part: string) => writeFile(`${part}.json`, '["v1"]')],
    ['what it remembers is no text', (part: string) => writeFile(`${part}.json`, '{"validator":1}')],
    ['it is empty', (part: string) => truncate(part)],
    ['it was last written before this machine started', (part: string) => utimes(part, 1, 1)],
    ['it has a second name', (part: string) => link(part, `${part}.other`)],
  ])('starts from nothing when %s', async (_name, spoil) => {
    await using place = await openTree();
    await leavePart(place.tree, 'q1/video', 'hello', '"v1"');
    await spoil(join(place.out, 'q1/video.part'));
    await using part = await place.tree.openPart('q1/video');
    expect([part.sizeBytes, part.validator]).toEqual([0, null]);
    await part.append(bytes('new'));
    expect(await part.commit('q1/video.mp4')).toMatchObject({ sha256: sha256('new') });
  });

  it('replaces the file that stands at its target', async () => {
    await using place = await openTree();
    await save(place.tree, 'q1/video', 'mp4', 'a long first version');
    await save(place.tree, 'q1/video', 'mp4', 'second');
    expect(await readFile(join(place.out, 'q1/video.mp4'), 'utf8')).toBe('second');
  });

  it('that another program removed says so, and is begun again by the next', async () => {
    await using folder = await temporaryFolder();
    const tree = await openFileOutputTree(folder.path, Date.now);
    for (const gone of ['q1/video.part', 'q1']) {
      await using part = await tree.openPart('q1/video');
      expect(part.sizeBytes).toBe(0);
      await part.restart('"v1"');
      await part.append(Buffer.from('hello'));
      await rm(join(folder.path, gone), { recursive: true });
      await expect(part.commit('q1/video.mp4')).rejects.toThrow(FileRemovedError);
    }
    await using part = await tree.openPart('q1/video');
    expect(part.sizeBytes).toBe(0);
    await part.append(Buffer.from('hello'));
    expect(await part.commit('q1/video.mp4')).toMatchObject({ sha256: sha256('hello') });
    expect(await readdir(join(folder.path, 'q1'))).toEqual(['video.mp4']);
  });

  it('is committed to its own folder only', async () => {
    await using place = await openTree();
    await using part = await place.tree.openPart('q1/video');
    await expect(part.commit('q2/video.mp4')).rejects.toThrow(ItemFilesError);
  });
});

describe('nothing outside the folder', () => {
  it.each(['', '/etc/x', '..', '../x', 'q1/../../x', 'q1/./x', 'q1//x', 'q1/', 'a\\b', 'q1/a\0b'])(
    'is reached by the path %j',
    async (path) => {
      await using place = await openTree();
      await using part = await place.tree.openPart('q1/video');
      await expect(place.tree.openPart(path)).rejects.toThrow(ItemFilesError);
      await expect(place.tree.writeWhole(path, 'x')).rejects.toThrow(ItemFilesError);
      await expect(place.tree.createReport(path)).rejects.toThrow(ItemFilesError);
      await expect(place.tree.inspect(path)).rejects.toThrow(ItemFilesError);
      await expect(place.tree.setAside(path, 1)).rejects.toThrow(ItemFilesError);
      await expect(part.commit(path)).rejects.toThrow(ItemFilesError);
      await place.expectOutsideUntouched();
    },
  );

  it('is written through a link in the place of an item folder', async () => {
    await using place = await openTree();
    await symlink(place.outside, join(place.out, 'q1'));
    await expect(place.tree.openPart('q1/video')).rejects.toThrow(ItemFilesError);
    await expect(place.tree.openPart('q1/frames/001')).rejects.toThrow(ItemFilesError);
    await expect(place.tree.writeWhole('q1/task.json', '{}')).rejects.toThrow(ItemFilesError);
    expect(await place.tree.inspect('q1/precious')).toBeNull();
    // The next attempt is not paid for: its files would find no place.
    await expect(place.tree.setAside('q1', 1)).rejects.toThrow('is not a folder');
    await place.expectOutsideUntouched();
  });

  it('is written through a link in the place of the frames, nor by setting it aside', async () => {
    await using place = await openTree();
    await mkdir(join(place.out, 'q1'));
    await writeFile(join(place.outside, 'x.part'), '');
    await symlink(place.outside, join(place.out, 'q1/frames'));
    await expect(place.tree.openPart('q1/frames/001')).rejects.toThrow(ItemFilesError);
    await place.tree.setAside('q1', 1);
    expect(await readlink(join(place.out, 'q1/attempt-1/frames'))).toBe(place.outside);
    expect(await readdir(place.outside)).toEqual(['precious', 'x.part']);
  });

  it('is renamed through a link that takes the place of a folder during the download', async () => {
    await using place = await openTree();
    await using part = await place.tree.openPart('q1/video');
    await part.append(bytes('hello'));
    await rename(join(place.out, 'q1'), join(place.out, 'moved'));
    await writeFile(join(place.outside, 'video.part'), 'not ours');
    await symlink(place.outside, join(place.out, 'q1'));
    await expect(part.commit('q1/video.mp4')).rejects.toThrow(ItemFilesError);
    expect(await readdir(place.outside)).toEqual(['precious', 'video.part']);
  });

  it.each(['video.part', 'video.part.json', 'video.mp4'])(
    'is written through a link named %s',
    async (name) => {
      await using place = await openTree();
      await mkdir(join(place.out, 'q1'));
      await symlink(join(place.outside, 'precious'), join(place.out, 'q1', name));
      await using part = await place.tree.openPart('q1/video');
      await part.restart('"v1"');
      await part.append(bytes('hello'));
      await part.commit('q1/video.mp4');
      expect((await lstat(join(place.out, 'q1/video.mp4'))).isFile()).toBe(true);
      await place.expectOutsideUntouched();
    },
  );

  it('is written through a part that is a link or has a second name, when it claims to continue', async () => {
    await using place = await openTree();
    await mkdir(join(place.out, 'q1'));
    await mkdir(join(place.out, 'q2'));
    await symlink(join(place.outside, 'precious'), join(place.out, 'q1/video.part'));
    await link(join(place.outside, 'precious'), join(place.out, 'q2/video.part'));
    for (const item of ['q1', 'q2']) {
      await writeFile(join(place.out, item, 'video.part.json'), '{"validator":"\\"v1\\""}');
      await using part = await place.tree.openPart(`${item}/video`);
      expect(part.sizeBytes).toBe(0);
      await part.append(bytes('hello'));
      await part.commit(`${item}/video.mp4`);
    }
    await place.expectOutsideUntouched();
  });

  it('is written through links in the place of small files and reports', async () => {
    await using place = await openTree();
    await mkdir(join(place.out, 'q1'));
    await symlink(join(place.outside, 'precious'), join(place.out, 'q1/task.json'));
    await symlink(join(place.outside, 'precious'), join(place.out, 'report.csv'));
    await place.tree.writeWhole('q1/task.json', '{}');
    await using report = await place.tree.createReport('report.csv');
    await report.write('row');
    await report.commit();
    expect(await readFile(join(place.out, 'q1/task.json'), 'utf8')).toBe('{}');
    expect(await readFile(join(place.out, 'report.csv'), 'utf8')).toBe('row');
    await place.expectOutsideUntouched();
  });
});

describe("one item's files in the way", () => {
  it.each([
    ['a file where its folder should be', 'q1', 'file'],
    ['a folder where its part should be', 'q1/video.part', 'folder'],
    ['a folder where its video should be', 'q1/video.mp4', 'folder'],
  ] as const)('(%s) concern this item only', async (_name, path, kind) => {
    await using place = await openTree();
    if (kind === 'folder') await mkdir(join(place.out, path, 'inner'), { recursive: true });
    else await writeFile(join(place.out, path), '');
    await expect(save(place.tree, 'q1/video', 'mp4', 'hello')).rejects.toThrow(ItemFilesError);
    await expect(save(place.tree, 'q2/video', 'mp4', 'hello')).resolves.toMatchObject({ sizeBytes: 5 });
  });

  it('(a name too long for the disk) concern this item only', async () => {
    await using place = await openTree();
    await expect(place.tree.openPart(`${'x'.repeat(300)}/video`)).rejects.toThrow(ItemFilesError);
  });
});

it.each([
  [122, 'EDQUOT: disk quota exceeded, write; free space and run'],
  [69, 'EDQUOT: disk quota exceeded, write; free space and run'],
  [116, 'ESTALE: stale file handle, write; fix that and run'],
  [123, 'ENOMEDIUM: no medium found, write; fix that and run'],
])('a refusal that Node.js knows by its number alone (%i) is one of the disk', async (number, said) => {
  const code = `Unknown system error -${number}`;
  const error = Object.assign(new Error(`${code}: ${code}, write`), { code, syscall: 'write' });
  const refused = guarded('/videos', 'q1/video.mp4', () => Promise.reject(error));
  await expect(refused).rejects.toThrow(DiskError);
  await expect(refused).rejects.toThrow(
    `the disk of /videos refused a write: ${said} the same command again`,
  );
});

describe('a small file', () => {
  it('is written whole over what was there, and nothing else stays', async () => {
    await using place = await openTree();
    await place.tree.writeWhole('q1/task.json', '{"first":"a long text"}');
    await place.tree.writeWhole('q1/task.json', '{"题":2}');
    expect(await readFile(join(place.out, 'q1/task.json'), 'utf8')).toBe('{"题":2}');
    expect(await listFiles(place.out)).toEqual(['q1/task.json']);
  });

  it('is whole when two write it at once, and the last one counts', async () => {
    await using place = await openTree();
    const texts = ['{"first":1}', '{"second":2}', '{}'];
    await Promise.all(texts.map((text) => place.tree.writeWhole('q1/task.json', text)));
    expect(await readFile(join(place.out, 'q1/task.json'), 'utf8')).toBe('{}');
    expect(await listFiles(place.out)).toEqual(['q1/task.json']);
  });

  it('removes what a killed process left of it', async () => {
    await using place = await openTree();
    await place.tree.writeWhole('q1/task.json', '{}');
    await writeFile(join(place.out, 'q1/.task.json.tmp'), 'half');
    await writeFile(join(place.out, 'q1/.mine.tmp'), '');
    await place.tree.writeWhole('q1/task.json', '{}');
    expect(await listFiles(place.out)).toEqual(['q1/.mine.tmp', 'q1/task.json']);
  });
});

describe('a report', () => {
  it('keeps the old one in place until it is committed whole', async () => {
    await using place = await openTree();
    await writeFile(join(place.out, 'report.csv'), 'old');
    await using report = await place.tree.createReport('report.csv');
    const row = `${'题'.repeat(1000)}\r\n`;
    for (let i = 0; i < 500; i++) await report.write(row);
    expect(await readFile(join(place.out, 'report.csv'), 'utf8')).toBe('old');
    await report.commit();
    expect(await readFile(join(place.out, 'report.csv'), 'utf8')).toBe(row.repeat(500));
    expect(await readdir(place.out)).toEqual(['report.csv']);
  });

  it('that is not committed leaves the old one and nothing else', async () => {
    await using place = await openTree();
    await writeFile(join(place.out, 'report.csv'), 'old');
    {
      await using report = await place.tree.createReport('report.csv');
      await report.write('x'.repeat(200_000));
    }
    expect(await readFile(join(place.out, 'report.csv'), 'utf8')).toBe('old');
    expect(await readdir(place.out)).toEqual(['report.csv']);
  });

  it('can be written twice at once; the last commit wins whole', async () => {
    await using place = await openTree();
    await using first = await place.tree.createReport('report.csv');
    await using second = await place.tree.createReport('report.csv');
    await first.write('first');
    await second.write('second');
    await second.commit();
    await first.commit();
    expect(await readFile(join(place.out, 'report.csv'), 'utf8')).toBe('first');
    expect(await readdir(place.out)).toEqual(['report.csv']);
  });

  it('of a killed process is removed when the folder is opened later, one being written is not', async () => {
    await using place = await openTree();
    await using report = await place.tree.createReport('report.csv');
    await report.write('new');
    const abandoned = join(place.out, '.report.csv.0b7b0a5e-6f3c-4a3e-9a35-0f0d6c1b2a3d.tmp');
    await writeFile(abandoned, 'half');
    await utimes(abandoned, 1, 1);
    await writeFile(join(place.out, '.mine.tmp'), '');
    await utimes(join(place.out, '.mine.tmp'), 1, 1);
    await openFileOutputTree(place.out, Date.now);
    await report.commit();
    expect(await readdir(place.out)).toEqual(['.mine.tmp', 'report.csv']);
  });
});

describe('inspecting a path', () => {
  it('gives length and checksum of a regular file, and nothing of anything else', async () => {
    await using place = await openTree();
    const text = 'x'.repeat(3_000_001);
    await save(place.tree, 'q1/video', 'mp4', text);
    await symlink(join(place.out, 'q1/video.mp4'), join(place.out, 'q1/link.mp4'));
    spawnSync('mkfifo', [join(place.out, 'q1/pipe')]);
    expect(await place.tree.inspect('q1/video.mp4')).toEqual({ sizeBytes: 3_000_001, sha256: sha256(text) });
    for (const path of ['q1', 'q1/missing', 'q9/video.mp4', 'q1/link.mp4', 'q1/pipe', 'q1/video.mp4/x'])
      expect(await place.tree.inspect(path)).toBeNull();
  });
});

describe('setting an item aside', () => {
  it('gives its files second names together, leaves earlier attempts and strangers, and drops unfinished parts', async () => {
    await using place = await openTree();
    await save(place.tree, 'q1/video', 'mp4', 'video');
    await save(place.tree, 'q1/frames/001', 'png', 'frame');
    await place.tree.writeWhole('q1/task.json', '{}');
    await place.tree.writeWhole('q1/notes.txt', 'mine');
    await place.tree.writeWhole('q1/attempt-1/video.mp4', 'older');
    await leavePart(place.tree, 'q1/video', 'half', '"v1"');
    await leavePart(place.tree, 'q1/frames/002', 'half', '"v1"');
    const aside = [
      'q1/attempt-1/video.mp4',
      'q1/attempt-2/frames/001.png',
      'q1/attempt-2/task.json',
      'q1/attempt-2/video.mp4',
    ];
    // Whenever it is done again: the process may have died before it was saved that it was done.
    for (let time = 0; time < 2; time++) {
      expect(await place.tree.setAside('q1', 2)).toBe('attempt-2');
      const named = ['q1/frames/001.png', 'q1/notes.txt', 'q1/task.json', 'q1/video.mp4'];
      expect(await listFiles(place.out)).toEqual([...aside, ...named]);
    }
    for (let time = 0; time < 2; time++) {
      await place.tree.clearAside('q1');
      expect(await listFiles(place.out)).toEqual([...aside, 'q1/notes.txt']);
    }
  });

  it('takes the old names from nothing but what has a name aside', async () => {
    await using place = await openTree();
    await save(place.tree, 'q1/video', 'mp4', 'old');
    await place.tree.setAside('q1', 1);
    await save(place.tree, 'q1/video', 'mp4', 'new');
    await save(place.tree, 'q1/frames/001', 'png', 'new');
    await place.tree.clearAside('q1');
    await place.tree.clearAside('q2');
    expect(await listFiles(place.out)).toEqual([
      'q1/attempt-1/video.mp4',
      'q1/frames/001.png',
      'q1/video.mp4',
    ]);
    expect(await readFile(join(place.out, 'q1/attempt-1/video.mp4'), 'utf8')).toBe('old');
  });

  it('does not take what an earlier attempt made for the work of one that made nothing', async () => {
    await using place = await openTree();
    await save(place.tree, 'q1/video', 'mp4', 'old');
    await place.tree.setAside('q1', 1);
    await place.tree.writeWhole('q1/task.json', '{}');
    expect(await place.tree.setAside('q1', 2)).toBe('attempt-2');
    expect(await listFiles(place.out)).toEqual([
      'q1/attempt-1/video.mp4',
      'q1/attempt-2/task.json',
      'q1/task.json',
    ]);
    expect(await place.tree.setAside('q1', 3)).toBe(null);
  });

  it('moves what is no plain file, and says where the files are that were moved before the process died', async () => {
    await using place = await openTree();
    await mkdir(join(place.out, 'q1'));
    await symlink(join(place.outside, 'precious'), join(place.out, 'q1/video.mp4'));
    expect(await place.tree.setAside('q1', 1)).toBe('attempt-1');
    expect(await place.tree.setAside('q1', 1)).toBe('attempt-1');
    expect(await listFiles(place.out)).toEqual(['q1/attempt-1/video.mp4']);
    expect(await place.tree.setAside('q1', 2)).toBe(null);
    await place.expectOutsideUntouched();
  });

  it('never mixes the files of two attempts', async () => {
    await using place = await openTree();
    for (const text of ['one', 'two', 'three']) {
      await save(place.tree, 'q1/video', 'mp4', text);
      await place.tree.setAside('q1', 1);
    }
    for (const [folder, text] of Object.entries({
      'attempt-1': 'one',
      'attempt-1-2': 'two',
      'attempt-1-3': 'three',
    }))
      expect(await readFile(join(place.out, 'q1', folder, 'video.mp4'), 'utf8')).toBe(text);
  });

  it('does nothing where there is nothing', async () => {
    await using place = await openTree();
    expect(await place.tree.setAside('q1', 1)).toBe(null);
    await leavePart(place.tree, 'q2/video', 'half', '"v1"');
    expect(await place.tree.setAside('q2', 1)).toBe(null);
    expect(await listFiles(place.out)).toEqual([]);
    expect(await readdir(join(place.out, 'q2'))).toEqual([]);
  });
});

describe('the output folder', () => {
  it('is made with the folders above it, and a file in its place is wrong use', async () => {
    await using place = await openTree();
    const deep = join(place.out, 'a/b/c');
    await save(await openFileOutputTree(deep, Date.now), 'q1/video', 'mp4', 'x');
    expect(await listFiles(place.out)).toEqual(['a/b/c/q1/video.mp4']);
    await expect(openFileOutputTree(join(place.outside, 'precious'), Date.now)).rejects.toThrow(UsageError);
  });

  it('may be a link itself', async () => {
    await using place = await openTree();
    await symlink(place.out, join(place.outside, 'link'));
    await save(await openFileOutputTree(join(place.outside, 'link'), Date.now), 'q1/video', 'mp4', 'x');
    expect(await listFiles(place.out)).toEqual(['q1/video.mp4']);
  });

  it('that is taken away stops the run', async () => {
    await using place = await openTree();
    await rename(place.out, join(place.outside, 'moved'));
    await expect(place.tree.openPart('q1/video')).rejects.toThrow(DiskError);
    await expect(place.tree.createReport('report.csv')).rejects.toThrow(DiskError);
  });
});

describe('a part that grew after it was left', () => {
  it('continues with the bytes that are there', async () => {
    await using place = await openTree();
    await leavePart(place.tree, 'q1/video', 'hello ', '"v1"');
    await appendFile(join(place.out, 'q1/video.part'), 'world');
    await using part = await place.tree.openPart('q1/video');
    expect(await part.commit('q1/video.mp4')).toMatchObject({ sizeBytes: 11, sha256: sha256('hello world') });
  });
});

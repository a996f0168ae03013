import { writeFileSync } from 'node:fs';
import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lockLocalFolder } from '../../../src/app/stores.ts';
import { openExportWork } from '../../../src/outputs/export-work.ts';
import type { ReportRow } from '../../../src/stores/port/reading.ts';
import { hostileIds } from '../../hostile/file-names.ts';
import { lookAround } from '../../hostile/outside.ts';
import { rowOf } from '../../reports/report-rows.ts';
import { openExportStage as openStage, sha } from './export-stage.ts';

describe('files of earlier exports', () => {
  it('stay and are still listed, until --delete', async () => {
    await using stage = await openStage('a', 'b');
    await stage.export({ name: '{chapter}/{id}' });
    expect(await stage.export({ only: ['a'] })).toMatchObject({ videos: 1, added: 1, left: 2 });
    expect(await stage.names()).toEqual(['a.mp4', 'sums', 'sums/a.mp4', 'sums/b.mp4']);
    expect(await stage.sums()).toHaveLength(3);
    expect(await stage.export({ only: ['a'], deletes: true })).toMatchObject({ removed: 2, left: 0 });
    expect(await stage.names()).toEqual(['a.mp4']);
    expect(await stage.sums()).toHaveLength(1);
  });

  it('are removed only while they are as they were exported, and foreign ones never', async () => {
    await using stage = await openStage('a', 'b');
    await stage.export({ name: '{chapter}/{id}', manner: 'copy' });
    await writeFile(stage.path('out/sums/a.mp4'), 'cut by hand');
    await writeFile(stage.path('out/sums/notes.txt'), 'mine');
    expect(await stage.export({ deletes: true })).toMatchObject({ removed: 1 });
    expect(stage.news).toEqual([{ why: 'changed', path: 'sums/a.mp4' }]);
    expect(await stage.names()).toEqual(['a.mp4', 'b.mp4', 'sums', 'sums/a.mp4', 'sums/notes.txt']);
  });

  it('stay while a chosen video is missing: an earlier copy may be the last one', async () => {
    await using stage = await openStage('a', 'b');
    await stage.export({ manner: 'copy' });
    await rm(stage.path('videos/folder-1/video.mp4'));
    await stage.make('b', 'shorter than it says', { attempt: 2 });
    await writeFile(stage.path('videos/folder-2/video.mp4'), 'short');
    expect(await stage.export({ deletes: true })).toMatchObject({
      videos: 0,
      problems: 2,
      removed: 0,
      left: 2,
    });
    expect(stage.news).toEqual([
      { why: 'flawed', id: 'a' },
      { why: 'flawed', id: 'b' },
    ]);
    expect(await stage.read('out/a.mp4')).toBe('video of a');
  });

  it('stay while the video of a row that is not chosen is nowhere else', async () => {
    await using stage = await openStage('a', 'b', 'c', 'd');
    await stage.export({ manner: 'copy' });
    const { item } = stage.rows.get('a') as ReportRow;
    const artifacts = item.artifacts.map((file) => ({ ...file, state: 'wanted' as const }));
    stage.rows.set('a', rowOf({ ...item, status: 'undelivered', artifacts }));
    for (const number of [1, 2]) await rm(stage.path(`videos/folder-${number}/video.mp4`));
    const sums = await stage.export({ only: ['d'], deletes: true });
    expect(sums).toMatchObject({ removed: 1, left: 2, problems: 2 });
    expect(stage.news).toEqual([
      { why: 'last-copy', path: 'a.mp4' },
      { why: 'last-copy', path: 'b.mp4' },
    ]);
    expect(await stage.names()).toEqual(['a.mp4', 'b.mp4', 'd.mp4']);
    expect(await stage.sums()).toHaveLength(3);
  });

  it('stay where the run does not know them: its folder was restored from a backup', async () => {
    await using stage = await openStage('a', 'b');
    await writeFile(stage.path('videos/folder-2/video.vtt'), 'WEBVTT');
    await stage.export({ manner: 'copy' });
    stage.rows.delete('b');
    await rm(stage.path('videos/folder-2'), { recursive: true });
    expect(await stage.export({ deletes: true })).toMatchObject({ removed: 0, left: 2, problems: 2 });
    expect(stage.news).toEqual([
      { why: 'last-copy', path: 'b.mp4' },
      { why: 'last-copy', path: 'b.vtt' },
    ]);
    expect(await stage.names()).toEqual(['a.mp4', 'b.mp4', 'b.vtt']);
  });

  it('keep their names although the export before had other rows', async () => {
    await using stage = await openStage();
    for (const [id, title] of [
      ['a', 'Introduction'],
      ['b', 'Fractions'],
      ['c', 'Introduction'],
    ] as const)
      await stage.make(id, `video of ${id}`, { title });
    for (const id of ['a', 'b', 'c']) await stage.export({ name: '{title}', only: [id] });
    expect(await stage.read('out/Introduction.mp4')).toBe('video of a');
    expect(await stage.names()).toHaveLength(3);
    const before = await stage.names();
    for (const id of ['a', 'c', 'b'])
      expect(await stage.export({ name: '{title}', only: [id] })).toMatchObject({ unchanged: 1 });
    expect(await stage.export({ name: '{title}' })).toMatchObject({ unchanged: 3, left: 0 });
    expect(await stage.names()).toEqual(before);
  });

  it('stay where no row is chosen', async () => {
    await using stage = await openStage('a');
    await stage.export();
    await stage.make('a', 'x', { status: 'open', attempt: 2, artifacts: [] });
    await expect(stage.export({ deletes: true })).rejects.toThrow('--delete would remove all');
    expect(await stage.names()).toEqual(['a.mp4']);
    expect(await stage.export()).toMatchObject({ videos: 0, left: 1 });
  });
});

describe('a file in the way', () => {
  it('is never overwritten: it is named, and nothing is exported', async () => {
    await using stage = await openStage('a', 'b', 'c', 'd');
    await mkdir(stage.path('out/b.mp4'), { recursive: true });
    await writeFile(stage.path('out/a.mp4'), 'mine');
    await symlink(stage.path('elsewhere'), stage.path('out/c.mp4'));
    await expect(stage.export({ deletes: true })).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('out/a.mp4 (and 2 more) is not of an export of this run'),
    });
    expect(await stage.names()).toEqual(['a.mp4', 'b.mp4', 'c.mp4']);
    expect(await stage.read('out/a.mp4')).toBe('mine');
    expect(await stage.export({ only: ['d'] })).toMatchObject({ videos: 1, problems: 0 });
  });

  it('with the bytes of a video of the run is as good as an export, and becomes one', async () => {
    await using stage = await openStage('a', 'b');
    await mkdir(stage.path('out'));
    await writeFile(stage.path('out/a.mp4'), 'video of a');
    for (const _ of [1, 2]) {
      expect(await stage.export({ manner: 'copy' })).toMatchObject({ videos: 2, problems: 0 });
      expect(await stage.owners()).toEqual([
        `# batch ${stage.id}`,
        `${sha('video of a')}  a.mp4`,
        `${sha('video of b')}  b.mp4`,
      ]);
    }
    await rm(stage.path('out'), { recursive: true });
    await mkdir(stage.path('out'));
    await writeFile(stage.path('out/a.mp4'), 'video of b');
    expect(await stage.export()).toMatchObject({ videos: 2, added: 1, replaced: 1 });
  });

  it('was exported and then changed by hand: it stays, and the others are exported', async () => {
    await using stage = await openStage('a', 'b');
    await stage.export({ manner: 'copy' });
    await writeFile(stage.path('out/a.mp4'), 'cut by hand');
    await stage.make('a', 'another', { attempt: 2 });
    await stage.make('b', 'another b', { attempt: 2 });
    for (const replaced of [1, 0, 0])
      expect(await stage.export({ deletes: true })).toMatchObject({
        problems: 1,
        replaced,
        removed: 0,
        left: 0,
      });
    expect(await stage.read('out/a.mp4')).toBe('cut by hand');
    expect(await stage.owners()).toEqual([
      `# batch ${stage.id}`,
      `${sha('another b')}  b.mp4`,
      `${sha('video of a')}  a.mp4`,
    ]);
  });

  it('is in the way of captions too', async () => {
    await using stage = await openStage('a');
    await writeFile(stage.path('videos/folder-1/video.vtt'), 'WEBVTT');
    await mkdir(stage.path('out'));
    await writeFile(stage.path('out/a.vtt'), 'mine');
    await expect(stage.export()).rejects.toThrow('out/a.vtt is not of an export of this run');
    expect(await stage.names()).toEqual(['a.vtt']);
    await writeFile(stage.path('out/a.vtt'), 'WEBVTT');
    expect(await stage.export()).toMatchObject({ videos: 1, captions: 1, problems: 0 });
  });

  it.each(['manifest.csv', 'manifest.jsonl', 'SHA256SUMS'])(
    'a %s of another kind is refused',
    async (name) => {
      await using stage = await openStage('a');
      await mkdir(stage.path('out'));
      await writeFile(stage.path(`out/${name}`), 'mine');
      await expect(stage.export()).rejects.toThrow(`${name} is not of an export`);
      expect(await readdir(stage.path('out'))).toEqual([name]);
    },
  );

  it('a manifest that a spreadsheet has saved is still one', async () => {
    await using stage = await openStage('a');
    await stage.export();
    const csv = (await stage.read('out/manifest.csv')).replaceAll(',', ';');
    await writeFile(stage.path('out/manifest.csv'), csv);
    expect(await stage.export()).toMatchObject({ unchanged: 1 });
    expect(await stage.read('out/manifest.csv')).toContain('path,id');
  });
});

describe('the export of another run', () => {
  it.each(['whole', 'killed'])(
    'that is %s keeps its folder to itself, whatever else the runs have in common',
    async (state) => {
      await using first = await openStage('a', 'b');
      await using second = await openStage('c');
      const out = first.path('out');
      await first.export();
      if (state === 'killed') for (const end of ['csv', 'jsonl']) await rm(join(out, `manifest.${end}`));
      const look = async () => ({ ...(await lookAround(out, '')), '.': '' });
      const before = await look();
      for (const deletes of [true, false])
        await expect(second.export({ to: out, deletes })).rejects.toMatchObject({
          exitCode: 2,
          message: expect.stringContaining(`out holds the export of another run (${first.id})`),
        });
      expect(await look()).toEqual(before);
      expect(await first.export()).toMatchObject({ unchanged: 2, problems: 0 });
    },
  );
});

describe('a folder that an earlier version has exported to', () => {
  const sums = (...lines: string[]) => `${lines.join('\n')}\n`;

  it('is taken over, and what was not of the run then stays', async () => {
    await using stage = await openStage('a', 'b', 'c');
    await stage.export({ manner: 'copy' });
    await writeFile(stage.path('out/mine.mp4'), 'mine');
    const list = [
      `${sha('video of a')}  a.mp4`,
      `# batch ${stage.id}`,
      `${sha('video of b')}  b.mp4`,
      '# batch -',
      `${sha('mine')}  mine.mp4`,
    ];
    await writeFile(stage.path('out/SHA256SUMS'), sums(...list));
    expect(await stage.export({ only: ['c'], deletes: true })).toMatchObject({ unchanged: 1, removed: 2 });
    expect(await stage.names()).toEqual(['c.mp4', 'mine.mp4']);
    expect(await stage.owners()).toEqual([`# batch ${stage.id}`, `${sha('video of c')}  c.mp4`]);
  });

  it('for two runs is refused', async () => {
    await using stage = await openStage('a');
    await stage.export();
    const list = [`${sha('video of a')}  a.mp4`, '# batch 0123456789abcdef', `${sha('x')}  x.mp4`];
    await writeFile(stage.path('out/SHA256SUMS'), sums(...list));
    await expect(stage.export()).rejects.toThrow('the export of another run (0123456789abcdef)');
    expect(await stage.owners()).toEqual(list);
  });

  it('and was killed: its files are known by their bytes, and others refused by name', async () => {
    await using stage = await openStage('a', 'b');
    await mkdir(stage.path('out/.batch-export'), { recursive: true });
    await writeFile(stage.path('out/.batch-export/1.sums'), `# batch ${stage.id}\n${sha('old')}  b.mp4\n`);
    await writeFile(stage.path('out/a.mp4'), 'video of a');
    await writeFile(stage.path('out/b.mp4'), 'old');
    await expect(stage.export()).rejects.toThrow('out/b.mp4 is not of an export of this run');
    expect(await stage.read('out/b.mp4')).toBe('old');
    await rm(stage.path('out/b.mp4'));
    expect(await stage.export()).toMatchObject({ videos: 2, unchanged: 1, added: 1 });
    expect(await stage.names()).toEqual(['a.mp4', 'b.mp4']);
  });
});

describe('an export of the same run', () => {
  it('continues after its rows were renumbered', async () => {
    await using stage = await openStage('a', 'b', 'c');
    await stage.export();
    const [a, b, c] = ['a', 'b', 'c'].map((id) => stage.rows.get(id) as ReportRow);
    stage.rows.clear();
    // Every row has the id of the one before it.
    for (const [id, row] of [
      ['z', a],
      ['a', b],
      ['b', c],
    ] as const)
      stage.rows.set(id, { ...(row as ReportRow), item: { ...(row as ReportRow).item, id } });
    expect(await stage.export({ deletes: true })).toMatchObject({
      videos: 3,
      added: 1,
      replaced: 2,
      removed: 1,
    });
    expect(await stage.read('out/b.mp4')).toBe('video of c');
    expect(await stage.names()).toEqual(['a.mp4', 'b.mp4', 'z.mp4']);
  });

  it('keeps the video of a row whose new attempt waits or has failed', async () => {
    await using stage = await openStage('a', 'b', 'c');
    await stage.export();
    for (const [id, status] of [
      ['a', 'pending'],
      ['b', 'failed'],
    ] as const) {
      const { item } = stage.rows.get(id) as ReportRow;
      const aged = item.artifacts.map((file) => ({ ...file, kind: 'earlier-video' as const, ordinal: 1 }));
      const artifacts = status === 'failed' ? aged : item.artifacts;
      stage.rows.set(id, rowOf({ ...item, status, attempt: status === 'failed' ? 2 : 1, artifacts }));
    }
    expect(await stage.export({ deletes: true })).toMatchObject({ unchanged: 3, removed: 0, problems: 0 });
    expect(await stage.names()).toEqual(['a.mp4', 'b.mp4', 'c.mp4']);
  });
});

it('another export that writes there is left alone', async () => {
  await using stage = await openStage('a');
  const work = stage.path('out/.batch-export');
  await mkdir(work, { recursive: true });
  await writeFile(join(work, '1.tmp'), 'half a vid');
  {
    using _ = lockLocalFolder(work);
    await expect(stage.export()).rejects.toMatchObject({ exitCode: 6 });
    expect((await readdir(work)).sort()).toEqual(['1.tmp', 'batch.lock']);
  }
  expect(await stage.export()).toMatchObject({ added: 1 });
  expect(await readdir(stage.path('out'))).toEqual(['SHA256SUMS', 'a.mp4', 'manifest.csv', 'manifest.jsonl']);
});

it('an export that ends leaves the work of one that has begun meanwhile', async () => {
  await using stage = await openStage('a');
  await mkdir(stage.path('out'));
  const work = await openExportWork(stage.path('out'));
  work.lockNumber();
  const lock = lockLocalFolder(work.path);
  // The second export begins at the very moment in which the first one releases the folder.
  const begun = { path: join(work.path, 'begun.tmp'), number: 0 };
  await work.remove({
    [Symbol.dispose]() {
      lock[Symbol.dispose]();
      begun.number = work.lockNumber();
      writeFileSync(begun.path, 'noted');
    },
  });
  expect(work.lockNumber()).toBe(begun.number);
  expect(await readdir(work.path)).toEqual(['batch.lock', 'begun.tmp']);
});

describe('nothing outside', () => {
  it('is touched by hostile ids, titles and columns', async () => {
    await using stage = await openStage();
    await mkdir(stage.path('here/out'), { recursive: true });
    for (const [at, text] of hostileIds.entries())
      await stage.make(text, `video ${at}`, { title: text }, { chapter: text });
    const out = stage.path('here/out');
    const before = await lookAround(stage.folder, out);
    const sums = await stage.export({ to: out, name: '{chapter}/{title}' });
    expect(sums).toMatchObject({ videos: hostileIds.length, added: hostileIds.length, problems: 0 });
    expect(await lookAround(stage.folder, out)).toEqual(before);
    const found = await readdir(out, { recursive: true, withFileTypes: true });
    expect(found.filter((entry) => entry.isFile() && entry.name.endsWith('.mp4'))).toHaveLength(
      hostileIds.length,
    );
  });

  it('is touched through links that lie in the folder', async () => {
    await using stage = await openStage('a');
    await mkdir(stage.path('elsewhere'));
    await mkdir(stage.path('out'));
    await symlink(stage.path('elsewhere'), stage.path('out/sums'));
    await expect(stage.export({ name: '{chapter}/{id}' })).rejects.toThrow(
      'out/sums/a.mp4 is not of an export',
    );
    expect(await readdir(stage.path('elsewhere'))).toEqual([]);
  });

  it('is removed by checksums that came with the folder', async () => {
    await using stage = await openStage('a');
    await stage.export();
    await writeFile(stage.path('mine.txt'), 'mine');
    const planted = ['../mine.txt', `/${stage.path('mine.txt')}`, 'a/../../mine.txt', './../mine.txt'];
    const lines = planted.map((path) => `${sha('mine')}  ${path}\n`);
    await writeFile(stage.path('out/SHA256SUMS'), lines.join(''));
    expect(await stage.export({ deletes: true })).toMatchObject({ removed: 0 });
    expect(await stage.read('mine.txt')).toBe('mine');
  });

  it.each(['videos', 'videos/out', '.', 'link-to-videos'])('is asked for with --to %s', async (to) => {
    await using stage = await openStage('a');
    await symlink(stage.out, stage.path('link-to-videos'));
    await expect(stage.export({ to: stage.path(to) })).rejects.toThrow('lie in one another');
    expect(await readdir(stage.out)).toEqual(['folder-1']);
  });
});

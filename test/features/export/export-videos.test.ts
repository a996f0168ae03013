import { existsSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import type { ExportNews } from '../../../src/features/export/export-news.ts';
import type { ReportRow } from '../../../src/stores/port/reading.ts';
import { renderRowKey } from '../../../src/text/ids/row-key.ts';
import { lookAround } from '../../hostile/outside.ts';
import { artifactOf, source } from '../../reports/report-rows.ts';
import { openExportStage as openStage, sha } from './export-stage.ts';

describe('an export', () => {
  it('puts the videos of completed rows under their names, as hard links', async () => {
    await using stage = await openStage('a', 'b');
    await stage.make('c', 'x', { status: 'open', artifacts: [] });
    expect(await stage.export({ name: '{chapter}/{id} {title}' })).toEqual({
      videos: 2,
      added: 2,
      replaced: 0,
      unchanged: 0,
      linked: 2,
      copied: 0,
      captions: 0,
      removed: 0,
      left: 0,
      problems: 0,
    });
    expect(await stage.names()).toEqual(['sums', 'sums/a Title of a.mp4', 'sums/b Title of b.mp4']);
    expect(await stage.inode('out/sums/a Title of a.mp4')).toBe(
      await stage.inode('videos/folder-1/video.mp4'),
    );
  });

  it('says which file is which, with all that is known of the row', async () => {
    await using stage = await openStage('a');
    await stage.make('=b', 'b', { title: '=1+1' }, { note: '@x', question: 'a "b"\u2028c', images: 'data:' });
    const columns = [...source.columns, 'note', 'images'];
    const row = stage.rows.get('=b') as ReportRow;
    const fields = { ...source.fields, answer: 'note', questionImages: 'images' };
    stage.rows.set('=b', { ...row, source: { ...source, columns, fields } });
    await stage.export();
    const lines = (await stage.read('out/manifest.jsonl')).split('\n').slice(0, -1);
    expect(lines.map((line) => JSON.parse(line))[1]).toEqual({
      path: '=b.mp4',
      id: '=b',
      question: 'a "b"\u2028c',
      answer: '@x',
      title: '=1+1',
      duration: null,
      points: 10,
      sha256: sha('b'),
      captions: null,
      row: 2,
      quality: 'm',
      attempt: 1,
      run: stage.id,
      input: { id: '=b', question: 'a "b"\u2028c', chapter: 'sums', note: '@x' },
      batch: renderRowKey(stage.id, row.item, 'a "b"\u2028c'),
    });
    const csv = await stage.read('out/manifest.csv');
    expect(
      csv.startsWith(
        '\ufeffpath,id,question,answer,title,duration,points,sha256,captions,row,quality,attempt,run,',
      ),
    ).toBe(true);
    const [first, second] = parse(csv, { bom: true, columns: true }) as Record<string, string>[];
    expect(first).toMatchObject({ path: 'a.mp4', 'input.chapter': 'sums', 'input.note': '' });
    expect(second).toMatchObject({ path: "'=b.mp4", title: "'=1+1", 'input.note': "'@x" });
    expect(second).not.toHaveProperty('input.images');
    expect(await stage.sums()).toEqual([`${sha('video of a')}  a.mp4`, `${sha('b')}  =b.mp4`]);
  });

  it('says the address that each video will have, where a base is given', async () => {
    await using stage = await openStage('a');
    await stage.make('=ü #', 'b');
    const addressOf = (path: string) => `https://x.example/${path}`;
    await stage.export({ name: '{chapter}/{id}', addressOf });
    const csv = await stage.read('out/manifest.csv');
    const rows = parse(csv, { bom: true, columns: true }) as Record<string, string>[];
    const urls = ['https://x.example/sums/a.mp4', 'https://x.example/sums/=ü #.mp4'];
    expect(rows.map(({ url }) => url)).toEqual(urls);
    expect(csv).toContain(',attempt,run,url,input.id,');
    const lines = (await stage.read('out/manifest.jsonl')).split('\n').slice(0, -1);
    expect(lines.map((line) => JSON.parse(line).url)).toEqual(urls);
    expect(await stage.export({ name: '{chapter}/{id}' })).toMatchObject({ unchanged: 2 });
    expect(await stage.read('out/manifest.csv')).not.toContain('url');
  });

  it('typed again does nothing; then adds what is new and replaces what has another attempt', async () => {
    await using stage = await openStage('a', 'b');
    await stage.export();
    const before = await lookAround(stage.path('out'), '');
    expect(await stage.export()).toMatchObject({ unchanged: 2, added: 0, replaced: 0 });
    expect(await stage.names()).toEqual(['a.mp4', 'b.mp4']);
    expect(Object.keys(await lookAround(stage.path('out'), ''))).toEqual(Object.keys(before));
    await stage.make('b', 'another', { attempt: 2 });
    await stage.make('c');
    expect(await stage.export()).toMatchObject({ videos: 3, unchanged: 1, added: 1, replaced: 1, linked: 2 });
    expect(await stage.read('out/b.mp4')).toBe('another');
    expect(await stage.sums()).toContain(`${sha('another')}  b.mp4`);
  });

  it.each([
    ['copy', 'link'],
    ['link', 'copy'],
  ] as const)('made by %s is made by %s when that is asked for', async (first, second) => {
    await using stage = await openStage('a');
    const isLinked = async () =>
      (await stage.inode('out/a.mp4')) === (await stage.inode('videos/folder-1/video.mp4'));
    await stage.export({ manner: first });
    expect(await isLinked()).toBe(first === 'link');
    expect(await stage.export({ manner: first })).toMatchObject({ unchanged: 1 });
    expect(await stage.export({ manner: second })).toMatchObject({ replaced: 1 });
    expect(await isLinked()).toBe(second === 'link');
    expect(await stage.export()).toMatchObject({ unchanged: 1 });
  });

  it('reads a copy whose time was changed, and leaves it', async () => {
    await using stage = await openStage('a');
    await stage.export({ manner: 'copy' });
    await utimes(stage.path('out/a.mp4'), 2e9, 2e9);
    const inode = await stage.inode('out/a.mp4');
    expect(await stage.export()).toMatchObject({ unchanged: 1 });
    expect(await stage.inode('out/a.mp4')).toBe(inode);
  });

  it('takes captions along as copies, and new ones when they are corrected', async () => {
    await using stage = await openStage('a');
    await writeFile(stage.path('videos/folder-1/video.vtt'), 'WEBVTT');
    expect(await stage.export({ manner: 'link' })).toMatchObject({ captions: 1 });
    expect(await stage.read('out/a.vtt')).toBe('WEBVTT');
    await writeFile(stage.path('videos/folder-1/video.vtt'), 'WEBVTT corrected');
    await stage.export();
    expect(await stage.read('out/a.vtt')).toBe('WEBVTT corrected');
    expect(JSON.parse(await stage.read('out/manifest.jsonl'))).toMatchObject({ captions: 'a.vtt' });
    expect(await stage.sums()).toHaveLength(2);
  });
});

describe('while an export continues', () => {
  it.each(['either', 'copy'] as const)(
    'a video that the run replaces and captions that are edited are for the next one (%s)',
    async (manner) => {
      await using stage = await openStage('a', 'b');
      await writeFile(stage.path('videos/folder-2/video.vtt'), 'WEBVTT');
      const addressOf = (path: string): string => {
        if (path === 'a.mp4') writeFileSync(stage.path('videos/folder-1/video.mp4'), 'VIDEO of a');
        else process.nextTick(() => writeFileSync(stage.path('videos/folder-2/video.vtt'), 'edited'));
        return path;
      };
      expect(await stage.export({ manner, addressOf, deletes: true })).toMatchObject({
        videos: 1,
        problems: 1,
      });
      expect(stage.news).toEqual([{ why: 'flawed', id: 'a' }]);
      expect((await stage.names()).filter((name) => name.endsWith('mp4'))).toEqual(['b.mp4']);
      await stage.make('a', 'VIDEO of a', { attempt: 2 });
      expect(await stage.export({ manner })).toMatchObject({ videos: 2, captions: 1, problems: 0 });
      expect(await stage.read('out/a.mp4')).toBe('VIDEO of a');
      expect(await stage.read('out/b.vtt')).toBe('edited');
    },
  );

  it('captions that are edited again stay as they were exported', async () => {
    await using stage = await openStage('a');
    const captions = stage.path('videos/folder-1/video.vtt');
    await writeFile(captions, 'WEBVTT');
    await stage.export();
    await writeFile(captions, 'WEBVTT second');
    const addressOf = (path: string): string => {
      writeFileSync(captions, 'WEBVTT third');
      return path;
    };
    expect(await stage.export({ addressOf, deletes: true })).toMatchObject({ captions: 0, removed: 0 });
    expect(await stage.read('out/a.vtt')).toBe('WEBVTT');
    expect(await stage.sums()).toEqual([`${sha('video of a')}  a.mp4`, `${sha('WEBVTT')}  a.vtt`]);
    expect(await stage.export()).toMatchObject({ captions: 1 });
    expect(await stage.read('out/a.vtt')).toBe('WEBVTT third');
  });

  it('a file that somebody puts there stays theirs', async () => {
    // More than are placed at once.
    await using stage = await openStage(...'abcdefghijkl');
    await writeFile(stage.path('videos/folder-1/video.mp4'), 'short');
    const report = (news: ExportNews): void => {
      stage.news.push(news);
      if (news.why === 'flawed') writeFileSync(stage.path('out/l.mp4'), 'mine');
    };
    expect(await stage.export({ report })).toMatchObject({ videos: 10, problems: 2 });
    expect(stage.news).toEqual([
      { why: 'flawed', id: 'a' },
      { why: 'in-the-way', path: 'l.mp4' },
    ]);
    expect(await stage.read('out/l.mp4')).toBe('mine');
    expect(await stage.sums()).toHaveLength(10);
    await expect(stage.export()).rejects.toMatchObject({ exitCode: 2 });
  });
});

describe('an export that was killed', () => {
  const listed = (run: string, ...files: [bytes: string, path: string][]) =>
    [`# batch ${run}`, ...files.map(([bytes, path]) => `${sha(bytes)}  ${path}`), ''].join('\n');

  it('knows its own files by their list, whatever became of the rows since', async () => {
    await using stage = await openStage('a', 'b');
    for (const id of ['a', 'b']) await stage.make(id, `video of ${id}`, { attempt: 2 });
    await mkdir(stage.path('out/.batch-export'), { recursive: true });
    await writeFile(stage.path('out/a.mp4'), 'an attempt before');
    await writeFile(stage.path('out/old.mp4'), 'of a row before');
    const list = listed(
      stage.id,
      ['an attempt before', 'a.mp4'],
      ['of a row before', 'old.mp4'],
      ['x', 'b.mp4'],
      ['never came', 'gone.mp4'],
    );
    await writeFile(stage.path('out/SHA256SUMS'), list);
    await writeFile(stage.path('out/.batch-export/2.tmp'), 'half a vid');
    expect(await stage.export()).toMatchObject({ videos: 2, added: 1, replaced: 1, left: 1 });
    expect(await stage.names()).toEqual(['a.mp4', 'b.mp4', 'old.mp4']);
    expect(await stage.sums()).toHaveLength(3);
    // What it contains may be nowhere else.
    expect(await stage.export({ deletes: true })).toMatchObject({ removed: 0, left: 1 });
    expect(stage.news).toEqual([{ why: 'last-copy', path: 'old.mp4' }]);
  });

  it('before it replaced a file does not take the old one for the new one, even of the same length and time', async () => {
    await using stage = await openStage('a');
    await stage.export({ manner: 'copy' });
    await stage.make('a', 'VIDEO of a', { attempt: 2 });
    const list = listed(stage.id, ['video of a', 'a.mp4'], ['VIDEO of a', 'a.mp4']);
    await writeFile(stage.path('out/SHA256SUMS'), list);
    expect(await stage.export()).toMatchObject({ replaced: 1 });
    expect(await stage.read('out/a.mp4')).toBe('VIDEO of a');
    expect(await stage.sums()).toEqual([`${sha('VIDEO of a')}  a.mp4`]);
  });

  it.each([
    ['video of a', [], 1],
    ['VIDEO of a', [], 1],
    ['cut by hand', [{ why: 'changed', path: 'a.mp4' }], 0],
  ] as const)('and was to replace a file lists %j there once', async (bytes, news, removed) => {
    await using stage = await openStage('a', 'b');
    await stage.make('a', 'VIDEO of a', {
      attempt: 2,
      artifacts: ['VIDEO of a', 'video of a'].map((text, at) =>
        artifactOf({
          kind: at === 0 ? 'video' : 'earlier-video',
          ordinal: at,
          path: `folder-1/video${at === 0 ? '' : '-1'}.mp4`,
          sizeBytes: text.length,
          sha256: sha(text),
        }),
      ),
    });
    await writeFile(stage.path('videos/folder-1/video-1.mp4'), 'video of a');
    await mkdir(stage.path('out'));
    await writeFile(stage.path('out/a.mp4'), bytes);
    const list = listed(stage.id, ['video of a', 'a.mp4'], ['VIDEO of a', 'a.mp4']);
    await writeFile(stage.path('out/SHA256SUMS'), list);
    const only = ['b'];
    expect(await stage.export({ only })).toMatchObject({ added: 1, left: 1 });
    await writeFile(stage.path('out/SHA256SUMS'), list);
    expect(await stage.export({ only, deletes: true })).toMatchObject({ removed, left: 0 });
    expect(stage.news).toEqual(news);
  });
});

describe('which rows', () => {
  it('are those marked good, and their attempt is the marked one', async () => {
    await using stage = await openStage('a', 'b');
    await stage.make('c', 'c', { attempt: 2 });
    await writeFile(stage.path('marks.csv'), 'id,mark,attempt\na,good,1\nb,bad,1\nc,good,1\nz,good,1\n');
    expect(await stage.export({ only: [`@${stage.path('marks.csv')}`] })).toMatchObject({
      videos: 1,
      problems: 2,
    });
    expect(stage.news).toEqual([
      { why: 'unknown', id: 'z' },
      { why: 'other-attempt', id: 'c' },
    ]);
    expect(await stage.names()).toEqual(['a.mp4']);
  });

  it('are never none because no mark was saved: the export before stays as it is', async () => {
    await using stage = await openStage('a');
    await stage.export();
    const manifest = await stage.read('out/manifest.csv');
    stage.marks = [{ id: 'a', mark: 'bad', attempt: 1 }];
    await expect(stage.export({ only: ['good'], deletes: true })).rejects.toThrow(
      /^--only good: no mark saved/,
    );
    expect(await stage.read('out/manifest.csv')).toBe(manifest);
  });

  it('are those that saved marks call good', async () => {
    await using stage = await openStage('a', 'b', 'c');
    stage.marks = [
      { id: 'a', mark: 'good', attempt: 1 },
      { id: 'b', mark: 'good', attempt: 1 },
      { id: 'b', mark: 'bad', attempt: 1 },
    ];
    expect(await stage.export({ only: ['good'] })).toMatchObject({ videos: 1, problems: 1 });
    expect(stage.news).toEqual([{ why: 'contested', id: 'b' }]);
    expect(await stage.names()).toEqual(['a.mp4']);
  });

  it('are none that another file of marks calls bad', async () => {
    await using stage = await openStage('a', 'b', 'c');
    await writeFile(stage.path('anna.csv'), 'id,mark,attempt\na,good,1\nb,good,1\nc,good,1\n');
    await writeFile(stage.path('ben.csv'), 'id,mark,attempt\na,bad,1\nb,bad,2\nc,bad,\nd,good,1\n');
    const only = ['anna.csv', 'ben.csv'].map((name) => `@${stage.path(name)}`);
    expect(await stage.export({ only })).toMatchObject({ videos: 0, problems: 3 });
    expect(stage.news).toEqual([
      { why: 'unknown', id: 'd' },
      { why: 'contested', id: 'a' },
      { why: 'contested', id: 'c' },
    ]);
    expect(await stage.export({ only: [...only, 'a'] })).toMatchObject({ videos: 1 });
  });

  it('may be typed, also without a video', async () => {
    await using stage = await openStage('a', 'b');
    await stage.make('c', 'c', { artifacts: [] });
    expect(await stage.export({ only: ['b', 'c'] })).toMatchObject({ videos: 1, problems: 1 });
    expect(stage.news).toEqual([{ why: 'without-video', id: 'c' }]);
    await expect(stage.export({ only: ['x'] })).rejects.toThrow('no row has the id x');
    await expect(stage.export({ only: ['completed', 'a'] })).rejects.toThrow(
      '--only completed chooses the rows itself',
    );
  });
});

describe('a name', () => {
  it('may have a column that only another file of the run has', async () => {
    await using stage = await openStage('a');
    await stage.make('b', 'b', {}, { unit: '7' });
    const row = stage.rows.get('b') as ReportRow;
    stage.rows.set('b', { ...row, source: { ...source, columns: [...source.columns, 'unit'] } });
    await stage.export({ name: '{unit} {id}' });
    expect(await stage.names()).toEqual(['7 b.mp4', 'a.mp4']);
    await expect(stage.export({ name: '{units}' })).rejects.toThrow(
      'the columns are id, question, quality, chapter, unit',
    );
  });
});

describe('on another disk', () => {
  const diskOf = (path: string): number => statSync(path).dev;
  const candidates = ['/dev/shm', '/var/tmp'].filter((path) => existsSync(path));
  const other = candidates.find((path) => diskOf(path) !== diskOf(tmpdir())) ?? '';

  it.skipIf(other === '')('videos are copied, and --link is refused', async () => {
    await using stage = await openStage('a', 'b');
    const to = await mkdtemp(join(other, 'batch-test-'));
    try {
      await expect(stage.export({ to, manner: 'link' })).rejects.toThrow('leave out --link');
      expect(await stage.export({ to })).toMatchObject({ added: 2, copied: 2, linked: 0 });
      expect(await readFile(join(to, 'a.mp4'), 'utf8')).toBe('video of a');
      expect(await stage.export({ to })).toMatchObject({ unchanged: 2 });
    } finally {
      await rm(to, { recursive: true });
    }
  });
});

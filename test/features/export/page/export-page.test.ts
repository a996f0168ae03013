import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { picturePath } from '../../../../src/features/export/page/page-parts.ts';
import type { PageRequest } from '../../../../src/features/export/page/page-request.ts';
import {
  type PackedVideo,
  type PupilPage,
  type PupilVideo,
  unpackVideo,
} from '../../../../src/reports/pupil-wire.ts';
import type { ReportRow } from '../../../../src/stores/port/reading.ts';
import { source } from '../../../reports/report-rows.ts';
import { openExportStage as openStage, sha } from '../export-stage.ts';

type Stage = Awaited<ReturnType<typeof openStage>>;

const page: PageRequest = {
  assets: { script: 'script()', style: 'style {}', mathScript: 'math()', mathStyle: 'math {}' },
  title: null,
  chapters: null,
  hasIds: false,
  hasAnswers: false,
  hasCodes: false,
  language: null,
};

/** What the islands of the page hold, and the text around them. */
async function readPage(stage: Stage): Promise<{ page: PupilPage; videos: PupilVideo[]; rest: string }> {
  const text = await stage.read('out/index.html');
  const islands = [...text.matchAll(/<script type="application\/json" (\S+)>(.*)<\/script>\n/g)];
  const data = islands.map(([, name, json = '']) => ({ name, data: JSON.parse(json) }));
  return {
    page: data.find(({ name }) => name === 'id="page"')?.data,
    videos: data
      .filter(({ name }) => name === 'class="videos"')
      .flatMap((island) => (island.data as PackedVideo[]).map(unpackVideo)),
    rest: islands.reduce((left, [island]) => left.replace(island, ''), text),
  };
}

const png = await readFile('samples/clip.png');
const picture = picturePath(hash('sha256', png, 'hex'), 'png');

/** Gives a row pictures, as its file does. */
function withPictures(stage: Stage, id: string, cells: Readonly<Record<string, string>>): void {
  const row = stage.rows.get(id) as ReportRow;
  const fields = { ...source.fields, questionImages: 'figure', answer: 'answer', answerImages: 'solution' };
  const columns = [...source.columns, 'figure', 'answer', 'solution'];
  stage.rows.set(id, {
    ...row,
    input: { ...row.input, ...cells },
    source: { ...source, columns, fields, folder: stage.folder },
  });
}

describe('the page of an export', () => {
  it('shows each video with its question, in chapters, and nothing else of the run', async () => {
    await using stage = await openStage('a', 'b');
    await stage.make('c', 'c', { title: null }, { question: 'What is $\\frac{1}{2}$?', chapter: '' });
    await stage.make('d', 'd', { failure: 'a secret' }, { chapter: ' powers ' });
    await writeFile(stage.path('videos/folder-1/video.vtt'), 'WEBVTT');
    const sums = await stage.export({ name: '{title}', page: { ...page, chapters: 'Chapter' } });
    expect(sums).toMatchObject({ videos: 4, page: 'index.html', problems: 0 });
    const shown = await readPage(stage);
    expect(shown.page).toEqual({
      title: 'questions',
      language: null,
      videos: 4,
      hasAnswers: false,
      hasIds: false,
      chapters: ['sums', 'powers'],
    });
    const none = { answer: null, id: null, questionImages: [], answerImages: [], url: null, qr: null };
    expect(shown.videos[0]).toEqual({
      ...none,
      anchor: expect.stringMatching(/^[0-9a-z]{8,}$/),
      title: 'Title of a',
      question: 'Question a',
      chapter: 0,
      video: 'Title%20of%20a.mp4',
      captions: 'Title%20of%20a.vtt',
    });
    expect(shown.videos.map(({ chapter }) => chapter)).toEqual([0, 0, null, 1]);
    expect(shown.videos[2]).toMatchObject({ title: 'What is \\(\\frac{1}{2}\\)?', video: 'c.mp4' });
    expect(shown.rest.indexOf('script()')).toBeLessThan(shown.rest.indexOf('math()'));
    expect(await stage.read('out/index.html')).not.toMatch(/secret|"points"|task/);
    expect(await stage.sums()).toContain(`${sha(await stage.read('out/index.html'))}  index.html`);
  });

  it('shows ids, answers and codes where they are asked for', async () => {
    await using stage = await openStage('q 1/ü');
    withPictures(stage, 'q 1/ü', {
      answer: '2',
      solution: `data:image/png;base64,${png.toString('base64')}`,
    });
    const addressOf = (path: string) => `https://x.example/${path}`;
    const all = { ...page, hasIds: true, hasAnswers: true, hasCodes: true, language: 'zh' as const };
    await stage.export({ page: all, addressOf });
    const { videos, rest } = await readPage(stage);
    expect(videos[0]).toMatchObject({
      anchor: 'q%201%2F%C3%BC',
      id: 'q 1/ü',
      answer: '2',
      answerImages: [picture],
      url: 'https://x.example/index.html#q%201%2F%C3%BC',
      qr: expect.stringMatching(/^fe[0-9a-f ]{300,}$/),
    });
    expect(rest).toContain('<html lang="zh-CN">');
    await stage.export({ page });
    const { videos: plain } = await readPage(stage);
    expect(plain[0]).toMatchObject({ answer: null, answerImages: [], id: null, url: null, qr: null });
    expect(rest).not.toContain('math()');
  });

  it('links to a video in the same way whatever else is exported', async () => {
    await using stage = await openStage('a', 'b');
    await stage.export({ page });
    const before = (await readPage(stage)).videos.map(({ anchor }) => anchor);
    expect(new Set(before).size).toBe(2);
    await stage.export({ page, only: ['b'], name: '{row}' });
    expect((await readPage(stage)).videos.map(({ anchor }) => anchor)).toEqual([before[1]]);
  });

  it('copies pictures once, links to addresses, and names a row whose picture is gone', async () => {
    await using stage = await openStage('a', 'b', 'c');
    await writeFile(stage.path('fig.png'), png);
    const address = 'https://x.example/a.png?key=secret';
    withPictures(stage, 'a', { figure: 'fig.png' });
    withPictures(stage, 'b', {
      figure: JSON.stringify([address, `data:image/png;base64,${png.toString('base64')}`]),
    });
    withPictures(stage, 'c', { figure: 'gone.png' });
    expect(await stage.export({ page })).toMatchObject({ videos: 3, problems: 1 });
    expect(stage.news).toEqual([{ why: 'picture', id: 'c' }]);
    const { videos } = await readPage(stage);
    expect(videos.map(({ questionImages }) => questionImages)).toEqual([
      [picture],
      ['https://x.example/a.png?…', picture],
      [],
    ]);
    expect(await readFile(stage.path(`out/${picture}`))).toEqual(png);
    expect(await stage.read('out/index.html')).not.toContain('secret');
    const inode = await stage.inode(`out/${picture}`);
    await stage.export({ page });
    expect(await stage.inode(`out/${picture}`)).toBe(inode);
    expect((await stage.sums()).filter((line) => line.endsWith('.png'))).toHaveLength(1);
  });

  it('is left alone by the same line, and brought up to date by it when there are more videos', async () => {
    await using stage = await openStage('a');
    await stage.export({ page });
    const { mtimeMs, ino } = await stat(stage.path('out/index.html'));
    await stage.export({ page });
    expect(await stat(stage.path('out/index.html'))).toMatchObject({ mtimeMs, ino });
    await stage.make('index');
    expect(await stage.export({ page })).toMatchObject({ videos: 2, left: 0, problems: 0 });
    expect((await readPage(stage)).videos.map(({ video }) => video)).toEqual(['a.mp4', 'index.mp4']);
    expect((await stage.sums()).filter((line) => line.endsWith('index.html'))).toHaveLength(1);
  });

  it('of an earlier export stays where none is asked for, which is said, and goes with --delete', async () => {
    await using stage = await openStage('a');
    await writeFile(stage.path('fig.png'), png);
    withPictures(stage, 'a', { figure: 'fig.png' });
    await stage.export({ page });
    expect(await stage.export()).toMatchObject({ left: 2, pageLeft: true, problems: 0 });
    expect(existsSync(stage.path('out/index.html'))).toBe(true);
    expect(await stage.export({ page })).toMatchObject({ left: 0, page: 'index.html' });
    expect(await stage.export({ deletes: true })).toMatchObject({ removed: 2, left: 0, problems: 0 });
    expect(await stage.names()).toEqual(['a.mp4']);
  });

  it('never replaces a file of somebody else', async () => {
    await using stage = await openStage('a');
    await mkdir(stage.path('out'));
    await writeFile(stage.path('out/index.html'), 'mine');
    await expect(stage.export({ page })).rejects.toMatchObject({ exitCode: 2 });
    expect(await stage.names()).toEqual(['index.html']);
    await rm(stage.path('out/index.html'));
    await stage.export({ page });
    await writeFile(stage.path('out/index.html'), 'mine');
    const sums = await stage.export({ page });
    expect(sums).toMatchObject({ videos: 1, problems: 1 });
    expect(sums).not.toHaveProperty('page');
    expect(stage.news).toEqual([{ why: 'in-the-way', path: 'index.html' }]);
    expect(await stage.read('out/index.html')).toBe('mine');
  });

  it.each(['before', 'after'])('is known after a kill %s it was put there', async (moment) => {
    await using stage = await openStage('a');
    await stage.export({ page });
    const old = { page: await stage.read('out/index.html'), sums: await stage.read('out/SHA256SUMS') };
    await stage.make('b');
    await stage.export({ page });
    const whole = await stage.read('out/SHA256SUMS');
    await writeFile(stage.path('out/SHA256SUMS'), old.sums + whole.split('\n').slice(1).join('\n'));
    if (moment === 'before') await writeFile(stage.path('out/index.html'), old.page);
    expect(await stage.export({ page })).toMatchObject({ videos: 2, problems: 0, left: 0 });
    expect(await stage.read('out/SHA256SUMS')).toBe(whole);
    expect((await readPage(stage)).videos).toHaveLength(2);
  });

  it('refuses a column of chapters that no file has, before anything is written', async () => {
    await using stage = await openStage('a');
    const exporting = stage.export({ page: { ...page, chapters: 'chaptr' } });
    await expect(exporting).rejects.toThrow('did you mean chapter? There are id, question, quality, chapter');
    expect(existsSync(stage.path('out'))).toBe(false);
  });
});

/** A page for pupils of videos that a test makes, without an export. */

import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { pupilAssets } from '../../../src/app/page-assets.ts';
import { renderEnd } from '../../../src/reports/page-shell.ts';
import { renderPupilHead, renderPupilVideos } from '../../../src/reports/pupil-page.ts';
import type { PupilPage, PupilVideo } from '../../../src/reports/pupil-wire.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import type { MadePage } from './made-page.ts';

const plain: PupilVideo = {
  anchor: 'v1',
  title: '',
  question: '',
  answer: null,
  id: null,
  chapter: null,
  video: 'clip.webm',
  captions: null,
  questionImages: [],
  answerImages: [],
  url: null,
  qr: null,
};

/** A video with the place `at`, from 1, in its link. */
export function videoOf(at: number, more: Partial<PupilVideo> = {}): PupilVideo {
  return { ...plain, anchor: `v${at}`, title: `Video number ${at}`, question: `What is ${at}?`, ...more };
}

/** Writes the page beside `clip.webm` and `clip.png`; islands hold 500 videos each. */
export async function makePupilPage(
  videos: readonly PupilVideo[],
  facts: Partial<PupilPage> = {},
): Promise<MadePage> {
  const folder = await temporaryFolder();
  await writePupilPage(folder.path, videos, facts);
  const url = pathToFileURL(join(folder.path, 'index.html')).href;
  return { out: folder.path, url, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

async function writePupilPage(
  folder: string,
  videos: readonly PupilVideo[],
  facts: Partial<PupilPage>,
): Promise<void> {
  const assets = pupilAssets();
  const page: PupilPage = {
    title: 'Algebra, grade 8',
    language: null,
    videos: videos.length,
    hasAnswers: videos.some(({ answer }) => answer !== null),
    hasIds: videos.some(({ id }) => id !== null),
    chapters: [],
    ...facts,
  };
  const islands = Array.from({ length: Math.ceil(videos.length / 500) }, (_, at) =>
    renderPupilVideos(videos.slice(at * 500, (at + 1) * 500)),
  );
  const html = [renderPupilHead(assets, page), ...islands, renderEnd(assets, true)];
  await writeFile(join(folder, 'index.html'), html.join(''));
  for (const name of ['clip.webm', 'clip.png']) await copyFile(join('samples', name), join(folder, name));
}

import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { lookIntoRun } from '../../../src/app/open-run.ts';
import { readInvocation } from '../../../src/app/options/settings.ts';
import { openFolder } from '../../../src/app/output-folder.ts';
import { folderPlace } from '../../../src/app/place/folder-place.ts';
import { readWatchSample } from '../../../src/app/watch-sample.ts';
import { openLivePage } from '../../../src/features/view/live-page.ts';
import { openViewServer } from '../../../src/features/view/view-server.ts';
import { eventOf, fileAt } from '../../money/lives.ts';
import { incomingRows, namedRows } from '../../support/incoming-rows.ts';
import { accepted } from '../../support/saved-lives.ts';
import { runOver } from '../../support/store-run.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const madeAt = (path: string) => [
  eventOf('task-completed', { frames: [] }),
  eventOf('video-saved', { file: fileAt(path) }),
];

/** A page of a run that this process works on; `reviewer` is null where it saves no marks. */
async function openPage(reviewer: string | null) {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  const store = stack.use(await openFolder(folder.path));
  const run = runOver(store);
  await run.ingest(incomingRows({ id: 'q/1', question: '1 + 1' }, ...namedRows(2)));
  await run.live('q/1', ...accepted('task-1'), ...madeAt('q_1/video.mp4'));
  const invocation = readInvocation({}, { out: folder.path, dotEnv: false });
  const opened = stack.use(await lookIntoRun(invocation));
  const outputs = stack.use(await folderPlace.openShown(opened));
  const beside = reviewer === null ? null : stack.use(await folderPlace.openSettings(invocation));
  const desk =
    beside === null ? null : { reviews: beside.reviews, settings: beside.settings, reviewer: reviewer ?? '' };
  const failed = (error: unknown): void => expect.unreachable(String(error));
  const content = await openLivePage(opened, outputs, failed, desk);
  const server = stack.use(await openViewServer({ port: 0, isWish: false }, content));
  const { host, origin, pathname, port } = new URL(server.url);
  const ask = async (
    method: string,
    path: string,
    body: string | null = null,
    headers: Record<string, string> = {},
  ) => {
    const request = httpRequest({
      hostname: '127.0.0.1',
      port,
      method,
      path: pathname + path,
      agent: false,
      headers: { host, ...(body === null ? {} : { origin, 'content-type': 'application/json' }), ...headers },
    });
    request.on('error', () => {});
    request.end(body ?? undefined);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return { status: response.statusCode, body: await text(response) };
  };
  const kept = stack.move();
  return {
    run,
    ask,
    folder: folder.path,
    put: async (id: string, mark: object, headers: Record<string, string> = {}) =>
      (await ask('PUT', `marks/${encodeURIComponent(id)}`, JSON.stringify(mark), headers)).status,
    marks: async (): Promise<unknown> => JSON.parse((await ask('GET', 'marks')).body),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

const bad = { mark: 'bad', note: 'a 7', attempt: 1 };

it('a mark is saved with the run, next to the process that works on it, and everybody sees it', async () => {
  await using page = await openPage('Anna');
  const { run, put, marks } = page;
  expect(await put('q/1', { ...bad, question: '7 + 1', prefer: 1 })).toBe(204);
  expect(await put('q/1', { ...bad, mark: 'good', reviewer: 'Ben' })).toBe(204);
  const { key } = await run.item('q/1');
  const saved = await run.store.reviews.marks();
  expect(saved).toMatchObject([
    { key, id: 'q/1', reviewer: 'Anna', ...bad, question: '7 + 1', answer: null },
    { key, reviewer: 'Ben', mark: 'good', question: null },
  ]);
  expect(await marks()).toEqual(saved);
  expect(await run.store.reviews.preferences()).toEqual(new Map([[key, 1]]));
  const html = (await page.ask('GET', '')).body;
  expect(html).toContain('"review":true');
  expect(html).toContain(`id="marks">${JSON.stringify(saved)}<`);
  expect(await put('q/1', { mark: '', note: '', attempt: 1, prefer: null })).toBe(204);
  expect(await marks()).toMatchObject([{ reviewer: 'Ben' }]);
  expect(await run.store.reviews.preferences()).toEqual(new Map());
});

it('what is no mark of a row is refused, and nothing is saved', async () => {
  await using page = await openPage('Anna');
  const { put, ask, marks } = page;
  expect(await put('q/1', { ...bad, mark: 'ok' })).toBe(400);
  expect(await put('q/1', { ...bad, prefer: 2 })).toBe(400);
  expect(await put('q9', bad)).toBe(404);
  expect((await ask('PUT', 'marks/%ff', JSON.stringify(bad))).status).toBe(404);
  expect(await put('q/1', { ...bad, note: 'x'.repeat(3 << 20) })).toBe(413);
  expect(await put('q/1', bad, { 'content-type': 'text/plain' })).toBe(415);
  expect((await ask('PUT', 'marks', JSON.stringify(bad))).status).toBe(405);
  expect((await ask('PUT', 'report.csv', JSON.stringify(bad))).status).toBe(405);
  expect((await ask('POST', 'marks/q1', JSON.stringify(bad))).status).toBe(405);
  expect(await marks()).toEqual([]);
});

it('a mark from another page is refused, whatever that page knows', async () => {
  await using page = await openPage('Anna');
  const { put, marks } = page;
  for (const headers of [
    { origin: 'http://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])
    expect(await put('q/1', bad, headers), JSON.stringify(headers)).toBe(403);
  expect(await marks()).toEqual([]);
  expect(await put('q/1', bad, { origin: 'null', 'sec-fetch-site': 'same-origin' })).toBe(204);
});

it('a page that only shows the run takes no marks, and shows those that are saved', async () => {
  await using page = await openPage(null);
  const { run, put, ask, marks } = page;
  expect(await put('q/1', bad)).toBe(405);
  const { key } = await run.item('q/1');
  await run.store.reviews.saveMarks([
    { key, ...bad, mark: 'bad', reviewer: '', question: null, answer: null, at: 1 },
  ]);
  expect(await marks()).toMatchObject([{ key, note: 'a 7' }]);
  expect((await ask('GET', '')).body).not.toContain('"review"');
});

it('no mark is saved where the run is on its way elsewhere', async () => {
  await using page = await openPage('Anna');
  await page.run.store.archive.setMark(null, { state: 'moved', move: 'm', place: '--run other' });
  expect(await page.put('q/1', bad)).toBe(409);
});

describe('a sample to watch', () => {
  const sample = { seed: 7, at: 1000, population: 3, size: 1, keys: [2, 1] };
  const put = async ({ ask }: Awaited<ReturnType<typeof openPage>>, body: object, headers = {}) =>
    (await ask('PUT', 'sample', JSON.stringify(body), headers)).status;
  const saved = async ({ run, ask }: Awaited<ReturnType<typeof openPage>>) => {
    const [, heading = ''] = /id="heading">(.*)<\/script>/.exec((await ask('GET', '')).body) ?? [];
    const shown = JSON.parse(heading).sample ?? null;
    expect(shown).toEqual(await readWatchSample(run.store));
    return shown;
  };

  it('is saved with the run and shown, grows, and is replaced by those who know it alone', async () => {
    await using page = await openPage('Anna');
    expect(await saved(page)).toBeNull();
    expect(await put(page, { sample, instead: 900 })).toBe(412);
    expect(await put(page, { sample, instead: null })).toBe(204);
    expect(await saved(page)).toEqual(sample);
    const other = { ...sample, seed: 8, at: 2000 };
    expect(await put(page, { sample: other, instead: null })).toBe(412);
    expect(await put(page, { sample: { ...sample, size: 2 }, instead: 1000 })).toBe(204);
    expect(await put(page, { sample, instead: 1000 })).toBe(412);
    expect(await saved(page)).toEqual({ ...sample, size: 2 });
    expect(await put(page, { sample: other, instead: 1000 })).toBe(204);
    expect(await saved(page)).toEqual(other);
  });

  it('of two that are drawn at the same moment one is saved, and the other refused', async () => {
    await using page = await openPage('Anna');
    const drawn = [1, 2, 3, 4].map((seed) => ({ ...sample, seed, at: 1000 + seed }));
    const ends = await Promise.all(drawn.map((one) => put(page, { sample: one, instead: null })));
    expect(ends.toSorted()).toEqual([204, 412, 412, 412]);
    expect(await saved(page)).toEqual(drawn[ends.indexOf(204)]);
  });

  it('that is none, or from elsewhere, is refused as marks are', async () => {
    await using page = await openPage('Anna');
    const body = { sample, instead: null };
    expect(await put(page, { sample: { ...sample, size: 3 }, instead: null })).toBe(400);
    expect(await put(page, { sample })).toBe(400);
    expect(await put(page, { ...body, more: 'x'.repeat(3 << 20) })).toBe(413);
    expect(await put(page, body, { 'content-type': 'text/plain' })).toBe(415);
    expect(await put(page, body, { origin: 'http://evil.example' })).toBe(403);
    expect((await page.ask('PUT', 'sample/1', JSON.stringify(body))).status).toBe(405);
    expect((await page.ask('POST', 'sample', JSON.stringify(body))).status).toBe(405);
    expect((await page.ask('GET', 'sample')).status).toBe(404);
    expect(await saved(page)).toBeNull();
    await page.run.store.archive.setMark(null, { state: 'moved', move: 'm', place: '--run other' });
    expect(await put(page, body)).toBe(409);
  });

  it('is taken by no page that only shows the run', async () => {
    await using page = await openPage(null);
    expect(await put(page, { sample, instead: null })).toBe(405);
  });

  it('that cannot be read any more is none, and another one takes its place', async () => {
    await using page = await openPage('Anna');
    expect(await put(page, { sample, instead: null })).toBe(204);
    await page.run.store.settings.save('watch-sample', '{');
    expect(await saved(page)).toBeNull();
    expect(await put(page, { sample, instead: null })).toBe(204);
    expect(await saved(page)).toEqual(sample);
  });
});

it('captions next to a video are on the page, and are served', async () => {
  await using page = await openPage(null);
  await page.run.live('q1', ...accepted('task-2'), ...madeAt('q1/video.mp4'));
  expect((await page.ask('GET', '')).body).not.toContain('video.vtt');
  expect((await page.ask('GET', 'q1/video.vtt')).status).toBe(404);
  await mkdir(join(page.folder, 'q1'));
  for (const name of ['video.vtt', 'notes.vtt']) await writeFile(join(page.folder, 'q1', name), 'WEBVTT\n');
  expect((await page.ask('GET', '')).body).toContain('"q1/video.vtt"]');
  expect(await page.ask('GET', 'q1/video.vtt')).toEqual({ status: 200, body: 'WEBVTT\n' });
  expect((await page.ask('GET', 'q1/notes.vtt')).status).toBe(404);
});

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PageRow, unpackRow } from '../../../src/reports/page-wire.ts';
import { clip, completed, picture } from '../../cli/support/scripted-service.ts';
import { openStage, runLine, type Stage } from '../../cli/support/stage.ts';
import { askFor, lastHeading, listen, startView } from './visitor.ts';

const drawing = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const images = [
  'pictures/one.png',
  'https://pictures.example/two.png',
  picture.toString('base64'),
  `data:image/png;base64,${picture.toString('base64')}`,
  `data:image/svg+xml,${encodeURIComponent(drawing)}`,
  'pictures/changed.png',
  'pictures/gone.png',
];

let stage: Stage;
let url: string;

beforeAll(async () => {
  stage = await openStage({ status: (task) => completed(task, { frameCount: 2 }) });
  for (const name of ['one', 'changed', 'gone']) await stage.write(`pictures/${name}.png`, picture);
  const row = {
    id: 'a',
    question: 'Look',
    questionImages: images,
    answerImages: ['pictures/one.png'],
    level: 8,
  };
  await stage.write('q.jsonl', `${JSON.stringify(row)}\n`);
  await stage.batch(runLine('q.jsonl'));
  await stage.write('pictures/changed.png', 'root:x:0:0');
  await rm(join(stage.folder, 'pictures/gone.png'));
  ({ url } = await startView(stage));
});

afterAll(() => stage?.[Symbol.asyncDispose]());

const video = (headers: Record<string, string> = {}, method = 'GET') =>
  askFor(url, 'a/video.webm', { headers, method });

describe('a video', () => {
  it('is sent whole, with what is needed to ask for parts of it', async () => {
    const { status, headers, body } = await video();
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'video/webm',
      'content-length': String(clip.length),
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    });
    expect(body.equals(clip)).toBe(true);
  });

  const last = clip.length - 1;
  it.each([
    ['bytes=0-0', 0, 0],
    ['bytes=0-', 0, last],
    ['bytes=7-99', 7, 99],
    ['bytes=100-', 100, last],
    [`bytes=${last}-`, last, last],
    [`bytes=5-${clip.length + 1000}`, 5, last],
    ['bytes=-1', last, last],
    ['bytes=-500', clip.length - 500, last],
    [`bytes=-${clip.length * 2}`, 0, last],
    ['bytes=0-99999999999999999999', 0, last],
  ])('is sent in the part %s to the byte', async (range, start, end) => {
    const { status, headers, body } = await video({ range });
    expect(status).toBe(206);
    expect(headers['content-range']).toBe(`bytes ${start}-${end}/${clip.length}`);
    expect(headers['content-length']).toBe(String(end - start + 1));
    expect(body.equals(clip.subarray(start, end + 1))).toBe(true);
  });

  it.each([[`bytes=${clip.length}-`], ['bytes=99999999999-'], ['bytes=-0']])(
    'has no part %s',
    async (range) => {
      const { status, headers, body } = await video({ range });
      expect([status, headers['content-range'], body.length]).toEqual([416, `bytes */${clip.length}`, 0]);
    },
  );

  it.each([['bytes=9-1'], ['bytes=0-1,5-9'], ['bytes=a-b'], ['lines=0-1'], ['bytes=-'], ['bytes']])(
    'is sent whole where the range is %s',
    async (range) => {
      const { status, body } = await video({ range });
      expect([status, body.equals(clip)]).toEqual([200, true]);
    },
  );

  it('is sent in part only as long as it is the file the browser knows', async () => {
    const { etag = '' } = (await video()).headers;
    expect(etag).toMatch(/^"[\w-]+"$/);
    expect(await video({ range: 'bytes=0-9', 'if-range': etag })).toMatchObject({ status: 206 });
    expect(await video({ range: 'bytes=0-9', 'if-range': '"another"' })).toMatchObject({ status: 200 });
    expect(await video({ 'if-none-match': etag })).toMatchObject({ status: 304, body: Buffer.of() });
    expect(await video({ 'if-none-match': '"another"' })).toMatchObject({ status: 200 });
  });

  it('can be asked for its head alone', async () => {
    const { status, headers, body } = await video({ range: 'bytes=0-9' }, 'HEAD');
    expect([status, headers['content-length'], body.length]).toEqual([200, String(clip.length), 0]);
  });

  it('that breaks off on the way to the browser harms nobody', async () => {
    const controller = new AbortController();
    const { body } = await fetch(`${url}a/video.webm`, { signal: controller.signal });
    await body?.getReader().read();
    controller.abort();
    expect((await video()).body.equals(clip)).toBe(true);
  });
});

it('the user’s own columns are on the live page, and named in each heading it receives', async () => {
  const page = (await askFor(url, '')).body.toString();
  expect(page).toMatch(/\["8"\]\]\]<\/script>[\s\S]*"columns":\["level"\]/);
  using line = await listen(url, '?since=0');
  await line.until((received) => lastHeading(received) !== undefined);
  expect(lastHeading(line.received)?.columns).toEqual(['level']);
});

describe('a picture of the input', () => {
  const readRow = async (): Promise<PageRow> => {
    const page = (await askFor(url, '')).body.toString();
    const [, island = '[]'] = /<script type="application\/json" class="rows">(.*)<\/script>/.exec(page) ?? [];
    return unpackRow(JSON.parse(island)[0]);
  };

  it('is linked at a place of its own; an address stays an address', async () => {
    const row = await readRow();
    const at = (field: string, index: number) => `images/${row.key}/${field}/${index}`;
    expect(row.questionImages).toEqual(
      images.map((image, index) => (image.startsWith('https:') ? image : at('questionImages', index))),
    );
    expect(row.answerImages).toEqual([at('answerImages', 0)]);
    expect([row.video, row.frames]).toEqual(['a/video.webm', ['a/frames/001.png', 'a/frames/002.png']]);
  });

  it.each([
    ['a local file', 0],
    ['base64', 2],
    ['a data URI', 3],
  ])('is shown where it is %s', async (_, index) => {
    const link = (await readRow()).questionImages[index] ?? '';
    const { status, headers, body } = await askFor(url, link);
    expect([status, headers['content-type'], body.equals(picture)]).toEqual([200, 'image/png', true]);
  });

  it('that is a drawing with a script may not run it', async () => {
    const { headers, body } = await askFor(url, (await readRow()).questionImages[4] ?? '');
    expect(body.toString()).toBe(drawing);
    expect(headers).toMatchObject({
      'content-type': 'image/svg+xml',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    });
  });

  it.each([
    ['an address', 1],
    ['a file that is no picture any more', 5],
    ['a file that is gone', 6],
    ['not there', 7],
  ])('is not shown where it is %s', async (_, index) => {
    const link = (await readRow()).questionImages[0]?.replace(/\d+$/, String(index)) ?? '';
    expect(await askFor(url, link)).toMatchObject({ status: 404, body: Buffer.of() });
  });
});

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { afterFirstWords, quickPauses } from '../../cli/support/program.ts';
import {
  bare,
  clip,
  completed,
  content,
  type FileRequest,
  inProgress,
  picture,
  type Reply,
  type Script,
} from '../../cli/support/scripted-service.ts';
import { openOne, openStage, questions, runLine, type Stage } from '../../cli/support/stage.ts';

const videoOf = (stage: Stage): Promise<Buffer> => readFile(join(stage.folder, 'videos/a/video.webm'));

const etag = '"v1"';

/** Half of the file and then a cut; the rest to who asks for it in the right way. */
const cutInTheMiddle = ({ headers }: FileRequest): Reply => {
  const half = Math.floor(clip.length / 2);
  if (headers.range === undefined) {
    return (response) => {
      response.writeHead(200, { 'content-length': clip.length, etag });
      response.write(clip.subarray(0, half), () => response.socket?.end());
    };
  }
  const offset = Number(/^bytes=(\d+)-$/.exec(headers.range)?.[1]);
  const rest = clip.subarray(offset);
  const range = `bytes ${offset}-${clip.length - 1}/${clip.length}`;
  return (response) =>
    void response.writeHead(206, { 'content-length': rest.length, 'content-range': range, etag }).end(rest);
};

describe.concurrent('a video', () => {
  it('whose download was stopped goes on where it was in the next run', async () => {
    await using stage = await openOne({
      file: () => (response) => {
        response.writeHead(200, { 'content-length': clip.length, etag });
        response.write(clip.subarray(0, 1000));
      },
    });
    const program = stage.start(runLine('q.csv'));
    await stage.service.until(({ fileRequests }) => fileRequests.length === 1);
    await partOf(stage, 1000);
    program.kill('SIGTERM');
    expect((await program.ended).code).toBe(143);
    stage.service.follow({ file: cutInTheMiddle });
    expect((await stage.batch(['collect'])).code).toBe(0);
    expect(stage.service.fileRequests.at(-1)?.headers.range).toBe('bytes=1000-');
    expect(await videoOf(stage)).toEqual(clip);
  });

  it('is not what an error page says it is; the row is undelivered, and collect delivers it later', async () => {
    await using stage = await openOne({ file: () => bare(200, '<!DOCTYPE html><p>Access denied') });
    const ending = await stage.batch(runLine('q.csv'), quickPauses);
    expect(ending).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('Next: batch collect ./videos'),
    });
    expect(await stage.report()).toMatchObject([{ status: 'undelivered', points: '10', video: '' }]);
    expect((await stage.list('videos')).filter((file) => file.startsWith('a/video'))).toEqual([]);
    stage.service.follow({});
    expect((await stage.batch(['collect'])).code).toBe(0);
    expect(await videoOf(stage)).toEqual(clip);
    expect(stage.service.creations).toHaveLength(1);
  });

  it('is no text, no page and no picture, whatever it calls itself; bytes that nobody knows are kept, and marked', async () => {
    const utf16 = Buffer.from('\ufeff<html><p>expired', 'utf16le');
    const impostors: readonly (readonly [Uint8Array, string])[] = [
      [Buffer.from('Request has expired'), 'text/plain'],
      [Buffer.from('AccessDenied'), 'application/octet-stream'],
      [Buffer.from('#EXTM3U\n#EXT-X-VERSION:3\n#EXTINF:9,\na.ts\n'), 'video/mp4'],
      [picture, 'video/mp4'],
      [utf16, 'video/mp4'],
      [Buffer.from('<!DOCTYPE html><p>expired'), 'video/mp4'],
      [Buffer.from('<?xml version="1.0"?><Error/>'), 'video/mp4'],
      [Buffer.from('{"code":403}'), 'video/mp4'],
    ];
    const unknown = Buffer.alloc(500, 3);
    await using stage = await openStage({
      file: ({ question }) => {
        const [bytes, type] = impostors[Number(question.at(-1))] ?? [unknown, 'video/mp4'];
        return content(bytes, { 'content-type': type });
      },
    });
    await stage.write('q.csv', questions('0', '1', '2', '3', '4', '5', '6', '7', '8'));
    const { code, stderr } = await stage.batch(runLine('q.csv'), quickPauses);
    expect(code).toBe(1);
    const rows = await stage.report();
    expect(rows.map(({ status }) => status)).toEqual([...impostors.map(() => 'undelivered'), 'completed']);
    expect(rows.at(-1)?.video).toBe('8/video.bin');
    expect(stderr).toContain('8/video.bin is not in a known video format');
    expect(JSON.parse(await stage.read('videos/8/task.json'))).toMatchObject({ video_format: 'unknown' });
    const lines = (await stage.read('videos/report.jsonl'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.filter((line) => line.video_format === 'unknown').map(({ id }) => id)).toEqual(['8']);
    expect((await stage.batch(['verify'])).code).toBe(0);
  });

  it('that the service does not name leaves the row undelivered, with the reason, until it does', async () => {
    const result = [{ type: 'text', content: '内容不符合规范' }];
    await using stage = await openOne({ status: (task) => completed(task, { result }) });
    expect((await stage.batch(runLine('q.csv'), quickPauses)).code).toBe(1);
    const [line] = await stage.report();
    expect(line).toMatchObject({ status: 'undelivered', points: '10' });
    expect(line?.failure).toBe('the service completed the task without a video: 内容不符合规范');
    stage.service.follow({});
    expect((await stage.batch(['collect'])).code).toBe(0);
    expect(stage.service.creations).toHaveLength(1);
  });

  it('is never asked for with the key, not even where a redirect leads', async () => {
    await using stage = await openOne({
      status: (task) => completed(task, { frameCount: 1 }),
      file: ({ name }) =>
        name === 'video.mp4' ? bare(302, '', { location: './moved.mp4?token=1' }) : undefined,
    });
    expect((await stage.batch(runLine('q.csv'))).code).toBe(0);
    const { fileRequests } = stage.service;
    expect(fileRequests.map(({ name }) => name).sort()).toEqual(['frame-1.png', 'moved.mp4', 'video.mp4']);
    for (const { headers } of fileRequests) expect(headers.authorization).toBeUndefined();
  });
});

describe.concurrent('frames', () => {
  const growing: Script = {
    status: (task) =>
      task.queries < 4 ? inProgress(task, task.queries - 1) : completed(task, { frameCount: 3 }),
  };

  it.for([
    ['all', ['frames/001.png', 'frames/002.png', 'frames/003.png']],
    ['last', ['frames/001.png']],
    ['none', []],
  ] as const)('are kept as --frames %s says', async ([choice, kept]) => {
    await using stage = await openOne(growing);
    expect((await stage.batch(runLine('q.csv', '--frames', choice))).code).toBe(0);
    expect(await stage.list('videos/a')).toEqual([...kept, 'task.json', 'video.webm']);
    expect(await stage.report()).toMatchObject([{ frames: String(kept.length) }]);
    const asked = stage.service.fileRequests.map(({ name }) => name).filter((name) => name !== 'video.mp4');
    expect(asked).toEqual(
      { all: ['frame-1.png', 'frame-2.png', 'frame-3.png'], last: ['frame-3.png'], none: [] }[choice],
    );
  });
});

describe.concurrent('batch verify', () => {
  async function damage(stage: Stage): Promise<void> {
    const path = join(stage.folder, 'videos/a/video.webm');
    const bytes = await readFile(path);
    bytes[1234] = (bytes[1234] ?? 0) ^ 1;
    await writeFile(path, bytes);
    await stage.remove('videos/b/video.webm');
    await stage.remove('videos/b/frames/001.png');
  }

  it('finds a flipped bit and a missing file; --fix has them again without a creation', async () => {
    await using stage = await openStage({ status: (task) => completed(task, { frameCount: 2 }) });
    await stage.write('q.csv', questions('a', 'b', 'c'));
    await stage.batch(runLine('q.csv'));
    const whole = await stage.batch(['verify']);
    expect(whole).toMatchObject({ code: 0, stdout: '9 files, 9 whole, 0 damaged or missing\n' });

    await damage(stage);
    const ending = await stage.batch(['verify']);
    const { code, stdout } = ending;
    expect({ code, stderr: afterFirstWords(ending).trim().split('\n').sort() }).toEqual({
      code: 1,
      stderr: [
        'a/video.webm: differs from what was saved',
        'b/frames/001.png: is missing',
        'b/video.webm: is missing',
      ],
    });
    expect(stdout).toContain('9 files, 6 whole, 3 damaged or missing');
    expect(stdout).toContain('Next: batch verify ./videos --fix');

    const fixed = await stage.batch(['verify', '--fix']);
    expect(fixed.code).toBe(0);
    expect(fixed.stdout).toMatch(/^3 of 3 damaged or missing files downloaded again$/m);
    expect(await videoOf(stage)).toEqual(clip);
    expect((await stage.batch(['verify'])).code).toBe(0);
    expect(stage.service.creations).toHaveLength(3);
  });
});

describe.concurrent('batch verify --fix', () => {
  it('ends with 3 when the key is refused, and continues when it is given again', async () => {
    await using stage = await openOne({});
    await stage.batch(runLine('q.csv'));
    await stage.remove('videos/a/video.webm');
    expect((await stage.batch(['verify', '--fix'], { env: { BATCH_API_KEY: 'old-key-0123' } })).code).toBe(3);
    expect((await stage.batch(['verify', '--fix'])).code).toBe(0);
    expect(await videoOf(stage)).toEqual(clip);
  });

  it('ends with 1 when a file cannot be downloaded', async () => {
    await using stage = await openOne({});
    await stage.batch(runLine('q.csv'));
    await stage.remove('videos/a/video.webm');
    stage.service.follow({ status: (task) => completed(task, { result: [] }) });
    const ending = await stage.batch(['verify', '--fix'], quickPauses);
    expect(ending.code).toBe(1);
    expect(ending.stdout).toMatch(/^0 of 1 damaged or missing file downloaded again$/m);
    expect(stage.service.creations).toHaveLength(1);
  });
});

/** Resolves when the part of the video has this many bytes: nothing shows when bytes have reached a disk. */
async function partOf(stage: Stage, sizeBytes: number): Promise<void> {
  const path = join(stage.folder, 'videos/a/video.part');
  while ((await readFile(path).catch(() => Buffer.alloc(0))).length < sizeBytes)
    await new Promise((resolve) => setImmediate(resolve));
}

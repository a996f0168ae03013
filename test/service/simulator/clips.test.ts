import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { imageExtension, videoExtension } from '../../../src/files/file-kind.ts';
import { type Clip, openClips } from '../../../src/service/simulator/clips.ts';

const longText = 'Why does a heavy ball fall as fast as a light one? '.repeat(200);
const texts = [
  ['a short one', 'What is 2+2?'],
  ['a Chinese one', '已知函数 f(x)=x³−3x+1,求它在区间 [−2, 2] 上的最大值和最小值,并说明理由。'],
  ['one that does not fit', longText],
  ['one without spaces', 'x'.repeat(3000)],
  ['one of control and direction characters', '\u001b[31m\u202e\u0000\n\ud800'],
  ['one with formulas', 'Half of “it” is $\\frac{1}{2}$, and\n$$\\begin{cases}x+y=3\\\\x-y=1\\end{cases}$$'],
  ['one with a formula that cannot be drawn', 'See $\\unknown_1$.'],
  ['one with formulas that do not fit', '$x_1+x_2+x_3$ '.repeat(100)],
  ['an empty one', ''],
] as const;

const frame: Clip = { kind: 'frame', text: 'q', step: 1, stepCount: 3 };

describe('a clip of a question', () => {
  test.each(texts)('%s is a small WebM', async (_, text) => {
    await using clips = openClips();
    const bytes = await clips.bytesOf({ kind: 'video', text });
    expect(videoExtension(bytes)).toBe('webm');
    expect(bytes.length).toBeLessThan(100_000);
  });

  test('has the same bytes each time, and others for another question', async () => {
    await using first = openClips();
    await using second = openClips();
    const clip: Clip = { kind: 'video', text: 'What is 2+2?' };
    const bytes = await first.bytesOf(clip);
    expect(await second.bytesOf(clip)).toEqual(bytes);
    expect(await first.bytesOf({ kind: 'video', text: 'What is 2+3?' })).not.toEqual(bytes);
  });

  test('shows a formula, not how it is written', async () => {
    await using clips = openClips();
    const clipOf = (text: string) => clips.bytesOf({ kind: 'video', text });
    const bytes = await clipOf('Half is $\\frac{1}{2}$.');
    expect(await clipOf('Half is \\(\\frac12\\).')).toEqual(bytes);
    expect(await clipOf('Half is $\\frac{1}{3}$.')).not.toEqual(bytes);
  });

  test('is drawn once while it is remembered', async () => {
    await using clips = openClips();
    const first = clips.bytesOf(frame);
    expect(clips.bytesOf(frame)).toBe(first);
    for (let step = 2; step <= 257; step++) void clips.bytesOf({ ...frame, step });
    expect(clips.bytesOf(frame)).not.toBe(first);
    expect(await clips.bytesOf(frame)).toEqual(await first);
  });
});

test('a frame is a PNG of its step', async () => {
  await using clips = openClips();
  const bytes = await clips.bytesOf(frame);
  expect(imageExtension(bytes)).toBe('png');
  expect(await clips.bytesOf({ ...frame, step: 2 })).not.toEqual(bytes);
});

test('without the drawing packages there are the samples', async () => {
  await using clips = openClips(new URL('./no-such-worker.ts', import.meta.url));
  const sample = (name: string) => readFile(new URL(`../../../samples/${name}`, import.meta.url));
  const video = await clips.bytesOf({ kind: 'video', text: 'q' });
  expect(Buffer.from(video)).toEqual(await sample('clip.webm'));
  expect(videoExtension(video)).toBe('webm');
  const picture = await clips.bytesOf(frame);
  expect(Buffer.from(picture)).toEqual(await sample('clip.png'));
  expect(imageExtension(picture)).toBe('png');
});

test('the drawing thread keeps no process alive', async () => {
  const module = new URL('../../../src/service/simulator/clips.ts', import.meta.url).href;
  const script = `
    const { openClips } = await import(${JSON.stringify(module)});
    const keepAlive = setInterval(() => {}, 1000);
    process.send((await openClips().bytesOf(${JSON.stringify(frame)})).length);
    clearInterval(keepAlive);
    process.disconnect();`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  const [sizeBytes] = await once(child, 'message');
  expect(sizeBytes).toBeGreaterThan(1000);
  expect(await exited).toEqual([0, null]);
});

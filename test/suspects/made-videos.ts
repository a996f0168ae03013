/**
 * Videos as a service makes them, and what can go wrong with them, made with ffmpeg. Sound ones are not all alike: they
 * differ in length, some are slides on a dark board that begins empty, some pause in their speech.
 */

import { execFile } from 'node:child_process';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Ways to damage a video. */
export const damages = [
  'truncated',
  'header-cut',
  'audio-dropped',
  'video-dropped',
  'black',
  'silent',
  'swapped',
  'too-short',
  'wrong-resolution',
  'packet-gap',
] as const;
export type Damage = (typeof damages)[number];

/** A video in a folder. */
export interface MadeVideo {
  readonly path: string;
  readonly damage: Damage | null;
  /** The text of its question. */
  readonly question: string;
  /** For one that was swapped: the number of the other question. */
  readonly other: number | null;
}

const execute = promisify(execFile);

async function ffmpeg(...args: readonly string[]): Promise<void> {
  await execute('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args]);
}

/** Numbers between 0 and 1, the same for the same seed. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Half of `count` videos are sound, and the others are damaged in turn. Every tenth question is asked at length. */
export async function makeVideos(folder: string, count: number, seed = 1): Promise<readonly MadeVideo[]> {
  const next = numbers(seed);
  const plans = Array.from({ length: count }, (_, at) => {
    const damage = at % 2 === 0 ? null : (damages[((at - 1) / 2) % damages.length] ?? null);
    // Lengths of real videos are spread like this: two thirds within a third of the median.
    const normal = Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
    const seconds = 10 * Math.exp(0.3 * normal);
    const question = `What is ${at} + ${at}?${at % 10 === 0 ? ' Explain each step, please.'.repeat(8) : ''}`;
    return { at, damage, seconds: Math.max(4, seconds), tone: 200 + 5 * at, share: next(), question };
  });
  type Plan = (typeof plans)[number];
  const make = async ({ at, damage, seconds, tone, share, question }: Plan): Promise<MadeVideo> => {
    const path = join(folder, `${at}.mp4`);
    // The rows before and after a damaged one are sound.
    const other = damage === 'swapped' ? at - 1 : null;
    if (other !== null) await copyFile(join(folder, `${other}.mp4`), path);
    else await makeOne(path, { at, damage, seconds, tone });
    await spoil(path, damage, { seconds, share });
    return { path, damage, question, other };
  };
  const made: MadeVideo[] = [];
  const isLater = ({ damage }: Plan): boolean => damage === 'swapped';
  const order = plans.toSorted((a, b) => Number(isLater(a)) - Number(isLater(b)) || a.at - b.at);
  for (let from = 0; from < order.length; from += 4) {
    const some = order.slice(from, from + 4);
    for (const [place, video] of (await Promise.all(some.map(make))).entries())
      made[some[place]?.at ?? 0] = video;
  }
  return made;
}

interface Plan {
  readonly at: number;
  readonly damage: Damage | null;
  readonly seconds: number;
  readonly tone: number;
}

async function makeOne(path: string, { at, damage, seconds, tone }: Plan): Promise<void> {
  const size = damage === 'wrong-resolution' ? '80x44' : '160x90';
  const played = damage === 'too-short' ? seconds * 0.15 : seconds;
  const place = `size=${size}:rate=12:duration=${played.toFixed(2)}`;
  const chalk = `drawbox=x=${at % 60}:y=20:w=14:h=2:color=white:t=fill:enable='gt(t,1.5)'`;
  const pictures = [`testsrc2=${place}`, `color=black:${place},${chalk}`, `color=0x203050:${place},${chalk}`];
  const picture = damage === 'black' ? `color=black:${place}` : (pictures[at % 3] ?? '');
  const pause = at % 4 === 0 ? `,volume=enable='between(t,2,3.8)':volume=0` : '';
  const tune = `sine=frequency=${tone}:duration=${played.toFixed(2)}${pause}`;
  const silence = `anullsrc=duration=${played.toFixed(2)}`;
  await ffmpeg(
    ...['-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', damage === 'silent' ? silence : tune],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-threads', '1', '-pix_fmt', 'yuv420p'],
    ...['-c:a', 'aac', '-b:a', '48k', '-movflags', at % 3 === 0 ? '+faststart' : '0', path],
  );
}

/** Damages a file that was made whole. */
async function spoil(
  path: string,
  damage: Damage | null,
  { seconds, share }: { readonly seconds: number; readonly share: number },
): Promise<void> {
  const again = async (...options: readonly string[]): Promise<void> => {
    const whole = `${path}.whole.mp4`;
    await copyFile(path, whole);
    await ffmpeg('-i', whole, '-c', 'copy', ...options, path);
  };
  if (damage === 'truncated' || damage === 'header-cut') {
    const bytes = await readFile(path);
    const start = damage === 'header-cut' ? 40 + Math.floor(share * 4_000) : 0;
    const end = damage === 'truncated' ? Math.floor(bytes.length * (0.3 + 0.65 * share)) : bytes.length;
    await writeFile(path, bytes.subarray(start, end));
  }
  if (damage === 'audio-dropped') await again('-an');
  if (damage === 'video-dropped') await again('-vn');
  if (damage === 'packet-gap') {
    const from = (seconds * 0.4).toFixed(2);
    const to = (seconds * 0.4 + 2.5).toFixed(2);
    const drop = `noise=drop=gt(pts*tb\\,${from})*lt(pts*tb\\,${to})`;
    await again('-bsf:v', drop, '-bsf:a', drop);
  }
}

/**
 * Plays videos with ffmpeg. It decodes the key frames and the sound, and looks closer only where the first
 * frame is black. A file is read as the container that its name promises, so that none can name other files or addresses
 * for ffmpeg to open.
 */

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { codeOf } from '../../errors.ts';
import type { Playback } from '../../money/inspection/inspection.ts';

/** Names of ffmpeg's readers by the extension of a file. */
const demuxers: Readonly<Record<string, string>> = {
  mp4: 'mov',
  mov: 'mov',
  webm: 'matroska',
  mkv: 'matroska',
};

/** A pixel below this luma (of 255) is black; noise of encoders stays below. */
const blackLuma = 32;

/** Sound below this peak (dB) cannot be heard. */
const silentDb = -60;

/** So many seconds of the start are watched whole where the first frame is black. */
const startSeconds = 30;

/** A decoder that hangs is killed: an hour of video takes less. */
const patienceMs = 5 * 60_000;

export interface Player {
  /** Plays a local file (absolute path). Null for a container that is not played here. */
  play(path: string): Promise<Playback | 'unreadable' | null>;
}

/** Null where no ffmpeg is on the PATH. */
export async function openPlayer(command = 'ffmpeg'): Promise<Player | null> {
  try {
    await runFfmpeg(command, ['-version'], () => {});
  } catch (error) {
    if (['ENOENT', 'EACCES'].includes(codeOf(error))) return null;
    throw error;
  }
  return {
    async play(path) {
      const demuxer = demuxers[path.slice(path.lastIndexOf('.') + 1)];
      return demuxer === undefined ? null : play(command, demuxer, path);
    },
  };
}

async function play(command: string, demuxer: string, path: string): Promise<Playback | 'unreadable'> {
  const input = ['-protocol_whitelist', 'file', '-f', demuxer, '-i', `file:${path}`];
  const first = await watch(command, [...keyFrames, ...input, ...picture, ...sound]);
  if (first === null) return 'unreadable';
  const { frames, black, peakDb } = first;
  const isSilent = peakDb !== null && peakDb <= silentDb;
  if (!first.startsBlack) return { blackSeconds: 0, isBlack: false, isSilent };
  // Key frames are seconds apart: the frames between them show where the black ends.
  const isAllBlack = black === frames;
  const part = isAllBlack ? [] : ['-t', `${startSeconds}`];
  const closer = await watch(command, [...part, ...input, ...picture, '-an']);
  if (closer === null) return 'unreadable';
  const isBlack = isAllBlack && closer.black === closer.frames;
  return { blackSeconds: Math.round(closer.blackUntil * 10) / 10, isBlack, isSilent };
}

const keyFrames = ['-skip_frame', 'nokey'];
/** Writes a line for every frame, with the share of black pixels in whole percents, rounded down. */
const picture = ['-map', '0:v:0?', '-vf', `blackframe=amount=0:threshold=${blackLuma}`];
const sound = ['-map', '0:a:0?', '-af', 'volumedetect'];

interface Watched {
  readonly frames: number;
  readonly black: number;
  readonly startsBlack: boolean;
  /** When the first frame comes that is not black (seconds); of a black video, when the last one comes. */
  readonly blackUntil: number;
  /** Peak of the sound; null where there is none. */
  readonly peakDb: number | null;
}

/** Lines of ffmpeg itself: titles of the file, which anybody may have written, are indented. */
const frameLine = /^\[Parsed_blackframe_\d+ @ [^\]]+\] .*?pblack:(\d+) .*? t:(-?[\d.]+)/;
const peakLine = /^\[Parsed_volumedetect_\d+ @ [^\]]+\] max_volume: (-?[\d.]+|-inf) dB/;

/** Null where ffmpeg could not make sense of the file. */
async function watch(command: string, input: readonly string[]): Promise<Watched | null> {
  let frames = 0;
  let black = 0;
  let startsBlack = false;
  let isStart = true;
  let blackUntil = 0;
  let peakDb: number | null = null;
  const options = ['-hide_banner', '-nostdin', '-nostats'];
  const isWhole = await runFfmpeg(command, [...options, ...input, '-f', 'null', '-'], (line) => {
    const frame = frameLine.exec(line);
    if (frame !== null) {
      const isBlack = frame[1] === '100';
      if (frames === 0) startsBlack = isBlack;
      frames += 1;
      if (isBlack) black += 1;
      if (isStart) blackUntil = Math.max(blackUntil, Number(frame[2]));
      isStart &&= isBlack;
    }
    const peak = peakLine.exec(line)?.[1];
    if (peak !== undefined) peakDb = peak === '-inf' ? Number.NEGATIVE_INFINITY : Number(peak);
  });
  return isWhole ? { frames, black, startsBlack, blackUntil, peakDb } : null;
}

/** True where it ended well. Rejects where it cannot be started. */
async function runFfmpeg(
  command: string,
  args: readonly string[],
  onLine: (line: string) => void,
): Promise<boolean> {
  const child = spawn(command, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: patienceMs,
    killSignal: 'SIGKILL',
  });
  const ended = new Promise<boolean>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code === 0));
  });
  const lines = createInterface({ input: child.stderr, crlfDelay: Number.POSITIVE_INFINITY });
  lines.on('line', onLine);
  return ended;
}

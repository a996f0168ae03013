import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import {
  clip,
  completed,
  type FileRequest,
  inProgress,
  picture,
  type Reply,
} from '../cli/support/scripted-service.ts';
import { openStage, questions, runLine, type Stage } from '../cli/support/stage.ts';
import { Dice } from '../sim/dice.ts';
import { nightSeed } from '../support/nightly.ts';
import { judgeReport, watchFolder } from './support/watcher.ts';

const rows = Array.from({ length: 30 }, (_, at) => `q${at + 1}`);
const killedWanted = 600;
const frameCount = 2;
const line = runLine('q.csv', '-j', String(rows.length), '-y');

/** Whole files: no two are the same, and each is longer than what one write takes to the disk. */
function bytesOf(question: string, name: string): Buffer {
  const dice = new Dice(rows.length, `${question} ${name}`);
  const noise = Buffer.from(Array.from({ length: 30_000 }, () => dice.integer(0, 255)));
  return Buffer.concat([name.startsWith('frame') ? picture : clip, noise]);
}

const wholeFiles = new Map<string, Buffer>(
  rows.flatMap((id) =>
    ['video.mp4', 'frame-1.png', 'frame-2.png'].map((name) => [
      `Question ${id} ${name}`,
      bytesOf(`Question ${id}`, name),
    ]),
  ),
);

/** What must stand under a final name; null where it is not a file of the service. */
function wholeFile(path: string): Buffer | null {
  const [, id, file = '', number] = /^(\w+)\/(video\.webm|frames\/00(\d)\.png)$/.exec(path) ?? [];
  return (
    wholeFiles.get(`Question ${id} ${file === 'video.webm' ? 'video.mp4' : `frame-${number}.png`}`) ?? null
  );
}

function judge(name: string, bytes: Buffer): string | null {
  if (!name.includes('/')) return judgeReport(name, bytes, rows.length);
  if (name.endsWith('task.json'))
    return JSON.parse(bytes.toString()).points === 10 ? null : 'it has other points';
  const whole = wholeFile(name);
  if (whole === null) return 'nobody asked for it';
  return whole.equals(bytes) ? null : `${bytes.length} of ${whole.length} bytes, or others`;
}

/** Sends files piece by piece, and counts those whose receiver dies meanwhile. */
function slowFiles() {
  const counts = { pieces: 0, killed: 0 };
  const file = ({ question, name, headers }: FileRequest): Reply => {
    const bytes = wholeFiles.get(`${question} ${name}`) ?? Buffer.alloc(0);
    const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);
    return async (response) => {
      const more = { etag: '"v1"', 'content-length': bytes.length - from };
      response.on('close', () => {
        if (!response.writableFinished) counts.killed += 1;
      });
      if (from === 0) response.writeHead(200, more);
      else
        response.writeHead(206, {
          ...more,
          'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}`,
        });
      for (let at = from; at < bytes.length && !response.destroyed; at += 8_192) {
        counts.pieces += 1;
        response.write(bytes.subarray(at, at + 8_192));
        await pause(15);
      }
      response.end();
    };
  };
  return { counts, file };
}

/** A folder whose tasks are all made and known, so that no kill falls on a creation. */
async function openMade(): Promise<Stage> {
  const stage = await openStage({ status: (task) => inProgress(task) });
  await stage.write('q.csv', questions(...rows));
  const program = stage.start(line);
  const isKnown = (id: string): boolean => stage.service.events.includes(`status Question ${id}`);
  await stage.service.until(() => rows.every(isKnown));
  program.kill('SIGTERM');
  await program.ended;
  return stage;
}

/** Kills run after run on one folder until all is done; returns how many downloads were cut by that, and files were read. */
async function killUntilDone(dice: Dice): Promise<{ readonly killed: number; readonly readCount: number }> {
  await using stage = await openMade();
  const { counts, file } = slowFiles();
  stage.service.follow({ status: (task) => completed(task, { frameCount }), file });
  await using watcher = watchFolder(join(stage.folder, 'videos'), judge);
  for (let isDone = false; !isDone; ) {
    const program = stage.start(line);
    const report = stage.start(['report']);
    const until = counts.pieces + dice.integer(8, 60);
    const isDue = async (): Promise<void> => {
      while (counts.pieces < until) await pause(1);
    };
    isDone = await Promise.race([program.ended.then(() => true), isDue().then(() => false)]);
    counts.pieces = Math.max(counts.pieces, until);
    for (const each of [program, report]) each.kill('SIGKILL');
    const [{ code, signal, stderr }] = await Promise.all([program.ended, report.ended]);
    if (signal === null) expect(code, stderr).toBe(0);
  }
  await watcher[Symbol.asyncDispose]();
  expect(watcher.broken).toEqual([]);
  for (const id of rows)
    for (const name of [`${id}/video.webm`, `${id}/frames/001.png`, `${id}/frames/002.png`])
      expect((await stage.list('videos')).includes(name), name).toBe(true);
  expect(stage.service.creations).toHaveLength(rows.length);
  expect((await stage.report()).reduce((sum, { points }) => sum + Number(points), 0)).toBe(10 * rows.length);
  return { killed: counts.killed, readCount: watcher.readCount };
}

it(`whoever looks at the final names during ${killedWanted} killed downloads sees only whole files`, {
  timeout: 3_600_000,
}, async () => {
  let killed = 0;
  let readCount = 0;
  for (let round = 1; killed < killedWanted; round++) {
    const sum = await killUntilDone(new Dice(nightSeed, `round ${round}`));
    killed += sum.killed;
    readCount += sum.readCount;
  }
  // Each file was looked at at least once, and those of the reports more often.
  expect(readCount).toBeGreaterThan(rows.length * (2 + frameCount));
});

/** The files of tasks: what each held, and how a host hands them out that can go on where it was cut. */

import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { clip, picture, type Reply, type Task } from '../cli/support/scripted-service.ts';
import { Dice } from '../sim/dice.ts';

/**
 * Bytes of a padded file: enough to be cut in the middle, and more than a socket brings at once. A file that comes in one piece has
 * no validator written down.
 */
const paddingBytes = 100_000;

/** All that the file behind a link of this name ever held: one version, or two of which the second came later. */
export function versionsOf(name: string): readonly [Buffer, ...Buffer[]] {
  const start = name.startsWith('frame') ? picture : clip;
  const padded = (version: number): Buffer =>
    Buffer.concat([start, Buffer.alloc(paddingBytes, `${name} version ${version} `)]);
  return new Dice(0, `versions of ${name}`).chance(0.15) ? [padded(1), padded(2)] : [padded(1)];
}

/** The versions of the file that should stand at a path of the output tree, by the task it came from. */
export function versionsAt(path: string, taskId: string): readonly Buffer[] {
  const ordinal = /frames\/(\d{3})\.\w+$/.exec(path)?.[1];
  return versionsOf(nameFor(ordinal === undefined ? 'video.mp4' : `frame-${Number(ordinal)}.png`, taskId));
}

/** The task with links that name it, so that no two tasks have the same file. */
export function withOwnLinks(task: Task): Task {
  return { ...task, link: (name) => task.link(nameFor(name, task.taskId)) };
}

function nameFor(name: string, taskId: string): string {
  return name.replace('.', `-of-${taskId}.`);
}

/** The pause in the middle of a file (ms): its two halves come in packets of their own. */
const betweenHalvesMs = 5;

/** The file, or the rest of it that was asked for; `cutAfter` ends it after so many bytes, null never. */
export function fileReply(bytes: Buffer, headers: IncomingHttpHeaders, cutAfter: number | null): Reply {
  const etag = `"${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}"`;
  const offset = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);
  const start = headers['if-range'] === etag ? offset : 0;
  return (response) => {
    if (start > 0 && start >= bytes.length) {
      response.writeHead(416, { etag, 'content-range': `bytes */${bytes.length}` }).end();
      return;
    }
    const range = start > 0 ? { 'content-range': `bytes ${start}-${bytes.length - 1}/${bytes.length}` } : {};
    response.writeHead(start > 0 ? 206 : 200, { etag, 'content-length': bytes.length - start, ...range });
    if (cutAfter !== null && cutAfter > start) {
      response.write(bytes.subarray(start, cutAfter), () => response.destroy());
      return;
    }
    const middle = Math.ceil((start + bytes.length) / 2);
    response.write(bytes.subarray(start, middle));
    setTimeout(() => response.end(bytes.subarray(middle)), betweenHalvesMs);
  };
}

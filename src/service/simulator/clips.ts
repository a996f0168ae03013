/** The files of simulated tasks: drawn on request, with a small cache. */

import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

/** The content of a file. */
export type Clip =
  /** `seconds` is its length where it is not the usual one. */
  | { readonly kind: 'video'; readonly text: string; readonly seconds?: number }
  | { readonly kind: 'frame'; readonly text: string; readonly step: number; readonly stepCount: number };

/** To the drawing thread. */
export interface ClipOrder {
  readonly id: number;
  readonly clip: Clip;
}

/** From the drawing thread; null where it could not draw. */
export interface ClipReply {
  readonly id: number;
  readonly bytes: Uint8Array | null;
}

/** Draws clips. On one machine, the same clip always has the same bytes. */
export interface Clips extends AsyncDisposable {
  bytesOf(clip: Clip): Promise<Uint8Array>;
}

/** Files cached; a clip is about 30 KB, a frame 10 KB. */
const keptCount = 256;

/** The source and the compiled worker share the extension of this file. */
const defaultWorkerUrl = new URL(`./clip-worker${extname(import.meta.url)}`, import.meta.url);

const samples: Readonly<Record<Clip['kind'], URL>> = {
  video: new URL('../../../samples/clip.webm', import.meta.url),
  frame: new URL('../../../samples/clip.png', import.meta.url),
};

/**
 * Opens the clips. The drawing thread starts with the first one and does not keep the process alive. The drawing
 * packages are optional: without them every clip is the sample file of its kind.
 */
export function openClips(workerUrl: URL = defaultWorkerUrl): Clips {
  const kept = new Map<string, Promise<Uint8Array>>();
  let thread: DrawingThread | null = null;

  async function make(clip: Clip): Promise<Uint8Array> {
    thread ??= startDrawing(workerUrl);
    return (await thread.draw(clip)) ?? readFile(samples[clip.kind]);
  }

  return {
    bytesOf(clip) {
      const name = JSON.stringify(clip);
      const bytes = kept.get(name) ?? make(clip);
      // A Map keeps insertion order: the latest file moves to the end, evicted ones are at the start.
      kept.delete(name);
      kept.set(name, bytes);
      for (const oldest of kept.keys()) {
        if (kept.size <= keptCount) break;
        kept.delete(oldest);
      }
      return bytes;
    },
    async [Symbol.asyncDispose]() {
      await thread?.stop();
    },
  };
}

interface DrawingThread {
  /** null where the thread cannot draw. */
  draw(clip: Clip): Promise<Uint8Array | null>;
  stop(): Promise<void>;
}

function startDrawing(workerUrl: URL): DrawingThread {
  const waiting = new Map<number, (bytes: Uint8Array | null) => void>();
  let lastId = 0;
  let gone = false;
  const worker = new Worker(workerUrl);
  worker.unref();
  worker.on('message', ({ id, bytes }: ClipReply) => {
    waiting.get(id)?.(bytes);
    waiting.delete(id);
  });
  // A package that cannot be loaded ends the thread with an error; the 'exit' event follows and is enough.
  worker.on('error', () => {});
  worker.on('exit', () => {
    gone = true;
    for (const answer of waiting.values()) answer(null);
    waiting.clear();
  });
  return {
    draw(clip) {
      if (gone) return Promise.resolve(null);
      const { promise, resolve } = Promise.withResolvers<Uint8Array | null>();
      lastId += 1;
      waiting.set(lastId, resolve);
      worker.postMessage({ id: lastId, clip } satisfies ClipOrder);
      return promise;
    },
    async stop() {
      await worker.terminate();
    },
  };
}

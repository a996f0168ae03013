/** The drawing thread, so that the service can answer meanwhile. Only this file loads the drawing packages. */

import { parentPort } from 'node:worker_threads';
import { drawFrame, drawVideo } from './clip-drawing.ts';
import type { ClipOrder, ClipReply } from './clips.ts';

if (parentPort === null) throw new Error('clip-worker must be started by clips.ts');
const port = parentPort;

port.on('message', async ({ id, clip }: ClipOrder) => {
  let reply: ClipReply;
  try {
    const drawn =
      clip.kind === 'video'
        ? drawVideo(clip.text, clip.seconds)
        : drawFrame(clip.text, clip.step, clip.stepCount);
    reply = { id, bytes: await drawn };
  } catch {
    reply = { id, bytes: null };
  }
  port.postMessage(reply);
});

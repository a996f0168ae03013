/** The thread that draws, so that the service answers meanwhile. Alone in loading the drawing packages. */

import { parentPort } from 'node:worker_threads';
import { drawFrame, drawVideo } from './clip-drawing.ts';
import type { ClipOrder, ClipReply } from './clips.ts';

if (parentPort === null) throw new Error('clip-worker is not started by hand, clips.ts does it');
const port = parentPort;

port.on('message', async ({ id, clip }: ClipOrder) => {
  let reply: ClipReply;
  try {
    const drawn =
      clip.kind === 'video' ? drawVideo(clip.text) : drawFrame(clip.text, clip.step, clip.stepCount);
    reply = { id, bytes: await drawn };
  } catch {
    reply = { id, bytes: null };
  }
  port.postMessage(reply);
});

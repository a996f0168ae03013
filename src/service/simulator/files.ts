/** Serves the files of tasks: signed links, their contents, and faults in between. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerText } from './answers.ts';
import type { Clips } from './clips.ts';
import { damagedVideo } from './damaged-video.ts';
import type { Faults } from './faults.ts';
import { answerFile } from './file-answer.ts';
import type { Links } from './links.ts';
import { captionOf, frameCount, type Task } from './task.ts';
import type { TaskBook } from './task-book.ts';

/** Lifetime of a link. Short, so that a rehearsal includes expired links. */
const linkLifeMs = 60_000;

const videoName = 'video.webm';

/** Number of a frame, from 1, in its file name. */
const framePattern = /^frame-(\d+)\.png$/;

export interface Files {
  /** Path and query of a link to the task's video. */
  videoLink(task: Task, now: number): string;
  /** The same for a progress frame; `step` counts from 1. */
  frameLink(task: Task, step: number, now: number): string;
  /** Answers a GET or HEAD of a link. */
  answer(request: IncomingMessage, response: ServerResponse, link: URL): Promise<void>;
}

/** Serves files like an object store: without a key, by the signature of the link. */
export function createFiles(world: {
  readonly book: TaskBook;
  readonly clips: Clips;
  readonly faults: Faults;
  readonly links: Links;
}): Files {
  const { book, clips, faults, links } = world;

  function link(task: Task, name: string, now: number): string {
    const isStale = faults.happensOnce('expired-link', task.lot, name);
    return links.sign(`/files/${task.taskId}/${name}`, isStale ? now - 1_000 : now + linkLifeMs);
  }

  function videoOf(task: Task): Promise<Uint8Array> {
    const text = captionOf(task);
    if (faults.happens('damaged-video', task.lot)) return damagedVideo(clips, text, task.lot);
    return clips.bytesOf({ kind: 'video', text });
  }

  return {
    videoLink: (task, now) => link(task, videoName, now),
    frameLink: (task, step, now) => link(task, `frame-${step}.png`, now),
    async answer(request, response, url) {
      const check = links.check(url, Date.now());
      if (check !== 'good') {
        const reason = check === 'expired' ? 'Request has expired' : 'The signature does not match';
        answerErrorPage(response, 403, 'AccessDenied', reason);
        return;
      }
      const [, , taskId = '', name = ''] = url.pathname.split('/');
      const task = book.find(taskId);
      const step = Number(framePattern.exec(name)?.[1] ?? 0);
      if (task === null || (name !== videoName && !(step >= 1 && step <= frameCount))) {
        answerErrorPage(response, 404, 'NoSuchKey', 'The specified key does not exist');
        return;
      }
      const isVideo = name === videoName;
      const isDownload = request.method === 'GET';
      if (isDownload && isVideo && faults.happensOnce('error-page', task.lot)) {
        answerText(response, 200, 'text/html', '<!doctype html><title>Try again later</title>\n');
        return;
      }
      const bytes = isVideo
        ? await videoOf(task)
        : await clips.bytesOf({ kind: 'frame', text: captionOf(task), step, stepCount: frameCount });
      const isCut = isDownload && faults.happensOnce('cut-download', task.lot, name);
      answerFile(request, response, { bytes, type: isVideo ? 'video/webm' : 'image/png' }, isCut);
    },
  };
}

/** An error page in the style of object stores. */
function answerErrorPage(response: ServerResponse, statusCode: number, code: string, reason: string): void {
  const page = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${reason}</Message></Error>\n`;
  answerText(response, statusCode, 'application/xml', page);
}

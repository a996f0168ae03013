/** From a pending item to a creation request, and from its answer to a fact. */

import { createHash } from 'node:crypto';
import { imageExtension } from '../core/file-kind.ts';
import type { CreationEvent } from '../core/gate.ts';
import type { ImageSource, Item, Quality } from '../core/item.ts';
import { parseQuestion } from '../core/question.ts';
import { CheckpointError, messageOf } from '../errors.ts';
import type { Checkpoint, CreationAnswer, ImageFiles } from '../ports.ts';

/** A creation request that is ready to leave. */
export interface PreparedRequest {
  /** JSON. */
  readonly body: string;
  /** sha256 of the body, hex. */
  readonly hash: string;
  /** What is asked for; null leaves it to the service. */
  readonly quality: Quality | null;
}

/** The request of this item, or why its row cannot be sent. `notifyUrl` is for rows without a callback of their own. */
export async function prepareRequest(
  ports: { readonly checkpoint: Checkpoint; readonly images: ImageFiles },
  item: Item,
  defaults: { readonly quality: Quality | null; readonly notifyUrl: string | null },
): Promise<PreparedRequest | { readonly failure: string }> {
  const saved = await readInput(ports.checkpoint, item.key);
  if ('failure' in saved) return saved;
  const { question, failure } = parseQuestion(saved.input, saved.source);
  if (failure !== null) return { failure };
  try {
    const questionImages = await Promise.all(
      question.questionImages.map((image) => imageText(ports.images, image)),
    );
    const answerImages = await Promise.all(
      question.answerImages.map((image) => imageText(ports.images, image)),
    );
    const quality = question.quality ?? defaults.quality;
    const notifyUrl = question.notifyUrl ?? defaults.notifyUrl;
    const body = JSON.stringify({
      // The service lists `question` as required even where images alone are allowed: an empty text fits both readings.
      question: question.question,
      ...(questionImages.length > 0 && { questionImages }),
      ...(question.answer !== '' && { answer: question.answer }),
      ...(answerImages.length > 0 && { answerImages }),
      ...(quality !== null && { quality }),
      ...(notifyUrl !== null && { notify_url: notifyUrl }),
    });
    return { body, hash: createHash('sha256').update(body).digest('hex'), quality };
  } catch (error) {
    return { failure: messageOf(error) };
  }
}

/** A question that is not as it was saved is the trouble of its row alone, and never sent. */
async function readInput(
  checkpoint: Checkpoint,
  key: number,
): Promise<Awaited<ReturnType<Checkpoint['input']>> | { readonly failure: string }> {
  try {
    return await checkpoint.input(key);
  } catch (error) {
    if (error instanceof CheckpointError) return { failure: error.message };
    throw error;
  }
}

async function imageText(images: ImageFiles, image: ImageSource): Promise<string> {
  if (image.kind === 'url') return image.url;
  if (image.kind === 'inline') return image.data;
  const bytes = await images.read(image.path);
  if (imageExtension(bytes.subarray(0, 64)) === null) throw new Error(`${image.path} is not an image`);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

/** The fact that a creation's answer is for its item. */
export function creationEvent(answer: CreationAnswer, at: number): CreationEvent {
  switch (answer.outcome) {
    case 'accepted':
      return { type: 'creation-accepted', at, taskId: answer.taskId };
    case 'refused': {
      const { failure, passing, retryAfterMs, origin } = answer;
      return { type: 'creation-refused', at, failure, passing, retryAfterMs, origin };
    }
    case 'uncertain':
      return { type: 'creation-uncertain', at, failure: answer.failure, origin: answer.origin };
    case 'not-sent':
    case 'misconfigured':
    case 'key-refused':
      return { type: 'creation-not-sent', at, failure: answer.failure };
  }
}

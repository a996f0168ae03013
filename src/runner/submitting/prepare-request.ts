/** Builds the creation request of a pending item. */

import { createHash } from 'node:crypto';
import { CheckpointError, DiskError, messageOf, StoreAwayError } from '../../errors.ts';
import { inlineBytes, tooLarge, tooLargeTogether } from '../../files/image-size.ts';
import { shownEntry } from '../../files/image-source.ts';
import { keptPath } from '../../files/output-paths.ts';
import { flawOfBytes, isCutInline, pictureError } from '../../files/picture-flaw.ts';
import { contentSent, contentWithBytes } from '../../input/picture-content.ts';
import { inBoth, message } from '../../messages/message.ts';
import type { ImageSource, Item, Quality } from '../../money/item.ts';
import type { LocalImage } from '../../money/parse-question.ts';
import { hashOfRequest, readSent } from '../../money/sent-question.ts';
import type { ImageFiles } from '../../ports.ts';
import type { Checkpoint } from '../../stores/port/checkpoint.ts';

/** A creation request ready to leave. */
export interface PreparedRequest {
  /** JSON. */
  readonly body: string;
  /** sha256 of the body and of what the row says, as `hashOfRequest` joins them. */
  readonly hash: string;
  /** The requested quality; null leaves it to the service. */
  readonly quality: Quality | null;
}

/**
 * The request of this item, or why its row cannot be sent. `notifyUrl` is for rows without their own callback address.
 */
export async function prepareRequest(
  ports: { readonly checkpoint: Checkpoint; readonly images: ImageFiles },
  item: Item,
  defaults: {
    readonly quality: Quality | null;
    readonly notifyUrl: string | null;
    readonly maxImageBytes: number;
  },
): Promise<PreparedRequest | { readonly failure: string }> {
  const saved = await readInput(ports.checkpoint, item.key);
  if ('failure' in saved) return saved;
  const sent = readSent({ item, ...saved });
  const { question, own } = sent;
  if (own.failure !== null) return { failure: own.failure };
  try {
    const images = imageReader(ports.images, defaults.maxImageBytes);
    const questionImages = await images.read(question.questionImages);
    const answerImages = await images.read(question.answerImages);
    // A row imported while its pictures were unreadable is known by their names.
    const contents = [contentWithBytes(own, images.digests), own.content];
    if (own.files.length > 0 && !(await ports.checkpoint.isContent(item.key, contents)))
      return { failure: otherPictures(own.files) };
    const quality = saved.quality ?? question.quality ?? defaults.quality;
    const notifyUrl = question.notifyUrl ?? defaults.notifyUrl;
    const body = JSON.stringify({
      // The service requires `question` even where images alone are allowed: an empty text satisfies both.
      question: question.question,
      ...(questionImages.length > 0 && { questionImages }),
      ...(question.answer !== '' && { answer: question.answer }),
      ...(answerImages.length > 0 && { answerImages }),
      ...(quality !== null && { quality }),
      ...(notifyUrl !== null && { notify_url: notifyUrl }),
    });
    const hash = hashOfRequest(sha256(body), sha256(contentSent(sent, images.digests)));
    return { body, hash, quality };
  } catch (error) {
    // Says nothing of this row: the run stops or waits, and the row stays pending.
    if (error instanceof DiskError || error instanceof StoreAwayError) throw error;
    return { failure: messageOf(error) };
  }
}

/** Hex. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Input that differs from what was saved concerns only its row, and is never sent. */
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

/** The result would match neither the row as read nor the current file. */
function otherPictures(files: readonly LocalImage[]): string {
  const names = files.map(({ written }) => shownEntry(written)).join(', ');
  const said =
    files.length === 1
      ? message('picture.flawed', { image: names, what: inBoth(message('picture.changed-since')) })
      : message('row.image-changed', { images: names });
  return said.text;
}

/** The images of one request. */
interface ImageReader {
  /** Reads them one after the other, so that memory never contains more than may be sent. */
  read(sources: readonly ImageSource[]): Promise<string[]>;
  /** Digests of the local images read, by path. */
  readonly digests: ReadonlyMap<string, string>;
}

function imageReader(images: ImageFiles, maxImageBytes: number): ImageReader {
  const digests = new Map<string, string>();
  let all = 0;
  const add = (bytes: number): void => {
    all += bytes;
    const wrong = tooLargeTogether(all, maxImageBytes);
    if (wrong !== null) throw new Error(wrong.text);
  };
  const read = async (image: ImageSource): Promise<string> => {
    if (image.kind === 'url') return image.url;
    if (image.kind === 'inline') {
      const bytes = inlineBytes(image);
      const flaw = isCutInline(image) ? message('picture.cut-off') : tooLarge(bytes, maxImageBytes);
      if (flaw !== null) throw pictureError('an image of the row', flaw);
      add(bytes);
      return image.data;
    }
    if (image.kind === 'kept') {
      const bytes = await images.readKept(image.sha256, maxImageBytes);
      add(bytes.length);
      return base64Of(bytes, keptPath(image.sha256));
    }
    const bytes = await images.read(image.path, maxImageBytes);
    add(bytes.length);
    const digest = createHash('sha256').update(bytes).digest('hex');
    // A picture used twice in a row must be the same both times.
    if ((digests.get(image.path) ?? digest) !== digest)
      throw pictureError(image.path, message('picture.changed'));
    digests.set(image.path, digest);
    return base64Of(bytes, image.path);
  };
  return {
    digests,
    async read(sources) {
      const texts: string[] = [];
      for (const image of sources) texts.push(await read(image));
      return texts;
    },
  };
}

/** Throws for what is no whole picture: the file is another one than was read. */
function base64Of(bytes: Uint8Array, name: string): string {
  const flaw = flawOfBytes(bytes);
  if (flaw !== null) throw pictureError(name, message(flaw));
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

/**
 * One file link becomes one file on disk, or a reason why not.
 *
 * Bytes of two versions of a file are never joined: a part is gone on with only under the strong ETag its bytes came
 * with, and everything else starts from zero. A file counts as whole when it is as long as the host announced; where
 * no length is announced, the host's transfer has to end by itself (the `FileHost` throws on any other end).
 */

import { imageExtension, impostorIn, unknownVideo, videoExtension } from '../core/file-kind.ts';
import { parseLink, placeOf } from '../core/file-link.ts';
import type { FileKind, SavedFile } from '../core/item.ts';
import { fixed } from '../core/policy.ts';
import { BatchError, ItemFilesError, messageOf } from '../errors.ts';
import type { Clock, FileAnswer, FileHost, OutputTree, PartFile } from '../ports.ts';

/** How a download ended. `failure` never shows the query of a link. */
export type DownloadEnd =
  /** All bytes are here and are what they should be. `save` gives them their name, once, or the reason why not. */
  | {
      readonly outcome: 'whole';
      readonly sizeBytes: number;
      /** The name that it gets. */
      readonly path: string;
      readonly save: () => Promise<SaveEnd>;
    }
  /** Only a new link can help; a part may be left to go on with. */
  | { readonly outcome: 'link-refused'; readonly failure: string }
  /** It did not come in some tries; later ones may have it. */
  | { readonly outcome: 'given-up'; readonly failure: string }
  | Unfit
  /** The signal aborted; what is here stays for the next run. */
  | { readonly outcome: 'stopped' };

export type SaveEnd = { readonly outcome: 'saved'; readonly file: SavedFile } | Unfit;

/** No later try would have it: the file is nothing to keep, or its folder does not take it. */
interface Unfit {
  readonly outcome: 'unfit';
  /** Which of the two. */
  readonly fault: 'file' | 'folder';
  readonly failure: string;
}

/** The file that is wanted. */
export interface Download {
  readonly url: string;
  /** Other links to it, each asked in its turn where the ones before do not lead to it. */
  readonly spareUrls?: readonly string[];
  /** Path in the output tree without extension: `q1/video`, `q1/frames/001`. */
  readonly target: string;
  readonly kind: FileKind;
}

/** One try: the end, or why another one is due. */
type Try = DownloadEnd | Again;

interface Again {
  readonly outcome: 'again';
  readonly failure: string;
  /** The bytes that came are too few to count. */
  readonly isDrip?: boolean;
  readonly isEmpty?: boolean;
}

interface Ports {
  readonly host: FileHost;
  readonly tree: OutputTree;
  readonly clock: Clock;
}

/** Tries in all, those that brought bytes included: a host that cuts after each kilobyte must not hold a run. */
const triesInAll = 50;

/** Requests that bring nothing more, before the file is given up by this link. */
const requestsOf: Readonly<Record<FileKind, number>> = {
  video: fixed.downloadTries,
  frame: fixed.frameRequests,
};

/** Longer files are no frames and no videos of one question, but a host that does not stop. */
const largestBytes: Readonly<Record<FileKind, number>> = { video: 16 * 2 ** 30, frame: 64 * 2 ** 20 };

/**
 * Downloads what becomes `TARGET.EXT`, with pauses between tries; a try that came further than all before is not counted.
 * Throws `DiskError` only, as `save` does. A whole file that is not saved stays open.
 */
export async function downloadArtifact(
  ports: Ports,
  request: Download,
  signal: AbortSignal,
): Promise<DownloadEnd> {
  const { url, spareUrls = [] } = request;
  const first = await downloadBy(ports, { ...request, url, isSpare: false }, signal);
  let end = first;
  for (const spare of spareUrls) {
    if (end.outcome === 'whole' || end.outcome === 'stopped') return end;
    end = await downloadBy(ports, { ...request, url: spare, isSpare: true }, signal);
  }
  // What is wrong with the first link is what people look for.
  return end.outcome === 'whole' || end.outcome === 'stopped' ? end : first;
}

/** A file by one of its links. */
interface Lead extends Download {
  /** What an earlier link has left is neither gone on with nor thrown away before this one brings something. */
  readonly isSpare: boolean;
}

async function downloadBy(ports: Ports, lead: Lead, signal: AbortSignal): Promise<DownloadEnd> {
  if (signal.aborted) return { outcome: 'stopped' };
  return orUnfit(async () => {
    const part = ownedPart(await ports.tree.openPart(lead.target), !lead.isSpare);
    let isWhole = false;
    try {
      const end = await download(ports, lead, part, signal);
      isWhole = end.outcome === 'whole';
      return end;
    } finally {
      if (!isWhole) {
        // Two hosts may give two files the same ETag.
        if (lead.isSpare && part.isOwn) await part.discard();
        await part[Symbol.asyncDispose]();
      }
    }
  });
}

/** A part, and whether its bytes came by the link that is being tried. */
interface OwnedPart extends PartFile {
  readonly isOwn: boolean;
}

/** Bytes of another link are as good as none, and stay until the first ones of this link replace them. */
function ownedPart(part: PartFile, isOwn: boolean): OwnedPart {
  return {
    get isOwn() {
      return isOwn;
    },
    get sizeBytes() {
      return isOwn ? part.sizeBytes : 0;
    },
    get validator() {
      return isOwn ? part.validator : null;
    },
    restart: (validator) => {
      isOwn = true;
      return part.restart(validator);
    },
    append: (bytes) => part.append(bytes),
    head: () => part.head(),
    commit: (path) => part.commit(path),
    discard: () => part.discard(),
    [Symbol.asyncDispose]: () => part[Symbol.asyncDispose](),
  };
}

/** What is the trouble of this file alone ends its download. */
async function orUnfit<T>(work: () => Promise<T>): Promise<T | Unfit> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ItemFilesError) return { outcome: 'unfit', fault: 'folder', failure: error.message };
    throw error;
  }
}

async function download(
  ports: Ports,
  request: Download,
  part: OwnedPart,
  signal: AbortSignal,
): Promise<DownloadEnd> {
  let furthestBytes = part.sizeBytes;
  for (let fruitless = 0, tries = 1; !signal.aborted; tries++) {
    const end = await tryOnce(ports, request, part, signal);
    if (end.outcome !== 'again') return end;
    if (signal.aborted) break;
    fruitless = part.sizeBytes > furthestBytes && !end.isDrip ? 0 : fruitless + 1;
    furthestBytes = Math.max(furthestBytes, part.sizeBytes);
    if (fruitless === requestsOf[request.kind] || tries === triesInAll) {
      // A video may be late; an empty picture is one that was never drawn.
      if (end.isEmpty && request.kind === 'frame')
        return { outcome: 'unfit', fault: 'file', failure: end.failure };
      return { outcome: 'given-up', failure: `${end.failure} (given up after ${tries} tries)` };
    }
    const growth = fixed.downloadPauseGrowth ** Math.max(0, fruitless - 1);
    await ports.clock.wait(fixed.downloadPauseMs * growth, signal);
  }
  return { outcome: 'stopped' };
}

async function tryOnce(ports: Ports, request: Download, part: OwnedPart, signal: AbortSignal): Promise<Try> {
  const { host, clock } = ports;
  const { validator } = part;
  const offset = validator === null ? 0 : part.sizeBytes;
  const answer = await host.get(request.url, { offset, validator: offset === 0 ? null : validator }, signal);
  switch (answer.outcome) {
    case 'content':
      return receive(request, part, answer, createDripWatch(clock));
    case 'already-whole':
      return checkAndSave(request, part, null);
    case 'out-of-range':
      await part.restart(null);
      return again(at(request, 'the host has a different file now, or does not resume downloads'));
    case 'link-refused':
      return answer;
    case 'unanswered':
      return again(answer.failure);
  }
}

async function receive(
  request: Download,
  part: OwnedPart,
  answer: Extract<FileAnswer, { outcome: 'content' }>,
  isDrip: (sizeBytes: number) => boolean,
): Promise<Try> {
  const { totalBytes } = answer;
  let isStarted = answer.offset > 0;
  try {
    for await (const bytes of answer.body) {
      if (!isStarted && !(part.isOwn && isAllOf(bytes, totalBytes, part)))
        await part.restart(answer.validator);
      isStarted = true;
      if (Math.max(totalBytes ?? 0, part.sizeBytes + bytes.length) > largestBytes[request.kind]) {
        await part.discard();
        return {
          outcome: 'unfit',
          fault: 'file',
          failure: at(request, `the file is too large for a ${request.kind}`),
        };
      }
      await part.append(bytes);
      if (isDrip(part.sizeBytes)) {
        return { ...again(at(request, 'the host sends almost nothing')), isDrip: true };
      }
    }
    if (!isStarted) await part.restart(answer.validator);
  } catch (error) {
    if (error instanceof BatchError) throw error;
    return again(messageOf(error));
  }
  if (totalBytes !== null && part.sizeBytes < totalBytes)
    return again(at(request, `the transfer ended after ${part.sizeBytes} of ${totalBytes} bytes`));
  if (totalBytes !== null && part.sizeBytes > totalBytes) {
    const failure = at(request, `${part.sizeBytes} bytes came where ${totalBytes} were announced`);
    await part.restart(null);
    return again(failure);
  }
  return checkAndSave(request, part, answer.contentType);
}

/**
 * True for the whole file in one piece, and nothing here of another one. Then there is nothing that a later process could go on
 * with, and the validator is not written down: five steps on the disk less, where a small file takes a dozen.
 */
function isAllOf(bytes: Uint8Array, totalBytes: number | null, part: PartFile): boolean {
  return bytes.length === totalBytes && part.sizeBytes === 0 && part.validator === null;
}

/** Tells a host that sends a byte now and then, and would hold a run for years, from a slow line. */
function createDripWatch(clock: Clock): (sizeBytes: number) => boolean {
  let since = clock.steady();
  let before: number | null = null;
  return (sizeBytes) => {
    before ??= sizeBytes;
    if (clock.steady() - since < fixed.downloadStallMs) return false;
    const isDrip = sizeBytes - before < fixed.downloadStallBytes;
    since = clock.steady();
    before = sizeBytes;
    return isDrip;
  };
}

/** Takes a whole file for what it is. */
async function checkAndSave(request: Download, part: PartFile, contentType: string | null): Promise<Try> {
  if (part.sizeBytes === 0) return { ...again(at(request, 'the file is empty')), isEmpty: true };
  const head = await part.head();
  const impostor = impostorIn(request.kind, head, contentType);
  if (impostor !== null) {
    await part.discard();
    const wanted = impostor === 'an image' ? 'a video' : 'a file';
    return { outcome: 'link-refused', failure: `the link leads to ${impostor}, not ${wanted}` };
  }
  const path = `${request.target}.${extensionOf(request, head, contentType)}`;
  const save = async (): Promise<SaveEnd> => {
    await using whole = part;
    return { outcome: 'saved', file: await whole.commit(path) };
  };
  return { outcome: 'whole', sizeBytes: part.sizeBytes, path, save: () => orUnfit(save) };
}

/** A failure and the link it happened at, without its query. */
function at({ url }: Download, failure: string): string {
  const link = parseLink(url);
  return link === null ? failure : `${placeOf(link)}: ${failure}`;
}

function again(failure: string): Again {
  return { outcome: 'again', failure };
}

/** Extensions of frames by content type. A name in the link counts only if it is one of these. */
const frameExtensions: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/bmp': 'bmp',
  'image/tiff': 'tiff',
  'image/avif': 'avif',
  'image/heic': 'heic',
};

/** The content decides; where a frame is of no known format the link's own name does, then the announced type. */
function extensionOf({ kind, url }: Download, head: Uint8Array, contentType: string | null): string {
  if (kind === 'video') return videoExtension(head) ?? unknownVideo;
  const told = imageExtension(head);
  if (told !== null) return told;
  const named = /\.(\w+)(?:\?.*)?$/s.exec(parseLink(url)?.path ?? '')?.[1]?.toLowerCase() ?? '';
  const announced = frameExtensions[(contentType ?? '').replace(/\s*;.*$/s, '').toLowerCase()];
  return Object.values(frameExtensions).includes(named) ? named : (announced ?? 'png');
}

/**
 * Downloads one file link to one file on disk, or reports why not.
 *
 * Bytes of two versions of a file are never joined: a part is resumed only while the host names the version its bytes came
 * with (`src/files/file-version.ts`), and everything else starts from zero. A file is complete when it has the length the host announced; where none is
 * announced, the host's transfer must end normally (the `FileHost` throws on any other end).
 */

import { BatchError, FileRemovedError, ItemFilesError, messageOf } from '../../errors.ts';
import { impostorIn } from '../../files/file-kind.ts';
import { parseLink, placeOf, spellingsOf } from '../../files/file-link.ts';
import type { FileKind, SavedFile } from '../../money/item.ts';
import { fixed } from '../../money/policy.ts';
import type { Clock, FileAnswer, FileDigest, FileHost, OutputTree, PartFile } from '../../ports.ts';
import { extensionOf } from './file-extension.ts';
import { type OwnedPart, ownedPart } from './owned-part.ts';

/** How a download ended. `failure` never shows the query of a link. */
export type DownloadEnd =
  /** All bytes are here and pass the checks. `save` names the file, once, or returns why not. */
  | {
      readonly outcome: 'whole';
      readonly sizeBytes: number;
      /** Its final name. */
      readonly path: string;
      readonly save: () => Promise<SaveEnd>;
    }
  /** Only a new link can help; a part may remain to be resumed. */
  | { readonly outcome: 'link-refused'; readonly failure: string }
  | GivenUp
  | Unfit
  /** The signal aborted; the part stays for the next run. */
  | { readonly outcome: 'stopped' };

export type SaveEnd = { readonly outcome: 'saved'; readonly file: SavedFile } | GivenUp | Unfit;

/** It failed, in several tries or by what another program did; later ones may succeed. */
interface GivenUp {
  readonly outcome: 'given-up';
  readonly failure: string;
}

/** No later try would succeed: the file is useless, or its folder does not accept it. */
interface Unfit {
  readonly outcome: 'unfit';
  /** Which of the two. */
  readonly fault: 'file' | 'folder';
  readonly failure: string;
}

/** The file to download. */
export interface Download {
  readonly url: string;
  /** Other links to it, tried in order after the first. */
  readonly spareUrls?: readonly string[];
  /** Path in the output tree without extension: `q1/video`, `q1/frames/001`. */
  readonly target: string;
  readonly kind: FileKind;
  /** The file that has these bytes already: it is used instead. */
  readonly known?: (file: FileDigest) => SavedFile | null;
}

/** One try: the end, or the reason for another. */
type Try = DownloadEnd | Again;

interface Again {
  readonly outcome: 'again';
  readonly failure: string;
  /** Too few bytes arrived to count. */
  readonly isDrip?: boolean;
  readonly isEmpty?: boolean;
}

interface Ports {
  readonly host: FileHost;
  readonly tree: OutputTree;
  readonly clock: Clock;
}

/** Total tries, including those that made progress: a host that cuts after each kilobyte must not block a run. */
const triesInAll = 50;

/** Requests without progress before the file is given up for this link. */
const requestsOf: Readonly<Record<FileKind, number>> = {
  video: fixed.downloadTries,
  frame: fixed.frameRequests,
};

/** Anything longer is not a frame or a video of one question, but a host that never stops. */
const largestBytes: Readonly<Record<FileKind, number>> = { video: 16 * 2 ** 30, frame: 64 * 2 ** 20 };

/**
 * Downloads to `TARGET.EXT`, with pauses between tries; a try that makes progress is not counted. Throws only
 * `DiskError`, as `save` does. A complete file that is not saved stays open.
 */
export async function downloadArtifact(
  ports: Ports,
  request: Download,
  signal: AbortSignal,
): Promise<DownloadEnd> {
  const [url = '', ...spareUrls] = [request.url, ...(request.spareUrls ?? [])].flatMap(spellingsOf);
  const first = await downloadBy(ports, { ...request, url, isSpare: false }, signal);
  let end = first;
  for (const spare of spareUrls) {
    if (end.outcome === 'whole' || end.outcome === 'stopped') return end;
    end = await downloadBy(ports, { ...request, url: spare, isSpare: true }, signal);
  }
  // The failure of the first link is the informative one.
  return end.outcome === 'whole' || end.outcome === 'stopped' ? end : first;
}

/** A file by one of its links. */
interface Lead extends Download {
  /** The part of an earlier link is neither resumed nor discarded before this one delivers something. */
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

/** A failure of this file alone ends its download. */
async function orUnfit<T>(work: () => Promise<T>): Promise<T | GivenUp | Unfit> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FileRemovedError) return { outcome: 'given-up', failure: error.message };
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
      const whole = offsetOf(part) === 0 ? null : await fromStart(ports, request, part, signal);
      if (whole !== null && whole.outcome !== 'again') return whole;
      if (signal.aborted) break;
      // A video may be late; an empty frame was never drawn.
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
  const offset = offsetOf(part);
  const validator = offset === 0 ? null : part.validator;
  const answer = await host.get(request.url, { offset, validator }, signal);
  switch (answer.outcome) {
    case 'content':
      return receive(request, part, answer, createDripWatch(clock));
    case 'already-whole':
      return checkAndSave(request, part, null);
    case 'out-of-range':
      await part.restart(null);
      return again(at(request, 'the host has a different file now, or does not resume downloads'));
    case 'link-refused':
      return (offset === 0 ? null : await fromStart(ports, request, part, signal)) ?? answer;
    case 'unanswered':
      return again(answer.failure);
  }
}

/** How much of the file is here to continue from. */
function offsetOf({ validator, sizeBytes }: PartFile): number {
  return validator === null ? 0 : sizeBytes;
}

/** The whole file of a host that refuses to send the rest; null where it sends nothing either, and the part is kept. */
async function fromStart(
  { host, clock }: Ports,
  request: Download,
  part: OwnedPart,
  signal: AbortSignal,
): Promise<Try | null> {
  const answer = await host.get(request.url, { offset: 0, validator: null }, signal);
  return answer.outcome === 'content' ? receive(request, part, answer, createDripWatch(clock)) : null;
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
      const wholeBytes = Math.max(totalBytes ?? 0, part.sizeBytes + bytes.length);
      if (wholeBytes > largestBytes[request.kind]) {
        await part.discard();
        return {
          outcome: 'unfit',
          fault: 'file',
          failure: at(request, `the file is too large for a ${request.kind}`),
        };
      }
      await part.expect(wholeBytes);
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
    const failure = at(request, `${part.sizeBytes} bytes arrived, but ${totalBytes} were announced`);
    await part.restart(null);
    return again(failure);
  }
  return checkAndSave(request, part, answer.contentType);
}

/**
 * True for the whole file in one piece, with no earlier part. There is then nothing to resume, so the validator is not
 * saved: five disk operations less, of about a dozen for a small file.
 */
function isAllOf(bytes: Uint8Array, totalBytes: number | null, part: PartFile): boolean {
  return bytes.length === totalBytes && part.sizeBytes === 0 && part.validator === null;
}

/** Distinguishes a slow connection from a host that sends a byte now and then, and would block a run for years. */
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

/** Identifies a complete file by its content. */
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
    const { sizeBytes } = whole;
    const known = request.known?.({ sizeBytes, sha256: await whole.digest() }) ?? null;
    if (known !== null) await whole.discard();
    return { outcome: 'saved', file: known ?? (await whole.commit(path)) };
  };
  return { outcome: 'whole', sizeBytes: part.sizeBytes, path, save: () => orUnfit(save) };
}

/** A failure and its link, without the query. */
function at({ url }: Download, failure: string): string {
  const link = parseLink(url);
  return link === null ? failure : `${placeOf(link)}: ${failure}`;
}

function again(failure: string): Again {
  return { outcome: 'again', failure };
}

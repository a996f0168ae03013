/**
 * Reads what the container of a video says: tracks, duration, size of the picture, and stretches without packets. Only
 * headers and tables are read, so a long MP4 takes milliseconds; a WebM has no tables, and is read whole.
 */

import type { InputTrack, InputVideoTrack } from 'mediabunny';
import { codeOf } from '../../errors.ts';
import { declaredEnd } from '../../files/declared-end.ts';
import type { Container } from '../../money/inspection/inspection.ts';
import type { FileAccess } from '../../ports.ts';

type Library = typeof import('mediabunny');

/** Names of files in these containers end so. */
const readable = /\.(mp4|mov|webm|mkv)$/;

/** A file is asked every second of its time which packet comes there: twice this is found for sure. */
const probeSeconds = 1;
/** Of a video of many hours more rarely. */
const mostProbes = 7_200;

/** More such stretches are how the video was made: one packet for each slide. */
const mostGaps = 2;

/** A damaged file may lead the library astray. */
const mostMs = 20_000;

export interface ContainerReader {
  /** Null for a container that is not read here. `path` is the name of the file. */
  read(path: string, file: FileAccess): Promise<Container | 'unreadable' | null>;
}

/** Null where the package is not installed. */
export async function openContainerReader(
  load: () => Promise<Library> = () => import('mediabunny'),
  patienceMs = mostMs,
): Promise<ContainerReader | null> {
  try {
    const library = await load();
    return { read: async (path, file) => (readable.test(path) ? look(library, file, patienceMs) : null) };
  } catch (error) {
    if (codeOf(error) === 'ERR_MODULE_NOT_FOUND') return null;
    throw error;
  }
}

async function look(
  library: Library,
  file: FileAccess,
  patienceMs: number,
): Promise<Container | 'unreadable'> {
  const { CustomSource, Input, MATROSKA, MP4, QTFF, WEBM } = library;
  let failure: { readonly error: unknown } | null = null;
  const noting: FileAccess = {
    sizeBytes: file.sizeBytes,
    read: (offset, length) =>
      file.read(offset, length).catch((error: unknown) => {
        failure = { error };
        throw error;
      }),
  };
  const endAt = performance.now() + patienceMs;
  // Its search in a damaged WebM may read the same eight bytes forever. No timer comes between its turns, but without a
  // cache each of them asks for the bytes; nor is that slower, as few bytes are read twice.
  const source = new CustomSource({
    getSize: () => file.sizeBytes,
    read: (start, end) => {
      if (performance.now() > endAt) throw new Error('the file leads in circles');
      return noting.read(start, end - start);
    },
    maxCacheSize: 0,
    handleUnhandledError: () => {},
  });
  const input = new Input({ source, formats: [MP4, QTFF, WEBM, MATROSKA] });
  const timer = setTimeout(() => input.dispose(), patienceMs);
  try {
    const isCut = await isCutOff(noting);
    const tracks = await input.getTracks();
    const seconds = await input.getDurationFromMetadata();
    return await contentOf(library, tracks, { isCut, seconds });
  } catch {
    // Whatever the library throws, it could not make sense of the file; unless the disk refused to give it.
    if (failure !== null) throw (failure as { readonly error: unknown }).error;
    return 'unreadable';
  } finally {
    clearTimeout(timer);
    input.dispose();
  }
}

async function contentOf(
  { EncodedPacketSink }: Library,
  all: readonly InputTrack[],
  { isCut, seconds }: { readonly isCut: boolean; readonly seconds: number | null },
): Promise<Container | 'unreadable'> {
  const tracks: { readonly track: InputTrack; readonly sink: Sink; readonly end: number }[] = [];
  for (const track of all) {
    if (!track.isVideoTrack() && !track.isAudioTrack()) continue;
    const sink = new EncodedPacketSink(track);
    const last = await sink.getPacket(Number.POSITIVE_INFINITY, bare);
    if (last !== null) tracks.push({ track, sink, end: last.timestamp + last.duration });
  }
  if (tracks.length === 0 && !isCut) return 'unreadable';
  const picture = tracks.find(({ track }) => track.isVideoTrack());
  const sound = tracks.find(({ track }) => track.isAudioTrack());
  // A picture that stands still is a slide: where there is sound, only the sound shows that something is missing.
  const checked = sound ?? picture;
  const video = picture?.track as InputVideoTrack | undefined;
  return {
    seconds: roundToTenth(seconds ?? Math.max(0, ...tracks.map(({ end }) => end))) || null,
    hasPicture: picture !== undefined,
    hasSound: sound !== undefined,
    width: (await video?.getDisplayWidth()) ?? null,
    height: (await video?.getDisplayHeight()) ?? null,
    isCut,
    gap: checked === undefined ? null : await longestGap(checked.sink, checked.end),
  };
}

type Sink = InstanceType<Library['EncodedPacketSink']>;

const bare = { metadataOnly: true } as const;

/** The longest stretch without packets; null where there is none, or where there are many. */
async function longestGap(sink: Sink, end: number): Promise<Container['gap']> {
  const step = Math.max(probeSeconds, end / mostProbes);
  const gaps = new Map<number, number>();
  for (let at = step; at < end && gaps.size <= mostGaps; at += step) {
    const packet = await sink.getPacket(at, bare);
    if (packet === null || at - packet.timestamp <= step) continue;
    const next = await sink.getNextPacket(packet, bare);
    if (next !== null) gaps.set(packet.timestamp, next.timestamp - packet.timestamp);
  }
  if (gaps.size === 0 || gaps.size > mostGaps) return null;
  const [at, seconds] = [...gaps].reduce((longest, gap) => (gap[1] > longest[1] ? gap : longest));
  return { at: roundToTenth(at), seconds: roundToTenth(seconds) };
}

function roundToTenth(seconds: number): number {
  return Math.round(seconds * 10) / 10;
}

/** True where the file is shorter than the length it declares. */
export async function isCutOff(file: FileAccess): Promise<boolean> {
  const walk = declaredEnd();
  let step = walk.next();
  while (step.done !== true) {
    const { offset, length } = step.value;
    step = walk.next(offset < file.sizeBytes ? await file.read(offset, length) : new Uint8Array());
  }
  return step.value !== null && step.value.end > file.sizeBytes;
}

/** Which files an item wants, has and has given up. */

import type { Artifact, Effect, FileKind, FrameChoice, Item, RemoteFrame, SavedFile } from './item.ts';
import { fixed } from './policy.ts';

/** What the frames of an answer change: the item, and which of them are to be fetched. */
interface NotedFrames {
  readonly item: Item;
  readonly effects: readonly Extract<Effect, { type: 'fetch-frame' }>[];
}

/** Frames of a task that goes on: new ones are numbered in order of appearance, wanted ones get their fresh link. */
export function noteFrames(item: Item, frames: readonly RemoteFrame[], choice: FrameChoice): NotedFrames {
  if (choice !== 'all' || frames.length === 0) return { item, effects: [] };
  const own = item.artifacts.filter(({ kind }) => kind !== 'earlier');
  const known = new Map(own.map((artifact) => [artifact.remoteId, artifact]));
  const added: Artifact[] = [];
  const effects: NotedFrames['effects'][number][] = [];
  let ordinal = own.reduce((last, artifact) => Math.max(last, artifact.ordinal), 0);
  for (const frame of frames) {
    let artifact = known.get(frame.id);
    if (artifact === undefined) {
      ordinal += 1;
      artifact = wantedFrame(frame.id, ordinal);
      known.set(frame.id, artifact);
      added.push(artifact);
    }
    if (artifact.state === 'wanted')
      effects.push({ type: 'fetch-frame', ordinal: artifact.ordinal, url: frame.url });
  }
  if (added.length === 0) return { item, effects };
  return { item: { ...item, artifacts: [...item.artifacts, ...added] }, effects };
}

/** Frames of a completed task: no more will come, so a wanted frame that is not among them is given up. */
export function noteFinalFrames(
  item: Item,
  frames: readonly RemoteFrame[],
  choice: FrameChoice,
): NotedFrames {
  const kept = choice === 'last' ? frames.slice(-1) : frames;
  const noted = noteFrames(item, kept, choice === 'last' ? 'all' : choice);
  const linked = new Set(noted.effects.map(({ ordinal }) => ordinal));
  return { item: giveUpFrames(noted.item, linked), effects: noted.effects };
}

/** The item without hope of the frames it still wants, but for those that are `linked` (ordinals). */
export function giveUpFrames(item: Item, linked: ReadonlySet<number> = new Set()): Item {
  const artifacts = item.artifacts.map((artifact) =>
    isWantedFrame(artifact) && !linked.has(artifact.ordinal)
      ? { ...artifact, state: 'missing' as const }
      : artifact,
  );
  return { ...item, artifacts };
}

/** The item with a file that is whole on disk. With a video of its own it needs that of an earlier attempt no more. */
export function recordSaved(item: Item, kind: FileKind, ordinal: number, file: SavedFile): Item {
  const isThis = (artifact: Artifact): boolean => artifact.kind === kind && artifact.ordinal === ordinal;
  const old = item.artifacts.find(isThis);
  const saved: Artifact = {
    kind,
    ordinal,
    remoteId: old?.remoteId ?? null,
    tries: old?.tries ?? 0,
    state: 'saved',
    ...file,
  };
  const isReplaced = (artifact: Artifact): boolean =>
    isThis(artifact) || (kind === 'video' && artifact.kind === 'earlier');
  return {
    ...item,
    artifacts: [...item.artifacts.filter((artifact) => !isReplaced(artifact)), saved].sort(byOrdinal),
  };
}

/** What was made is known as long as nothing better is: an order for a new attempt may come to nothing. */
export function keepSaved(item: Item): readonly Artifact[] {
  return item.artifacts.filter(({ state }) => state === 'saved');
}

/** What an earlier attempt made, without what this one has. */
export function earlierFiles(item: Item): readonly Artifact[] {
  return item.artifacts.filter(({ kind }) => kind === 'earlier');
}

/**
 * The files of an item whose next attempt begins: those of the attempt before if it made a video, which lie in `aside` now, else
 * what an earlier one made.
 */
export function setAside(item: Item, aside: string | null): readonly Artifact[] {
  if (!hasVideo(item)) return earlierFiles(item);
  const start = `${item.folder}/`;
  const moved = (path: string | null): string | null =>
    aside !== null && path?.startsWith(start) ? `${start}${aside}/${path.slice(start.length)}` : path;
  return keepSaved(item)
    .filter(({ kind }) => kind !== 'earlier')
    .map((artifact) => ({ ...artifact, kind: 'earlier', remoteId: null, path: moved(artifact.path) }));
}

/** Saved files as a report shows them: those of an earlier attempt while there is nothing better. */
export function shownFiles({ artifacts }: Pick<Item, 'artifacts'>): {
  readonly video: Artifact | null;
  readonly frames: readonly Artifact[];
} {
  const saved = artifacts.filter(({ state }) => state === 'saved');
  const earlier = saved.filter(({ kind }) => kind === 'earlier');
  const frames = saved.filter(({ kind }) => kind === 'frame');
  return {
    video: saved.find(({ kind }) => kind === 'video') ?? earlier.find(({ ordinal }) => ordinal === 0) ?? null,
    frames: frames.length > 0 ? frames : earlier.filter(({ ordinal }) => ordinal > 0),
  };
}

/** The item after a frame could not be had once more; it is given up when that was the last try, or another would not help. */
export function recordFrameNotHad(item: Item, ordinal: number, isFinal: boolean): Item {
  return mapFrame(item, ordinal, (frame) => {
    const tries = frame.tries + 1;
    return { ...frame, tries, state: isFinal || tries >= fixed.frameTries ? 'missing' : frame.state };
  });
}

/** The item whose file on disk turned out to be damaged or gone: it is wanted again, and known should it come back. */
export function reopenArtifact(item: Item, kind: FileKind, ordinal: number): Item {
  const artifacts = item.artifacts.map((artifact): Artifact => {
    if (artifact.kind !== kind || artifact.ordinal !== ordinal) return artifact;
    return { ...artifact, state: 'wanted', tries: 0 };
  });
  return { ...item, artifacts };
}

/** True for a frame that is neither here nor given up. */
function isWantedFrame(artifact: Artifact): boolean {
  return artifact.kind === 'frame' && artifact.state === 'wanted';
}

/** True when the video is saved. */
export function hasVideo(item: Item): boolean {
  return item.artifacts.some((artifact) => artifact.kind === 'video' && artifact.state === 'saved');
}

/** True when the video is saved and every frame is saved or given up. */
export function allSettled(item: Item): boolean {
  return hasVideo(item) && item.artifacts.every((artifact) => artifact.state !== 'wanted');
}

/**
 * Pause (ms) before the service is asked again for a video that could not be had for the `nth` time: none before the first, for
 * most links have only expired; null once the pauses are as long together as a video is asked about. What counts them are
 * answers: a computer that slept, or a service that says nothing, has not asked.
 */
export function linkPauseMs(nth: number): number | null {
  let askedMs = 0;
  let pauseMs = 0;
  for (let time = 2; time <= nth; time++) {
    if (askedMs >= fixed.linkAskMs) return null;
    const grown = fixed.linkPauseMs * fixed.linkPauseGrowth ** (time - 2);
    pauseMs = Math.min(grown, fixed.linkPauseMaxMs);
    askedMs += pauseMs;
  }
  return pauseMs;
}

function wantedFrame(remoteId: string, ordinal: number): Artifact {
  return {
    kind: 'frame',
    ordinal,
    remoteId,
    state: 'wanted',
    path: null,
    sizeBytes: null,
    sha256: null,
    tries: 0,
  };
}

function mapFrame(item: Item, ordinal: number, change: (frame: Artifact) => Artifact): Item {
  const artifacts = item.artifacts.map((artifact) =>
    artifact.kind === 'frame' && artifact.ordinal === ordinal && artifact.state === 'wanted'
      ? change(artifact)
      : artifact,
  );
  return { ...item, artifacts };
}

function byOrdinal(a: Artifact, b: Artifact): number {
  return a.ordinal - b.ordinal;
}

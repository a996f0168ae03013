/** Which files an item wants, has, and has given up. */

import type { Effect, RemoteFrame } from './event.ts';
import type { Artifact, EarlierKind, FileKind, FrameChoice, Item, SavedFile } from './item.ts';
import { fixed } from './policy.ts';

/** The result of reading the frames of an answer: the item, and the frames to fetch. */
interface NotedFrames {
  readonly item: Item;
  readonly effects: readonly Extract<Effect, { type: 'fetch-frame' }>[];
}

/** Frames of a task in progress: new ones are numbered in order of appearance, wanted ones get their fresh link. */
export function noteFrames(noted: Item, frames: readonly RemoteFrame[], choice: FrameChoice): NotedFrames {
  if (choice !== 'all' || frames.length === 0) return { item: noted, effects: [] };
  const item = withoutOldRepeats(noted, frames);
  const own = item.artifacts.filter((artifact) => !isEarlier(artifact));
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
  return { item: { ...item, artifacts: [...item.artifacts, ...added].sort(inOrder) }, effects };
}

/** True for an answer that leaves out a frame of one before: the service may give a frame a new id with each answer. */
export function leavesFramesOut({ artifacts }: Item, frames: readonly RemoteFrame[]): boolean {
  const known = frames.length === 0 ? [] : artifacts.filter(({ kind }) => kind === 'frame');
  if (known.length === 0) return false;
  const named = new Set(frames.map(({ id }) => id));
  return known.some(({ remoteId }) => remoteId !== null && !named.has(remoteId));
}

/** The saved frame before this one that has the same bytes. */
export function frameWith(
  { artifacts }: Item,
  ordinal: number,
  { sizeBytes, sha256 }: Pick<SavedFile, 'sizeBytes' | 'sha256'>,
): SavedFile | null {
  const same = artifacts.find(
    (frame) =>
      frame.kind === 'frame' && frame.ordinal < ordinal && frame.state === 'saved' && frame.sha256 === sha256,
  );
  return same?.path == null ? null : { path: same.path, sizeBytes, sha256 };
}

/** Files, without the frames whose file is that of one before. */
export function withoutRepeats(artifacts: readonly Artifact[]): readonly Artifact[] {
  const seen = new Set<string>();
  return artifacts.filter(({ kind, path }) => {
    if ((kind !== 'frame' && kind !== 'earlier') || path === null) return true;
    const isNew = !seen.has(path);
    seen.add(path);
    return isNew;
  });
}

/** A frame that repeats another is forgotten once an answer does not name it, so that their number has a bound. */
function withoutOldRepeats(item: Item, frames: readonly RemoteFrame[]): Item {
  const once = withoutRepeats(item.artifacts);
  if (once.length === item.artifacts.length) return item;
  const [named, kept] = [new Set(frames.map(({ id }) => id)), new Set(once)];
  const artifacts = item.artifacts.filter((file) => kept.has(file) || named.has(file.remoteId ?? ''));
  return artifacts.length === item.artifacts.length ? item : { ...item, artifacts };
}

/** Frames of a completed task: no more will come, so a wanted frame missing from the answer is given up. */
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

/** Gives up the frames the item still wants, except the `linked` ones (ordinals). */
export function giveUpFrames(item: Item, linked: ReadonlySet<number> = new Set()): Item {
  const artifacts = item.artifacts.map((artifact) =>
    isWantedFrame(artifact) && !linked.has(artifact.ordinal)
      ? { ...artifact, state: 'missing' as const }
      : artifact,
  );
  return { ...item, artifacts };
}

/** The item with a file that is whole on disk. Its own video replaces the frames of an earlier attempt. */
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
  const others = item.artifacts.filter((artifact) => !isThis(artifact));
  const kept = kind === 'video' ? withoutReplaced(others, file.path) : others;
  return { ...item, artifacts: [...kept, saved].sort(inOrder) };
}

/** Without the files of earlier attempts that the video at `path` replaces: all but videos with a place of their own. */
function withoutReplaced(artifacts: readonly Artifact[], path: string): readonly Artifact[] {
  return artifacts.filter((artifact) =>
    artifact.kind === 'earlier-video' ? artifact.path !== path : artifact.kind !== 'earlier',
  );
}

/** True for a file of an earlier attempt. */
export function isEarlier<T extends Pick<Artifact, 'kind'>>(
  artifact: T,
): artifact is T & { readonly kind: EarlierKind } {
  return artifact.kind === 'earlier' || artifact.kind === 'earlier-video';
}

/** Saved files stay known until a better one replaces them: the new attempt may fail. */
export function keepSaved(item: Item): readonly Artifact[] {
  return item.artifacts.filter(({ state }) => state === 'saved');
}

/** Files of earlier attempts that this attempt has not replaced. */
export function earlierFiles(item: Item): readonly Artifact[] {
  return item.artifacts.filter(isEarlier);
}

/**
 * The earlier files of an item whose next attempt begins: the files of the previous attempt if it made a video (now in
 * `aside`), else those it kept from an earlier one; and the videos of all attempts before.
 */
export function setAside(item: Item, aside: string | null): readonly Artifact[] {
  if (!hasVideo(item)) return earlierFiles(item);
  const start = `${item.folder}/`;
  const moved = (path: string | null): string | null =>
    aside !== null && path?.startsWith(start) ? `${start}${aside}/${path.slice(start.length)}` : path;
  const aged = ({ kind, ordinal }: Artifact): Pick<Artifact, 'kind' | 'ordinal'> =>
    kind === 'video' ? { kind: 'earlier-video', ordinal: item.attempt } : { kind: 'earlier', ordinal };
  const own = keepSaved(item)
    .filter((artifact) => !isEarlier(artifact))
    .map((artifact) => ({ ...artifact, ...aged(artifact), remoteId: null, path: moved(artifact.path) }));
  return [...item.artifacts.filter(({ kind }) => kind === 'earlier-video'), ...own].sort(inOrder);
}

/** The saved video of one attempt. */
export interface AttemptVideo {
  readonly attempt: number;
  readonly file: Artifact;
}

/** The saved videos of all attempts, oldest first. */
export function attemptVideos({ artifacts, attempt }: Pick<Item, 'artifacts' | 'attempt'>): AttemptVideo[] {
  const videos: AttemptVideo[] = [];
  for (const file of artifacts) {
    if (file.state !== 'saved') continue;
    if (file.kind === 'video') videos.push({ attempt, file });
    else if (file.kind === 'earlier-video') videos.push({ attempt: file.ordinal, file });
  }
  return videos.length > 1 ? videos.sort((a, b) => a.attempt - b.attempt) : videos;
}

/** The video that stands for the row: of the `preferred` attempt if it has one, else of the latest that has one. */
export function standingVideo(
  item: Pick<Item, 'artifacts' | 'attempt'>,
  preferred: number | null,
): AttemptVideo | null {
  const videos = attemptVideos(item);
  return videos.find(({ attempt }) => attempt === preferred) ?? videos.at(-1) ?? null;
}

/** Saved files as a report shows them: the video that stands; the frames of an earlier attempt until the current one has its own. */
export function shownFiles(
  item: Pick<Item, 'artifacts' | 'attempt'>,
  preferred: number | null = null,
): {
  readonly video: Artifact | null;
  readonly frames: readonly Artifact[];
} {
  const saved = item.artifacts.filter(({ state }) => state === 'saved');
  const frames = withoutRepeats(saved.filter(({ kind }) => kind === 'frame'));
  return {
    video: standingVideo(item, preferred)?.file ?? null,
    frames: frames.length > 0 ? frames : withoutRepeats(saved.filter(({ kind }) => kind === 'earlier')),
  };
}

/**
 * The item after another failed try at a frame; the frame is given up after the last try, or when no other would help.
 */
export function recordFrameNotHad(item: Item, ordinal: number, isFinal: boolean): Item {
  return mapFrame(item, ordinal, (frame) => {
    const tries = frame.tries + 1;
    return { ...frame, tries, state: isFinal || tries >= fixed.frameTries ? 'missing' : frame.state };
  });
}

/**
 * The item whose file on disk is damaged or missing: the file is wanted again; its digest is kept in case it reappears.
 */
export function reopenArtifact(item: Item, kind: FileKind, ordinal: number): Item {
  const artifacts = item.artifacts.map((artifact): Artifact => {
    if (artifact.kind !== kind || artifact.ordinal !== ordinal) return artifact;
    return { ...artifact, state: 'wanted', tries: 0 };
  });
  return { ...item, artifacts };
}

/** True for a frame that is neither saved nor given up. */
function isWantedFrame(artifact: Artifact): boolean {
  return artifact.kind === 'frame' && artifact.state === 'wanted';
}

export function hasVideo(item: Item): boolean {
  return item.artifacts.some((artifact) => artifact.kind === 'video' && artifact.state === 'saved');
}

/** True when the video is saved and every frame is saved or given up. */
export function allSettled(item: Item): boolean {
  return hasVideo(item) && item.artifacts.every((artifact) => artifact.state !== 'wanted');
}

/**
 * Pause (ms) before the `nth` request for a video link that does not work. The first has none, because most links have
 * only expired; null once the pauses add up to the whole time limit. Only answers count: time asleep or without an
 * answer does not.
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

/** The order in which a store gives files back, so that an item is the same before it was saved and after. */
export function inOrder(
  a: Pick<Artifact, 'kind' | 'ordinal'>,
  b: Pick<Artifact, 'kind' | 'ordinal'>,
): number {
  if (a.ordinal !== b.ordinal) return a.ordinal - b.ordinal;
  return a.kind < b.kind ? -1 : Number(a.kind > b.kind);
}

/** Puts the files of a known video where the row's own would be. */

import { extname } from 'node:path';
import { frameTarget, taskFilePath, videoTarget } from '../../files/output-paths.ts';
import { inOrder } from '../../money/artifacts.ts';
import type { Artifact, FrameChoice, Item, Quality } from '../../money/item.ts';
import { withReused } from '../../money/reused.ts';
import type { TakeOver } from '../../outputs/take-over.ts';
import type { OutputTree } from '../../ports.ts';
import { renderTaskFile } from '../../reports/task-file.ts';
import type { KnownVideo } from './known-videos.ts';

export interface Places {
  readonly tree: Pick<OutputTree, 'writeWhole'>;
  readonly takeOver: TakeOver;
}

export interface Wanted {
  /** The row's own quality, else the run's. */
  readonly quality: Quality | null;
  readonly frames: FrameChoice;
}

/** The row with its files; null, with nothing left in its folder, where the video is not as it was saved. */
export async function takeFiles(
  { tree, takeOver }: Places,
  item: Item,
  known: KnownVideo,
  { quality, frames: choice }: Wanted,
): Promise<Item | null> {
  const { run, id, title } = known;
  const take = (artifact: Artifact, target: string) => takeFile(takeOver, run.root, artifact, target);
  const video = await take(known.video, videoTarget(item, 'by-item'));
  if (video === null) {
    await takeOver.clear(item.folder);
    return null;
  }
  const frames: Artifact[] = [];
  for (const frame of framesOf(known, choice)) {
    // A missing frame does not matter.
    const taken = await take(frame, frameTarget(item, frame.ordinal, 'by-item'));
    if (taken !== null) frames.push(taken);
  }
  const artifacts = [{ ...video, kind: 'video' as const, ordinal: 0 }, ...frames].sort(inOrder);
  const folder = run.isOwn ? null : run.root;
  const after = withReused(item, { quality, title, folder, id, artifacts });
  await tree.writeWhole(taskFilePath(item, 'by-item'), renderTaskFile(after));
  return after;
}

function framesOf({ frames }: KnownVideo, choice: FrameChoice): readonly Artifact[] {
  const own = frames.filter(({ kind }) => kind === 'frame');
  if (choice === 'none') return [];
  return choice === 'last' ? own.slice(-1) : own;
}

/** `target` has no extension. */
async function takeFile(
  takeOver: TakeOver,
  root: string,
  artifact: Artifact,
  target: string,
): Promise<Artifact | null> {
  const { path, sizeBytes, sha256 } = artifact;
  if (path === null || sizeBytes === null || sha256 === null) return null;
  const saved = await takeOver.take({ root, path, sizeBytes, sha256 }, `${target}${extname(path)}`);
  // Field by field: what a store reads with a report names the item of the other run.
  const { kind, ordinal } = artifact;
  return saved === null ? null : { kind, ordinal, remoteId: null, state: 'saved', ...saved, tries: 0 };
}

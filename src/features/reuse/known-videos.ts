/** The videos that runs have, by what was sent for them; and what is on its way in a run. */

import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { contentWithBytes } from '../../input/picture-content.ts';
import { type AttemptVideo, attemptVideos, shownFiles, standingVideo } from '../../money/artifacts.ts';
import type { FindingCode, InspectedVideo } from '../../money/inspection/inspection.ts';
import type { Artifact, Quality, Status } from '../../money/item.ts';
import { mayReuse } from '../../money/reused.ts';
import { readSent } from '../../money/sent-question.ts';
import { asStanding } from '../../money/standing-attempt.ts';
import { hasMark } from '../../money/statuses.ts';
import type { ReportRow } from '../../stores/port/reading.ts';
import type { Store } from '../../stores/port/store.ts';
import { pictureKey, textKey } from './content-key.ts';

/** A run whose videos may be taken. */
export interface VideoRun {
  readonly store: Pick<Store, 'checkpoint' | 'archive' | 'inspections'>;
  /** Its output folder (absolute). */
  readonly root: string;
  /** True for the run that takes them. */
  readonly isOwn: boolean;
  /** The run's own quality, for rows that wait to be sent again. */
  readonly quality: Quality | null;
}

/** A video of a run, with its frames. */
export interface KnownVideo {
  readonly run: Pick<VideoRun, 'root' | 'isOwn'>;
  readonly id: string;
  readonly title: string | null;
  readonly video: Artifact;
  readonly frames: readonly Artifact[];
  /** What it cost; null where unknown, or where it was taken itself. */
  readonly points: number | null;
  readonly pictures: string;
}

/** A row that a task is made for, or may be made for. */
export interface RowUnderWay {
  readonly id: string;
  /** The output folder of its run; null for the run that takes videos. */
  readonly folder: string | null;
  /** True where nobody knows whether there is a task. */
  readonly isDoubtful: boolean;
}

/** Findings of a video that nobody should get twice. */
const spoiled: ReadonlySet<FindingCode> = new Set(['unreadable', 'cut-off']);

export class KnownVideos {
  readonly #videos = new Map<string, KnownVideo[]>();
  readonly #underWay = new Map<string, (RowUnderWay & { readonly pictures: string })[]>();
  readonly #flawed = new Set<KnownVideo>();

  /** Adds the row of a run, where it has videos or may get one. */
  async add(run: VideoRun, row: ReportRow, fileDigest: FileDigests): Promise<void> {
    if (isOnItsWay(run, row)) await this.#addUnderWay(run, row, fileDigest);
    const standing = standingVideo(row.item, row.preferred)?.attempt ?? null;
    const isLast = ({ attempt }: AttemptVideo): number => Number(attempt !== standing);
    // The one that stands comes first, then the latest.
    const videos = attemptVideos(row.item).toReversed();
    for (const video of videos.sort((a, b) => isLast(a) - isLast(b)))
      if (await isSound(run, row, video, standing)) await this.#addVideo(run, row, video, fileDigest);
  }

  async #addUnderWay(run: VideoRun, row: ReportRow, fileDigest: FileDigests): Promise<void> {
    const { question, own } = readSent(row);
    const { key, id, status, quality } = row.item;
    const pictures = await fileDigest.keyOf(key, question, own);
    if (pictures === null) return;
    const next = row.final?.quality ?? question.quality ?? run.quality;
    const folder = run.isOwn ? null : run.root;
    const isDoubtful = doubtful.has(status);
    const text = textKey(question, hasMark(status, 'waiting') ? next : quality);
    addTo(this.#underWay, text, { id, folder, isDoubtful, pictures });
  }

  async #addVideo(
    { root, isOwn }: VideoRun,
    row: ReportRow,
    { attempt, file: video }: AttemptVideo,
    fileDigest: FileDigests,
  ): Promise<void> {
    const made = row.attempts.find((one) => one.attempt === attempt);
    // Of a video that was taken, nothing is known once another attempt was made.
    if (made === undefined && attempt !== row.item.attempt) return;
    // An attempt that has its video is not one that waits.
    const as = asStanding({ ...row, preferred: attempt });
    const { question, own } = readSent({ ...as, item: { status: 'completed', attempt } });
    const pictures = await fileDigest.keyOf(row.item.key, question, own);
    if (pictures === null) return;
    const { id, title, quality } = as.item;
    const isLast = attempt === row.item.attempt && row.item.status === 'completed';
    const points = (isLast ? row.item : made)?.points || null;
    const frames = isLast ? shownFiles(row.item).frames : [];
    const known = { run: { root, isOwn }, id, title, video, frames, points, pictures };
    addTo(this.#videos, textKey(question, quality), known);
  }

  /** False where no row has these texts: then nobody needs to look at the pictures. */
  hasText(text: string): boolean {
    return this.#videos.has(text) || this.#underWay.has(text);
  }

  /** The videos of the same question that are there, those of this run first. */
  find(text: string, pictures: string): readonly KnownVideo[] {
    const same = (this.#videos.get(text) ?? []).filter((video) => video.pictures === pictures);
    const found = same.filter((video) => !this.#flawed.has(video) && isThere(video));
    return found.toSorted((a, b) => Number(b.run.isOwn) - Number(a.run.isOwn));
  }

  /** A video that is not as it was saved is not offered again. */
  drop(video: KnownVideo): void {
    this.#flawed.add(video);
  }

  /** The row that may get such a video: one that surely does before others, one of this run before those; null for none. */
  rowUnderWay(text: string, pictures: string): RowUnderWay | null {
    const same = (this.#underWay.get(text) ?? []).filter((row) => row.pictures === pictures);
    const rank = ({ isDoubtful, folder }: RowUnderWay): number =>
      2 * Number(isDoubtful) + Number(folder !== null);
    return same.sort((a, b) => rank(a) - rank(b))[0] ?? null;
  }
}

/** The pictures of the rows of a run as they were sent. */
export class FileDigests {
  readonly #store: VideoRun['store'];
  #digests: Promise<ReadonlyMap<string, string>> | null = null;

  constructor(store: VideoRun['store']) {
    this.#store = store;
  }

  /** Null where it is not known which bytes were sent: files may have changed since. */
  async keyOf(
    key: number,
    question: ReturnType<typeof readSent>['question'],
    own: ReturnType<typeof readSent>['own'],
  ): Promise<string | null> {
    if (own.files.length === 0) return pictureKey(question, async () => null);
    this.#digests ??= readPictures(this.#store);
    const digests = await this.#digests;
    const pictures = await pictureKey(question, async (path) => digests.get(path) ?? null);
    if (pictures === null) return null;
    const isAsSent = await this.#store.checkpoint.isContent(key, [contentWithBytes(own, digests)]);
    return isAsSent ? pictures : null;
  }
}

async function readPictures({ archive }: VideoRun['store']): Promise<ReadonlyMap<string, string>> {
  const digests = new Map<string, string>();
  for await (const record of archive.dump())
    if (record.type === 'picture') digests.set(record.path, record.digest);
  return digests;
}

/** True for a video that nobody calls bad, and that was not seen to be cut off or unreadable. */
async function isSound(
  { store: { inspections } }: VideoRun,
  { marks, inspection: ofStanding }: ReportRow,
  { attempt, file: { sha256 } }: AttemptVideo,
  standing: number | null,
): Promise<boolean> {
  if (marks.some((one) => one.mark === 'bad' && one.attempt === attempt)) return false;
  const isRead = attempt === standing || sha256 === null;
  const inspection = isRead ? ofStanding : ((await inspections.find([sha256])).get(sha256) ?? null);
  return inspection === null || !isSpoiled(inspection);
}

/** Whether or not it was compared with others since it was looked into. */
function isSpoiled({ container, playback, findings }: InspectedVideo): boolean {
  if (container === 'unreadable' || playback === 'unreadable' || container?.isCut) return true;
  return findings.some(({ code }) => spoiled.has(code));
}

/** Nobody knows whether they have a task. */
const doubtful: ReadonlySet<Status> = new Set<Status>(['submitting', 'uncertain', 'lost']);

/** Sent, or ordered in this run: whoever pays for the same question meanwhile pays twice. */
function isOnItsWay({ isOwn }: VideoRun, { item, gone }: ReportRow): boolean {
  if (item.status === 'pending') return isOwn && !gone && !mayReuse(item);
  return hasMark(item.status, 'followed') || item.status === 'uncertain';
}

/** Its bytes are compared when it is taken. */
function isThere({ run, video: { path, sizeBytes } }: KnownVideo): boolean {
  if (path === null) return false;
  const found = lstatSync(join(run.root, ...path.split('/')), { throwIfNoEntry: false });
  return found?.isFile() === true && found.size === sizeBytes;
}

function addTo<T>(map: Map<string, T[]>, key: string, value: T): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}

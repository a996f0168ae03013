/** The videos that runs have, by what was sent for them; and what is on its way in a run. */

import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { contentWithBytes } from '../../input/picture-content.ts';
import { shownFiles, standingVideo } from '../../money/artifacts.ts';
import type { FindingCode, InspectedVideo } from '../../money/inspection/inspection.ts';
import type { Artifact, Item, Quality } from '../../money/item.ts';
import { mayReuse } from '../../money/reused.ts';
import { readSent } from '../../money/sent-question.ts';
import { hasMark } from '../../money/statuses.ts';
import type { ReportRow } from '../../stores/port/reading.ts';
import type { Store } from '../../stores/port/store.ts';
import { pictureKey, textKey } from './content-key.ts';

/** A run whose videos may be taken. */
export interface VideoRun {
  readonly store: Pick<Store, 'checkpoint' | 'archive'>;
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
interface RowUnderWay {
  readonly id: string;
  readonly pictures: string;
}

/** Findings of a video that nobody should get twice. */
const spoiled: ReadonlySet<FindingCode> = new Set(['unreadable', 'cut-off']);

export class KnownVideos {
  readonly #videos = new Map<string, KnownVideo[]>();
  readonly #underWay = new Map<string, RowUnderWay[]>();
  readonly #flawed = new Set<KnownVideo>();

  /** Adds the row of a run, where it has a video or may get one. */
  async add(run: VideoRun, row: ReportRow, fileDigest: FileDigests): Promise<void> {
    const known = isSound(row) ? standingVideo(row.item, row.preferred)?.file : undefined;
    const isUnderWay = run.isOwn && isOnItsWay(row);
    if (known === undefined && !isUnderWay) return;
    const { question, own } = readSent(row);
    const pictures = await fileDigest.keyOf(row.item.key, question, own);
    if (pictures === null) return;
    const isWaiting = hasMark(row.item.status, 'waiting');
    const text = textKey(question, isWaiting ? (question.quality ?? run.quality) : row.item.quality);
    const { id, title, points } = row.item;
    if (known === undefined) {
      addTo(this.#underWay, text, { id, pictures });
      return;
    }
    const { frames } = shownFiles(row.item);
    const { root, isOwn } = run;
    const paid = points === null || points === 0 ? null : points;
    addTo(this.#videos, text, {
      run: { root, isOwn },
      id,
      title,
      video: known,
      frames,
      points: paid,
      pictures,
    });
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

  /** The id of the row of this run that may get such a video; null for none. */
  rowUnderWay(text: string, pictures: string): string | null {
    return (this.#underWay.get(text) ?? []).find((row) => row.pictures === pictures)?.id ?? null;
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

/** True for a row whose video stands, is of its last attempt, and has nothing against it. */
function isSound({ item, preferred, marks, inspection }: ReportRow): boolean {
  if (item.status !== 'completed') return false;
  const standing = standingVideo(item, preferred);
  if (standing?.attempt !== item.attempt) return false;
  if (marks.some(({ mark, attempt }) => mark === 'bad' && attempt === standing.attempt)) return false;
  return inspection === null || !isSpoiled(inspection);
}

/** Whether or not it was compared with others since it was looked into. */
function isSpoiled({ container, playback, findings }: InspectedVideo): boolean {
  if (container === 'unreadable' || playback === 'unreadable' || container?.isCut) return true;
  return findings.some(({ code }) => spoiled.has(code));
}

/** Sent, or ordered: whoever pays for the same question meanwhile pays twice. */
function isOnItsWay({ item, gone }: ReportRow): boolean {
  if (item.status === 'pending') return !gone && !mayReuse(item);
  return hasMark(item.status, 'under-way') || isUnsettled(item);
}

function isUnsettled({ status }: Item): boolean {
  return status === 'uncertain' || status === 'undelivered';
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

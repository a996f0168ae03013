/** The rows of a run that may take the video of another row, and what it has and gets itself. */

import type { OpenedRun } from '../../app/begin-work.ts';
import { maxImageBytesOf } from '../../app/options/settings.ts';
import { imagesOf } from '../../app/pictures/run-images.ts';
import { contentWithBytes } from '../../input/picture-content.ts';
import { attemptVideos } from '../../money/artifacts.ts';
import type { Item, Quality } from '../../money/item.ts';
import { mayReuse } from '../../money/reused.ts';
import type { Correction } from '../../money/review.ts';
import { readSent } from '../../money/sent-question.ts';
import type { ReportRow } from '../../stores/port/reading.ts';
import { digestOf, pictureKey, textKey } from './content-key.ts';
import type { Candidate } from './decide.ts';
import { FileDigests, KnownVideos } from './known-videos.ts';
import { ownRun } from './other-runs.ts';

export interface SavedCandidate extends Candidate {
  readonly item: Item;
}

/** The rows of a run, read once. */
export interface OwnRows {
  readonly candidates: readonly SavedCandidate[];
  readonly videos: KnownVideos;
}

/** Rows that a retry is about to order. */
export interface OrderedRows {
  /** Their quality as the plan counts it, by key. */
  readonly qualities: ReadonlyMap<number, Quality | null>;
  /** Corrections that are saved with the order, by key; null removes one. */
  readonly corrections: ReadonlyMap<number, Correction | null>;
}

/** `among`: keys of the only rows that may take a video. */
export async function readOwnRows(run: OpenedRun, among?: ReadonlySet<number>): Promise<OwnRows> {
  const only = run.options.only === undefined ? null : new Set(run.options.only);
  return readRows(run, (row) => {
    const { item, gone } = row;
    if (!mayReuse(item)) return null;
    const isMeant = among?.has(item.key) ?? (only === null || only.has(item.id));
    return isMeant && !gone ? candidateOf(run, row) : 'left';
  });
}

/** The same of rows as they will be ordered. One with a video of its own gets another, and one that was edited is read then. */
export async function readOrderedRows(
  run: OpenedRun,
  { qualities, corrections }: OrderedRows,
): Promise<OwnRows> {
  return readRows(run, (row) => {
    const { item, edit } = row;
    const quality = qualities.get(item.key);
    if (quality === undefined || edit !== null || attemptVideos(item).length > 0) return null;
    const change = corrections.get(item.key);
    const correction = change === undefined ? row.correction : change;
    return { ...candidateOf(run, { ...row, correction, item: { ...item, status: 'pending' } }), quality };
  });
}

/** `candidateIn` returns null for a row that has what it gets by itself, `left` for one that does nothing now. */
async function readRows(
  run: OpenedRun,
  candidateIn: (row: ReportRow) => SavedCandidate | 'left' | null,
): Promise<OwnRows> {
  const { store } = run;
  const own = ownRun(run);
  const digests = new FileDigests(store);
  const videos = new KnownVideos();
  const candidates: SavedCandidate[] = [];
  for await (const row of store.checkpoint.reportRows()) {
    const candidate = candidateIn(row);
    if (candidate === null) await videos.add(own, row, digests);
    else if (candidate !== 'left') candidates.push(candidate);
  }
  return { candidates, videos };
}

function candidateOf(run: OpenedRun, row: ReportRow): SavedCandidate {
  const { question } = readSent(row);
  const { item } = row;
  return {
    item,
    id: item.id,
    quality: question.quality,
    text: textKey(question, question.quality ?? run.options.quality ?? null),
    pictures: () => picturesToSend(run, item),
  };
}

/** Null for a row that cannot be sent: its pictures are not those that were read. */
async function picturesToSend(
  { store: { checkpoint }, invocation, options }: OpenedRun,
  item: Item,
): Promise<string | null> {
  const { question, own } = readSent({ item, ...(await checkpoint.input(item.key)) });
  const images = imagesOf(invocation.out);
  const digests = new Map<string, string>();
  for (const { path } of own.files) {
    const bytes = await images.read(path, maxImageBytesOf(options)).catch(() => null);
    if (bytes === null) return null;
    digests.set(path, digestOf(bytes));
  }
  const contents = [contentWithBytes(own, digests), own.content];
  if (own.files.length > 0 && !(await checkpoint.isContent(item.key, contents))) return null;
  return pictureKey(question, async (path) => digests.get(path) ?? null);
}

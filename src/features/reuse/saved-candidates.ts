/** The rows of a run that may take the video of another row, and what it has and gets itself. */

import type { OpenedRun } from '../../app/begin-work.ts';
import { maxImageBytesOf } from '../../app/options/settings.ts';
import { imagesOf } from '../../app/pictures/run-images.ts';
import { contentWithBytes } from '../../input/picture-content.ts';
import type { Item } from '../../money/item.ts';
import { mayReuse } from '../../money/reused.ts';
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

export async function readOwnRows(run: OpenedRun): Promise<OwnRows> {
  const { store, options } = run;
  const only = options.only === undefined ? null : new Set(options.only);
  const own = ownRun(run);
  const digests = new FileDigests(store);
  const videos = new KnownVideos();
  const candidates: SavedCandidate[] = [];
  for await (const row of store.checkpoint.reportRows()) {
    const { item, gone } = row;
    if (!mayReuse(item)) await videos.add(own, row, digests);
    else if (!gone && (only === null || only.has(item.id))) candidates.push(candidateOf(run, row));
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

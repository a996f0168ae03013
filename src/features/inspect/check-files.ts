/** Compares the saved files of the checkpoint with the disk: which are damaged or missing, and which have reappeared. */

import { type Message, message, several } from '../../messages/message.ts';
import { hasVideo, isEarlier } from '../../money/artifacts.ts';
import { moveAtRest, type RestEvent } from '../../money/at-rest.ts';
import type { Artifact, Item, SavedFile, Status } from '../../money/item.ts';
import type { Ledger } from '../../money/summary.ts';
import type { OutputTree } from '../../ports.ts';
import { compareWithDisk } from '../../runner/downloading/known-file.ts';
import { counted, type OnProgress } from '../../stores/counted.ts';
import type { Change, Checkpoint } from '../../stores/port/checkpoint.ts';

/** The files of one item whose state on disk differs from the checkpoint. */
interface Finding {
  readonly item: Item;
  /** These can be downloaded again. */
  readonly damaged: readonly Artifact[];
  /** Files that are wanted again or given up, but are whole on disk. */
  readonly back: readonly { readonly artifact: Artifact; readonly file: SavedFile }[];
}

/** The result of checking all files. */
export interface FileCheck {
  readonly files: number;
  /** How many of them are damaged or missing, and how many of those are missing. */
  readonly flawed: number;
  readonly missing: number;
  /** Flawed files that are not downloaded again: they are of an earlier attempt, or a new one was ordered. */
  readonly lasting: number;
  readonly back: number;
  readonly findings: readonly Finding[];
}

/** The finding about one file, for people. */
export interface FileNews {
  readonly path: string;
  readonly words: Message;
}

/** Statuses in which no download of the current attempt is in progress. */
const settled: ReadonlySet<Status> = new Set<Status>(['completed', 'pending', 'invalid']);

/** What else a check looks at. */
interface CheckOptions {
  /** Receives each file that is as it was saved. */
  readonly whole?: (item: Item, file: SavedFile) => Promise<void>;
  /** Attempts whose video stands for their row, by the key of the item. */
  readonly preferred: ReadonlyMap<number, number>;
}

/** Checks the files of these items; `report` receives each that differs from the checkpoint. */
export async function checkFiles(
  items: AsyncIterable<Item>,
  tree: Pick<OutputTree, 'inspect'>,
  report: (news: FileNews) => void,
  { whole = async () => {}, preferred }: CheckOptions,
): Promise<FileCheck> {
  const findings: Finding[] = [];
  const sums = { files: 0, flawed: 0, missing: 0, lasting: 0, back: 0 };
  for await (const item of items) {
    const damaged: Artifact[] = [];
    const back: Finding['back'][number][] = [];
    for (const artifact of item.artifacts.filter((one) => isLookedAt(item, one))) {
      const state = await compareWithDisk(tree, artifact);
      if (state === null) continue;
      if (state.is === 'missing' && isSpare(item, artifact, preferred)) {
        report({ path: state.path, words: message('saved.spare') });
        continue;
      }
      sums.files += 1;
      if (state.is === 'whole') {
        if (artifact.state === 'saved') {
          await whole(item, state.file);
          continue;
        }
        back.push({ artifact, file: state.file });
        sums.back += 1;
        report({ path: state.file.path, words: message('saved.back') });
        continue;
      }
      sums.flawed += 1;
      if (state.is === 'missing') sums.missing += 1;
      const why = artifact.state === 'saved' ? whyLasting(item, artifact) : null;
      if (why !== null) sums.lasting += 1;
      else if (artifact.state === 'saved') damaged.push(artifact);
      report({ path: state.path, words: why === null ? state.failure : several([state.failure, why]) });
    }
    if (damaged.length + back.length > 0) findings.push({ item, damaged, back });
  }
  return { ...sums, findings };
}

function isLookedAt({ status }: Item, artifact: Artifact): boolean {
  return isEarlier(artifact) || artifact.state !== 'saved' || settled.has(status);
}

/** A user who removes what an earlier attempt made, to have room, loses nothing that the row stands for. */
function isSpare(item: Item, { kind, ordinal }: Artifact, preferred: CheckOptions['preferred']): boolean {
  return kind === 'earlier-video' && hasVideo(item) && preferred.get(item.key) !== ordinal;
}

/** Why a flawed file is not downloaded again; null where it is. */
function whyLasting({ status, taskId }: Item, artifact: Artifact): Message | null {
  if (artifact.kind === 'earlier-video') return message('saved.earlier');
  const isOwn = status === 'completed' && !isEarlier(artifact);
  if (isOwn && taskId === null) return message('saved.reused');
  return isOwn ? null : message('saved.ordered');
}

/** As many rows as have files, but for the few that wait for a new attempt. */
function rowsWithFiles({ counts }: Pick<Ledger, 'counts'>): number {
  return counts.completed + counts.downloading + counts.undelivered;
}

/** The change that a finding causes: reappeared files are saved again, damaged ones are wanted again. */
export function mendedBy({ item, damaged, back }: Finding, at: number): Change {
  // The video comes last, because it completes the row.
  const known = [...back]
    .sort((a, b) => b.artifact.ordinal - a.artifact.ordinal)
    .map(({ artifact: { kind, ordinal }, file }): RestEvent => {
      return kind === 'frame'
        ? { type: 'frame-saved', at, ordinal, file }
        : { type: 'video-saved', at, file };
    });
  const wanted = damaged.flatMap((artifact): RestEvent[] => {
    const { kind, ordinal } = artifact;
    return kind === 'video' || kind === 'frame' ? [{ type: 'file-damaged', at, kind, ordinal }] : [];
  });
  return { before: item, after: moveAtRest(item, ...known, ...wanted) };
}

/** The rows with files, each of which is counted. */
export async function countedItems(
  checkpoint: Pick<Checkpoint, 'filedItems' | 'ledger'>,
  onProgress: OnProgress,
): Promise<AsyncIterable<Item>> {
  const total = rowsWithFiles(await checkpoint.ledger());
  return counted(checkpoint.filedItems(), (done) => onProgress(done, total));
}

/** Compares what the checkpoint calls saved with the disk: what is damaged or gone, and what is back. */

import { moveAtRest, type RestEvent } from '../core/at-rest.ts';
import type { Artifact, Item, SavedFile, Status } from '../core/item.ts';
import type { OutputTree } from '../ports.ts';
import { compareWithDisk } from '../runner/known-file.ts';
import type { Change } from '../store.ts';

/** The files of one item of which the disk has other news than the checkpoint. */
interface Finding {
  readonly item: Item;
  /** Can be fetched again. */
  readonly damaged: readonly Artifact[];
  /** Wanted again, or given up, and whole on disk all the same. */
  readonly back: readonly { readonly artifact: Artifact; readonly file: SavedFile }[];
}

/** What a look at all files came to. */
export interface FileCheck {
  readonly files: number;
  /** Damaged ones among them, and those that are missing. */
  readonly flawed: number;
  readonly missing: number;
  /** Flawed ones that nothing fetches again: a new attempt was ordered since. */
  readonly lasting: number;
  readonly back: number;
  readonly findings: readonly Finding[];
}

/** What is said of one file. */
export interface FileNews {
  readonly path: string;
  readonly words: string;
}

/** Statuses in which the files of the current attempt are all that there is to have, or were. */
const settled: ReadonlySet<Status> = new Set<Status>(['completed', 'pending', 'invalid']);

/** Looks at the files of these items; `told` hears of each that is not as the checkpoint says. */
export async function checkFiles(
  items: AsyncIterable<Item>,
  tree: Pick<OutputTree, 'inspect'>,
  told: (news: FileNews) => void,
): Promise<FileCheck> {
  const findings: Finding[] = [];
  const sums = { files: 0, flawed: 0, missing: 0, lasting: 0, back: 0 };
  for await (const item of items) {
    const damaged: Artifact[] = [];
    const back: Finding['back'][number][] = [];
    for (const artifact of item.artifacts.filter((one) => isLookedAt(item, one))) {
      const state = await compareWithDisk(tree, artifact);
      if (state === null) continue;
      sums.files += 1;
      if (state.is === 'whole') {
        if (artifact.state === 'saved') continue;
        back.push({ artifact, file: state.file });
        sums.back += 1;
        told({ path: state.file.path, words: 'is back, as it was saved' });
        continue;
      }
      sums.flawed += 1;
      if (state.is === 'missing') sums.missing += 1;
      const isLasting = artifact.state === 'saved' && !canBeFetched(item, artifact);
      if (isLasting) sums.lasting += 1;
      else if (artifact.state === 'saved') damaged.push(artifact);
      const why = isLasting ? '; a new attempt was ordered, this one is not fetched again' : '';
      told({ path: state.path, words: state.failure + why });
    }
    if (damaged.length + back.length > 0) findings.push({ item, damaged, back });
  }
  return { ...sums, findings };
}

function isLookedAt({ status }: Item, { kind, state }: Artifact): boolean {
  return kind === 'earlier' || state !== 'saved' || settled.has(status);
}

function canBeFetched({ status }: Item, { kind }: Artifact): boolean {
  return status === 'completed' && kind !== 'earlier';
}

/** What is saved of a finding: files that are back are known again, damaged ones are wanted again. */
export function mendedBy({ item, damaged, back }: Finding, at: number): Change {
  // The video comes last: with it its row is completed.
  const known = [...back]
    .sort((a, b) => b.artifact.ordinal - a.artifact.ordinal)
    .map(({ artifact: { kind, ordinal }, file }): RestEvent => {
      return kind === 'frame'
        ? { type: 'frame-saved', at, ordinal, file }
        : { type: 'video-saved', at, file };
    });
  const wanted = damaged.flatMap(({ kind, ordinal }): RestEvent[] =>
    kind === 'earlier' ? [] : [{ type: 'file-damaged', at, kind, ordinal }],
  );
  return { before: item, after: moveAtRest(item, ...known, ...wanted) };
}

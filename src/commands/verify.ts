/** `batch verify`: compares the files on disk with the checkpoint; `--fix` downloads damaged or missing ones again. */

import { openFileOutputTree } from '../adapters/file-output-tree.ts';
import type { Artifact, Item } from '../core/item.ts';
import { defaultPolicy } from '../core/policy.ts';
import { shellPath } from '../core/shell-word.ts';
import { transition } from '../core/transition.ts';
import type { RawOptions } from '../job-file.ts';
import type { Checkpoint, OutputTree } from '../ports.ts';
import { renderNumber } from '../terminal/numbers.ts';
import { toTerminalText } from '../terminal/terminal-text.ts';
import { carryOut } from './carry-out.ts';
import type { Handle } from './command.ts';
import { printNotice, printResult } from './console.ts';
import { givenOptions, goOnGroups } from './flags.ts';
import { lookIntoFolder, openExistingFolder, optionsOfRun } from './folder.ts';
import { readGiven } from './settings.ts';

interface Damage {
  readonly item: Item;
  readonly artifacts: readonly Artifact[];
}

/** Looks only. Returns 0 when every file is whole, else 1. */
export async function verify(dir: string): Promise<number> {
  const { out, outShown } = readGiven({}, { out: dir });
  using folder = lookIntoFolder(out);
  const damages = await findDamage(folder.checkpoint, await openFileOutputTree(out));
  if (damages.length > 0)
    printResult(`Next: batch verify ${shellPath(outShown)} --fix   downloads them again, costs nothing`);
  return damages.length > 0 ? 1 : 0;
}

/** Exit codes of a run that was ended from outside before all files could be here. */
const brokenOff: ReadonlySet<number> = new Set([3, 130, 143]);

/** Downloads damaged and missing files again. Returns 0 when every file is whole then, else 1, or how the run was broken off. */
export async function verifyAndFix(dir: string, flags: RawOptions): Promise<number> {
  const given = readGiven(flags, { out: dir });
  using folder = openExistingFolder(given.out);
  const { checkpoint } = folder;
  const tree = await openFileOutputTree(given.out);
  const damages = await findDamage(checkpoint, tree);
  await checkpoint.sound;
  // What an earlier `--fix` could not get is wanted still, and no damage any more.
  if (damages.length === 0 && !(await isWaiting(checkpoint))) return 0;
  const options = optionsOfRun(given, folder);
  await checkpoint.commit(
    damages.map(({ item, artifacts }) => ({ before: item, after: reopen(item, artifacts) })),
  );
  const exitCode = await carryOut({ submits: false, given, options, checkpoint });
  if (brokenOff.has(exitCode)) return exitCode;
  return (await isWaiting(checkpoint)) ? 1 : 0;
}

/** True while files are wanted of tasks that the service completed. */
async function isWaiting(checkpoint: Checkpoint): Promise<boolean> {
  const { counts } = await checkpoint.ledger();
  return counts.downloading + counts.undelivered > 0;
}

/** The item with all these files wanted again; the first one makes it `downloading`, which the next must not mind. */
function reopen(item: Item, artifacts: readonly Artifact[]): Item {
  const at = Date.now();
  let now = item;
  for (const { kind, ordinal } of artifacts) {
    const completed: Item = { ...now, status: 'completed' };
    now = transition(completed, { type: 'file-damaged', at, kind, ordinal }, defaultPolicy).item;
  }
  return now;
}

/** Compares every saved file of completed items with the disk, and says what is wrong, a line each. */
async function findDamage(checkpoint: Checkpoint, tree: OutputTree): Promise<readonly Damage[]> {
  const damages: Damage[] = [];
  let fileCount = 0;
  for await (const item of checkpoint.items(['completed'])) {
    const artifacts: Artifact[] = [];
    for (const artifact of item.artifacts) {
      if (artifact.state !== 'saved' || artifact.path === null) continue;
      fileCount += 1;
      const failure = await compare(tree, artifact, artifact.path);
      if (failure === null) continue;
      artifacts.push(artifact);
      printNotice(toTerminalText(`${artifact.path}: ${failure}`));
    }
    if (artifacts.length > 0) damages.push({ item, artifacts });
  }
  const damagedCount = damages.reduce((sum, damage) => sum + damage.artifacts.length, 0);
  printResult(
    `${renderNumber(fileCount)} files, ${renderNumber(fileCount - damagedCount)} whole, ${renderNumber(damagedCount)} damaged or missing`,
  );
  return damages;
}

async function compare(tree: OutputTree, artifact: Artifact, path: string): Promise<string | null> {
  const onDisk = await tree.inspect(path);
  if (onDisk === null) return 'is missing';
  if (onDisk.sizeBytes !== artifact.sizeBytes)
    return `has ${onDisk.sizeBytes} bytes, ${artifact.sizeBytes} were saved`;
  return onDisk.sha256 === artifact.sha256 ? null : 'has other content than was saved';
}

export const handle: Handle = async (argv) => {
  const dir = String(argv.dir);
  process.exitCode =
    argv.fix === true ? await verifyAndFix(dir, givenOptions(argv, goOnGroups)) : await verify(dir);
};

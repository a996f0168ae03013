/** A first run into a folder writes over nothing that it did not make: neither its own input nor what else a user has there. */

import { existsSync, lstatSync, readdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { foreignFile } from '../adapters/file-output-tree/foreign-files.ts';
import { journalName } from '../adapters/id-journal.ts';
import { UsageError } from '../errors.ts';
import type { Ingest } from '../store.ts';
import type { Options } from './options.ts';
import type { Invocation } from './settings.ts';
import { shownName, standardInput } from './standard-input.ts';
import { storeIn } from './stores.ts';

/** What a run writes at the top of its folder, beside the checkpoint and its lock, which look after themselves. */
const outputNames = ['report.csv', 'report.jsonl', 'report.html', 'failed.csv', 'batch.log', journalName];
const simulatorName = 'simulator.jsonl';

/** Throws `UsageError` where the questions of a first run stand in a file that the run itself would write. */
export async function refuseOutputAsInput(input: string, { out, outShown }: Invocation): Promise<void> {
  const place = storeIn(out);
  if (input === standardInput || (await place.exists())) return;
  const file = statIfThere(input);
  // Whatever name it was given by: another spelling, or a link.
  const isThis = (name: string): boolean => {
    const output = statIfThere(join(out, name));
    return output !== null && file !== null && output.dev === file.dev && output.ino === file.ino;
  };
  if (![...outputNames, simulatorName, ...place.files].some(isThis)) return;
  throw new UsageError(
    `${shownName(input)} would be overwritten by the run in ${outShown}; choose another --out, or another name for the file`,
  );
}

/** Throws `UsageError` where a first run into this folder would write over a file. */
export async function refuseForeignFiles(
  { out, outShown }: Invocation,
  { simulate }: Options,
  ingest: Ingest,
): Promise<void> {
  if (!existsSync(out)) return;
  const isThere = (name: string): boolean =>
    lstatSync(join(out, name), { throwIfNoEntry: false }) !== undefined;
  const found =
    [...outputNames, ...(simulate ? [simulatorName] : [])].find(isThere) ?? (await foreignRow(out, ingest));
  if (found === null) return;
  throw new UsageError(
    `${join(outShown, found)} exists, does not belong to a run, and would be overwritten; move it away, or choose another --out`,
  );
}

/** The first file that stands in the place of a row's. */
async function foreignRow(out: string, ingest: Ingest): Promise<string | null> {
  const inTheWay = new Map<string, string>();
  for (const name of readdirSync(out)) {
    const found = isPlain(name) ? foreignInFolder(out, name) : null;
    if (found !== null) inTheWay.set(name, found);
  }
  const taken = inTheWay.size === 0 ? null : await ingest.takenFolder([...inTheWay.keys()]);
  return taken === null ? null : (inTheWay.get(taken) ?? null);
}

/** No row's folder is named like anything else. */
const isPlain = (name: string): boolean => !name.includes('\\');

/** A folder that cannot be looked into would be in the way of its row. */
function foreignInFolder(out: string, name: string): string | null {
  try {
    return foreignFile(out, name);
  } catch {
    return name;
  }
}

function statIfThere(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    // What cannot be looked at is told by whoever reads it.
    return null;
  }
}

/** Keeps the first run in a folder from overwriting files it did not create: its own input, or other files of the user. */

import {
  closeSync,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  type Stats,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { UsageError } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import { foreignFile } from '../../outputs/foreign-files.ts';
import { isOwnPackage } from '../../reports/workbook-parts.ts';
import { journalName } from '../../stores/id-journal.ts';
import type { Ingest } from '../../stores/port/import.ts';
import type { Invocation } from '../options/invocation.ts';
import type { Options, RawOptions } from '../options/options.ts';
import { shownName, standardInput } from '../options/standard-input.ts';
import { storeIn } from '../stores.ts';

/** Files that a run writes at the top of its folder; the store checks its own. */
const outputNames = [
  'report.csv',
  'report.jsonl',
  'report.html',
  'failed.csv',
  'failed.xlsx',
  'report.xlsx',
  'batch.log',
  'batch.log.1',
  journalName,
];
const simulatorName = 'simulator.jsonl';

/** True where a run in the folder of this path (absolute) has a file of this name, or will have one. */
export async function isRunFile(path: string): Promise<boolean> {
  const place = storeIn(dirname(path));
  const name = basename(path).toLowerCase();
  return [...outputNames, simulatorName, ...place.files].includes(name) && (await place.exists());
}

/** Throws `UsageError` when a first run would overwrite its own input. */
export async function refuseOutputAsInput(input: string, { out, outShown }: Invocation): Promise<void> {
  const place = storeIn(out);
  if (input === standardInput || (await place.exists())) return;
  const file = statIfThere(input);
  // Compares files, not names: the name may be spelled differently, or be a link.
  const isThis = (name: string): boolean => {
    const output = statIfThere(join(out, name));
    return output !== null && file !== null && output.dev === file.dev && output.ino === file.ino;
  };
  if (![...outputNames, simulatorName, ...place.files].some(isThis)) return;
  throw new UsageError(message('folder.input-in-the-way', { folder: outShown, file: shownName(input) }));
}

/** Throws `UsageError` when a first run in this folder would overwrite a file. */
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
  throw new UsageError(message('folder.file-in-the-way', { path: join(outShown, found) }));
}

/** Throws `UsageError` when the first `report.xlsx` of a run that is there already would replace a workbook of the user. */
export function refuseForeignWorkbook(
  { out, outShown, shared }: Invocation,
  { report }: Options,
  saved: RawOptions,
): void {
  if (report !== 'xlsx' || saved.report === 'xlsx' || shared !== null) return;
  const path = join(out, 'report.xlsx');
  if (!existsSync(path) || isOwnPackage(tailOf(path))) return;
  throw new UsageError(message('refused.changed-workbook', { path: join(outShown, 'report.xlsx') }));
}

function tailOf(path: string): Uint8Array {
  const file = openSync(path, 'r');
  try {
    const tail = Buffer.alloc(32);
    const from = Math.max(0, fstatSync(file).size - tail.length);
    return tail.subarray(0, readSync(file, tail, 0, tail.length, from));
  } finally {
    closeSync(file);
  }
}

/** The first file in the place of a row's file. */
async function foreignRow(out: string, ingest: Ingest): Promise<string | null> {
  const inTheWay = new Map<string, string>();
  for (const name of readdirSync(out)) {
    const found = isPlain(name) ? foreignInFolder(out, name) : null;
    if (found !== null) inTheWay.set(name, found);
  }
  const taken = inTheWay.size === 0 ? null : await ingest.takenFolder([...inTheWay.keys()]);
  return taken === null ? null : (inTheWay.get(taken) ?? null);
}

/** True for a name that a row's folder can have. */
const isPlain = (name: string): boolean => !name.includes('\\');

/** An unreadable folder counts as in the way. */
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
    // Reading the file reports the error.
    return null;
  }
}

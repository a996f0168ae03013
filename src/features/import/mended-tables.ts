/**
 * Keeps what a user wrote into `failed.csv` or `failed.xlsx`: a run replaces these files, and a retry does not read them.
 * Of a run in a bucket nobody edits them in place.
 */

import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { copyFile, readFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { OpenedRun } from '../../app/begin-work.ts';
import { digestOf } from '../../app/files/own-files.ts';
import type { MendedTables } from '../../app/session.ts';
import { BatchError, codeOf, DiskError, InputError, messageOf, UsageError } from '../../errors.ts';
import { type Message, message } from '../../messages/message.ts';
import type { OutputTree } from '../../ports.ts';
import { shellPath } from '../../text/shell-word.ts';
import { failedNames } from './failed-tables.ts';
import { stageFile } from './stage-file.ts';

/** As a session receives them. */
export const mendedTables: MendedTables = { keep: keepMended, reports: keepingMended };

/** A table with texts that the run does not know. */
interface MendedTable {
  readonly name: string;
  /** Rows with such a text; null where the table cannot be read. */
  readonly rows: number | null;
}

/** The setting with the digest of this table as the run wrote it last. */
const writtenSetting = (name: string): string => `written ${name}`;

/**
 * Throws `UsageError` where such a table was mended: a retry would pay for the texts that the user has just replaced. One that
 * cannot be read was mended, too: the program wrote it so that it could.
 */
export async function refuseMended(run: OpenedRun): Promise<void> {
  const [table] = await findMended(run);
  if (table === undefined) return;
  const { outShown, words } = run.invocation;
  const path = shellPath(join(outShown, table.name));
  if (table.rows === null) throw new UsageError(message('retry.table-unreadable', { path }));
  const command = `batch run ${path} ${words.file} --rerun-changed`;
  throw new UsageError(message('retry.table-mended', { path, count: table.rows, command }));
}

/** Copies such tables next to themselves, before the reports replace them. Returns what to say of each. */
export async function keepMended(run: OpenedRun): Promise<readonly Message[]> {
  const said: Message[] = [];
  for (const { name, rows } of await findMended(run)) {
    const kept = await keepCopy(run.invocation.out, name);
    if (kept === null) continue;
    const path = shellPath(join(run.invocation.outShown, kept));
    said.push(
      rows === null
        ? message('retry.table-kept', { name, path })
        : message('retry.rows-kept', { count: rows, name, path }),
    );
  }
  return said;
}

/** The reports of a session. */
type Reports = Pick<OutputTree, 'createReport'>;

/**
 * The reports of a session, which replace such a table only as long as nobody changes it. In a folder a changed one is left
 * until the session ends (`isRunning`): its rows are compared in the store that the session writes to. Of a shared run
 * another worker may have written it, so its rows show it at once. `say` receives what is to be said.
 */
export function keepingMended(
  run: OpenedRun,
  tree: Reports,
  say: (said: Message) => void,
): (isRunning: boolean) => Reports {
  const { out, words } = run.invocation;
  const seen = new Map(words.isShared ? [] : failedNames.map((name) => [name, stateOf(join(out, name))]));
  return (isRunning) => ({
    async createReport(name) {
      const file = await tree.createReport(name);
      if (!failedNames.includes(name)) return file;
      const digest = createHash('sha256');
      const commit = async (): Promise<void> => {
        const now = stateOf(join(out, name));
        if (now !== null && now !== seen.get(name)) {
          if (isRunning && !words.isShared) return;
          for (const said of await keepMended(run)) say(said);
        }
        await file.commit();
        seen.set(name, stateOf(join(out, name)));
        await noteWritten(run, name, digest.digest('hex'));
      };
      return {
        write: (content) => {
          digest.update(content);
          return file.write(content);
        },
        commit,
        commitNextTo: () => file.commitNextTo(),
        [Symbol.asyncDispose]: () => file[Symbol.asyncDispose](),
      };
    },
  });
}

/** A table whose digest cannot be saved is compared by its texts. */
async function noteWritten({ store: { settings } }: OpenedRun, name: string, sha256: string): Promise<void> {
  try {
    if ((await settings.get(writtenSetting(name))) !== sha256)
      await settings.save(writtenSetting(name), sha256);
  } catch (error) {
    if (!(error instanceof BatchError)) throw error;
  }
}

/** True where nobody has changed the table since the run wrote it, whatever became of its rows in the file. */
async function isAsWritten({ store: { settings } }: OpenedRun, name: string, path: string): Promise<boolean> {
  const written = await settings.get(writtenSetting(name));
  if (written === null) return false;
  return digestOf(path) === written;
}

/** Which file it is and when it was written; null where there is none. */
function stateOf(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? null : `${found.dev} ${found.ino} ${found.size} ${found.mtimeNs}`;
}

/** Only rows whose text the run knows under neither attempt nor edit count: the file may be older than the last import. */
async function findMended(run: OpenedRun): Promise<readonly MendedTable[]> {
  const { store, invocation } = run;
  if (await store.isEmpty()) return [];
  const found: MendedTable[] = [];
  for (const name of failedNames) {
    const path = join(invocation.out, name);
    if (!existsSync(path) || (await isAsWritten(run, name, path))) continue;
    const rows = await countMended(path, run);
    if (rows === null || rows > 0) found.push({ name, rows });
  }
  return found;
}

async function countMended(path: string, { store, invocation, options }: OpenedRun): Promise<number | null> {
  try {
    // What this command was given is about its own rows.
    const plain = { ...invocation, options: {}, flags: {} };
    const staged = await stageFile(store, path, plain, options, { refusesOld: false });
    await using ingest = staged.ingest;
    const { newRows, changedUnsent } = staged.plan;
    return newRows + changedUnsent + (await ingest.idFacts()).keeping;
  } catch (error) {
    if (error instanceof InputError || error instanceof UsageError) return null;
    throw error;
  }
}

/** The name of the copy; null where there is one already. */
async function keepCopy(out: string, name: string): Promise<string | null> {
  const ending = extname(name);
  const stem = basename(name, ending);
  try {
    const bytes = await readFile(join(out, name));
    for (let number = 1; ; number += 1) {
      const copy = `${stem}-mended${number === 1 ? '' : `-${number}`}${ending}`;
      const path = join(out, copy);
      if (existsSync(path)) {
        if (bytes.equals(await readFile(path))) return null;
        continue;
      }
      // Never over another file.
      await copyFile(join(out, name), path, 1);
      return copy;
    }
  } catch (error) {
    throw new DiskError(
      message('output.no-copy', { name, failure: codeOf(error) || messageOf(error) }),
      error,
    );
  }
}
